#include "inspector/app/opening.h"

#include "core/error.h"
#include "inspector/model/json.h"
#include "inspector/model/text.h"

namespace cutaway::inspector {
namespace {

std::shared_ptr<Document> open_document(const Options& options, const std::string& tour) {
  switch (options.command) {
    case Options::Command::Tour:
      return Document::open_trace(
          options.paths.empty() || options.paths.front().empty() ? tour : options.paths.front(), false);
    case Options::Command::Show: return Document::open_trace(options.paths.front(), options.partial);
    default: return Document::open(options.paths);
  }
}

void go_to(const Options& options, Session& session) {
  if (!options.at) return;
  if (*options.at > session.trace().size())
    throw BadArgument("--at: there is no event " + std::to_string(*options.at) + "; the last one is " +
                      std::to_string(session.trace().size()));
  session.seek(*options.at);
}

void select(const Options& options, Session& session) {
  if (options.select.empty()) return;
  const ObjectId tensor = session.tensor_named(options.select);
  if (tensor) return session.select_tensor(tensor);
  const ObjectId other = session.document().tensor_named(options.select);
  if (!other)
    throw BadArgument("--select: no tensor is called '" + options.select +
                      "'; --panel explorer --text lists those there are");
  const bool born = session.world().tensor(other).has_value();
  throw BadArgument("--select: '" + options.select + "' is " + (born ? "gone" : "not made yet") +
                    " at event " + std::to_string(session.time()));
}

}  // namespace

Session open_asked(const Options& options, const std::string& tour) {
  Session session(open_document(options, tour));
  go_to(options, session);
  select(options, session);
  for (const std::string& view : options.views) {
    try {
      session.add_view(view);
    } catch (const Error& error) {
      throw BadArgument("--view: " + error.message());
    }
  }
  return session;
}

std::string asked_text(const Session& session, const Options& options) {
  if (options.json) return options.panel.empty() ? frame_json(session) : panel_json(session, options.panel);
  return options.panel.empty() ? frame_text(session) : panel_text(session, options.panel);
}

}  // namespace cutaway::inspector
