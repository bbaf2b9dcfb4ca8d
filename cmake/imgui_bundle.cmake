# Dear ImGui (docking) with its GLFW and OpenGL 3 backends, GLFW itself, and for tests the ImGui Test Engine, compiled from
# the sources inside the archive `imgui-bundle` (tools/gui_archive.txt). Targets: cutaway_imgui, cutaway_imgui_testable.

set(CUTAWAY_IMGUI_BUNDLE_DIR "${PROJECT_SOURCE_DIR}/third_party/imgui_bundle-1.93.0" CACHE PATH
    "Unpacked imgui-bundle archive, or a packager's copy of the same layout")
if(NOT EXISTS "${CUTAWAY_IMGUI_BUNDLE_DIR}/external/imgui/imgui/imgui.h")
  message(FATAL_ERROR "Dear ImGui is not at ${CUTAWAY_IMGUI_BUNDLE_DIR}. `./cutaway` fetches it; or set "
                      "CUTAWAY_IMGUI_BUNDLE_DIR to an unpacked imgui-bundle 1.93.0, or -DCUTAWAY_INSPECTOR=OFF.")
endif()

find_package(OpenGL REQUIRED COMPONENTS OpenGL EGL)
find_package(Freetype REQUIRED)
set(imgui "${CUTAWAY_IMGUI_BUNDLE_DIR}/external/imgui/imgui")
set(test_engine "${CUTAWAY_IMGUI_BUNDLE_DIR}/external/imgui_test_engine/imgui_test_engine/imgui_test_engine")

set(GLFW_BUILD_DOCS OFF)
set(GLFW_BUILD_TESTS OFF)
set(GLFW_BUILD_EXAMPLES OFF)
set(GLFW_INSTALL OFF)
set(GLFW_LIBRARY_TYPE STATIC)
add_subdirectory("${CUTAWAY_IMGUI_BUNDLE_DIR}/external/glfw/glfw" "${PROJECT_BINARY_DIR}/third_party/glfw"
                 EXCLUDE_FROM_ALL SYSTEM)
target_compile_options(glfw PRIVATE -O1 -w)

set(imgui_sources
  "${imgui}/imgui.cpp"
  "${imgui}/imgui_draw.cpp"
  "${imgui}/imgui_tables.cpp"
  "${imgui}/imgui_widgets.cpp"
  "${imgui}/imgui_stacklayout.cpp"
  "${imgui}/backends/imgui_impl_glfw.cpp"
  "${imgui}/backends/imgui_impl_opengl3.cpp"
  "${imgui}/misc/freetype/imgui_freetype.cpp"
  "${imgui}/misc/cpp/imgui_stdlib.cpp")

# Third-party code: optimised enough, and without our warnings.
function(cutaway_add_imgui name kind)
  add_library(${name} ${kind} EXCLUDE_FROM_ALL ${imgui_sources} ${ARGN})
  target_include_directories(${name} SYSTEM PUBLIC "${imgui}" "${imgui}/backends" "${imgui}/misc/cpp")
  target_compile_definitions(${name} PUBLIC IMGUI_ENABLE_FREETYPE IMGUI_DISABLE_OBSOLETE_FUNCTIONS
    IMGUI_DISABLE_DEMO_WINDOWS)
  target_compile_options(${name} PRIVATE -O1 -w)
  target_link_libraries(${name} PUBLIC glfw OpenGL::OpenGL OpenGL::EGL PRIVATE Freetype::Freetype)
endfunction()

cutaway_add_imgui(cutaway_imgui STATIC)

# The same with the hooks of the Test Engine, and the engine itself. Only programs that test the user interface link it:
# as objects, so that their symbols come before those of cutaway_imgui, which the inspector's libraries name.
if(CUTAWAY_TESTS)
  cutaway_add_imgui(cutaway_imgui_testable OBJECT
    "${test_engine}/imgui_capture_tool.cpp"
    "${test_engine}/imgui_te_context.cpp"
    "${test_engine}/imgui_te_coroutine.cpp"
    "${test_engine}/imgui_te_engine.cpp"
    "${test_engine}/imgui_te_exporters.cpp"
    "${test_engine}/imgui_te_perftool.cpp"
    "${test_engine}/imgui_te_ui.cpp"
    "${test_engine}/imgui_te_utils.cpp")
  target_include_directories(cutaway_imgui_testable SYSTEM PUBLIC "${test_engine}")
  target_compile_definitions(cutaway_imgui_testable PUBLIC IMGUI_ENABLE_TEST_ENGINE
    IMGUI_TEST_ENGINE_ENABLE_COROUTINE_STDTHREAD_IMPL=1 IMGUI_TEST_ENGINE_ENABLE_CAPTURE=0
    IMGUI_TEST_ENGINE_ENABLE_STD_FUNCTION=1)
endif()
