// The view operations by name, with their parameters: one table for the expression parser, the View lab and the docs.
//
// An entry takes already parsed arguments and a geometry and says what comes out: one geometry or several (split),
// a view or a copy (reshape, contiguous, clone), with the reason for a copy.
//
// PyTorch: aten/src/ATen/native/native_functions.yaml (the entries tagged as views)
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/geometry/geometry.h"
#include "core/scalar_type.h"

namespace cutaway {

struct ViewArgNone {};
using ViewArg = std::variant<ViewArgNone, int64_t, std::vector<int64_t>>;

enum class ViewParamKind { Int, OptionalInt, IntList };

struct ViewParam {
  std::string_view name;
  ViewParamKind kind = ViewParamKind::Int;
  std::optional<int64_t> value;  // default; without one the argument must be given (OptionalInt: None)
};

// What an op may need to know besides the geometry.
struct ViewContext {
  ScalarType dtype = ScalarType::Float;
  std::optional<uint64_t> storage_nbytes;  // bounds as_strided when known
};

struct ViewOutcome {
  std::vector<Geometry> results;  // several for split, chunk, unbind
  bool several = false;
  bool copies = false;  // results are then geometries of a fresh storage
  std::string why;
};

struct ViewOp {
  std::string_view name;
  std::vector<ViewParam> params;
  bool varargs = false;  // a last IntList parameter also takes its integers one by one: view(2, 3)
  // Requires: args.size() == params.size(), of the kinds of params. Throws: the op's errors.
  ViewOutcome (*apply)(const Geometry& g, std::span<const ViewArg> args, const ViewContext& context);
  std::string_view one_line;  // what it does
};

std::span<const ViewOp> view_op_table();
// Returns: null when there is none. Aliases (swapaxes, moveaxis, T, ...) are entries of their own.
const ViewOp* find_view_op(std::string_view name);

// Returns: "transpose(dim0, dim1)", with defaults.
std::string signature(const ViewOp& op);

// Lays positional and keyword arguments out as `op` wants them, filling defaults.
// Throws: TypeError that names the op, the argument and what was expected.
std::vector<ViewArg> bind_view_args(const ViewOp& op, const std::vector<ViewArg>& positional,
                                    const std::vector<std::pair<std::string, ViewArg>>& keywords);

}  // namespace cutaway
