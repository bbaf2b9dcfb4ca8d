// The little language of --view and the View lab: `images[3:7, ::2].transpose(1, 2)`.
//
// A tensor's name, then any chain of index brackets, view operations and the attributes T and mT. Names may contain
// dots (fc1.weight); the longest known name wins. Every step's geometry is worked out without touching memory.
// Errors in the writing name the column and point at it; errors of an operation stay PyTorch's.
//
// PyTorch: torch/csrc/autograd/python_variable_indexing.cpp
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/geometry/indexing.h"
#include "core/geometry/reshaping.h"
#include "core/geometry/view_op_table.h"
#include "inspector/model/copy_plan.h"

namespace cutaway::inspector {

struct CallStep {
  const ViewOp* op = nullptr;
  std::vector<ViewArg> args;  // bound
};
struct IndexStep {
  std::vector<IndexItem> items;
};
struct ExpressionStep {
  std::variant<CallStep, IndexStep> what;
  size_t begin = 0;  // columns in the text, from 0
  size_t end = 0;
};
struct ViewExpression {
  std::string text;
  std::string name;
  std::vector<ExpressionStep> steps;
};

// Throws: ValueError with the text and a caret under the place.
ViewExpression parse_view_expression(const std::string& text, const std::vector<std::string>& names);

// What one step gave.
struct StepResult {
  std::string text;  // the expression up to here: "images[3:7, ::2]"
  std::string call;  // "transpose(1, 2)"
  Geometry geometry;
  bool copies = false;  // into a fresh storage, as `plan` says
  std::string why;
  CopyPlan plan;
};
struct Evaluation {
  std::vector<StepResult> steps;  // those that worked
  // The step that did not:
  std::string error_kind;              // "RuntimeError"; empty when all worked
  std::string error;                   // PyTorch's text
  std::string failed_call;             // "view(-1)"
  std::string failed_text;             // the expression up to and with the failing step
  std::optional<ViewVerdict> verdict;  // for view and unflatten: which dimensions cannot merge
};

// Works the steps out from `start`. Never throws for what an operation refuses; that is in the result.
Evaluation evaluate(const ViewExpression& expression, const Geometry& start, const ViewContext& context);

}  // namespace cutaway::inspector
