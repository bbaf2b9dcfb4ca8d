#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/observer.h"
#include "kernels/ops.h"

using namespace cutaway;

namespace {

// Writes down what it is told, a word an event.
class Diary : public Observer {
 public:
  Diary() { set_observer(this); }
  ~Diary() override { set_observer(nullptr); }

  void storage_allocated(const StorageFacts& f) override { add("alloc " + std::to_string(f.nbytes)); }
  void storage_freed(ObjectId) override { add("free"); }
  void tensor_made(const TensorFacts&) override { add("tensor"); }
  void tensor_released(ObjectId) override { add("release"); }
  void view_made(const ViewFacts& f) override { add((f.copied ? "copy " : "view ") + std::string(f.op)); }
  void before_write(const WriteFacts& f) override { add("before " + std::to_string(f.version)); }
  void written(const WriteFacts& f) override {
    add("write " + std::to_string(f.begin) + "-" + std::to_string(f.end) + " v" + std::to_string(f.version));
  }
  void op_begin(std::string_view op, std::string_view, const SourceLine&) override {
    add("(" + std::string(op));
  }
  void op_end() override { add(")"); }
  void error_raised(std::string_view kind, std::string_view) override { add(std::string(kind)); }

  std::vector<std::string> lines;

 private:
  void add(std::string line) { lines.push_back(std::move(line)); }
};

}  // namespace

TEST_CASE("a view reports its span, its tensor and what it is a view of") {
  const Tensor x = zeros({2, 3});
  Diary diary;
  const Tensor y = transpose(x, 0, 1);
  CHECK(diary.lines == std::vector<std::string>{"(transpose", "tensor", "view transpose", ")"});
}

TEST_CASE("a write reports the bytes it may touch and the versions before and after") {
  const Tensor x = zeros({4, 4});
  const Tensor row = select(x, 0, 1);
  Diary diary;
  add_(row, 1);
  CHECK(diary.lines == std::vector<std::string>{"(add_", "before 0", "write 16-32 v1", ")"});
}

TEST_CASE("a refused write reports the error and no write") {
  const Tensor tall = expand(zeros({1, 4}), {3, 4});
  Diary diary;
  CHECK_THROWS_AS(add_(tall, 1), Error);
  CHECK(diary.lines == std::vector<std::string>{"(add_", "RuntimeError", ")"});
}

TEST_CASE("a copy made instead of a view says so") {
  const Tensor x = t(view(arange(6), {2, 3}));
  Diary diary;
  const Tensor y = reshape(x, {6});
  CHECK(std::find(diary.lines.begin(), diary.lines.end(), "copy reshape") != diary.lines.end());
  CHECK(std::find(diary.lines.begin(), diary.lines.end(), "alloc 48") != diary.lines.end());
}

TEST_CASE("the last handle frees tensor and storage") {
  Diary diary;
  {
    Tensor x = empty({4});
    Tensor y = x;
  }
  CHECK(diary.lines == std::vector<std::string>{"(empty", "alloc 16", "tensor", ")", "release", "free"});
}
