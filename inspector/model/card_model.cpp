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
  const std::string& name = session.world().name(id);
  const std::string number = "#" + std::to_string(id), gone = session.world().alive(id) ? "" : ", gone";
  if (name.empty()) return "tensor " + number + gone;
  // A name may have been given on to another tensor, such as x in x = clone(x).
  return gone.empty() ? name : name + " (" + number + gone + ")";
}

// The tensor one event earlier, or at the locked event.
std::optional<TensorState> tensor_before(const Session& session, ObjectId id) {
  if (session.compared_event()) return session.trace().world_at(*session.compared_event()).tensor(id);
  if (session.time() == 0) return std::nullopt;
  return session.trace().world_at(session.time() - 1).tensor(id);
}

class FieldTeller {
 public:
  FieldTeller(const Session& session, const TensorState& t, CardModel& model)
      : session_(session), t_(t), before_(tensor_before(session, t.id)), model_(model) {}

  void tell() {
    add("sizes", [](const TensorState& t) { return shape_text(t.sizes); });
    add("strides", strides_text);
    add("offset", [](const TensorState& t) { return std::to_string(t.storage_offset); });
    plain("elements", grouped(static_cast<uint64_t>(compute_numel(t_.sizes))));
    add("dtype", [](const TensorState& t) { return std::string(dtype_name(t.dtype)); });
    plain("device", t_.device.str());
    plain("layout", to_string(t_.layout));
    add("storage", [](const TensorState& t) { return t.storage ? "#" + std::to_string(t.storage) : "none"; });
    if (!t_.in_bounds) plain("out of bounds", "the storage shrank under it");
    if (t_.root) plain("base", tensor_link_text(session_, t_.root), t_.root);
    if (!t_.made_by.empty()) plain("made by", t_.made_by + (t_.copied ? " (a copy)" : ""));
    if (t_.source && t_.source != t_.root) plain("from", tensor_link_text(session_, t_.source), t_.source);
    plain("at event", std::to_string(t_.born) + (t_.alive ? "" : ", released at " + std::to_string(t_.died)));
    tell_version();
    add("requires grad", [](const TensorState& t) { return std::string(t.requires_grad ? "yes" : "no"); });
    if (t_.strong)
      add("references", [](const TensorState& t) {
        return std::to_string(t.strong) + " strong, " + std::to_string(t.weak) + " weak";
      });
    tell_file();
  }

 private:
  template <class Text>
  void add(const char* label, const Text& text) {
    const std::string value = text(t_), old = before_ ? text(*before_) : value;
    model_.fields.push_back({label, value, old == value ? "" : old, 0});
  }
  void plain(const char* label, const std::string& value, ObjectId link = 0) {
    model_.fields.push_back({label, value, "", link});
  }

  // Views over one storage share the counter, and nothing over another storage does.
  void tell_version() {
    size_t sharing = 0;
    for (ObjectId id : session_.world().tensors_on(t_.storage)) {
      const auto other = session_.world().tensor(id);
      sharing += t_.version_counter && other->version_counter == t_.version_counter;
    }
    const std::string shared = sharing > 1 ? ", shared by " + std::to_string(sharing) : "";
    const bool other = before_ && before_->version != t_.version;
    model_.fields.push_back(
        {"version", std::to_string(t_.version) + shared, other ? std::to_string(before_->version) : "", 0});
  }

  void tell_file() {
    const auto origin = session_.document().origin(t_.id);
    if (!origin) return;
    plain("file", origin->format + " " + origin->dtype_text);
    plain("file bytes",
          grouped(origin->begin) + " to " + grouped(origin->end) + (origin->compressed ? ", deflated" : ""));
    if (origin->byte_order == "big") plain("byte order", "big, swapped when read");
  }

  const Session& session_;
  const TensorState& t_;
  std::optional<TensorState> before_;
  CardModel& model_;
};

CardVerdict contiguity(const TensorState& t) {
  if (is_contiguous(t.sizes, t.strides)) {
    const bool empty = compute_numel(t.sizes) == 0;
    return {"contiguous", "yes",
            empty ? "a tensor without elements always is"
                  : "each stride is the product of the sizes to its right"};
  }
  const DimVector wanted = contiguous_strides(t.sizes);
  for (size_t i = t.sizes.size(); i-- > 0;)
    if (t.sizes[i] != 1 && t.strides[i] != wanted[i])
      return {"contiguous", "no",
              "row-major order wants stride " + std::to_string(wanted[i]) + " for dimension " +
                  std::to_string(i) + ", it is " + std::to_string(t.strides[i])};
  return {"contiguous", "no", ""};
}

CardVerdict overlap(const TensorState& t) {
  constexpr int64_t kMostTried = 1 << 14;
  const ExactOverlap exact = exact_overlap(geometry_of(t), kMostTried);
  const InternalOverlap quick = internal_overlap(t.sizes, t.strides);
  const std::string rule = quick_rule_text(quick);
  const std::string allows = quick == InternalOverlap::TooHard ? ", and allows a write" : "";
  switch (exact.verdict) {
    case ExactOverlap::Verdict::Collides:
      return {"overlap", "yes",
              index_text(exact.collision.first) + " and " + index_text(exact.collision.second) +
                  " are both element " + std::to_string(exact.collision.element) + "; " + rule + allows};
    case ExactOverlap::Verdict::TooLarge:
      return {"overlap", "not worked out", "too many elements to try; " + rule + allows};
    case ExactOverlap::Verdict::None: break;
  }
  return {"overlap", "none", "no two indices meet; " + rule + allows};
}

