// The Storage panel as text: the grid with each value after the letters of the tensors that read it, a refused view with
// brackets under the two dimensions that cannot merge.

#include <algorithm>
#include <sstream>

#include "core/geometry/overlap.h"
#include "inspector/model/storage_model.h"
#include "inspector/model/text.h"

namespace cutaway::inspector {
namespace {

constexpr int64_t kMostRows = 24;
constexpr size_t kMostWidth = 100;

// An overlay that reads every element would put its letter into every cell: it is told in the legend instead.
bool reads_all(const StorageModel& model, const Overlay& overlay) {
  return overlay.cells.offset == 0 && overlay.cells.numel() == model.cells &&
         exact_overlap(overlay.cells, 0).verdict == ExactOverlap::Verdict::None;
}

std::string letter(size_t overlay) {
  return std::string(1, static_cast<char>(overlay < 26 ? 'a' + overlay : 'A' + overlay - 26));
}

std::string shown(const Cell& cell) {
  if (cell.state == trace::ByteState::NotRecorded) return "?";
  if (cell.state == trace::ByteState::Uninitialised) return "~";
  return cell.text;
}

class GridText {
 public:
  GridText(const Session& session, const StorageModel& model) : model_(model), columns_(model.columns) {
    for (size_t i = 0; i < model.overlays.size(); ++i) {
      all_.push_back(reads_all(model, model.overlays[i]));
      if (!all_.back()) told_ |= 1u << i;
    }
    first_ = first_row() * model.columns;
    cells_ = storage_cells(session, model, first_, kMostRows * model.columns);
    // Half the columns twice as often, until a line fits.
    while (columns_ % 2 == 0 && line_width() > kMostWidth) columns_ /= 2;
    if (static_cast<int64_t>(cells_.size()) > kMostRows * columns_)
      cells_.resize(static_cast<size_t>(kMostRows * columns_));
  }

  std::string text() const {
    if (model_.cells == 0) return "  no bytes: a tensor without elements needs none\n";
    std::vector<std::vector<std::string>> rows{{""}};
    for (int64_t column = 0; column < std::min(columns_, static_cast<int64_t>(cells_.size())); ++column)
      rows[0].push_back("+" + std::to_string(column));
    for (size_t at = 0; at < cells_.size(); ++at) {
      if (static_cast<int64_t>(at) % columns_ == 0)
        rows.push_back({std::to_string(first_ + static_cast<int64_t>(at))});
      rows.back().push_back(marked(cells_[at]));
    }
    std::string text =
        first_ > 0 ? "  (elements 0 to " + std::to_string(first_ - 1) + " are left out)\n" : "";
    text += table_text(rows, std::vector<bool>(static_cast<size_t>(columns_) + 1, true), "");
    const int64_t left = model_.cells - first_ - static_cast<int64_t>(cells_.size());
    if (left > 0)
      text += "  ... " + grouped(static_cast<uint64_t>(left)) +
              (model_.bytes ? " more bytes\n" : " more elements\n");
    return text + key();
  }

  std::string legend() const {
    std::vector<std::vector<std::string>> rows;
    for (size_t i = 0; i < model_.overlays.size(); ++i)
      rows.push_back({(all_[i] ? "." : letter(i)) + (model_.overlays[i].selected ? " >" : "  "),
                      model_.overlays[i].name,
                      model_.overlays[i].geometry_text + (all_[i] ? "   (every element)" : "")});
    std::string text = table_text(rows, {false, false, false});
    if (model_.overlays_left_out)
      text += "  and " + std::to_string(model_.overlays_left_out) + " more tensors\n";
    return text;
  }

 private:
  size_t line_width() const {
    std::vector<size_t> widths;
    for (int64_t column = 0; column < columns_; ++column) widths.push_back(std::to_string(column).size() + 1);
    for (size_t at = 0; at < cells_.size(); ++at) {
      size_t& width = widths[at % widths.size()];
      width = std::max(width, marked(cells_[at]).size());
    }
    size_t sum = std::to_string(first_ + static_cast<int64_t>(cells_.size())).size();
    for (size_t width : widths) sum += width + 2;
    return sum;
  }

  // The first row that a selected tensor reads, a little above, so that what is asked about is on the page.
  int64_t first_row() const {
    for (const Overlay& overlay : model_.overlays)
      if (overlay.selected && model_.cells > kMostRows * model_.columns)
        return std::max<int64_t>(overlay.cells.offset / model_.columns - 1, 0);
    return 0;
  }

