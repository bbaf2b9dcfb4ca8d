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

std::string explorer_text(const Session& session) {
  const ExplorerModel model = make_explorer_model(session, session.filter("explorer"));
  std::ostringstream out;
  if (model.tensors.empty() && model.unreadable.empty())
    return model.filter_error.empty() ? "no tensors yet: open a file with ./cutaway open FILE\n" : model.filter_error + "\n";
  std::vector<std::vector<std::string>> rows{{"name", "dtype", "shape", "strides", "offset", "storage bytes"}};
  for (const TensorRow& row : model.tensors)
    rows.push_back({(row.selected ? "> " : "  ") + row.name, row.dtype, "(" + (row.sizes.empty() ? "" : shape_text(row.sizes)) + ")",
                    "(" + (row.strides.empty() ? "" : shape_text(row.strides)) + ")", std::to_string(row.offset),
                    std::to_string(row.storage_nbytes)});
  out << table_text(rows, {false, false, false, false, true, true}, "");
  for (const UnreadableEntry& entry : model.unreadable)
    out << "  " << entry.name << "  " << entry.dtype_text << "  (" << (entry.sizes.empty() ? "" : shape_text(entry.sizes))
        << ")  cannot be shown: " << entry.reason << "\n";
  return out.str();
}

std::string card_text(const Session& session) {
  const CardModel model = make_card_model(session);
  if (!model.tensor) return "no tensor is selected: --select NAME chooses one\n";
  std::ostringstream out;
  out << model.name << "\n";
  std::vector<std::vector<std::string>> rows;
  for (const CardField& field : model.fields)
    rows.push_back({field.label, field.value + (field.old_value.empty() ? "" : "   (was " + field.old_value + ")")});
  std::string keys;
  for (const CardKey& key : model.keys) keys += (keys.empty() ? "" : ", ") + key.name;
  rows.push_back({"key set", keys});
  rows.push_back({"first in line", model.first_key});
  for (const CardVerdict& verdict : model.verdicts) rows.push_back({verdict.label, verdict.value + ": " + verdict.rule});
  out << table_text(rows, {false, false});
  return out.str();
}

std::string lab_text(const Session& session) {
  const LabModel model = make_lab_model(session);
  if (!model.tensor) return "no tensor is selected: --select NAME chooses one\n";
  std::ostringstream out;
  out << model.title << "\n";
  std::vector<std::vector<std::string>> rows{{"knob", "value", "legal"}};
  for (const LabKnob& knob : model.knobs)
    rows.push_back({knob.label, std::to_string(knob.value), std::to_string(knob.least) + " to " + std::to_string(knob.most)});
  out << table_text(rows, {false, true, false});
  if (model.legal)
    out << "  " << model.verdict << "; " << model.overlap << "\n" << wrapped(model.flatten, 96, "  ") << "\n";
  else
    out << wrapped(model.error, 96, "  ") << "\n";
  if (!model.reverse.empty()) out << "  " << model.reverse << "\n";
  out << "  " << model.code << "\n";
  return out.str();
}

std::string timeline_text(const Session& session) {
  const size_t events = session.trace().size();
  if (events == 0) return "no events\n";
  std::ostringstream out;
  constexpr size_t kWidth = 80;
  const TimelineModel model = make_timeline_model(session, 1, events, kWidth);
  for (size_t lane = 0; lane < model.lanes.size(); ++lane) {
    if (model.lanes[lane].empty()) continue;
    std::string line(std::min(events, kWidth), '.');
    for (const TimelineBlock& block : model.lanes[lane])
      line[events <= kWidth ? block.first - 1 : (block.first - 1) * kWidth / events] = '#';
    std::string label = trace::to_string(static_cast<trace::Lane>(lane));
    out << "  " << label << std::string(8 - label.size(), ' ') << line << "\n";
  }
  std::vector<std::vector<std::string>> rows;
  const size_t from = session.time() > 6 ? session.time() - 6 : 1;
  for (size_t number = from; number <= std::min(events, from + 12); ++number) {
    const EventRow row = event_row(session, number);
    rows.push_back({number == session.time() ? ">" : " ", std::to_string(number), row.kind, row.sentence});
  }
  out << table_text(rows, {false, true, false, false}, " ");
  return out.str();
}

std::string details_text(const Session& session) {
  const DetailsModel model = make_details_model(session);
  std::ostringstream out;
  out << "event " << model.time << " / " << model.events << "\n" << wrapped(model.sentence, 96, "  ") << "\n";
  if (!model.statement.empty()) out << "  " << model.source << "   " << model.statement << "\n";
  if (model.step)
    out << "\n" << "step " << model.step << " of " << model.steps << ": " << model.step_title << "\n"
        << wrapped(model.step_text, 96, "  ") << "\n";
  return out.str();
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
  if (panel == "card") return card_text(session);
  if (panel == "timeline") return timeline_text(session);
  if (panel == "details") return details_text(session);
  std::string all;
  for (const std::string& name : panel_names()) all += (all.empty() ? "" : ", ") + name;
  CUTAWAY_CHECK_VALUE(false, "there is no panel '", panel, "'; there are ", all);
  return "";
}

std::string frame_text(const Session& session) {
  std::string text;
  for (const char* panel : {"details", "explorer", "storage", "card"}) {
    std::string heading = panel;
    for (char& c : heading) c = static_cast<char>(std::toupper(c));
    text += heading + "\n" + panel_text(session, panel) + "\n";
  }
  return text;
}

}  // namespace cutaway::inspector
