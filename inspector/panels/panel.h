// What a panel is: an id, a title, a place in the window, and one function that draws it.
//
// A panel reads the session and the models made from it, and changes nothing but through the session's actions or a
// command by its id. Adding one: a pair of files here, a line in registry.cpp, its text in inspector/model/text.cpp.
//
// PyTorch: none
#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>

#include "inspector/model/session.h"
#include "inspector/widgets/cell_grid.h"

namespace cutaway::inspector {

// What panels remember between frames that is no part of the session: scroll and zoom.
struct PanelMemory {
  std::map<ObjectId, GridState> grids;
  ObjectId framed = 0;            // the tensor whose first element the grid was last brought to
  GridState lab_grid;
  std::string lab_expression;
  std::string lab_error;
};

struct PanelContext {
  Session& session;
  PanelMemory& memory;
  std::function<void(const char* command)> run;   // by the command's id
};

enum class Place { Left, Centre, Right, RightBelow, Bottom };

struct Panel {
  const char* id = "";            // also the name on the command line
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
