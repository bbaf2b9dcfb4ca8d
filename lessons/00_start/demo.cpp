// The tour: a small program on real data, watched. Two handwritten digits go into one tensor, and what can be done
// to a tensor without moving a byte is done to it. Running it writes the trace that `./cutaway` opens.
//
//   cutaway_tour SAMPLES_DIR OUT.trace
//
// Each mark() is one step: a title, then the text the inspector shows beside the picture.

#include <cstdio>
#include <string>

#include "core/error.h"
#include "core/observer.h"
#include "core/tensor.h"
#include "io/tensor_file.h"
#include "kernels/ops.h"
#include "trace/recorder.h"

namespace {

using namespace cutaway;

// Returns: element `index` of the first dimension of the file's tensor `images`, float32 of sizes (8, 8).
Tensor read_digit(const io::TensorFile& file, int64_t index) {
  const auto entry = file.find("images");
  CUTAWAY_CHECK(entry.has_value(), file.path(), ": there is no tensor `images` in it");
  Tensor digit = empty({8, 8});
  file.read_bytes(*entry, static_cast<uint64_t>(index) * digit.nbytes(), digit.nbytes(),
                  digit.mutable_data_ptr());
  return digit;
}

// Fills x with two digits. What a tensor is, and where its numbers lie.
void two_digits(const Tensor& x, const Tensor& three, const Tensor& eight) {
  mark(
      "A tensor is numbers in a row\n"
      "x has 8 rows and 16 columns, but memory knows no rows. This grid is its storage: 128 float32 numbers, 512 "
      "bytes, one after the other. The tensor holds no numbers itself. It holds sizes (8, 16), strides (16, 1) and an "
      "offset, and it points at the storage.");
  CUTAWAY_STEP(copy_(slice(x, 1, 0, 8), three));
  CUTAWAY_STEP(copy_(slice(x, 1, 8, 16), eight));
  mark(
      "Two digits move in\n"
      "Two handwritten digits from samples/digits.npz were copied into x. Each copy wrote through a view, x[:, 0:8] and "
      "x[:, 8:16], and both writes landed in the one storage. Step back with the left arrow and watch them go.");
}

// Views: other sizes, strides and offsets over the same bytes.
void views(const Tensor& x) {
  CUTAWAY_STEP(Tensor y = slice(slice(x, 0, 1, 7, 2), 1, 3, 13));
  name(y, "y");
  mark(
      "A slice moves no byte\n"
      "y = x[1:7:2, 3:13] takes every second row and ten columns. It is a new tensor over the old storage: offset 19, "
      "because 1 * 16 + 3 = 19, and strides (32, 1), because the next row of y is two rows of x away.");
  CUTAWAY_STEP(Tensor z = transpose(y, 0, 1));
  name(z, "z");
  mark(
      "A transpose moves no byte either\n"
      "z = y.transpose(0, 1) swaps two sizes and two strides, nothing else: strides (1, 32). The same cells are lit. "
      "Point at one: element z[i, j] lies at 19 + i * 1 + j * 32, and the same byte is y[j, i] and some x[r, c].");
  CUTAWAY_STEP(add_(z, 100));
  mark(
      "A write through one view is seen by all\n"
      "z.add_(100) changed 30 numbers, and x and y changed with it: there is only one copy of them. The version counter "
      "that x, y and z share went up by one. Autograd will use it to notice that a value it saved was overwritten.");
  try {
    CUTAWAY_STEP(view(z, {30}));
  } catch (const Error&) {
    mark(
        "Why view() refuses\n"
        "z.view([30]) asks for one dimension with one stride, but no single stride visits these cells in order. Going "
        "down z moves 1 element; a full run across it moves 3 * 32 = 96. Dimensions 0 and 1 cannot merge. This is "
        "the error that people meet after transpose and permute.");
  }
  CUTAWAY_STEP(Tensor flat = reshape(z, {30}));
  name(flat, "flat");
  mark(
      "reshape() copies when it must\n"
      "flat = z.reshape([30]) could not be a view, so the 30 numbers were copied to a new storage of 120 bytes. Writing "
      "to flat will not change x. reshape() gives a view when it can and a copy when it must; view() never copies.");
}

// Several indices for one number: expand and unfold.
void overlaps(const Tensor& x) {
  CUTAWAY_STEP(Tensor row = slice(x, 0, 4, 5));
  CUTAWAY_STEP(Tensor tall = expand(row, {6, 16}));
  name(tall, "tall");
  mark(
      "expand() repeats without memory\n"
      "tall has 6 rows of 16 numbers and still only 16 cells are lit: the stride of its first dimension is 0, so each "
      "step down lands on the same row. No byte was copied; 96 numbers can be read from 64 bytes.");
  try {
    CUTAWAY_STEP(add_(tall, 1));
  } catch (const Error&) {
    mark(
        "Why writing to it is refused\n"
        "tall.add_(1) would add to each number six times, or once, depending on the order. So a write is refused "
        "when two indices name the same memory. tall.clone() makes room for all 96 numbers.");
  }
  CUTAWAY_STEP(Tensor windows = unfold(select(x, 0, 0), 0, 4, 1));
  name(windows, "windows");
  mark(
      "Overlapping windows\n"
      "windows = x[0].unfold(0, 4, 1): 13 windows of 4 numbers over a row of 16. Both strides are 1. Element 3 is "
      "windows[0, 3], windows[1, 2], windows[2, 1] and windows[3, 0]: what several indices read has a white frame.");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: cutaway_tour SAMPLES_DIR OUT.trace\n");
    return 2;
  }
  try {
    const auto file = io::open_tensor_file(std::string(argv[1]) + "/digits.npz");
    const Tensor three = read_digit(*file, 3);
    const Tensor eight = read_digit(*file, 8);
    trace::Recording recording(argv[2]);
    Tensor kept;
    {
      CUTAWAY_STEP(Tensor x = zeros({8, 16}));
      name(x, "x");
      two_digits(x, three, eight);
      views(x);
      overlaps(x);
      CUTAWAY_STEP(kept = select(x, 0, 2));
      name(kept, "kept");
    }
    mark(
        "A view keeps the whole storage alive\n"
        "The program has left the block in which x lived, and x, y, z are gone. kept = x[2] needs 64 bytes, but all 512 "
        "are still there: a view holds the storage, not the tensor. This is why saving ten rows can write a huge file.");
    CUTAWAY_STEP(kept = clone(kept));
    name(kept, "kept");
    mark(
        "clone() lets go\n"
        "kept was replaced by its clone: a storage of its own, 64 bytes. Nobody held the old storage any more, and it "
        "was freed at once. Now open a file of yours: Ctrl+O, or ./cutaway open FILE.");
  } catch (const Error& error) {
    std::fprintf(stderr, "cutaway_tour: %s\n", error.what());
    return 1;
  }
  return 0;
}