  std::string marked(const Cell& cell) const {
    std::string letters;
    for (size_t i = 0; i < model_.overlays.size(); ++i)
      if ((cell.lit & told_) >> i & 1) letters += letter(i);
    if (cell.overlap) letters += '+';
    return (cell.changed ? "*" : "") + shown(cell) + (letters.empty() ? "" : ":" + letters);
  }

  // What the marks mean, those that occur.
  std::string key() const {
    std::string text;
    const auto tell = [&](bool occurs, const std::string& what) {
      if (occurs) text += (text.empty() ? "  " : "; ") + what;
    };
    const auto any = [&](const auto& test) { return std::any_of(cells_.begin(), cells_.end(), test); };
    const std::string since =
        model_.compared ? "changed since event " + std::to_string(*model_.compared) : "changed by this event";
    tell(any([this](const Cell& c) { return (c.lit & told_) != 0; }), "letters: the tensors that read it");
    tell(any([](const Cell& c) { return c.overlap; }), "+ several indices of one tensor are this element");
    tell(any([](const Cell& c) { return c.changed; }), "* " + since);
    tell(any([](const Cell& c) { return c.state == trace::ByteState::Uninitialised; }), "~ not initialised");
    tell(any([](const Cell& c) { return c.state == trace::ByteState::NotRecorded; }), "? not recorded");
    return (text.empty() ? "" : text + "\n") + changes();
  }

  // "changed: [19] 6 to 106, [20] 15 to 115, ..., 30 in all"
  std::string changes() const {
    constexpr size_t kMost = 4;
    std::string text;
    size_t count = 0;
    for (size_t at = 0; at < cells_.size(); ++at) {
      if (!cells_[at].changed) continue;
      if (++count > kMost) continue;
      const std::string old = cells_[at].old_text.empty() ? "unknown" : cells_[at].old_text;
      text += (count > 1 ? ", " : "") + ("[" + std::to_string(first_ + static_cast<int64_t>(at)) + "] ") +
              old + " to " + shown(cells_[at]);
    }
    if (count > kMost) text += ", ..., " + std::to_string(count) + " of those shown";
    return count ? "  changed: " + text + "\n" : "";
  }

  const StorageModel& model_;
  int64_t columns_;
  int64_t first_ = 0;
  std::vector<bool> all_;
  uint32_t told_ = 0;  // the overlays that have letters
  std::vector<Cell> cells_;
};

std::string row_of_numbers(const char* label, const std::vector<std::string>& cells,
                           const std::vector<size_t>& widths) {
  std::string line = label;
  for (size_t i = 0; i < cells.size(); ++i)
    line += std::string(widths[i] - cells[i].size() + 2, ' ') + cells[i];
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
  std::string text = row_of_numbers("           ", dims, widths) +
                     row_of_numbers("  sizes    ", sizes, widths) +
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
  if (!model.storage && session.trace().size())
    return "no storage is alive at this event; --at EVENT goes to another one\n";
  if (!model.storage)
    return session.document().paths().empty()
               ? "no storage: open a file with ./cutaway open FILE\n"
               : "no storage: nothing in this file can be shown, the explorer gives the reason\n";
  const GridText grid(session, model);
  std::ostringstream out;
  out << model.title << "   " << model.subtitle << "\n" << grid.legend() << "\n" << grid.text();
  out << "\n"
      << wrapped("held by " + model.held_by + (model.freed_when.empty() ? "" : "; " + model.freed_when), 96,
                 "  ")
      << "\n";
  if (!model.reach_warning.empty()) out << wrapped(model.reach_warning, 96, "  ") << "\n";
  if (model.callout) {
    out << "\n" << wrapped(model.callout->title, 96, "  ") << "\n";
    if (!model.callout->message.empty()) out << wrapped(model.callout->message, 96, "  ") << "\n";
    out << bracketed(*model.callout);
    if (!model.callout->why.empty()) out << wrapped(model.callout->why, 96, "  ") << "\n";
  }
  const auto element = session.selection().element;
  if (element && session.shown_storage() == session.selection().storage) {
    out << "\n";
    for (const std::string& line : element_facts(session, model, *element).lines) out << "  " << line << "\n";
  }
  return out.str();
}

}  // namespace cutaway::inspector
