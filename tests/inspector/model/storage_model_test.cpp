#include "inspector/model/storage_model.h"

#include <doctest/doctest.h>

#include <map>

#include "core/convert.h"
#include "inspector/model/text.h"
#include "tests/inspector/model/index_model.h"
#include "tests/inspector/model/small_document.h"
#include "tests/io/temp_file.h"

using namespace cutaway;
using namespace cutaway::inspector;
using cutaway::io::contains;

namespace {

// How often each element is named.
std::map<int64_t, int> counts_of(const std::vector<int64_t>& elements) {
  std::map<int64_t, int> counts;
  for (int64_t element : elements) ++counts[element];
  return counts;
}

// The overlay of the selected tensor; the bit it has in Cell::lit.
size_t selected_overlay(const StorageModel& model) {
  for (size_t i = 0; i < model.overlays.size(); ++i)
    if (model.overlays[i].selected) return i;
  return SIZE_MAX;
}

void check_lit(const Session& session, const StorageModel& model, const std::vector<int64_t>& elements) {
  const size_t overlay = selected_overlay(model);
  REQUIRE(overlay < model.overlays.size());
  const std::map<int64_t, int> counts = counts_of(elements);
  // In two pieces, so that the border between ranges is tried as well.
  const int64_t half = model.cells / 3;
  std::vector<Cell> cells = storage_cells(session, model, 0, half);
  for (Cell& cell : storage_cells(session, model, half, model.cells)) cells.push_back(std::move(cell));
  REQUIRE(static_cast<int64_t>(cells.size()) == model.cells);
  for (int64_t at = 0; at < model.cells; ++at) {
    const auto named = counts.find(at / model.span);
    CAPTURE(at);
    CHECK((cells[static_cast<size_t>(at)].lit >> overlay & 1) == (named != counts.end() ? 1u : 0u));
    CHECK(cells[static_cast<size_t>(at)].overlap == (named != counts.end() && named->second > 1));
  }
}

std::vector<double> values_of(const Session& session, ObjectId id) {
  const auto tensor = session.world().tensor(id);
  const Geometry g = geometry_of(*tensor);
  std::vector<double> values;
  for (int64_t linear = 0; linear < g.numel(); ++linear) {
    DimVector index(g.sizes.size());
    int64_t rest = linear;
    for (size_t i = g.sizes.size(); i-- > 0; rest /= g.sizes[i]) index[i] = rest % g.sizes[i];
    std::vector<std::byte> bytes(element_size(tensor->dtype));
    std::vector<trace::ByteState> known(bytes.size());
    session.trace().bytes_at(session.time(), tensor->storage,
                             static_cast<uint64_t>(g.element(index)) * bytes.size(), bytes, known);
    for (trace::ByteState state : known) CHECK(state == trace::ByteState::Known);
    values.push_back(element_as_double(tensor->dtype, bytes.data()));
  }
  return values;
}

}  // namespace

TEST_CASE("VIEW-1 exactly the elements that brute force names are lit, for 200 random views") {
  constexpr uint64_t kSeed = 7;
  MESSAGE("seed ", kSeed);
  std::mt19937_64 random(kSeed);
  int empty = 0, overlapping = 0, repeated = 0;
  for (int round = 0; round < 200; ++round) {
    const RandomChain chain = random_chain(random, {4, 3, 5}, 1 + round % 7, false);
    CAPTURE(chain.expression);
    Session session(counting_document({4, 3, 5}, round % 3 ? ScalarType::Float : ScalarType::Short));
    session.add_view(chain.expression);
    session.show_bytes(round % 4 == 3);
    // The steps on the way overlap too; here only the last one is asked about.
    for (ObjectId id : session.world().tensors_on(session.selection().storage))
      if (id != session.selection().tensor) session.toggle_hidden(id);
    const StorageModel model = make_storage_model(session);
    CHECK(model.bytes == (round % 4 == 3));
    check_lit(session, model, chain.model.elements);
    empty += chain.model.elements.empty();
    overlapping += counts_of(chain.model.elements).size() < chain.model.elements.size();
    for (int64_t stride : model.overlays[selected_overlay(model)].geometry.strides) repeated += stride == 0;
  }
  CHECK(empty > 5);
  CHECK(overlapping > 20);
  CHECK(repeated > 20);
}

TEST_CASE("VIEW-5 a copy holds the elements it was made from, whatever the chain that led to it") {
  constexpr uint64_t kSeed = 99;
  MESSAGE("seed ", kSeed);
  std::mt19937_64 random(kSeed);
  int copies = 0;
  for (int round = 0; round < 200; ++round) {
    const RandomChain chain = random_chain(random, {4, 3, 5}, 5, true);
    CAPTURE(chain.expression);
    Session session(counting_document({4, 3, 5}, ScalarType::Int));
    session.add_view(chain.expression);
    const std::vector<double> wanted(chain.model.elements.begin(), chain.model.elements.end());
    CHECK(values_of(session, session.selection().tensor) == wanted);
    copies += session.world().tensor(session.selection().tensor)->storage != 1;
  }
  CHECK(copies > 100);
}

