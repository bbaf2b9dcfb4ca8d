// What a panel is: an id, a title, a place in the window, and one function that draws it.
//
// A panel reads the session and the models made from it, and changes nothing but through the session's actions or a
// command by its id. Adding one: a pair of files here, a line in registry.cpp, its text in inspector/model/text.cpp.
//
// PyTorch: none
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <typeindex>
#include <unordered_map>

#include "inspector/model/session.h"
#include "inspector/widgets/cell_grid.h"

namespace cutaway::inspector {

// What panels remember between frames that is no part of the session: scroll, zoom, and models worked out already.
class PanelMemory {
 public:
  // Scroll and zoom of each storage's grid; commands move them too.
  std::map<ObjectId, GridState> grids;
  // Workers are waited for: pictures written without a window must not depend on how quick the machine is.
  bool wait = false;
  // Set while drawing when a worker is at something that will be shown: frames go on until it is ready.
  bool working = false;

  // A panel's own memory, of a type that it keeps to itself.
  template <class T>
  T& of() {
    std::shared_ptr<void>& slot = slots_[std::type_index(typeid(T))];
    if (!slot) slot = std::make_shared<T>();
    return *static_cast<T*>(slot.get());
  }

 private:
  std::unordered_map<std::type_index, std::shared_ptr<void>> slots_;
};

// A model that is made anew only when the session's content has changed.
template <class Model>
class Cached {
 public:
  template <class Make>
  const Model& get(uint64_t revision, const Make& make) {
    if (revision_ != revision) {
      model_ = make();
      revision_ = revision;
    }
    return model_;
  }

 private:
  Model model_{};
  uint64_t revision_ = UINT64_MAX;
};

struct PanelContext {
  Session& session;
  PanelMemory& memory;
  std::function<void(const char* command)> run;  // by the command's id
};

enum class Place { Left, Centre, Right, RightBelow, Bottom };

struct Panel {
  const char* id = "";  // also the name on the command line
  const char* title = "";
  Place place = Place::Centre;
  void (*draw)(PanelContext& context);
};

// In the order they are drawn; tabs of one place stand in this order.
std::span<const Panel> panels();

void draw_explorer(PanelContext& context);
void draw_storage(PanelContext& context);
void draw_lab(PanelContext& context);
void draw_card(PanelContext& context);
void draw_timeline(PanelContext& context);
void draw_details(PanelContext& context);

}  // namespace cutaway::inspector
