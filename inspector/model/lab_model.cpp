#include "inspector/model/lab_model.h"

#include <algorithm>
#include <cctype>

#include "core/error.h"
#include "core/geometry/contiguity.h"
#include "core/geometry/lit_runs.h"
#include "core/geometry/overlap.h"
#include "core/geometry/reshaping.h"
#include "core/geometry/view_ops.h"
#include "inspector/model/value_text.h"

namespace cutaway::inspector {
namespace {

std::span<const int64_t> as_span(const DimVector& row) { return {row.data(), row.size()}; }

std::string braces_text(const DimVector& row) {
  std::string text = "{";
  for (size_t i = 0; i < row.size(); ++i) text += (i ? ", " : "") + std::to_string(row[i]);
  return text + "}";
}

// Code to paste needs a variable: a tensor of a file may be called "0.weight", and a view has an expression for a name.
struct CodeName {
  std::string variable;
  std::string remark;  // what the variable stands for, when it is not the tensor's own name
};

CodeName name_in_code(const std::string& name, const char* comment) {
  const auto letter = [](unsigned char c) { return std::isalpha(c) || c == '_'; };
  const bool identifier =
      !name.empty() && letter(static_cast<unsigned char>(name[0])) &&
      std::all_of(name.begin(), name.end(), [&](char c) {
        return letter(static_cast<unsigned char>(c)) || std::isdigit(static_cast<unsigned char>(c));
      });
  return identifier ? CodeName{name, ""} : CodeName{"x", "  " + std::string(comment) + " x is " + name};
}

struct Bounds {
  size_t itemsize;
  uint64_t nbytes;
};

void judge(const Geometry& g, const Bounds& bounds, LabModel& model) {
  try {
    as_strided(g.sizes, g.strides, g.offset, bounds.itemsize, bounds.nbytes);
  } catch (const Error& error) {
    model.legal = false;
    model.error = error.message();
    return;
  }
  const int64_t numel = g.numel();
  model.verdict = "a view: " + grouped(static_cast<uint64_t>(numel)) +
                  (numel == 1 ? " element, " : " elements, ") +
                  (is_contiguous(g.sizes, g.strides) ? "contiguous" : "not contiguous");
  const ExactOverlap exact = exact_overlap(g, 1 << 14);
  if (exact.verdict == ExactOverlap::Verdict::Collides)
    model.overlap = index_text(exact.collision.first) + " and " + index_text(exact.collision.second) +
                    " are the same element; " + quick_rule_text(internal_overlap(g.sizes, g.strides));
  else
    model.overlap =
        std::string(exact.verdict == ExactOverlap::Verdict::None ? "no two indices meet"
                                                                 : "too many elements to try each") +
        "; " + quick_rule_text(internal_overlap(g.sizes, g.strides));
  if (numel == 0) return;
  model.flatten_verdict = explain_view(g, {-1});
  model.flatten = model.flatten_verdict.possible
                      ? "view(-1) works: stride " + std::to_string(model.flatten_verdict.geometry.strides[0])
                      : model.flatten_verdict.why();
}

// Presets of the Stride Visualizer, over the first rows of this storage.
std::vector<LabPreset> presets_for(int64_t elements, int64_t columns) {
  const int64_t width = std::clamp<int64_t>(columns, 1, 8),
                rows = std::clamp<int64_t>(elements / std::max<int64_t>(columns, 1), 1, 8);
  const int64_t side = std::min(width, rows);
  std::vector<LabPreset> presets{
      {"contiguous", {{rows, width}, {columns, 1}, 0}, false, ""},
      {"broadcast", {{rows, width}, {0, 1}, 0}, false, ""},
      {"transpose", {{width, rows}, {1, columns}, 0}, false, ""},
      {"flip", {{rows, width}, {-columns, 1}, (rows - 1) * columns}, false, ""},
      {"diagonal", {{side}, {columns + 1}, 0}, false, ""},
      {"rolling window",
       {{std::max<int64_t>(width - 2, 1), std::min<int64_t>(3, width)}, {1, 1}, 0},
       false,
       ""},
  };
  for (LabPreset& preset : presets) {
    try {
      as_strided(preset.geometry.sizes, preset.geometry.strides, preset.geometry.offset, 1, elements);
    } catch (const Error& error) {
      preset.refused = true;
      preset.error = error.message();
    }
  }
  return presets;
}

void add_knobs(const Geometry& g, const Bounds& bounds, bool legal, LabModel& model) {
  const auto length = static_cast<int64_t>(bounds.nbytes / bounds.itemsize);
  LegalRanges ranges{std::vector<int64_t>(g.sizes.size(), length),
                     std::vector<int64_t>(g.sizes.size(), length), length};
  if (legal) ranges = legal_ranges(g, bounds.itemsize, bounds.nbytes);
  for (size_t i = 0; i < g.sizes.size(); ++i)
    model.knobs.push_back({"size " + std::to_string(i), g.sizes[i], 0, ranges.sizes[i]});
  for (size_t i = 0; i < g.strides.size(); ++i)
    model.knobs.push_back({"stride " + std::to_string(i), g.strides[i], 0, ranges.strides[i]});
  model.knobs.push_back({"offset", g.offset, 0, ranges.offset});
}

}  // namespace

LabModel make_lab_model(const Session& session) {
  LabModel model;
  const auto tensor = session.world().tensor(session.selection().tensor);
  const auto storage = session.world().storage(session.selection().storage);
  if (!tensor || !storage) return model;
  model.tensor = tensor->id;
  model.title = "View lab over storage #" + std::to_string(storage->id);
  model.geometry = session.lab;
  const Bounds bounds{std::max<size_t>(element_size(tensor->dtype), 1), storage->nbytes};
  judge(session.lab, bounds, model);
  add_knobs(session.lab, bounds, model.legal, model);
  const std::string offset = std::to_string(session.lab.offset);
  const CodeName python = name_in_code(name_of(*tensor), "#"), cpp = name_in_code(name_of(*tensor), "//");
  model.code = "torch.as_strided(" + python.variable + ", " + tuple_text(as_span(session.lab.sizes)) + ", " +
               tuple_text(as_span(session.lab.strides)) + ", " + offset + ")" + python.remark;
  model.code_cpp = "at::as_strided(" + cpp.variable + ", " + braces_text(session.lab.sizes) + ", " +
                   braces_text(session.lab.strides) + ", " + offset + ");" + cpp.remark;
  const int64_t elements = static_cast<int64_t>(storage->nbytes / bounds.itemsize);
  int64_t columns = 1;
  for (size_t i = 0; i < tensor->sizes.size(); ++i)
    if (tensor->strides[i] == 1) columns = std::max(columns, tensor->sizes[i]);
  model.presets = presets_for(elements, columns);
  const auto element = session.hovered_element() ? session.hovered_element() : session.selection().element;
  if (element && *element >= 0)
    model.reverse = lab_readers(session, model, static_cast<uint64_t>(*element) * bounds.itemsize);
  return model;
}

std::string lab_readers(const Session& session, const LabModel& model, uint64_t byte) {
  constexpr size_t kMost = 4;
  const auto tensor = session.world().tensor(model.tensor);
  const auto storage = tensor ? session.world().storage(tensor->storage) : std::nullopt;
  if (!storage || !model.legal || byte >= storage->nbytes) return "";
  const size_t itemsize = std::max<size_t>(element_size(tensor->dtype), 1);
  const auto element = static_cast<int64_t>(byte / itemsize);
  const auto indices = indices_reading(model.geometry, element, kMost + 1);
  std::string text =
      "byte " + std::to_string(byte) + ", element " + std::to_string(element) + ", is read by ";
  if (indices.empty()) text += "no index";
  for (size_t i = 0; i < std::min(indices.size(), kMost); ++i)
    text += (i ? ", " : "") + index_text(indices[i]);
  return text + (indices.size() > kMost ? ", ..." : "");
}

void turn_knob(Session& session, size_t index, int64_t value) {
  const size_t ndim = session.lab.sizes.size();
  session.lab_turned = true;
  if (index < ndim)
    session.lab.sizes[index] = value;
  else if (index < 2 * ndim)
    session.lab.strides[index - ndim] = value;
  else
    session.lab.offset = value;
  session.touch();
}

void add_lab_dim(Session& session) {
  constexpr size_t kMostDims = 8;
  if (session.lab.sizes.size() >= kMostDims) return;
  session.lab.sizes.push_back(1);
  session.lab.strides.push_back(1);
  session.lab_turned = true;
  session.touch();
}

void remove_lab_dim(Session& session, size_t dim) {
  if (dim >= session.lab.sizes.size()) return;
  session.lab.sizes.erase(dim);
  session.lab.strides.erase(dim);
  session.lab_turned = true;
  session.touch();
}

}  // namespace cutaway::inspector
