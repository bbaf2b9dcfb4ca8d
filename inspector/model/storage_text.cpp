// The Storage panel as text: the grid with each value after the letters of the tensors that read it, a refused view with
// brackets under the two dimensions that cannot merge.

#include <algorithm>
#include <sstream>

#include "inspector/model/storage_model.h"
#include "inspector/model/text.h"

namespace cutaway::inspector {
namespace {

constexpr int64_t kMostRows = 24;

std::string letters_of(const Cell& cell, size_t overlays) {
  std::string letters;
  for (size_t i = 0; i < overlays && i < 26; ++i)
    if (cell.lit >> i & 1) letters += static_cast<char>('a' + i);
  if (cell.overlap) letters += '+';
  return letters;
}

std::string shown(const Cell& cell) {
  if (cell.state == trace::ByteState::NotRecorded) return "?";
  if (cell.state == trace::ByteState::Uninitialised) return "~";
  return cell.text;
}

// The first row that a selected tensor reads, a little above, so that what is asked about is on the page.
int64_t first_row(const StorageModel& model) {
  for (const Overlay& overlay : model.overlays)
    if (overlay.selected && model.cells > kMostRows * model.columns)
      return std::max<int64_t>(overlay.cells.offset / model.columns - 1, 0);
  return 0;
}

void write_grid(const Session& session, const StorageModel& model, std::ostringstream& out) {
  const int64_t row0 = first_row(model), first = row0 * model.columns;
  const std::vector<Cell> cells = storage_cells(session, model, first, kMostRows * model.columns);
  std::vector<std::vector<std::string>> rows{{""}};
  std::vector<bool> right{true};
  // The first overlay that reads everything says nothing cell by cell.
  for (int64_t column = 0; column < model.columns; ++column) {
    rows[0].push_back("+" + std::to_string(column));
    right.push_back(true);
  }
  for (size_t at = 0; at < cells.size(); ++at) {
    if (at % model.columns == 0) rows.push_back({std::to_string(first + static_cast<int64_t>(at))});
    const std::string letters = letters_of(cells[at], model.overlays.size());
    rows.back().push_back((cells[at].changed ? "*" : "") + shown(cells[at]) + (letters.empty() ? "" : ":" + letters));
  }
  out << table_text(rows, right, "");
  const int64_t left = model.cells - first - static_cast<int64_t>(cells.size());
  if (left > 0) out << "  ... " << grouped(static_cast<uint64_t>(left)) << (model.bytes ? " more bytes\n" : " more elements\n");
}

std::string row_of_numbers(const char* label, const std::vector<std::string>& cells, const std::vector<size_t>& widths) {
  std::string line = label;
  for (size_t i = 0; i < cells.size(); ++i) line += std::string(widths[i] - cells[i].size() + 2, ' ') + cells[i];
  return line + "\n";
}

// sizes and strides in columns, with a bracket under the two dimensions that cannot merge.
std::string bracketed(const Callout& callout) {
  if (!callout.verdict || callout.verdict->possible || callout.verdict->outer < 0) return "";
  std::vector<std::string> dims, sizes, strides;
  std::vector<size_t> widths;
  for (int64_t i = 0; i < callout.source.dim(); ++i) {
    dims.push_back("dim " + std::to_string(i));
    sizes.push_back(std::to_string(callout.source.sizes[i]));
    strides.push_back(std::to_string(callout.source.strides[i]));
    widths.push_back(std::max({dims.back().size(), sizes.back().size(), strides.back().size()}));
  }
  std::string text = row_of_numbers("           ", dims, widths) + row_of_numbers("  sizes    ", sizes, widths) +
                     row_of_numbers("  strides  ", strides, widths);
  size_t begin = 11, end = 11;
  for (int64_t i = 0; i < callout.source.dim(); ++i) {
    const size_t next = end + widths[i] + 2;
    if (i == callout.verdict->outer) begin = end + 2;
    end = next;
    if (i == callout.verdict->inner) break;
  }
  return text + std::string(begin, ' ') + "|" + std::string(end - begin - 2, '_') + "|  cannot merge\n";
}

}  // namespace

std::string storage_text(const Session& session) {
  const StorageModel model = make_storage_model(session);
  if (!model.storage) return "no storage is selected: open a file with ./cutaway open FILE\n";
  std::ostringstream out;
  out << model.title << "   " << model.subtitle << ", " << model.columns << " a row\n";
  std::vector<std::vector<std::string>> legend;
  for (size_t i = 0; i < model.overlays.size() && i < 26; ++i)
    legend.push_back({std::string(1, static_cast<char>('a' + i)) + (model.overlays[i].selected ? " >" : "  "),
                      model.overlays[i].name, model.overlays[i].geometry_text});
  out << table_text(legend, {false, false, false}) << "\n";
  write_grid(session, model, out);
  out << "\n  held by " << model.held_by << (model.freed_when.empty() ? "" : "; " + model.freed_when) << "\n";
  if (!model.reach_warning.empty()) out << "  " << model.reach_warning << "\n";
  if (model.callout)
    out << "\n  " << model.callout->title << "\n" << wrapped(model.callout->message, 94, "  ") << "\n"
        << bracketed(*model.callout) << (model.callout->why.empty() ? "" : wrapped(model.callout->why, 94, "  ") + "\n");
  return out.str();
}

}  // namespace cutaway::inspector