TEST_CASE("the hover names every index, the sum, the bytes and the last write") {
  Session session(counting_document({12, 16}));
  session.add_view("x[1:9:2, 3:13][1:3].transpose(0, 1)");
  const StorageModel model = make_storage_model(session);
  const ElementFacts facts = element_facts(session, model, 84);
  CHECK(
      facts.lines[0] ==
      "x[1:9:2, 3:13][1:3].transpose(0, 1)[1, 1] = x[5, 4] = x[1:9:2, 3:13][2, 1] = x[1:9:2, 3:13][1:3][1, 1]");
  CHECK(facts.lines[1] == "51 + 1·1 + 1·32 = element 84");
  CHECK(facts.lines[2] == "bytes 336 to 339");
  CHECK(facts.value == "84");
  CHECK(facts.bytes == std::vector<uint8_t>{0, 0, 0xa8, 0x42});
  CHECK(facts.fields.front().high == 31);
  CHECK(facts.readers.size() == 4);
  CHECK(element_facts(session, model, 192).lines.empty());
}

TEST_CASE("VIEW-10b M6 a write to overlapping memory is explained by two indices that are one element") {
  Session session(recorded_document());
  for (size_t t = 0; t <= session.trace().size(); ++t) {
    session.seek(t);
    const StorageModel model = make_storage_model(session);
    if (!model.callout || !model.callout->collision) continue;
    CHECK(model.callout->refused);
    CHECK(contains(model.callout->message, "refers to a single memory location"));
    CHECK(model.callout->collision->first == std::vector<int64_t>{0, 0});
    CHECK(model.callout->collision->second == std::vector<int64_t>{1, 0});
    CHECK(contains(model.callout->why, "tall[0, 0] and tall[1, 0] are both element 6"));
    return;
  }
  FAIL("no event shows the refused write");
}

TEST_CASE("VIEW-4a M1 a recorded refusal shows the brackets under the two dimensions") {
  Session session(recorded_document());
  const auto failures = session.document().failed_views();
  REQUIRE(failures.size() == 2);
  session.seek(failures[0].number);
  CHECK(failures[0].expression == "z.view([24])");
  const std::string text = storage_text(session);
  CHECK(contains(text, "z.view([24]) is impossible without a copy"));
  CHECK(contains(text, "|__________|  cannot merge"));
  CHECK(contains(text, "sizes          6      4"));
}

TEST_CASE("MEM-6 a small view that keeps a large storage alive is warned about, its clone is not") {
  Session session(counting_document({1000, 1000}));
  session.add_view("x[0]");
  StorageModel model = make_storage_model(session);
  CHECK(model.nbytes == 4000000);
  CHECK(model.reachable_bytes == 4000);
  CHECK(contains(model.reach_warning, "keeps all of them alive"));
  session.add_view("x[0].clone()");
  model = make_storage_model(session);
  CHECK(model.nbytes == 4000);
  CHECK(model.reachable_bytes == 4000);
  CHECK(model.reach_warning.empty());
  session.add_view("x[0].expand(500, -1)");
  CHECK(make_storage_model(session).reachable_bytes == 4000);
  session.add_view("x.as_strided((10, 10), (1, 1))");
  CHECK(make_storage_model(session).reachable_bytes == 19 * 4);
}

TEST_CASE("a write shows old and new values, and a locked event what differs from it") {
  Session session(recorded_document());
  size_t write = 0;
  for (size_t number = 1; number <= session.trace().size(); ++number)
    if (session.trace().event(number).kind == trace::EventKind::Write) {
      session.seek(number);
      const StorageModel model = make_storage_model(session);
      const std::vector<Cell> cells = storage_cells(session, model, 0, model.cells);
      if (cells.size() == 24 && cells[6].changed && cells[6].old_text == "7") write = number;
    }
  REQUIRE(write > 0);
  session.seek(write);
  const StorageModel model = make_storage_model(session);
  std::vector<Cell> cells = storage_cells(session, model, 0, model.cells);
  CHECK(cells[6].text == "8");
  CHECK(cells[0].old_text == "0");
  CHECK(cells[0].text == "1");
  session.seek(write - 1);
  session.lock_compare();
  session.seek(write + 1);
  const StorageModel compared = make_storage_model(session);
  CHECK(compared.compared == write - 1);
  cells = storage_cells(session, compared, 0, compared.cells);
  CHECK(cells[6].changed);
  CHECK(cells[6].old_text == "7");
  session.lock_compare();
  CHECK_FALSE(make_storage_model(session).compared);
}

TEST_CASE("a pinned canvas stays while the selection goes elsewhere") {
  Session session(counting_document({4, 6}));
  session.toggle_pin();
  session.add_view("x.clone()");
  CHECK(session.selection().storage != 1);
  CHECK(make_storage_model(session).storage == 1);
  session.toggle_pin();
  CHECK(make_storage_model(session).storage == session.selection().storage);
}

TEST_CASE("more tensors than there are marks are counted, and the selected one is always shown") {
  Session session(counting_document({40, 6}));
  for (int i = 0; i < 40; ++i) session.add_view("x[" + std::to_string(i) + "]");
  const StorageModel model = make_storage_model(session);
  CHECK(model.overlays.size() == kMostOverlays);
  CHECK(model.overlays_left_out == 41 - kMostOverlays);
  CHECK(selected_overlay(model) < model.overlays.size());
  CHECK(contains(storage_text(session), "and 9 more tensors"));
}
