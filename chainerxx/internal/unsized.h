// SPDX-License-Identifier: MIT
// Layers that take a size from their first call: `Linear(none, 10)`.
#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "chainerxx/function.h"
#include "cupyxx/device.h"
#include "cupyxx/error.h"
#include "cupyxx/export.h"
#include "cupyxx/ndarray.h"
#include "cupyxx/shape.h"

namespace chainerxx::internal {

/// What gives a layer its arrays once its sizes are known: by its first call, or by a file. Copies
/// of a layer share it, so that they share the arrays as copies of other layers do, and have them
/// as soon as one of them has. The arrays are made where they would have been without the wait: on
/// the device that was current when the layer was, or where to_gpu() or to_cpu() has sent it since.
class CUPYXX_API Unsized {
 public:
  Unsized();
  Unsized(const Unsized& other);  // without the arrays
  Unsized& operator=(const Unsized&) = delete;
  virtual ~Unsized();

  /// From now on the layer waits for its sizes.
  static void begin(Function& layer, std::shared_ptr<Unsized> how);
  /// Whether two layers will have the same arrays.
  static bool are_tied(const Function& a, const Function& b) {
    return a.unsized_ != nullptr && a.unsized_ == b.unsized_;
  }
  /// Gives a layer its sizes for a call; leaves it without where inputs are missing. Throws
  /// ShapeError for inputs that have none, Error in a capture.
  static void size(const Function& layer, VariableSpan inputs);
  /// The same by the shape that its first array has in a file. False where it has other axes.
  static bool size(Function& layer, const cupyxx::Shape& first_array);

  /// For errors of None, which name the arrays of layers that wait: a layer begins to, or ends.
  static void note(const Function& layer) noexcept;
  static void forget(const Function& layer) noexcept;

  void move_to(cupyxx::Device device) { device_ = device; }
  virtual std::shared_ptr<Unsized> copy() const = 0;

 protected:
  virtual cupyxx::Shape of_inputs(VariableSpan inputs) const = 0;
  virtual std::optional<cupyxx::Shape> of_array(const cupyxx::Shape& first_array) const = 0;
  virtual void make(Function& layer, const cupyxx::Shape& sizes) const = 0;

 private:
  static void give(Function& layer, const cupyxx::Shape& sizes);
  static void give_copies(const Unsized& how);
  static void end(Function& layer);

  cupyxx::Device device_;
  std::vector<ndarray> arrays_;  // of all fields and gradients, for copies of the layer
};

/// Makes `layer` wait. Its sizes are `of_inputs(inputs)`; those of a first array of `ndim` axes, or
/// of any number for 0, `of_array(shape)`. `make(layer, sizes)` makes the arrays.
template <class Layer, class OfInputs, class OfArray, class Make>
void size_later(Layer& layer, int ndim, OfInputs of_inputs, OfArray of_array, Make make) {
  class Way final : public Unsized {
   public:
    Way(int n, OfInputs i, OfArray a, Make m)
        : ndim_(n), inputs_(std::move(i)), array_(std::move(a)), make_(std::move(m)) {}
    std::shared_ptr<Unsized> copy() const override { return std::make_shared<Way>(*this); }

   protected:
    cupyxx::Shape of_inputs(VariableSpan inputs) const override { return inputs_(inputs); }
    std::optional<cupyxx::Shape> of_array(const cupyxx::Shape& first) const override {
      if (ndim_ != 0 && first.ndim() != ndim_) return std::nullopt;
      return array_(first);
    }
    void make(Function& made, const cupyxx::Shape& sizes) const override {
      make_(static_cast<Layer&>(made), sizes);
    }

   private:
    int ndim_;
    OfInputs inputs_;
    OfArray array_;
    Make make_;
  };
  Unsized::begin(layer, std::make_shared<Way>(ndim, std::move(of_inputs), std::move(of_array),
                                              std::move(make)));
}

/// The extent of axis 1 of the first input, which has at least `least` axes.
inline cupyxx::Shape channels_of(const char* layer, VariableSpan inputs, int least) {
  const cupyxx::Shape shape = inputs[0].shape();
  if (shape.ndim() >= least) return {shape[1]};
  throw cupyxx::ShapeError(cupyxx::message(
      layer, ": the first call, which gives the layer its size, has an input of fewer than ", least,
      " axes; ", shape));
}

/// The elements that each row of an input (n, ...) has.
inline std::int64_t row_size(const char* layer, const Variable& x) {
  const cupyxx::Shape shape = x.shape();
  if (shape.ndim() < 2) channels_of(layer, {&x, 1}, 2);
  std::int64_t size = 1;
  for (int axis = 1; axis < shape.ndim(); ++axis) size *= shape[axis];
  return size;
}

}  // namespace chainerxx::internal
