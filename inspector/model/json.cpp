#include "inspector/model/json.h"

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/geometry/contiguity.h"
#include "inspector/model/card_model.h"
#include "inspector/model/details_model.h"
#include "inspector/model/explorer_model.h"
#include "inspector/model/lab_model.h"
#include "inspector/model/storage_model.h"
#include "inspector/model/timeline_model.h"

namespace cutaway::inspector {
namespace {

using nlohmann::json;

constexpr int64_t kMostCells = 1024;
constexpr size_t kMostEvents = 100;

json geometry_json(const Geometry& g) {
  return {
      {"shape", IntArrayRef(g.sizes).vec()}, {"strides", IntArrayRef(g.strides).vec()}, {"offset", g.offset}};
}

json tensors_json(const Session& session, const ExplorerModel& explorer) {
  json tensors = json::array();
  for (const TensorRow& row : explorer.tensors) {
    json tensor{{"name", row.name},
                {"dtype", row.dtype},
                {"shape", row.sizes},
                {"strides", row.strides},
                {"offset", row.offset},
                {"storage", row.storage},
                {"storage_bytes", row.storage_nbytes},
                {"selected", row.selected},
                {"view", row.is_view}};
    if (const auto origin = session.document().origin(row.tensor))
      tensor["file"] = {{"path", origin->path},
                        {"format", origin->format},
                        {"dtype", origin->dtype_text},
                        {"begin", origin->begin},
                        {"end", origin->end},
                        {"compressed", origin->compressed},
                        {"byte_order", origin->byte_order}};
    tensors.push_back(std::move(tensor));
  }
  return tensors;
}

json unreadable_json(const ExplorerModel& explorer) {
  json unreadable = json::array();
  for (const UnreadableEntry& entry : explorer.unreadable)
    unreadable.push_back({{"name", entry.name},
                          {"dtype", entry.dtype_text},
                          {"shape", entry.sizes},
                          {"reason", entry.reason}});
  return unreadable;
}

json explorer_json(const Session& session) {
  const ExplorerModel explorer = make_explorer_model(session, session.filter("explorer"));
  json files = json::array();
  for (const OpenFile& file : explorer.files) {
    json metadata = json::object();
    for (const auto& [key, value] : file.metadata) metadata[key] = value;
    files.push_back({{"path", file.path},
                     {"format", file.format},
                     {"bytes", file.nbytes},
                     {"tensors", file.tensors},
                     {"metadata", metadata}});
  }
  return {{"files", files},
          {"tensors", tensors_json(session, explorer)},
          {"unreadable", unreadable_json(explorer)}};
}

// The first cells, as text; which overlays read each.
json cells_json(const Session& session, const StorageModel& model) {
  const std::vector<Cell> cells = storage_cells(session, model, 0, std::min(model.cells, kMostCells));
  json values = json::array(), lit = json::array(), overlap = json::array(), changed = json::array();
  for (size_t i = 0; i < cells.size(); ++i) {
    values.push_back(cells[i].state == trace::ByteState::Known ? json(cells[i].text) : json(nullptr));
    json readers = json::array();
    for (size_t overlay = 0; overlay < model.overlays.size(); ++overlay)
      if (cells[i].lit >> overlay & 1) readers.push_back(overlay);
    lit.push_back(std::move(readers));
    if (cells[i].overlap) overlap.push_back(i);
    if (cells[i].changed) changed.push_back(i);
  }
  return {{"values", values}, {"lit", lit}, {"overlap", overlap}, {"changed", changed}};
}

json callout_json(const Callout& callout) {
  json result{{"refused", callout.refused},
              {"title", callout.title},
              {"message", callout.message},
              {"why", callout.why}};
  if (callout.verdict && callout.verdict->outer >= 0)
    result["cannot_merge"] = {callout.verdict->outer, callout.verdict->inner};
  if (callout.collision)
    result["collision"] = {{"first", callout.collision->first},
                           {"second", callout.collision->second},
                           {"element", callout.collision->element}};
  return result;
}

json storage_json(const Session& session) {
  const StorageModel model = make_storage_model(session);
  if (!model.storage) return nullptr;
  json overlays = json::array();
  for (const Overlay& overlay : model.overlays) {
    json entry = geometry_json(overlay.geometry);
    entry["name"] = overlay.name;
    entry["selected"] = overlay.selected;
    overlays.push_back(std::move(entry));
  }
  json result{{"id", model.storage},
              {"bytes", model.nbytes},
              {"elements", model.elements},
              {"dtype", dtype_name(model.dtype)},
              {"columns", model.columns},
              {"overlays", overlays},
              {"held_by", model.held_by},
              {"reachable_bytes", model.reachable_bytes},
              {"cells", cells_json(session, model)}};
  if (!model.reach_warning.empty()) result["warning"] = model.reach_warning;
  if (model.callout) result["callout"] = callout_json(*model.callout);
  return result;
}

json card_json(const Session& session) {
  const CardModel model = make_card_model(session);
  if (!model.tensor) return nullptr;
  json fields = json::object(), changed = json::object(), verdicts = json::object(), layout = json::array(),
       keys = json::array();
  for (const CardField& field : model.fields) {
    fields[field.label] = field.value;
    if (!field.old_value.empty()) changed[field.label] = field.old_value;
  }
  // What is a number or a list is one here, whatever the words on the card.
  const auto tensor = session.world().tensor(model.tensor);
  fields.update(json{{"sizes", tensor->sizes},
                     {"strides", tensor->strides},
                     {"offset", tensor->storage_offset},
                     {"elements", compute_numel(tensor->sizes)},
                     {"storage", tensor->storage},
                     {"version", tensor->version},
                     {"requires grad", tensor->requires_grad},
                     {"at event", tensor->born}});
  if (const auto origin = session.document().origin(model.tensor))
    fields["file bytes"] = {origin->begin, origin->end};
  for (const CardVerdict& verdict : model.verdicts)
    verdicts[verdict.label] = {{"value", verdict.value}, {"rule", verdict.rule}};
  for (const CardKey& key : model.keys) keys.push_back(key.name);
  for (const CardStructField& field : model.layout)
    layout.push_back(
        {{"field", field.name}, {"byte", field.offset}, {"size", field.size}, {"value", field.value}});
  return {{"name", model.name}, {"fields", fields},     {"old", changed},
          {"keys", keys},       {"verdicts", verdicts}, {"layout", layout}};
}

json lab_json(const Session& session) {
  const LabModel model = make_lab_model(session);
  if (!model.tensor) return nullptr;
  json knobs = json::object(), presets = json::array();
  for (const LabKnob& knob : model.knobs)
    knobs[knob.label] = {{"value", knob.value}, {"least", knob.least}, {"most", knob.most}};
  for (const LabPreset& preset : model.presets) {
    json entry = geometry_json(preset.geometry);
    entry["name"] = preset.name;
    if (preset.refused) entry["error"] = preset.error;
    presets.push_back(std::move(entry));
  }
  json result = geometry_json(model.geometry);
  result.update({{"legal", model.legal},
                 {"error", model.error},
                 {"verdict", model.verdict},
                 {"overlap", model.overlap},
                 {"flatten", model.flatten},
                 {"code", model.code},
                 {"code_cpp", model.code_cpp},
                 {"knobs", knobs},
                 {"presets", presets}});
  return result;
}

// The events around the current one, as many as a list shows.
json timeline_json(const Session& session) {
  const EventList list = make_event_list(session, session.filter("events"));
  const size_t now = std::min(list.row_of(session.time()), list.size());
  const size_t from = now == list.size() || now < kMostEvents / 2 ? 0 : now - kMostEvents / 2;
  json events = json::array();
  for (size_t i = from; i < std::min(list.size(), from + kMostEvents); ++i) {
    const EventRow row = event_row(session, list.number(i));
    events.push_back({{"number", row.number},
                      {"kind", row.kind},
                      {"sentence", row.sentence},
                      {"op", row.op},
                      {"source", row.source}});
  }
  return {{"event", session.time()}, {"events", session.trace().size()}, {"shown", events}};
}

json details_json(const Session& session) {
  const DetailsModel model = make_details_model(session);
  json changes = json::array();
  for (const DetailsChange& change : model.changes)
    changes.push_back({{"label", change.label}, {"old", change.old_value}, {"new", change.new_value}});
  return {{"event", model.time},
          {"events", model.events},
          {"sentence", model.sentence},
          {"line", model.source},
          {"statement", model.statement},
          {"op", model.op},
          {"changes", changes},
          {"step",
           {{"number", model.step},
            {"of", model.steps},
            {"title", model.step_title},
            {"text", model.step_text}}}};
}

json refused_json(const Session& session) {
  json refused = json::array();
  for (const FailedView& failure : session.document().failed_views())
    refused.push_back({{"event", failure.number},
                       {"expression", failure.expression},
                       {"kind", failure.kind},
                       {"message", failure.message},
                       {"why", failure.why}});
  return refused;
}

// Names in a file are text of any kind; what is no UTF-8 after all is replaced, never a failure.
std::string dumped(const json& value) {
  return value.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace

std::string frame_json(const Session& session) {
  const ExplorerModel explorer = make_explorer_model(session);
  json frame = details_json(session);
  frame.update({{"source", session.document().paths()},
                {"tensors", tensors_json(session, explorer)},
                {"unreadable", unreadable_json(explorer)},
                {"storage", storage_json(session)},
                {"card", card_json(session)},
                {"refused", refused_json(session)},
                {"problems", session.document().problems()}});
  return dumped(frame);
}

std::string panel_json(const Session& session, const std::string& panel) {
  if (panel == "explorer") return dumped(explorer_json(session));
  if (panel == "storage") return dumped(storage_json(session));
  if (panel == "lab") return dumped(lab_json(session));
  if (panel == "card") return dumped(card_json(session));
  if (panel == "timeline") return dumped(timeline_json(session));
  if (panel == "details") return dumped(details_json(session));
  CUTAWAY_CHECK_VALUE(false, "there is no panel '", panel, "'");
  return "";
}

}  // namespace cutaway::inspector
