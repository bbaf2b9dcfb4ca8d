#include "core/intrusive_ptr.h"

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <random>
#include <thread>
#include <vector>

using namespace cutaway;

namespace {

// Counts, outside itself, how often its payload was released and how often it was destroyed.
struct Probe : intrusive_ptr_target {
  struct Log {
    std::atomic<int> released{0};
    std::atomic<int> destroyed{0};
  };

  explicit Probe(Log* log_to = nullptr) : log(log_to) {}
  ~Probe() override {
    if (log) ++log->destroyed;
  }
  void release_resources() override {
    payload = 0;
    if (log) ++log->released;
  }

  Log* log;
  int payload = 42;
};

// A null that is an object, as for tensors.
struct NullProbe final : Probe {
  static Probe* singleton() noexcept {
    static NullProbe null;
    return &null;
  }
};

// Returns: the signal that ended a child process running `f`; 0 when it ended by itself.
template <class F>
int signal_of(const F& f) {
  const pid_t child = fork();
  if (child == 0) {
    std::freopen("/dev/null", "w", stderr);
    std::signal(SIGABRT, SIG_DFL);
    f();
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

}  // namespace

TEST_CASE("MEM-1a strong count 0 with a live weak pointer frees the payload, not the object") {
  Probe::Log log;
  auto owner = make_intrusive<Probe>(&log);
  weak_intrusive_ptr<Probe> weak(owner);
  CHECK(owner.use_count() == 1);
  CHECK(owner.weak_use_count() == 2);
  owner.reset();
  CHECK(log.released == 1);
  CHECK(log.destroyed == 0);
  CHECK(weak.expired());
  weak.reset();
  CHECK(log.destroyed == 1);
}

TEST_CASE("MEM-1a without weak pointers the object goes at once and release is not called") {
  Probe::Log log;
  make_intrusive<Probe>(&log).reset();
  CHECK(log.released == 0);
  CHECK(log.destroyed == 1);
}

TEST_CASE("MEM-1b lock on an expired weak pointer gives null and never resurrects") {
  Probe::Log log;
  auto owner = make_intrusive<Probe>(&log);
  weak_intrusive_ptr<Probe> weak(owner);
  {
    auto second = weak.lock();
    CHECK(second.defined());
    CHECK(owner.use_count() == 2);
  }
  owner.reset();
  for (int i = 0; i < 3; ++i) CHECK_FALSE(weak.lock().defined());
  CHECK(weak.use_count() == 0);
  CHECK(log.released == 1);
}

TEST_CASE("MEM-1 counts after copy, move, assignment and release") {
  auto a = make_intrusive<Probe>();
  auto b = a;
  CHECK(a.use_count() == 2);
  auto c = std::move(b);
  CHECK_FALSE(b.defined());
  CHECK(a.use_count() == 2);
  c = a;
  CHECK(a.use_count() == 2);
  auto& same = a;
  a = same;
  CHECK(a.use_count() == 2);
  Probe* raw = c.release();
  CHECK(a.use_count() == 2);
  c = intrusive_ptr<Probe>::reclaim(raw);
  c.reset();
  CHECK(a.use_count() == 1);
  CHECK(intrusive_ptr<Probe>::share(a.get()).use_count() == 2);
}

TEST_CASE("MEM-1 random copies, moves and drops keep the counts of a simple model") {
  const unsigned seed = std::random_device{}();
  INFO("seed ", seed);
  std::mt19937 random(seed);
  constexpr int kObjects = 3, kHandles = 8, kNone = -1;
  std::array<Probe::Log, kObjects> logs;
  std::array<intrusive_ptr<Probe>, kHandles> strong;
  std::array<weak_intrusive_ptr<Probe>, kHandles> weak;
  std::array<int, kHandles> strong_of, weak_of;  // the model: which object each handle points at
  strong_of.fill(kNone);
  weak_of.fill(kNone);
  std::array<bool, kObjects> alive{};
  for (int object = 0; object < kObjects; ++object) {
    strong[object] = make_intrusive<Probe>(&logs[object]);
    strong_of[object] = object;
  }
  for (int step = 0; step < 20000; ++step) {
    const size_t i = random() % kHandles, j = random() % kHandles;
    switch (random() % 8) {
      case 0: strong[i] = strong[j], strong_of[i] = strong_of[j]; break;
      case 1: weak[i] = weak_intrusive_ptr<Probe>(strong[j]), weak_of[i] = strong_of[j]; break;
      case 2: weak[i] = weak[j], weak_of[i] = weak_of[j]; break;
      case 3: weak[i].reset(), weak_of[i] = kNone; break;
      case 4: {
        const bool dead = weak_of[j] == kNone || !alive[weak_of[j]];
        strong[i] = weak[j].lock();
        strong_of[i] = dead ? kNone : weak_of[j];
        break;
      }
      case 5:
        if (i == j) break;
        strong[i] = std::move(strong[j]), strong_of[i] = strong_of[j], strong_of[j] = kNone;
        break;
      case 6: strong[i].swap(strong[j]), std::swap(strong_of[i], strong_of[j]); break;
      case 7: strong[i].reset(), strong_of[i] = kNone; break;
    }
    for (int object = 0; object < kObjects; ++object) {
      const auto owners = static_cast<uint32_t>(std::count(strong_of.begin(), strong_of.end(), object));
      const auto watchers = static_cast<uint32_t>(std::count(weak_of.begin(), weak_of.end(), object));
      alive[object] = owners > 0;
      REQUIRE(logs[object].destroyed == (owners + watchers == 0));
      for (size_t h = 0; h < kHandles; ++h) {
        if (strong_of[h] == object) REQUIRE(strong[h].use_count() == owners);
        if (strong_of[h] == object) REQUIRE(strong[h].weak_use_count() == watchers + 1);
        if (weak_of[h] == object) REQUIRE(weak[h].use_count() == owners);
        if (weak_of[h] == object) REQUIRE(weak[h].weak_use_count() == watchers + (owners > 0));
      }
    }
  }
}

TEST_CASE("MEM-1 a pointer to an object on the stack is caught") {
  Probe on_stack;
  CHECK_THROWS_WITH_AS(intrusive_ptr<Probe>::share(&on_stack), doctest::Contains("is it on the stack?"),
                       Error);
  const intrusive_ptr<Probe> owner = make_intrusive<Probe>();
  CHECK_THROWS_AS(intrusive_ptr<Probe>::adopt_new(owner.get()), Error);
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST_CASE("MEM-1 an object that dies with owners left ends the program") {
  CHECK(signal_of([] {
          Probe on_stack;
          intrusive_ptr<Probe>::adopt_new(&on_stack).release();
        }) == SIGABRT);
  CHECK(signal_of([] { make_intrusive<Probe>(); }) == 0);
}
#endif

TEST_CASE("MEM-1 copying an object does not copy its counts") {
  auto a = make_intrusive<Probe>();
  auto b = make_intrusive<Probe>(*a);
  CHECK(b.use_count() == 1);
  *b = *a;
  CHECK(b.use_count() == 1);
  CHECK(a.use_count() == 1);
}

TEST_CASE("MEM-5 the null value is a type parameter: an object that answers instead of a null pointer") {
  using Ptr = intrusive_ptr<Probe, NullProbe>;
  Ptr none;
  CHECK_FALSE(none.defined());
  CHECK(none->payload == 42);
  CHECK(none.use_count() == 0);
  Ptr copy = none;
  CHECK(copy == none);
  CHECK_FALSE(Ptr(intrusive_ptr<Probe>()).defined());
  Ptr some(make_intrusive<Probe>());
  CHECK(some.use_count() == 1);
  some.reset();
  CHECK(some == none);
  weak_intrusive_ptr<Probe, NullProbe> weak(none);
  CHECK(weak.expired());
  CHECK_FALSE(weak.lock().defined());
}

TEST_CASE("MEM-1c concurrent copies and drops from 8 threads leave exact counts") {
  auto shared = make_intrusive<Probe>();
  weak_intrusive_ptr<Probe> weak(shared);
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&shared, &weak] {
      for (int i = 0; i < 10000; ++i) {
        auto copy = shared;
        auto locked = weak.lock();
        weak_intrusive_ptr<Probe> another(copy);
      }
    });
  for (auto& thread : threads) thread.join();
  CHECK(shared.use_count() == 1);
  CHECK(shared.weak_use_count() == 2);
}

TEST_CASE("MEM-1b MEM-1c locks that race with the last drop see the whole object or nothing") {
  for (int round = 0; round < 200; ++round) {
    Probe::Log log;
    auto owner = make_intrusive<Probe>(&log);
    std::atomic<int> ready{0}, wrong{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 7; ++t)
      threads.emplace_back([&, weak = weak_intrusive_ptr<Probe>(owner)] {
        ++ready;
        for (int i = 0; i < 100; ++i) {
          const auto locked = weak.lock();
          if (locked.defined() && locked->payload != 42) ++wrong;
        }
      });
    while (ready < 7) std::this_thread::yield();
    owner.reset();
    for (auto& thread : threads) thread.join();
    threads.clear();
    REQUIRE(wrong == 0);
    REQUIRE(log.destroyed == 1);
    REQUIRE(log.released <= 1);
  }
}
