#include "inspector/model/json.h"

#include <nlohmann/json.hpp>

#include "inspector/model/card_model.h"
#include "inspector/model/details_model.h"
#include "inspector/model/explorer_model.h"
#include "inspector/model/storage_model.h"

namespace cutaway::inspector {
namespace {

using nlohmann::json;

json tensors_json(const Session& session, const ExplorerModel& explorer) {
  json tensors = json::array();
  for (const TensorRow& row : explorer.tensors) {
    json tensor{{"name", row.name},         {"dtype", row.dtype},           {"shape", row.sizes},
                {"strides", row.strides},   {"offset", row.offset},         {"storage", row.storage},
                {"storage_bytes", row.storage_nbytes}, {"selected", row.selected}, {"view", row.is_view}};
    if (const auto origin = session.document().origin(row.tensor))
      tensor["file"] = {{"path", origin->path},   {"format", origin->format}, {"dtype", origin->dtype_text},
                        {"begin", origin->begin}, {"end", origin->end},       {"compressed", origin->compressed},
                        {"byte_order", origin->byte_order}};
    tensors.push_back(std::move(tensor));
  }
  return tensors;
}

json storage_json(const Session& session) {
  const StorageModel model = make_storage_model(session);
  if (!model.storage) return nullptr;
  json overlays = json::array();
  for (const Overlay& overlay : model.overlays)
    overlays.push_back({{"name", overlay.name},
                        {"sizes", IntArrayRef(overlay.geometry.sizes).vec()},
                        {"strides", IntArrayRef(overlay.geometry.strides).vec()},
                        {"offset", overlay.geometry.offset},
                        {"selected", overlay.selected}});
  json result{{"id", model.storage},     {"bytes", model.nbytes},     {"elements", model.elements},
              {"dtype", dtype_name(model.dtype)}, {"columns", model.columns}, {"overlays", overlays},
              {"held_by", model.held_by}, {"reachable_bytes", model.reachable_bytes}};
  if (model.callout)
    result["callout"] = {{"title", model.callout->title}, {"message", model.callout->message}, {"why", model.callout->why}};
  return result;
}

json card_json(const Session& session) {
  const CardModel model = make_card_model(session);
  if (!model.tensor) return nullptr;
  json fields = json::object(), verdicts = json::object();
  for (const CardField& field : model.fields) fields[field.label] = field.value;
  for (const CardVerdict& verdict : model.verdicts) verdicts[verdict.label] = {{"value", verdict.value}, {"rule", verdict.rule}};
  json keys = json::array();
  for (const CardKey& key : model.keys) keys.push_back(key.name);
  return {{"name", model.name}, {"fields", fields}, {"keys", keys}, {"verdicts", verdicts}};
}

}  // namespace

std::string frame_json(const Session& session) {
  const ExplorerModel explorer = make_explorer_model(session);
  const DetailsModel details = make_details_model(session);
  json unreadable = json::array();
  for (const UnreadableEntry& entry : explorer.unreadable)
    unreadable.push_back({{"name", entry.name}, {"dtype", entry.dtype_text}, {"shape", entry.sizes}, {"reason", entry.reason}});
  json failed = json::array();
  for (const FailedView& failure : session.document().failed_views())
    failed.push_back({{"event", failure.number}, {"expression", failure.expression}, {"kind", failure.kind},
                      {"message", failure.message}, {"why", failure.why}});
  const json frame{{"source", session.document().paths()},
                   {"event", session.time()},
                   {"events", session.trace().size()},
                   {"sentence", details.sentence},
                   {"step", {{"number", details.step}, {"of", details.steps}, {"title", details.step_title}, {"text", details.step_text}}},
                   {"tensors", tensors_json(session, explorer)},
                   {"unreadable", unreadable},
                   {"storage", storage_json(session)},
                   {"card", card_json(session)},
                   {"refused", failed},
                   {"problems", session.document().problems()}};
  return frame.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace cutaway::inspector