void tell_verdicts(const TensorState& t, CardModel& model) {
  const DimVector wanted = contiguous_strides(t.sizes);
  for (size_t i = 0; i < t.sizes.size(); ++i)
    model.dims.push_back({t.sizes[i], t.strides[i], wanted[i], t.sizes[i] != 1});
  model.verdicts.push_back(contiguity(t));
  if (t.sizes.size() == 4)
    model.verdicts.push_back({"channels last", is_channels_last_contiguous(t.sizes, t.strides) ? "yes" : "no",
                              "the order N, H, W, C in memory"});
  const bool dense = is_contiguous(t.sizes, t.strides) || is_non_overlapping_and_dense(t.sizes, t.strides);
  model.verdicts.push_back({"dense", dense ? "yes" : "no",
                            dense ? "some order of its dimensions reads a block without gaps"
                                  : "there are gaps or overlaps between its elements"});
  model.verdicts.push_back(overlap(t));
}

void tell_keys(const TensorState& t, CardModel& model) {
  const DispatchKeySet keys = DispatchKeySet::from_raw(t.key_set);
  for (DispatchKey key : keys.keys()) {
    const DispatchKey functionality = to_functionality(key);
    model.keys.push_back(
        {to_string(key), functionality == DispatchKey::Dense || functionality == DispatchKey::Sparse});
  }
  // Autocast keys are excluded by default, so a call does not stop there.
  const DispatchKeySet on = keys - DispatchKeySet{DispatchKey::AutocastCPU, DispatchKey::AutocastCUDA,
                                                  DispatchKey::AutocastPrivateUse1};
  model.first_key = to_string(on.highest_priority_key());
  for (int bit = 0; bit < kBackends; ++bit)
    model.key_bits.push_back(
        {to_string(static_cast<BackendComponent>(bit + 1)), (t.key_set >> bit & 1) != 0, true});
  for (int bit = 0; bit < kFunctionalities; ++bit)
    model.key_bits.push_back(
        {to_string(static_cast<DispatchKey>(bit + 1)), (t.key_set >> (kBackends + bit) & 1) != 0, false});
}

std::string yes_no(bool yes) { return yes ? "true" : "false"; }

// What stands in a field of the struct, as far as a trace knows.
std::string field_value(const std::string& name, const TensorState& t) {
  const bool dense = is_contiguous(t.sizes, t.strides) || is_non_overlapping_and_dense(t.sizes, t.strides);
  if (name == "strong and weak count")
    return t.strong ? std::to_string(t.strong) + ", " + std::to_string(t.weak) : "";
  if (name == "storage_") return t.storage ? "storage #" + std::to_string(t.storage) : "null";
  if (name == "autograd_meta_") return t.requires_grad ? "" : "null";
  if (name == "version_counter_")
    return "counter #" + std::to_string(t.version_counter) + ", " + std::to_string(t.version);
  if (name == "id_") return std::to_string(t.id);
  if (name == "sizes_and_strides_") return tuple_text(t.sizes) + ", " + tuple_text(t.strides);
  if (name == "storage_offset_") return std::to_string(t.storage_offset);
  if (name == "numel_") return std::to_string(compute_numel(t.sizes));
  if (name == "dtype_") return to_string(t.dtype);
  if (name == "device_") return t.device.str();
  if (name == "layout_") return to_string(t.layout);
  if (name == "key_set_") return DispatchKeySet::from_raw(t.key_set).str();
  if (name == "is_contiguous_") return yes_no(is_contiguous(t.sizes, t.strides));
  if (name == "is_channels_last_contiguous_") return yes_no(is_channels_last_contiguous(t.sizes, t.strides));
  if (name == "is_channels_last_3d_contiguous_")
    return yes_no(is_channels_last_3d_contiguous(t.sizes, t.strides));
  if (name == "is_non_overlapping_and_dense_") return yes_no(dense);
  return "";
}

}  // namespace

CardModel make_card_model(const Session& session) {
  CardModel model;
  const auto tensor = session.world().tensor(session.selection().tensor);
  if (!tensor) return model;
  model.tensor = tensor->id;
  model.name = name_of(*tensor);
  model.color = session.color_of(tensor->id);
  model.alive = tensor->alive;
  FieldTeller(session, *tensor, model).tell();
  tell_keys(*tensor, model);
  tell_verdicts(*tensor, model);
  for (const TensorImplField& field : tensor_impl_fields())
    model.layout.push_back({field.name, field.offset, field.size, static_cast<int>(field.group),
                            field_value(field.name, *tensor)});
  model.struct_size = sizeof(TensorImpl);
  return model;
}

}  // namespace cutaway::inspector
