// The user interface from inside: the ImGui Test Engine moves the mouse and types, the application answers.
//
// Keys that run commands reach the application as in a window, through App::press; text goes into the field that has the
// focus.

#include <doctest/doctest.h>
#include <imgui.h>
#include <imgui_internal.h>
#include <imgui_te_context.h>
#include <imgui_te_engine.h>

#include <functional>
#include <string>

#include "golden.h"
#include "inspector/app/app.h"
#include "inspector/app/headless.h"
#include "inspector/widgets/theme.h"

using namespace cutaway::inspector;

namespace {

constexpr ImGuiKeyChord kCtrl = ImGuiMod_Ctrl, kShift = ImGuiMod_Shift;

// One run of the application over the tour, driven by a script.
class Driven {
 public:
  using Script = std::function<void(ImGuiTestContext&, App&)>;

  explicit Driven(int width = 1600, int height = 900) : session_(Document::open_trace(CUTAWAY_TOUR, false)) {
    draw_in_software();
    options_.width = width;
    options_.height = height;
    headless_ = std::make_unique<Headless>(options_);
  }

  void run(const Script& script) {
    ImGuiTestEngine* engine = ImGuiTestEngine_CreateContext();
    ImGuiTestEngineIO& io = ImGuiTestEngine_GetIO(engine);
    io.ConfigRunSpeed = ImGuiTestRunSpeed_Fast;
    io.ConfigVerboseLevel = ImGuiTestVerboseLevel_Silent;
    io.ConfigVerboseLevelOnError = ImGuiTestVerboseLevel_Info;
    io.ConfigLogToTTY = true;
    io.ConfigNoThrottle = true;
    ImGuiTest* test = ImGuiTestEngine_RegisterTest(engine, "inspector", "script", __FILE__, __LINE__);
    App& app = headless_->app(session_);
    // What Dear ImGui complains of is our fault.
    int complaints = 0;
    ImGui::GetCurrentContext()->ErrorCallbackUserData = &complaints;
    ImGui::GetCurrentContext()->ErrorCallback = [](ImGuiContext*, void* count, const char*) {
      ++*static_cast<int*>(count);
    };
    test->TestFunc = [&](ImGuiTestContext* context) { script(*context, app); };
    ImGuiTestEngine_Start(engine, ImGui::GetCurrentContext());
    ImGuiTestEngine_QueueTest(engine, test);
    for (int frame = 0; frame < 4000 && !ImGuiTestEngine_IsTestQueueEmpty(engine); ++frame) {
      headless_->draw(session_, false);
      ImGuiTestEngine_PostSwap(engine);
    }
    const bool passed =
        ImGuiTestEngine_IsTestQueueEmpty(engine) && test->Output.Status == ImGuiTestStatus_Success;
    ImGuiTestEngine_Stop(engine);
    headless_.reset();  // the engine's context must outlive Dear ImGui's
    ImGuiTestEngine_DestroyContext(engine);
    CHECK(passed);
    CHECK(complaints == 0);
  }

  Session& session() { return session_; }

 private:
  Session session_;
  Options options_;
  std::unique_ptr<Headless> headless_;
};

void settle(ImGuiTestContext& test) { test.Yield(4); }

}  // namespace

TEST_CASE("UI: the transport steps, and every panel says the same event") {
  Driven driven;
  driven.run([](ImGuiTestContext& test, App& app) {
    app.run("time.first");
    test.ItemClick("//##top/forward");
    test.ItemClick("//##top/forward");
    IM_CHECK_EQ(app.session().time(), size_t{2});
    test.ItemClick("//##top/back");
    IM_CHECK_EQ(app.session().time(), size_t{1});
    test.ItemClick("//##top/last");
    IM_CHECK_EQ(app.session().time(), app.session().trace().size());
    IM_CHECK(app.title().find("event " + std::to_string(app.session().trace().size())) != std::string::npos);
  });
}

TEST_CASE("UI: Ctrl+G goes to an event, and says what is no event") {
  Driven driven;
  driven.run([](ImGuiTestContext& test, App& app) {
    app.press(kCtrl | ImGuiKey_G);
    settle(test);
    test.KeyChars("42");
    settle(test);
    app.press(ImGuiKey_Enter);
    settle(test);
    IM_CHECK_EQ(app.session().time(), size_t{42});
    IM_CHECK(app.overlay() == Sheet::None);
    app.press(kCtrl | ImGuiKey_G);
    settle(test);
    test.KeyChars("99999999");
    settle(test);
    app.press(ImGuiKey_Enter);
    settle(test);
    IM_CHECK_EQ(app.session().time(), size_t{42});
    IM_CHECK(app.overlay() == Sheet::GoTo);
    app.press(ImGuiKey_Escape);
    IM_CHECK(app.overlay() == Sheet::None);
  });
}

