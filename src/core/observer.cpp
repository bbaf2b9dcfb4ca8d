#include "core/observer.h"

namespace cutaway {
namespace {

std::atomic<ObjectId> last_object_id{0};
thread_local SourceLine source_line;

}  // namespace

namespace detail {
std::atomic<Observer*> current_observer{nullptr};
}

ObjectId next_object_id() { return last_object_id.fetch_add(1, std::memory_order_relaxed) + 1; }

Observer* set_observer(Observer* o) {
  return detail::current_observer.exchange(o, std::memory_order_acq_rel);
}

SourceLine current_source_line() { return source_line; }

void set_source_line(SourceLine line) { source_line = line; }

void mark(std::string_view text) {
  if (Observer* o = observer()) o->mark(text, source_line);
}

}  // namespace cutaway
