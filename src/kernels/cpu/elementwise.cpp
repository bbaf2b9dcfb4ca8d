#include "kernels/cpu/elementwise.h"

#include <type_traits>

#include "core/convert.h"
#include "core/promote.h"
#include "kernels/cpu/strided_loop.h"

namespace cutaway::cpu {
namespace {

DimVector byte_strides(IntArrayRef strides, size_t itemsize) {
  DimVector result(strides);
  for (int64_t& stride : result) stride *= static_cast<int64_t>(itemsize);
  return result;
}

Operands<1> operands_of(const Tensor& self) {
  return {DimVector(self.sizes()),
          {byte_strides(self.strides(), self.itemsize())},
          {static_cast<char*>(self.mutable_data_ptr())}};
}

Operands<2> operands_of(const Tensor& self, const Source& source) {
  return {DimVector(self.sizes()),
          {byte_strides(self.strides(), self.itemsize()),
           byte_strides(source.strides, element_size(source.dtype))},
          {static_cast<char*>(self.mutable_data_ptr()), static_cast<char*>(const_cast<void*>(source.data))}};
}

template <class T>
constexpr bool kFloating = is_floating(scalar_type_of<T>());

// Note [Arithmetic before there is a promotion pass]
// Two operands are computed in one of three types that lose nothing the result could keep: double when either is
// float64, float for the other floating types, uint64 for integers, whose low bits are those of any narrower result and
// whose overflow is defined. The result is then converted to self's dtype.
template <class A, class B>
using Wide = std::conditional_t<
    !kFloating<A> && !kFloating<B>, uint64_t,
    std::conditional_t<std::is_same_v<A, double> || std::is_same_v<B, double>, double, float>>;

template <class W, class T>
W widen(T value) {
  if constexpr (std::is_same_v<W, uint64_t>)
    return static_cast<uint64_t>(static_cast<int64_t>(value));
  else
    return convert<W>(value);
}

template <class T, class W>
T narrow_to(W value) {
  if constexpr (std::is_same_v<T, bool>)
    return value != W(0);
  else if constexpr (std::is_same_v<W, uint64_t>)
    return convert<T>(static_cast<int64_t>(value));
  else
    return convert<T>(value);
}

template <class A, class B>
void binary_loop(BinaryOp op, const Operands<2>& operands) {
  using W = Wide<A, B>;
  strided_loop<2>(operands, [op](const auto& at, const auto& step, int64_t n) {
    for (int64_t i = 0; i < n; ++i) {
      const W left = widen<W>(load<A>(at[0] + i * step[0])), right = widen<W>(load<B>(at[1] + i * step[1]));
      *reinterpret_cast<A*>(at[0] + i * step[0]) =
          narrow_to<A>(op == BinaryOp::Add ? left + right : left * right);
    }
  });
}

}  // namespace

void fill(const Tensor& self, const Scalar& value) {
  if (self.numel() == 0) return;
  with_type_of(self.dtype(), "fill", [&](auto type) {
    using T = decltype(type);
    // Too large for a 16-bit float is infinity; too large for any other type is an error, as in PyTorch.
    constexpr bool kSmallFloat = kFloating<T> && sizeof(T) == 2;
    const T element = kSmallFloat ? value.wrapped_to<T>() : value.to<T>();
    strided_loop<1>(operands_of(self), [&](const auto& at, const auto& step, int64_t n) {
      for (int64_t i = 0; i < n; ++i) *reinterpret_cast<T*>(at[0] + i * step[0]) = element;
    });
  });
}

void count(const Tensor& self) {
  if (self.numel() == 0) return;
  int64_t next = 0;
  with_type_of(self.dtype(), "arange", [&](auto type) {
    using T = decltype(type);
    strided_loop<1>(operands_of(self), [&](const auto& at, const auto& step, int64_t n) {
      for (int64_t i = 0; i < n; ++i) *reinterpret_cast<T*>(at[0] + i * step[0]) = convert<T>(next++);
    });
  });
}

void copy(const Tensor& self, const Source& source) {
  if (self.numel() == 0) return;
  with_type_of(self.dtype(), "copy_", [&](auto to_type) {
    with_type_of(source.dtype, "copy_", [&](auto from_type) {
      using To = decltype(to_type);
      using From = decltype(from_type);
      strided_loop<2>(operands_of(self, source), [](const auto& at, const auto& step, int64_t n) {
        for (int64_t i = 0; i < n; ++i)
          *reinterpret_cast<To*>(at[0] + i * step[0]) = convert<To>(load<From>(at[1] + i * step[1]));
      });
    });
  });
}

void binary(BinaryOp op, const Tensor& self, const Source& other) {
  if (self.numel() == 0) return;
  with_type_of(self.dtype(), "binary", [&](auto self_type) {
    with_type_of(other.dtype, "binary", [&](auto other_type) {
      binary_loop<decltype(self_type), decltype(other_type)>(op, operands_of(self, other));
    });
  });
}

}  // namespace cutaway::cpu