TEST_CASE("UI: the palette runs what is typed") {
  Driven driven;
  driven.run([](ImGuiTestContext& test, App& app) {
    IM_CHECK(theme_name() == ThemeName::Dark);
    app.press(kCtrl | kShift | ImGuiKey_P);
    settle(test);
    test.KeyChars("light");
    settle(test);
    app.press(ImGuiKey_Enter);
    settle(test);
    IM_CHECK(theme_name() == ThemeName::Light);
    app.run("theme.toggle");
  });
}

TEST_CASE("UI: letters typed into the filter are letters") {
  Driven driven;
  driven.run([](ImGuiTestContext& test, App& app) {
    const size_t before = app.session().time();
    app.press(Chord::typed('/'));
    settle(test);
    IM_CHECK(app.key_focus().text_field);
    for (const char c : {'w', 'a', 's', 'd', 'c', '0'})
      IM_CHECK(!app.press(Chord(static_cast<ImGuiKey>(c == '0' ? ImGuiKey_0 : ImGuiKey_A + (c - 'a')))));
    IM_CHECK(!app.press(Chord::typed('?')));
    IM_CHECK(!app.press(ImGuiKey_Space));
    test.KeyChars("wasd c");
    settle(test);
    IM_CHECK_STR_EQ(app.session().filter("explorer").c_str(), "wasd c");
    IM_CHECK_EQ(app.session().time(), before);
    IM_CHECK(app.press(ImGuiKey_F10));
    IM_CHECK(app.session().time() > before);
  });
}

TEST_CASE("UI: menus run commands, and say why one is refused") {
  Driven driven;
  driven.run([](ImGuiTestContext& test, App& app) {
    app.run("time.first");
    test.ItemClick("//##top/Time");
    test.ItemClick("//$FOCUSED/event.next");
    IM_CHECK_EQ(app.session().time(), size_t{1});
    for (const Command& command : commands())
      if (const char* why = command.refused(app)) IM_CHECK(std::string(why).size() > 10);
  });
}

TEST_CASE("UI: presets arrange the panels, and reset puts them back") {
  Driven driven;
  driven.run([](ImGuiTestContext& test, App& app) {
    for (const char* preset : {"layout.lesson", "layout.compare", "layout.present", "layout.explore"}) {
      app.run(preset);
      settle(test);
      IM_CHECK(app.layout().is_shown("storage"));
    }
    IM_CHECK(app.layout().is_shown("timeline"));
    app.layout().toggle("timeline");
    settle(test);
    IM_CHECK(!app.layout().is_shown("timeline"));
    app.run("layout.reset");
    settle(test);
    IM_CHECK(app.layout().is_shown("timeline"));
    app.run("panel.lab");
    settle(test);
    IM_CHECK(app.layout().is_in_front("lab"));
    IM_CHECK(!app.layout().is_in_front("storage"));
    app.run("panel.previous");
    settle(test);
    IM_CHECK(app.layout().is_in_front("storage"));
  });
}

TEST_CASE("UI: every command can be run at every moment without harm") {
  Driven driven;
  driven.run([](ImGuiTestContext& test, App& app) {
    for (const char* moment : {"time.first", "tour.next", "time.last"})
      for (const Command& command : commands()) {
        if (std::string(command.id) == "file.quit" || std::string(command.id) == "file.export") continue;
        app.run(moment);
        app.run(command);
        test.Yield(2);
        if (app.overlay() != Sheet::None) app.close_overlay();
        if (theme_name() == ThemeName::Light) app.toggle_theme();
      }
  });
}

TEST_CASE("UI: small windows and great scales do not break") {
  for (const auto& [width, height] : {std::pair{320, 240}, std::pair{500, 900}, std::pair{2400, 400}}) {
    Driven driven(width, height);
    driven.run([](ImGuiTestContext& test, App& app) {
      for (const float factor : {3.0f, 0.2f}) {
        app.change_scale(factor);
        for (const char* preset : {"layout.lesson", "layout.present", "layout.explore"}) {
          app.run(preset);
          app.show_overlay(Sheet::Palette);
          test.Yield(3);
          app.close_overlay();
          app.show_overlay(Sheet::Help);
          test.Yield(2);
          app.close_overlay();
        }
      }
    });
  }
}
