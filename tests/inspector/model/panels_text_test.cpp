// What panels say: their texts, the verdicts on the card, the View lab, damaged and odd files.
#include <doctest/doctest.h>

#include <cmath>

#include "inspector/model/card_model.h"
#include "inspector/model/details_model.h"
#include "inspector/model/json.h"
#include "inspector/model/lab_model.h"
#include "inspector/model/storage_model.h"
#include "inspector/model/text.h"
#include "inspector/model/value_text.h"
#include "io/npz.h"
#include "tests/inspector/model/small_document.h"
#include "tests/io/temp_file.h"

using namespace cutaway;
using namespace cutaway::inspector;
using cutaway::io::contains;
using cutaway::io::error_of;

namespace {

std::string verdict(const CardModel& card, const std::string& label) {
  for (const CardVerdict& v : card.verdicts)
    if (v.label == label) return v.value + ": " + v.rule;
  return "none";
}

const LabPreset& preset(const LabModel& lab, const std::string& name) {
  for (const LabPreset& p : lab.presets)
    if (p.name == name) return p;
  FAIL("no preset ", name);
  return lab.presets.front();
}

}  // namespace

TEST_CASE("UI-1 every panel has a text at every event, and an empty one says what it would show") {
  Session session(recorded_document());
  for (size_t t = 0; t <= session.trace().size(); ++t) {
    session.seek(t);
    for (const std::string& panel : panel_names()) CHECK(panel_text(session, panel).size() > 20);
    CHECK(frame_json(session).size() > 100);
    for (const std::string& panel : panel_names()) CHECK(panel_json(session, panel).size() > 3);
  }
  const Session nothing(Document::empty());
  for (const std::string& panel : panel_names()) CHECK_MESSAGE(panel_text(nothing, panel).size() > 10, panel);
  CHECK(contains(panel_text(nothing, "explorer"), "open a file with"));
  CHECK(contains(error_of([&] { panel_text(nothing, "nose"); }),
                 "there is no panel 'nose'; there are explorer, storage"));
}

TEST_CASE("texts keep to 100 columns") {
  Session session(recorded_document());
  for (size_t t = 0; t <= session.trace().size(); t += 3) {
    session.seek(t);
    const std::string text =
        frame_text(session) + panel_text(session, "lab") + panel_text(session, "timeline");
    for (size_t at = 0; at < text.size();) {
      const size_t end = text.find('\n', at);
      CHECK_MESSAGE(display_width(text.substr(at, end - at)) <= 100, text.substr(at, end - at));
      at = end + 1;
    }
  }
}

TEST_CASE("the storage text shows values, marks, and who holds it") {
  Session session(counting_document({3, 4}));
  session.add_view("x[1:, ::2]");
  session.select_element(6);
  CHECK(storage_text(session) ==
        "Storage #1   12 elements, 48 B, read as float32\n"
        "  .    x           3, 4   strides 4, 1   offset 0   (every element)\n"
        "  b >  x[1:, ::2]  2, 2   strides 4, 2   offset 4\n"
        "\n"
        "   +0  +1  +2  +3   +4  +5   +6  +7   +8  +9   +10  +11\n"
        "0   0   1   2   3  4:b   5  6:b   7  8:b   9  10:b   11\n"
        "  letters: the tensors that read it\n"
        "\n"
        "  held by 2 tensors: x, x[1:, ::2]; freed when both are gone\n"
        "\n"
        "  x[1:, ::2][0, 1] = x[1, 2]\n"
        "  4 + 0·4 + 1·2 = element 6\n"
        "  bytes 24 to 27\n"
        "  value 6\n");
}

