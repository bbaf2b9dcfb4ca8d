#include "inspector/model/card_model.h"

#include <algorithm>

#include "core/dispatch_key_set.h"
#include "core/geometry/contiguity.h"
#include "core/geometry/overlap.h"
#include "core/tensor_impl.h"
#include "inspector/model/value_text.h"

namespace cutaway::inspector {

using trace::TensorState;

namespace {

std::string strides_text(const TensorState& t) { return t.strides.empty() ? "none" : shape_text(t.strides); }

std::string tensor_link_text(const Session& session, ObjectId id) {
  const auto tensor = session.world().tensor(id);
  return tensor ? name_of(*tensor) : "tensor #" + std::to_string(id);
}

// The tensor one event earlier, when this event may have changed it.
std::optional<TensorState> before_this_event(const Session& session, ObjectId id) {
  if (session.time() == 0) return std::nullopt;
  const auto& event = session.trace().event(session.time());
  const bool concerns = event.object == id || event.kind == trace::EventKind::VersionChanged;
  if (!concerns) return std::nullopt;
  return session.trace().world_at(session.time() - 1).tensor(id);
}

void add_fields(const Session& session, const TensorState& t, CardModel& model) {
  const auto before = before_this_event(session, t.id);
  const auto add = [&](const char* label, const std::string& value, const std::string& old = "", ObjectId link = 0) {
    model.fields.push_back({label, value, old == value ? "" : old, link});
  };
  add("sizes", shape_text(t.sizes), before ? shape_text(before->sizes) : "");
  add("strides", strides_text(t), before ? strides_text(*before) : "");
  add("offset", std::to_string(t.storage_offset), before ? std::to_string(before->storage_offset) : "");
  add("elements", grouped(static_cast<uint64_t>(compute_numel(t.sizes))));
  add("dtype", dtype_name(t.dtype));
  add("device", t.device.str());
  add("layout", to_string(t.layout));
  add("storage", t.storage ? "#" + std::to_string(t.storage) : "none");
  if (t.root) add("base", tensor_link_text(session, t.root), "", t.root);
  if (!t.made_by.empty()) add("made by", t.made_by + (t.copied ? " (a copy)" : ""));
  if (t.source && t.source != t.root) add("from", tensor_link_text(session, t.source), "", t.source);
  add("at event", std::to_string(t.born));
  size_t sharing = 0;
  for (ObjectId id : session.world().tensors()) {
    const auto other = session.world().tensor(id);
    sharing += other->alive && t.version_counter && other->version_counter == t.version_counter;
  }
  add("version", std::to_string(t.version) + (sharing > 1 ? ", shared by " + std::to_string(sharing) : ""),
      before && before->version != t.version ? std::to_string(before->version) : "");
  add("requires grad", t.requires_grad ? "yes" : "no");
  if (const auto origin = session.document().origin(t.id)) {
    add("file", origin->format + " " + origin->dtype_text);
    add("file bytes", grouped(origin->begin) + " to " + grouped(origin->end) + (origin->compressed ? ", deflated" : ""));
    if (origin->byte_order == "big") add("byte order", "big, swapped when read");
  }
}

CardVerdict contiguity(const TensorState& t) {
  if (is_contiguous(t.sizes, t.strides)) {
    const bool empty = compute_numel(t.sizes) == 0;
    return {"contiguous", "yes", empty ? "a tensor without elements always is" : "each stride is the product of the sizes to its right"};
  }
  const DimVector wanted = contiguous_strides(t.sizes);
  for (size_t i = t.sizes.size(); i-- > 0;)
    if (t.sizes[i] != 1 && t.strides[i] != wanted[i])
      return {"contiguous", "no", "row-major order wants stride " + std::to_string(wanted[i]) + " for dimension " +
                                      std::to_string(i) + ", it is " + std::to_string(t.strides[i])};
  return {"contiguous", "no", ""};
}

CardVerdict overlap(const TensorState& t) {
  const ExactOverlap exact = exact_overlap({DimVector(t.sizes), DimVector(t.strides), t.storage_offset}, 1 << 14);
  const InternalOverlap quick = internal_overlap(t.sizes, t.strides);
  std::string rule = "PyTorch's quick rule says ";
  rule += to_string(quick);
  if (exact.verdict == ExactOverlap::Verdict::Collides)
    return {"overlap", "yes", index_text(exact.collision.first) + " and " + index_text(exact.collision.second) +
                                  " are both element " + std::to_string(exact.collision.element) + "; " + rule};
  if (exact.verdict == ExactOverlap::Verdict::TooLarge) return {"overlap", "not worked out", "too large to try; " + rule};
  return {"overlap", "none", quick == InternalOverlap::TooHard ? "no two indices meet; " + rule + ", and allows a write"
                                                               : "no two indices meet; " + rule};
}

}  // namespace

CardModel make_card_model(const Session& session) {
  CardModel model;
  const auto tensor = session.world().tensor(session.selection().tensor);
  if (!tensor) return model;
  model.tensor = tensor->id;
  model.name = name_of(*tensor);
  model.color = session.color_of(tensor->id);
  add_fields(session, *tensor, model);
  const DispatchKeySet keys = DispatchKeySet::from_raw(tensor->key_set);
  for (DispatchKey key : keys.keys())
    model.keys.push_back({to_string(key), to_functionality(key) == DispatchKey::Dense ||
                                              to_functionality(key) == DispatchKey::Sparse});
  // Autocast keys are excluded by default, so a call does not stop there.
  const DispatchKeySet on = keys - DispatchKeySet{DispatchKey::AutocastCPU, DispatchKey::AutocastCUDA, DispatchKey::AutocastPrivateUse1};
  model.first_key = to_string(on.highest_priority_key());
  model.verdicts.push_back(contiguity(*tensor));
  if (tensor->sizes.size() == 4)
    model.verdicts.push_back({"channels last", is_channels_last_contiguous(tensor->sizes, tensor->strides) ? "yes" : "no",
                              "strides in the order N, H, W, C"});
  const bool dense = is_contiguous(tensor->sizes, tensor->strides) || is_non_overlapping_and_dense(tensor->sizes, tensor->strides);
  model.verdicts.push_back({"dense", dense ? "yes" : "no",
                            dense ? "some order of its dimensions reads a block without gaps" : "there are gaps or overlaps between its elements"});
  model.verdicts.push_back(overlap(*tensor));
  for (const TensorImplField& field : tensor_impl_fields())
    model.layout.push_back({field.name, field.offset, field.size, static_cast<int>(field.group)});
  model.struct_size = sizeof(TensorImpl);
  return model;
}

}  // namespace cutaway::inspector
