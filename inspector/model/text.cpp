#include "inspector/model/text.h"

#include <algorithm>
#include <sstream>

#include "core/error.h"
#include "inspector/model/card_model.h"
#include "inspector/model/details_model.h"
#include "inspector/model/explorer_model.h"
#include "inspector/model/lab_model.h"
#include "inspector/model/timeline_model.h"
#include "inspector/model/value_text.h"

namespace cutaway::inspector {
namespace {

constexpr size_t kTextWidth = 96;
constexpr size_t kLaneWidth = 80;
constexpr size_t kLineWidth = 100;

// At most `width` columns of `text`, with "..." when something was left out.
std::string cut(const std::string& text, size_t width) {
  if (display_width(text) <= width) return text;
  size_t end = 0, column = 0;
  while (end < text.size() && (column < width - 3 || (text[end] & 0xc0) == 0x80))
    column += (text[end++] & 0xc0) != 0x80;
  return text.substr(0, end) + "...";
}

std::string files_text(const ExplorerModel& model) {
  std::string text;
  for (const OpenFile& file : model.files) {
    text += file.path + "   " + file.format;
    if (file.nbytes) text += ", " + bytes_text(file.nbytes);
    text += ", " + std::to_string(file.tensors) + (file.tensors == 1 ? " tensor" : " tensors");
    if (file.unreadable) text += ", " + std::to_string(file.unreadable) + " cannot be shown";
    text += "\n";
    for (const auto& [key, value] : file.metadata)
      text += wrapped(key + ": " + value, kTextWidth, "  ") + "\n";
  }
  return text;
}

std::string explorer_text(const Session& session) {
  const ExplorerModel model = make_explorer_model(session, session.filter("explorer"));
  std::string text = files_text(model);
  if (!model.filter_error.empty()) text += model.filter_error + "\n";
  if (model.tensors.empty() && model.unreadable.empty())
    return text + (model.tensors_in_all  ? "the filter lets no tensor through\n"
                   : model.files.empty() ? "no tensors: open a file with ./cutaway open FILE\n"
                                         : "no tensors at this event\n");
  std::vector<std::vector<std::string>> rows{
      {"  name", "dtype", "shape", "strides", "offset", "storage bytes", "storage"}};
  for (const TensorRow& row : model.tensors)
    rows.push_back({(row.selected ? "> " : "  ") + row.name, row.dtype, tuple_text(row.sizes),
                    tuple_text(row.strides), std::to_string(row.offset), std::to_string(row.storage_nbytes),
                    row.storage ? "#" + std::to_string(row.storage) : "none"});
  text += table_text(rows, {false, false, false, false, true, true, true}, "");
  for (const UnreadableEntry& entry : model.unreadable)
    text += wrapped(entry.name + "  " + entry.dtype_text + "  " + tuple_text(entry.sizes) +
                        "  cannot be shown: " + entry.reason,
                    kTextWidth, "  ") +
            "\n";
  return text;
}

std::string no_tensor_text(const Session& session) {
  return session.world().tensors().empty() ? "there is no tensor here\n"
                                           : "no tensor is selected: --select NAME chooses one\n";
}

std::string card_text(const Session& session) {
  const CardModel model = make_card_model(session);
  if (!model.tensor) return no_tensor_text(session);
  std::vector<std::vector<std::string>> rows;
  for (const CardField& field : model.fields)
    rows.push_back(
        {field.label, field.value + (field.old_value.empty() ? "" : "   (was " + field.old_value + ")")});
  std::string keys;
  for (const CardKey& key : model.keys) keys += (keys.empty() ? "" : ", ") + key.name;
  rows.push_back({"key set", keys + (model.keys.size() > 1 ? "   (asked from the right)" : "")});
  rows.push_back({"first in line", model.first_key});
  for (const CardVerdict& verdict : model.verdicts)
    rows.push_back({verdict.label, verdict.value + ": " + verdict.rule});
  return wrapped(model.name, kTextWidth, "") + "\n" + table_text(rows, {false, false});
}

// The struct is as long as the rest of the card, so it is told only when the card is asked for alone.
std::string card_layout_text(const Session& session) {
  const CardModel model = make_card_model(session);
  if (!model.tensor) return "";
  static const char* const kGroups[] = {"every tensor", "strided", "subclass"};
  std::vector<std::vector<std::string>> rows{{"byte", "size", "field", "part", "value"}};
  for (const CardStructField& field : model.layout)
    rows.push_back({std::to_string(field.offset), field.size ? std::to_string(field.size) : "bit", field.name,
                    kGroups[field.group], field.value});
  return "\nTensorImpl, " + std::to_string(model.struct_size) + " bytes\n" +
         table_text(rows, {true, true, false, false, false});
}

std::string lab_text(const Session& session) {
  const LabModel model = make_lab_model(session);
  if (!model.tensor) return no_tensor_text(session);
  std::vector<std::vector<std::string>> rows{{"knob", "value", "legal"}};
  for (const LabKnob& knob : model.knobs)
    rows.push_back({knob.label, std::to_string(knob.value),
                    std::to_string(knob.least) + " to " + std::to_string(knob.most)});
  std::string text = model.title + "\n" + table_text(rows, {false, true, false});
  if (model.legal) {
    text += wrapped(model.verdict + "; " + model.overlap, kTextWidth, "  ") + "\n";
    if (!model.flatten.empty()) text += wrapped("flattened: " + model.flatten, kTextWidth, "  ") + "\n";
  } else {
    text += wrapped(model.error, kTextWidth, "  ") + "\n";
  }
  if (!model.reverse.empty()) text += wrapped(model.reverse, kTextWidth, "  ") + "\n";
  text += "  " + model.code + "\n  " + model.code_cpp + "\n";
  std::string presets;
  for (const LabPreset& preset : model.presets)
    presets += (presets.empty() ? "" : ", ") + preset.name +
               (preset.refused ? " (refused: " + preset.error + ")" : "");
  return text + wrapped("presets: " + presets, kTextWidth, "  ") + "\n";
}

std::string lane_text(const std::vector<TimelineBlock>& blocks, size_t events) {
  std::string line(std::min(events, kLaneWidth), '.');
  const auto column = [&](size_t number) {
    return events <= kLaneWidth ? number - 1 : (number - 1) * kLaneWidth / events;
  };
  for (const TimelineBlock& block : blocks)
    for (size_t at = column(block.first); at <= column(block.last); ++at) line[at] = '#';
  return line;
}

std::string timeline_text(const Session& session) {
  const size_t events = session.trace().size();
  if (events == 0) return "no events: open a trace with ./cutaway show TRACE\n";
  std::string text;
  const TimelineModel model = make_timeline_model(session, 1, events, kLaneWidth);
  for (size_t lane = 0; lane < model.lanes.size(); ++lane) {
    if (model.lanes[lane].empty()) continue;
    const std::string label = trace::to_string(static_cast<trace::Lane>(lane));
    text += "  " + label + std::string(8 - label.size(), ' ') + lane_text(model.lanes[lane], events) + "\n";
  }
  const EventList list = make_event_list(session, session.filter("events"));
  if (!list.filter_error().empty()) text += list.filter_error() + "\n";
  // As many before the current event as after it.
  constexpr size_t kRows = 13;
  const size_t now = std::min(list.row_of(session.time()), list.size());
  const size_t from = now == list.size() || now < kRows / 2 ? 0 : now - kRows / 2;
  std::vector<std::vector<std::string>> rows;
  for (size_t i = from; i < std::min(list.size(), from + kRows); ++i) {
    const EventRow row = event_row(session, list.number(i));
    rows.push_back({row.number == session.time() ? ">" : " ", std::to_string(row.number), row.kind,
                    std::string(static_cast<size_t>(std::min(row.depth, 8)) * 2, ' ') + row.sentence,
                    row.source});
  }
  // Sentences get what the other columns leave of a line.
  size_t others = 1 + 4 * 2;
  for (size_t column : {0, 1, 2, 4}) {
    size_t widest = 0;
    for (const auto& row : rows) widest = std::max(widest, display_width(row[column]));
    others += widest;
  }
  for (auto& row : rows) row[3] = cut(row[3], others + 20 < kLineWidth ? kLineWidth - others : 20);
  return text + table_text(rows, {false, true, false, false, false}, " ");
}

std::string details_text(const Session& session) {
  const DetailsModel model = make_details_model(session);
  std::string text = "event " + std::to_string(model.time) + " / " + std::to_string(model.events) + "\n" +
                     wrapped(model.sentence, kTextWidth, "  ") + "\n";
  if (!model.statement.empty())
    text += wrapped(model.source + "   " + model.statement, kTextWidth, "  ") + "\n";
  for (const DetailsChange& change : model.changes)
    text += wrapped(change.label + (change.old_value.empty() ? ": " : ": " + change.old_value + " -> ") +
                        change.new_value,
                    kTextWidth, "  ") +
            "\n";
  if (model.step)
    text += "\nstep " + std::to_string(model.step) + " of " + std::to_string(model.steps) + ": " +
            model.step_title + "\n" + wrapped(model.step_text, kTextWidth, "  ") + "\n";
  return text;
}

std::string status_text(const Session& session) {
  const StatusModel model = make_status_model(session);
  std::string text = model.source + "   " + model.event + "\n";
  if (!model.hovered.empty()) text += "  " + model.hovered + "\n";
  if (!model.problem.empty()) text += wrapped("problem: " + model.problem, kTextWidth, "  ") + "\n";
  return text;
}

}  // namespace

std::string table_text(const std::vector<std::vector<std::string>>& rows, const std::vector<bool>& right,
                       const std::string& indent) {
  std::vector<size_t> widths;
  for (const auto& row : rows)
    for (size_t i = 0; i < row.size(); ++i) {
      if (widths.size() <= i) widths.resize(i + 1);
      widths[i] = std::max(widths[i], display_width(row[i]));
    }
  std::string text;
  for (const auto& row : rows) {
    std::string line = indent;
    for (size_t i = 0; i < row.size(); ++i) {
      const std::string pad(widths[i] - display_width(row[i]), ' ');
      line += (i ? "  " : "") + (right[i] ? pad + row[i] : row[i] + pad);
    }
    while (!line.empty() && line.back() == ' ') line.pop_back();
    text += line + "\n";
  }
  return text;
}

std::string wrapped(const std::string& text, size_t width, const std::string& indent) {
  std::istringstream words(text);
  std::string result = indent, word;
  size_t column = 0;
  while (words >> word) {
    if (column > 0 && column + 1 + display_width(word) > width) {
      result += "\n" + indent;
      column = 0;
    }
    if (column > 0) {
      result += ' ';
      ++column;
    }
    result += word;
    column += display_width(word);
  }
  return result;
}

const std::vector<std::string>& panel_names() {
  static const std::vector<std::string> names{"explorer", "storage", "lab", "card", "timeline", "details"};
  return names;
}

std::string panel_text(const Session& session, const std::string& panel) {
  if (panel == "explorer") return explorer_text(session);
  if (panel == "storage") return storage_text(session);
  if (panel == "lab") return lab_text(session);
  if (panel == "card") return card_text(session) + card_layout_text(session);
  if (panel == "timeline") return timeline_text(session);
  if (panel == "details") return details_text(session);
  if (panel == "status") return status_text(session);
  std::string all;
  for (const std::string& name : panel_names()) all += (all.empty() ? "" : ", ") + name;
  CUTAWAY_CHECK_VALUE(false, "there is no panel '", panel, "'; there are ", all);
  return "";
}

std::string frame_text(const Session& session) {
  const std::string problem = make_status_model(session).problem;
  return (problem.empty() ? "" : wrapped("problem: " + problem, kTextWidth, "") + "\n\n") + "DETAILS\n" +
         details_text(session) + "\nEXPLORER\n" + explorer_text(session) + "\nSTORAGE\n" +
         storage_text(session) + "\nCARD\n" + card_text(session);
}

}  // namespace cutaway::inspector
