// What autograd hangs onto a tensor, as far as core knows: an interface and a way to make one.
//
// Autograd derives its metadata from this and registers a factory when it is linked in, so core never
// includes autograd and a program without autograd still links. A tensor without metadata (null) does not
// require a gradient; it gets some on the first set_requires_grad(true).
// Thread safety: the factory is set before other threads run.
//
// PyTorch: c10/core/TensorImpl.h (AutogradMetaInterface, AutogradMetaFactory)
#pragma once

#include <memory>

namespace cutaway {

class TensorImpl;

class AutogradMetaInterface {
 public:
  virtual ~AutogradMetaInterface() = default;

  virtual bool requires_grad() const = 0;
  // `self` is the tensor that owns this. Throws: Error for a dtype that has no gradients (M17).
  virtual void set_requires_grad(bool value, const TensorImpl& self) = 0;
};

using AutogradMetaFactory = std::unique_ptr<AutogradMetaInterface> (*)();

// Returns: the factory before; null at first.
AutogradMetaFactory set_autograd_meta_factory(AutogradMetaFactory factory);
// Returns: new metadata. Throws: Error while no factory is registered.
std::unique_ptr<AutogradMetaInterface> make_autograd_meta();

}  // namespace cutaway
