// One libFuzzer target for each format; CUTAWAY_FUZZ_FORMAT is its name. See CMakeLists.txt for how to run
// one.
#include <cstddef>
#include <cstdint>

#include "core/error.h"
#include "tests/fuzz/fuzz_format.h"
#include "tests/fuzz/memory_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static cutaway::fuzz::MemoryFile file;
  static const cutaway::fuzz::FuzzFormat* format = cutaway::fuzz::find_fuzz_format(CUTAWAY_FUZZ_FORMAT);
  file.write({reinterpret_cast<const char*>(data), size});
  try {
    format->read(file.path());
  } catch (const cutaway::Error&) {
    return 0;
  }
  return 0;
}