TEST_CASE("VIEW-10b MEM-4 the card: verdicts with the rule that decided, fields with their bytes") {
  Session session(counting_document({4, 6}));
  CardModel card = make_card_model(session);
  CHECK(verdict(card, "contiguous") == "yes: each stride is the product of the sizes to its right");
  CHECK(verdict(card, "overlap") == "none: no two indices meet; PyTorch's quick rule says no");
  CHECK(card.first_key == "AutogradCPU");
  size_t on = 0;
  for (const CardKeyBit& bit : card.key_bits) on += bit.on;
  CHECK(on == 5);  // the backend CPU, and Dense, ADInplaceOrView, Autograd, AutocastCPU
  CHECK(card.struct_size <= 192);
  for (const CardStructField& field : card.layout) {
    if (field.name == "sizes_and_strides_") CHECK(field.value == "(4, 6), (6, 1)");
    if (field.name == "storage_") CHECK(field.value == "storage #1");
    if (field.name == "is_contiguous_") CHECK(field.value == "true");
  }
  session.add_view("x[:, 1:5].t()");
  card = make_card_model(session);
  CHECK(verdict(card, "contiguous") == "no: row-major order wants stride 1 for dimension 1, it is 6");
  CHECK(verdict(card, "overlap") ==
        "none: no two indices meet; PyTorch's quick rule cannot tell (TooHard), and allows a write");
  CHECK(card.dims.size() == 2);
  CHECK_FALSE(card.dims[1].fits());
  CHECK(card.dims[1].expected == 1);
  session.add_view("x.as_strided((3, 3), (1, 1))");
  CHECK(contains(
      verdict(make_card_model(session), "overlap"),
      "yes: [0, 1] and [1, 0] are both element 1; PyTorch's quick rule cannot tell (TooHard), and allows a write"));
  CHECK(contains(panel_text(session, "card"), "TooHard"));
}

TEST_CASE("the lab's code names a variable, and says what it stands for when that is no name") {
  Session session(counting_document({4, 6}));
  CHECK(make_lab_model(session).code == "torch.as_strided(x, (4, 6), (6, 1), 0)");
  session.add_view("x[1:3]");
  CHECK(make_lab_model(session).code == "torch.as_strided(x, (2, 6), (6, 1), 6)  # x is x[1:3]");
  CHECK(make_lab_model(session).code_cpp == "at::as_strided(x, {2, 6}, {6, 1}, 6);  // x is x[1:3]");
}

TEST_CASE(
    "VIEW-12 the lab takes every preset of the Stride Visualizer but flip, and looks memory up backwards") {
  Session session(counting_document({6, 8}));
  LabModel lab = make_lab_model(session);
  for (const char* name : {"contiguous", "broadcast", "transpose", "diagonal", "rolling window"}) {
    CHECK_FALSE(preset(lab, name).refused);
    session.lab = preset(lab, name).geometry;
    session.lab_turned = true;
    session.touch();
    CHECK(make_lab_model(session).legal);
  }
  CHECK(preset(lab, "flip").refused);
  CHECK(contains(preset(lab, "flip").error, "as_strided: Negative strides are not supported at the moment"));
  session.lab = preset(lab, "rolling window").geometry;
  session.touch();
  lab = make_lab_model(session);
  CHECK(lab_readers(session, lab, 9) == "byte 9, element 2, is read by [0, 2], [1, 1], [2, 0]");
  CHECK(lab_readers(session, lab, 8 * 6 * 4) == "");
  CHECK(contains(lab_readers(session, lab, 180), "no index"));
}

TEST_CASE(
    "VIEW-7 M31 knobs: within their ranges every turn is legal, one beyond is refused in the library's words") {
  Session session(counting_document({4, 6}, ScalarType::Float, 10));
  session.add_view("x[1:3, 1:4]");
  const LabModel lab = make_lab_model(session);
  CHECK(lab.code == "torch.as_strided(x, (2, 3), (6, 1), 7)  # x is x[1:3, 1:4]");
  CHECK(lab.code_cpp == "at::as_strided(x, {2, 3}, {6, 1}, 7);  // x is x[1:3, 1:4]");
  for (size_t i = 0; i < lab.knobs.size(); ++i) {
    CAPTURE(lab.knobs[i].label);
    for (int64_t value : {lab.knobs[i].least, lab.knobs[i].most}) {
      session.reset_lab();
      turn_knob(session, i, value);
      CHECK(make_lab_model(session).legal);
    }
    session.reset_lab();
    turn_knob(session, i, lab.knobs[i].most + 1);
    const LabModel beyond = make_lab_model(session);
    CHECK_FALSE(beyond.legal);
    CHECK(contains(beyond.error, "are out of bounds for storage of size 136"));
    session.reset_lab();
    turn_knob(session, i, -1);
    CHECK_FALSE(make_lab_model(session).legal);
  }
  session.reset_lab();
  add_lab_dim(session);
  CHECK(make_lab_model(session).geometry == Geometry{{2, 3, 1}, {6, 1, 1}, 7});
  remove_lab_dim(session, 0);
  CHECK(make_lab_model(session).geometry == Geometry{{3, 1}, {1, 1}, 7});
  CHECK(make_lab_model(session).legal);
}

