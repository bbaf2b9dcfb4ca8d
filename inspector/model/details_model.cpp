#include "inspector/model/details_model.h"

#include <filesystem>

#include "inspector/model/storage_model.h"
#include "inspector/model/value_text.h"

namespace cutaway::inspector {
namespace {

void tell_event(const Session& session, DetailsModel& model) {
  if (model.time == 0) {
    model.sentence = model.events == 0 ? "Nothing has happened: nothing is open."
                                       : "Nothing has happened yet. The right arrow takes the first step.";
    return;
  }
  const auto& event = session.trace().event(model.time);
  model.sentence = session.trace().describe(model.time, &session.world());
  const auto& source = session.trace().source_line(event.source);
  if (!source.file.empty()) {
    model.source = std::filesystem::path(source.file).filename().string() + ":" + std::to_string(source.line);
    model.statement = source.text;
  }
  if (event.span != trace::kNone) model.op = session.trace().spans()[event.span].call;
  model.facts.emplace_back("kind", trace::to_string(event.kind));
  if (event.object) model.facts.emplace_back("object", "#" + std::to_string(event.object));
  if (event.kind == trace::EventKind::Write) {
    const auto write = session.trace().write(event.detail);
    model.facts.emplace_back("bytes", std::to_string(write.begin) + " to " + std::to_string(write.end ? write.end - 1 : 0));
  }
  if (event.thread) model.facts.emplace_back("thread", std::to_string(event.thread));
}

}  // namespace

DetailsModel make_details_model(const Session& session) {
  DetailsModel model;
  model.time = session.time();
  model.events = session.trace().size();
  tell_event(session, model);
  const auto marks = session.trace().marks();
  model.steps = marks.size();
  if (const auto mark = session.current_mark()) {
    const std::string text(session.trace().text(session.trace().event(marks[*mark]).detail));
    const size_t line = text.find('\n');
    model.step = *mark + 1;
    model.step_title = text.substr(0, line);
    if (line != std::string::npos) model.step_text = text.substr(line + 1);
  }
  return model;
}

StatusModel make_status_model(const Session& session) {
  StatusModel model;
  const size_t tensors = session.world().tensors().size();
  model.source = session.document().title();
  if (!session.document().paths().empty())
    model.source += "   " + grouped(session.trace().size()) + " events   " + grouped(tensors) + (tensors == 1 ? " tensor" : " tensors");
  model.event = "event " + grouped(session.time()) + " / " + grouped(session.trace().size());
  if (const auto element = session.hovered_element()) {
    const StorageModel storage = make_storage_model(session);
    const ElementFacts facts = element_facts(session, storage, *element);
    if (!facts.lines.empty()) model.hovered = facts.lines.front() + "   " + facts.value;
  }
  const auto& problems = session.document().problems();
  const size_t unreadable = session.document().unreadable().size();
  if (!problems.empty()) model.problem = problems.front();
  else if (unreadable) model.problem = std::to_string(unreadable) + (unreadable == 1 ? " entry" : " entries") + " of the file cannot be tensors here (see Explorer)";
  return model;
}

}  // namespace cutaway::inspector
