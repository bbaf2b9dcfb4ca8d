#include "inspector/model/details_model.h"

#include <filesystem>

#include "inspector/model/storage_model.h"
#include "inspector/model/value_text.h"

namespace cutaway::inspector {

using trace::EventKind;
using trace::TensorState;

namespace {

constexpr size_t kMostElements = 4;  // of a write that are told one by one

class Teller {
 public:
  Teller(const Session& session, DetailsModel& model)
      : session_(session), model_(model), event_(session.trace().event(model.time)) {}

  void tell() {
    model_.sentence = session_.trace().describe(model_.time, &session_.world());
    tell_source();
    fact("kind", trace::to_string(event_.kind));
    if (event_.object) fact("object", "#" + std::to_string(event_.object));
    switch (event_.kind) {
      case EventKind::TensorChanged: tensor_changed(); break;
      case EventKind::StorageAllocated:
        change("bytes", "", grouped(static_cast<uint64_t>(event_.new_value)));
        break;
      case EventKind::StorageFreed:
        change("bytes", grouped(static_cast<uint64_t>(event_.old_value)), "given back");
        break;
      case EventKind::StorageResized:
        change("bytes", grouped(static_cast<uint64_t>(event_.old_value)),
               grouped(static_cast<uint64_t>(event_.new_value)));
        break;
      case EventKind::CountsChanged: counts_changed(); break;
      case EventKind::VersionChanged:
        change("version", std::to_string(event_.old_value), std::to_string(event_.new_value));
        break;
      case EventKind::Write: written(); break;
      case EventKind::ViewMade: view_made(); break;
      default: break;
    }
    if (event_.thread) fact("thread", std::to_string(event_.thread));
  }

 private:
  void fact(const char* label, std::string value) { model_.facts.emplace_back(label, std::move(value)); }
  void change(const std::string& label, std::string before, std::string now) {
    if (before != now) model_.changes.push_back({label, std::move(before), std::move(now)});
  }

  void tell_source() {
    const auto& source = session_.trace().source_line(event_.source);
    if (!source.file.empty()) {
      model_.source =
          std::filesystem::path(source.file).filename().string() + ":" + std::to_string(source.line);
      model_.statement = source.text;
    }
    if (event_.span != trace::kNone) model_.op = session_.trace().spans()[event_.span].call;
  }

  void tensor_changed() {
    const auto before = session_.trace().world_at(model_.time - 1).tensor(event_.object);
    const auto now = session_.world().tensor(event_.object);
    if (!before || !now) return;
    change("sizes", shape_text(before->sizes), shape_text(now->sizes));
    change("strides", shape_text(before->strides), shape_text(now->strides));
    change("offset", std::to_string(before->storage_offset), std::to_string(now->storage_offset));
    change("storage", "#" + std::to_string(before->storage), "#" + std::to_string(now->storage));
    change("dtype", dtype_name(before->dtype), dtype_name(now->dtype));
    change("requires grad", before->requires_grad ? "yes" : "no", now->requires_grad ? "yes" : "no");
  }

  void counts_changed() {
    const auto number = [](uint32_t n) { return std::to_string(n); };
    change("strong references", number(trace::count_strong(event_.old_value)),
           number(trace::count_strong(event_.new_value)));
    change("weak references", number(trace::count_weak(event_.old_value)),
           number(trace::count_weak(event_.new_value)));
  }

  void view_made() {
    const auto& view = session_.trace().view_record(event_.detail);
    if (view.source)
      fact("from", session_.world().name(view.source).empty() ? "#" + std::to_string(view.source)
                                                              : session_.world().name(view.source));
    fact("copied", view.copied ? "yes" : "no byte");
    if (view.copied && !view.why.empty()) fact("why", view.why);
  }

  void written() {
    const auto& write = session_.trace().write(event_.detail);
    fact("bytes", grouped(write.begin) + " to " + grouped(write.end ? write.end - 1 : 0));
    if (!session_.world().name(write.tensor).empty()) fact("through", session_.world().name(write.tensor));
    change("version", std::to_string(write.version_before), std::to_string(write.version_after));
    changed_elements(write.begin);
  }

  // The first elements that are now others, when the storage written to is the one on the canvas.
  void changed_elements(uint64_t begin) {
    constexpr int64_t kMostLookedAt = 1024;
    const StorageModel storage = make_storage_model(session_);
    if (storage.storage != event_.object || storage.bytes || storage.compared) return;
    const auto first = static_cast<int64_t>(begin / storage.itemsize);
    const std::vector<Cell> cells = storage_cells(session_, storage, first, kMostLookedAt);
    size_t told = 0;
    for (size_t i = 0; i < cells.size() && told < kMostElements; ++i) {
      if (!cells[i].changed || cells[i].text.empty()) continue;
      change("element " + std::to_string(first + static_cast<int64_t>(i)), cells[i].old_text, cells[i].text);
      ++told;
    }
  }

  const Session& session_;
  DetailsModel& model_;
  const trace::Event& event_;
};

const std::string& mark_text(const Session& session, size_t mark) {
  return session.trace().text(session.trace().event(session.trace().marks()[mark]).detail);
}

}  // namespace

DetailsModel make_details_model(const Session& session) {
  DetailsModel model;
  model.time = session.time();
  model.events = session.trace().size();
  if (model.time > 0)
    Teller(session, model).tell();
  else
    model.sentence = model.events ? "Nothing has happened yet. The right arrow takes the first step."
                     : session.document().paths().empty()
                         ? "Nothing has happened: nothing is open."
                         : "Nothing in this file can be shown; the Explorer gives the reason.";
  model.steps = session.trace().marks().size();
  const auto mark = session.current_mark();
  if (mark) {
    const std::string& text = mark_text(session, *mark);
    const size_t line = text.find('\n');
    model.step = *mark + 1;
    model.step_title = text.substr(0, line);
    if (line != std::string::npos) model.step_text = text.substr(line + 1);
  }
  const size_t next = mark ? *mark + 1 : 0;
  if (next < model.steps)
    model.next_title = mark_text(session, next).substr(0, mark_text(session, next).find('\n'));
  return model;
}

StatusModel make_status_model(const Session& session) {
  StatusModel model;
  const Document& document = session.document();
  model.source = document.title();
  size_t tensors = 0;
  for (const OpenFile& file : document.open_files()) tensors += file.tensors;
  if (!document.open_files().empty())
    model.source += "   " +
                    (document.open_files().size() == 1 ? document.open_files().front().format + ", " : "") +
                    grouped(tensors) + (tensors == 1 ? " tensor" : " tensors");
  if (const auto branch = session.branched_at()) model.source += "   branch at event " + grouped(*branch);
  model.event = "event " + grouped(session.time()) + " / " + grouped(session.trace().size());
  if (const auto element = session.hovered_element()) {
    const StorageModel storage = make_storage_model(session);
    const ElementFacts facts = element_facts(session, storage, *element);
    if (!facts.lines.empty()) model.hovered = facts.lines.front() + "   " + facts.value;
  }
  const size_t unreadable = document.unreadable().size();
  if (!session.read_problem().empty())
    model.problem = session.read_problem();
  else if (!document.problems().empty())
    model.problem = document.problems().front();
  else if (unreadable)
    model.problem = std::to_string(unreadable) + (unreadable == 1 ? " entry" : " entries") +
                    (unreadable == 1 ? " of the file cannot be a tensor here (see Explorer)"
                                     : " of the file cannot be tensors here (see Explorer)");
  return model;
}

}  // namespace cutaway::inspector
