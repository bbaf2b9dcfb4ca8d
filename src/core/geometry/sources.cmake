set(CUTAWAY_GEOMETRY_SOURCES
  geometry/contiguity.cpp)
