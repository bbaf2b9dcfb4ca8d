#include "core/geometry/view_op_table.h"

#include <algorithm>
#include <sstream>

#include "core/error.h"
#include "core/geometry/contiguity.h"
#include "core/geometry/reshaping.h"
#include "core/geometry/view_ops.h"

namespace cutaway {
namespace {

using Args = std::span<const ViewArg>;

int64_t integer(const ViewArg& arg) { return std::get<int64_t>(arg); }
const std::vector<int64_t>& list(const ViewArg& arg) { return std::get<std::vector<int64_t>>(arg); }
std::optional<int64_t> optional(const ViewArg& arg) {
  return std::holds_alternative<int64_t>(arg) ? std::optional(integer(arg)) : std::nullopt;
}

ViewOutcome one(Geometry g) { return {{std::move(g)}, false, false, {}}; }
ViewOutcome many(std::vector<Geometry> all) { return {std::move(all), true, false, {}}; }
ViewOutcome maybe_copied(Reshaped r) { return {{std::move(r.geometry)}, false, r.copies, std::move(r.why)}; }

ViewOutcome contiguous_or_copy(const Geometry& g) {
  if (is_contiguous(g.sizes, g.strides)) return one(g);
  return {{contiguous_geometry(g.sizes)},
          false,
          true,
          "The elements do not lie in row-major order, so contiguous() copies them into that order."};
}

ViewOutcome cloned(const Geometry& g) {
  return {{{g.sizes, preserved_strides(g.sizes, g.strides), 0}}, false, true, "clone() always copies."};
}

// A table, to be read by rows.
// clang-format off
#define CUTAWAY_VIEW_OP [](const Geometry& g, [[maybe_unused]] Args a, [[maybe_unused]] const ViewContext& c)

std::vector<ViewOp> make_reshaping_ops() {
  using K = ViewParamKind;
  const auto view_like = CUTAWAY_VIEW_OP { return one(view(g, list(a[0]))); };
  const auto move = CUTAWAY_VIEW_OP { return one(movedim(g, list(a[0]), list(a[1]))); };
  return {
      {"view", {{"size", K::IntList, {}}}, true, view_like, "other sizes over the same elements, never a copy"},
      {"reshape", {{"shape", K::IntList, {}}}, true,
       CUTAWAY_VIEW_OP { return maybe_copied(reshape(g, list(a[0]))); }, "a view when one exists, else a copy"},
      {"flatten", {{"start_dim", K::Int, 0}, {"end_dim", K::Int, -1}}, false,
       CUTAWAY_VIEW_OP { return maybe_copied(reshape(g, flattened_sizes(g.sizes, integer(a[0]), integer(a[1])))); },
       "joins a range of dimensions; a copy when they cannot merge"},
      {"unflatten", {{"dim", K::Int, {}}, {"sizes", K::IntList, {}}}, false,
       CUTAWAY_VIEW_OP { return one(view(g, unflattened_sizes(g.sizes, integer(a[0]), list(a[1])))); },
       "splits one dimension into several"},
      {"permute", {{"dims", K::IntList, {}}}, true, CUTAWAY_VIEW_OP { return one(permute(g, list(a[0]))); },
       "the dimensions in another order"},
      {"movedim", {{"source", K::IntList, {}}, {"destination", K::IntList, {}}}, false, move,
       "dimensions to other places"},
      {"moveaxis", {{"source", K::IntList, {}}, {"destination", K::IntList, {}}}, false, move, "movedim"},
      {"squeeze", {{"dim", K::IntList, {}}}, true,
       CUTAWAY_VIEW_OP {
         return one(std::holds_alternative<ViewArgNone>(a[0]) ? squeeze(g) : squeeze(g, list(a[0])));
       },
       "drops dimensions of size 1"},
      {"unsqueeze", {{"dim", K::Int, {}}}, false, CUTAWAY_VIEW_OP { return one(unsqueeze(g, integer(a[0]))); },
       "a new dimension of size 1"},
      {"expand", {{"size", K::IntList, {}}}, true,
       CUTAWAY_VIEW_OP { return one(expand(g, list(a[0]), c.dtype)); }, "repeats by stride 0, without memory"},
      {"contiguous", {}, false, CUTAWAY_VIEW_OP { return contiguous_or_copy(g); }, "itself, or a row-major copy"},
      {"clone", {}, false, CUTAWAY_VIEW_OP { return cloned(g); }, "a copy"},
      {"detach", {}, false, CUTAWAY_VIEW_OP { return one(g); }, "the same elements, without history"},
      {"alias", {}, false, CUTAWAY_VIEW_OP { return one(g); }, "the same elements as another tensor"},
  };
}

std::vector<ViewOp> make_striding_ops() {
  using K = ViewParamKind;
  const auto swap = CUTAWAY_VIEW_OP { return one(transpose(g, integer(a[0]), integer(a[1]))); };
  const std::vector<ViewParam> two_dims{{"dim0", K::Int, {}}, {"dim1", K::Int, {}}};
  const std::vector<ViewParam> two_axes{{"axis0", K::Int, {}}, {"axis1", K::Int, {}}};
  return {
      {"transpose", two_dims, false, swap, "swaps two dimensions"},
      {"swapdims", two_dims, false, swap, "transpose"},
      {"swapaxes", two_axes, false, swap, "transpose"},
      {"t", {}, false, CUTAWAY_VIEW_OP { return one(t(g)); }, "a matrix's transpose"},
      {"T", {}, false,
       CUTAWAY_VIEW_OP {
         std::vector<int64_t> reversed;
         for (int64_t i = g.dim(); i-- > 0;) reversed.push_back(i);
         return one(permute(g, reversed));
       },
       "all dimensions reversed (an attribute)"},
      {"mT", {}, false,
       CUTAWAY_VIEW_OP {
         CUTAWAY_CHECK(g.dim() >= 2, "tensor.mT is only supported on matrices or batches of matrices. Got ", g.dim(),
                       "-D tensor.");
         return one(transpose(g, -2, -1));
       },
       "the last two dimensions swapped (an attribute)"},
      {"select", {{"dim", K::Int, {}}, {"index", K::Int, {}}}, false,
       CUTAWAY_VIEW_OP { return one(select(g, integer(a[0]), integer(a[1]))); }, "one index of a dimension"},
      {"narrow", {{"dim", K::Int, {}}, {"start", K::Int, {}}, {"length", K::Int, {}}}, false,
       CUTAWAY_VIEW_OP { return one(narrow(g, integer(a[0]), integer(a[1]), integer(a[2]))); },
       "a range of a dimension"},
      {"slice",
       {{"dim", K::Int, 0}, {"start", K::OptionalInt, {}}, {"end", K::OptionalInt, {}}, {"step", K::Int, 1}}, false,
       CUTAWAY_VIEW_OP { return one(slice(g, integer(a[0]), optional(a[1]), optional(a[2]), integer(a[3]))); },
       "every step-th index of a range"},
      {"unfold", {{"dimension", K::Int, {}}, {"size", K::Int, {}}, {"step", K::Int, {}}}, false,
       CUTAWAY_VIEW_OP { return one(unfold(g, integer(a[0]), integer(a[1]), integer(a[2]))); },
       "sliding windows, which may overlap"},
      {"diagonal", {{"offset", K::Int, 0}, {"dim1", K::Int, 0}, {"dim2", K::Int, 1}}, false,
       CUTAWAY_VIEW_OP { return one(diagonal(g, integer(a[0]), integer(a[1]), integer(a[2]))); }, "a diagonal"},
      {"as_strided",
       {{"size", K::IntList, {}}, {"stride", K::IntList, {}}, {"storage_offset", K::OptionalInt, {}}}, false,
       CUTAWAY_VIEW_OP {
         return one(as_strided(list(a[0]), list(a[1]), optional(a[2]).value_or(g.offset), element_size(c.dtype),
                               c.storage_nbytes));
       },
       "sizes, strides and offset as you say"},
      {"split", {{"split_size", K::IntList, {}}, {"dim", K::Int, 0}}, false,
       CUTAWAY_VIEW_OP {
         const auto& sizes = list(a[0]);
         return many(sizes.size() == 1 ? split(g, sizes[0], integer(a[1])) : split_with_sizes(g, sizes, integer(a[1])));
       },
       "pieces of a size along a dimension"},
      {"chunk", {{"chunks", K::Int, {}}, {"dim", K::Int, 0}}, false,
       CUTAWAY_VIEW_OP { return many(chunk(g, integer(a[0]), integer(a[1]))); }, "a number of pieces"},
      {"unbind", {{"dim", K::Int, 0}}, false, CUTAWAY_VIEW_OP { return many(unbind(g, integer(a[0]))); },
       "every index of a dimension"},
  };
}

#undef CUTAWAY_VIEW_OP
// clang-format on

const char* kind_name(const ViewArg& arg) {
  if (std::holds_alternative<int64_t>(arg)) return "int";
  return std::holds_alternative<ViewArgNone>(arg) ? "NoneType" : "list";
}

// squeeze() without a dimension is the one list that may be left out.
bool may_be_absent(const ViewOp& op, const ViewParam& param) {
  return param.kind == ViewParamKind::OptionalInt || op.name == "squeeze";
}

// An argument as its parameter wants it: a bare integer stands for a list of one.
ViewArg fitted(const ViewOp& op, const ViewParam& param, size_t position, const ViewArg& arg) {
  const bool is_int = std::holds_alternative<int64_t>(arg),
             is_list = std::holds_alternative<std::vector<int64_t>>(arg);
  if (param.kind == ViewParamKind::IntList && is_int) return std::vector<int64_t>{integer(arg)};
  const bool fits = param.kind == ViewParamKind::IntList ? is_list : is_int;
  const bool absent = std::holds_alternative<ViewArgNone>(arg) && may_be_absent(op, param);
  CUTAWAY_CHECK_TYPE(fits || absent, op.name, "(): argument '", param.name, "' (position ", position + 1,
                     ") must be ", param.kind == ViewParamKind::IntList ? "tuple of ints" : "int", ", not ",
                     kind_name(arg));
  return arg;
}

}  // namespace

std::span<const ViewOp> view_op_table() {
  static const std::vector<ViewOp> table = [] {
    std::vector<ViewOp> all = make_reshaping_ops();
    for (ViewOp& op : make_striding_ops()) all.push_back(std::move(op));
    return all;
  }();
  return table;
}

const ViewOp* find_view_op(std::string_view name) {
  for (const ViewOp& op : view_op_table())
    if (op.name == name) return &op;
  return nullptr;
}

std::string signature(const ViewOp& op) {
  std::ostringstream out;
  out << op.name << '(';
  for (size_t i = 0; i < op.params.size(); ++i) {
    out << (i ? ", " : "") << op.params[i].name;
    if (op.params[i].value) out << '=' << *op.params[i].value;
    if (!op.params[i].value && may_be_absent(op, op.params[i])) out << "=None";
  }
  out << ')';
  return out.str();
}

std::vector<ViewArg> bind_view_args(const ViewOp& op, const std::vector<ViewArg>& positional,
                                    const std::vector<std::pair<std::string, ViewArg>>& keywords) {
  std::vector<ViewArg> given = positional;
  // view(2, 3): integers one by one where a single list is wanted.
  if (op.varargs && op.params.size() == 1 && given.size() != 1 &&
      std::all_of(given.begin(), given.end(),
                  [](const ViewArg& a) { return std::holds_alternative<int64_t>(a); }) &&
      (!given.empty() || (keywords.empty() && op.name != "squeeze"))) {
    std::vector<int64_t> gathered;
    for (const ViewArg& arg : given) gathered.push_back(integer(arg));
    given = {ViewArg(gathered)};
  }
  CUTAWAY_CHECK_TYPE(given.size() <= op.params.size(), op.name, "() takes ", op.params.size(),
                     " arguments, not ", given.size(), ": ", signature(op));
  std::vector<std::optional<ViewArg>> bound(op.params.size());
  for (size_t i = 0; i < given.size(); ++i) bound[i] = fitted(op, op.params[i], i, given[i]);
  for (const auto& [keyword, value] : keywords) {
    const auto param = std::find_if(op.params.begin(), op.params.end(),
                                    [&name = keyword](const ViewParam& p) { return p.name == name; });
    CUTAWAY_CHECK_TYPE(param != op.params.end(), op.name, "() got an unexpected keyword argument '", keyword,
                       "': ", signature(op));
    const auto place = static_cast<size_t>(param - op.params.begin());
    CUTAWAY_CHECK_TYPE(!bound[place], op.name, "() got multiple values for argument '", keyword, "'");
    bound[place] = fitted(op, *param, place, value);
  }
  std::vector<ViewArg> args;
  for (size_t i = 0; i < bound.size(); ++i) {
    const ViewParam& param = op.params[i];
    if (!bound[i] && param.value) bound[i] = *param.value;
    if (!bound[i] && may_be_absent(op, param)) bound[i] = ViewArgNone{};
    CUTAWAY_CHECK_TYPE(bound[i].has_value(), op.name, "() missing 1 required positional argument: '",
                       param.name, "': ", signature(op));
    args.push_back(*bound[i]);
  }
  return args;
}

}  // namespace cutaway