TEST_CASE("details: the event's old and new values") {
  Session session(recorded_document());
  bool versions = false, elements = false, steps = false;
  for (size_t t = 1; t <= session.trace().size(); ++t) {
    session.seek(t);
    const DetailsModel details = make_details_model(session);
    CHECK_FALSE(details.sentence.empty());
    for (const DetailsChange& change : details.changes) {
      CHECK(change.old_value != change.new_value);
      versions |= change.label == "version" && change.new_value == "2";
      elements |= change.label == "element 0" && change.old_value == "0" && change.new_value == "1";
    }
    steps |= details.step == 1 && details.step_title == "filled" && details.next_title == "refused";
  }
  CHECK(versions);
  CHECK(elements);
  CHECK(steps);
}

TEST_CASE("numbers: short, aligned, never zero for what is not, NaN and infinity in words") {
  const auto text = [](std::vector<float> values, size_t at) {
    const auto bytes = std::as_bytes(std::span(values));
    return value_text(ScalarType::Float, bytes.data() + at * 4, choose_format(ScalarType::Float, bytes));
  };
  CHECK(text({1, 2, 30}, 2) == "30");
  CHECK(text({1, 2.5f, 30}, 0) == "1.00");
  CHECK(text({100, 2.5f, 1e-5f}, 2) == "1e-05");
  CHECK(text({1e9f, 1}, 0) == "1.0e+09");
  CHECK(text({NAN, 1}, 0) == "nan");
  CHECK(text({-INFINITY, 1}, 0) == "-inf");
  const std::byte odd{7};
  CHECK(value_text(ScalarType::Bool, &odd, {}) == "True");
  CHECK(grouped(1234567) == "1 234 567");
  CHECK(bytes_text(999) == "999 B");
  CHECK(bytes_text(1 << 20) == "1.0 MiB");
  CHECK(tuple_text(std::vector<int64_t>{3}) == "(3,)");
  for (ScalarType dtype : {ScalarType::Half, ScalarType::BFloat16, ScalarType::Float, ScalarType::Double,
                           ScalarType::Long, ScalarType::Byte}) {
    int bits = 0;
    for (const BitField& field : bit_fields(dtype)) bits += field.high - field.low + 1;
    CHECK(bits == static_cast<int>(element_size(dtype)) * 8);
  }
}

TEST_CASE("a member that is damaged is shown as not recorded, with the reason, and the rest stays whole") {
  std::vector<float> numbers(1000);
  for (size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<float>(i * i % 9973) * 0.37f;
  const io::TempFile file("two.npz");
  io::write_npz(file.path(),
                {{"a", ScalarType::Float, {1000}, numbers.data(), 4000},
                 {"b", ScalarType::Float, {4}, numbers.data(), 16}},
                {true});
  std::string bytes = file.read();
  // In the middle of the packed numbers, far behind the header that listing reads.
  const size_t data = bytes.find("a.npy") + 5;
  REQUIRE(bytes.find("b.npy") > data + 2000);
  for (size_t i = 1500; i < 1600; ++i) bytes[data + i] = static_cast<char>(0xff);
  file.write(bytes);
  Session session(Document::open_files({file.path()}));
  REQUIRE(session.document().unreadable().empty());
  session.select_tensor(session.tensor_named("a"));
  const StorageModel model = make_storage_model(session);
  const std::vector<Cell> cells = storage_cells(session, model, 0, model.cells);
  REQUIRE(cells.size() == 1000);
  CHECK(cells.back().state == trace::ByteState::NotRecorded);
  CHECK_FALSE(session.read_problem().empty());
  CHECK(contains(panel_text(session, "status"), "problem:"));
  session.select_tensor(session.tensor_named("b"));
  const StorageModel whole = make_storage_model(session);
  CHECK(storage_cells(session, whole, 0, 4).front().state == trace::ByteState::Known);
}
