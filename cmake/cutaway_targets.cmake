# The two kinds of target this house has: a library per folder, and a test program per folder.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE RelWithDebInfo)
endif()

find_program(CUTAWAY_CCACHE ccache)
if(CUTAWAY_CCACHE)
  set(CMAKE_C_COMPILER_LAUNCHER "${CUTAWAY_CCACHE}")
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CUTAWAY_CCACHE}")
endif()

# Flags for our own sources; third-party code is compiled without them.
add_library(cutaway_flags INTERFACE)
target_compile_options(cutaway_flags INTERFACE -Wall -Wextra -Wno-missing-field-initializers
  $<IF:$<CXX_COMPILER_ID:GNU>,-Wshadow=local,-Wshadow>
  $<$<BOOL:${CUTAWAY_WERROR}>:-Werror>)
if(CUTAWAY_SANITIZE)
  add_compile_options(-fsanitize=${CUTAWAY_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer -g)
  add_link_options(-fsanitize=${CUTAWAY_SANITIZE})
endif()

# cutaway_library(NAME SOURCES a.cpp ... LINKS other ...): the library of one folder. Its public edges are
# exactly LINKS. Includes are written from src/ ("core/device.h") or from the root ("inspector/model/x.h").
function(cutaway_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINKS" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  target_include_directories(${name} PUBLIC "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}")
  target_link_libraries(${name} PUBLIC ${ARG_LINKS} PRIVATE cutaway_flags)
endfunction()

# cutaway_test(NAME SOURCES a_test.cpp ... LINKS lib ...): a doctest program; each TEST_CASE is a CTest test
# named NAME/case. A case in TEST_SUITE("slow") gets the label `slow`: `./cutaway test --quick` leaves it out.
# Compiled with -O1: doctest's assertions cost the optimiser more than they gain from it.
function(cutaway_test name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINKS" ${ARGN})
  find_package(doctest REQUIRED)
  include("${doctest_DIR}/doctest.cmake")
  add_executable(${name} ${ARG_SOURCES} "${PROJECT_SOURCE_DIR}/tests/doctest_main.cpp")
  target_compile_options(${name} PRIVATE $<$<NOT:$<CONFIG:Debug>>:-O1>)
  target_link_libraries(${name} PRIVATE ${ARG_LINKS} cutaway_flags doctest::doctest)
  doctest_discover_tests(${name} TEST_PREFIX "${name}/" ADD_LABELS 1 PROPERTIES TIMEOUT 300)
endfunction()
