// SPDX-License-Identifier: MIT
// A step of training as one CUDA graph: recorded from a function, replayed with new data.
//
//   auto step = chainerxx::capture([&](const ndarray& x, const ndarray& t) {
//     const Variable loss = F::softmax_cross_entropy(model(x), Variable(t));
//     optimizer.zero_grads();
//     loss.backward();
//     optimizer.update();
//     return loss.data();
//   });
//   for (const auto& [x, t] : batches) losses += step(x, t);
//
// Each call is one step, with the same results as the function itself. The first two run it
// (kernels are compiled, algorithms chosen), the third records it, later ones replay the record.
// Random numbers advance, hooks of optimizers are called, t counts and rates are read in each step;
// other numbers that the function computes on the host stay those of the record. On the host a call
// is the function's.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "cupyxx/export.h"
#include "cupyxx/ndarray.h"

namespace chainerxx {

using cupyxx::ndarray;

/// Options of capture().
struct CaptureOptions {
  /// Calls of the function itself before the one that records it, for each form of the arguments.
  int warm_up = 2;
};

namespace internal {

/// The part of a captured step that does not depend on the function's type.
class CUPYXX_API StepRecorder {
 public:
  /// Calls the function, whose result lives where the pointer says.
  struct Body {
    void* state;
    std::shared_ptr<void> (*call)(void* state, std::span<const ndarray> arguments);
    std::shared_ptr<void> operator()(std::span<const ndarray> arguments) const {
      return call(state, arguments);
    }
  };

  explicit StepRecorder(const CaptureOptions& options);
  StepRecorder(StepRecorder&&) noexcept;
  StepRecorder& operator=(StepRecorder&&) noexcept;
  ~StepRecorder();

  std::shared_ptr<void> run(std::span<const ndarray> arguments, const Body& body);
  bool is_replaying() const { return is_replaying_; }

 private:
  struct Form;
  Form& form_of(std::span<const ndarray> arguments);

  CaptureOptions options_;
  bool is_replaying_ = false;
  std::unique_ptr<std::vector<std::unique_ptr<Form>>> forms_;
};

}  // namespace internal

/// What capture() returns. Calls are made by one thread at a time.
template <class F>
class CapturedStep {
 public:
  CapturedStep(F function, const CaptureOptions& options)
      : function_(std::move(function)), recorder_(options) {}

  /// One step on this thread's current device. Arguments are copied into arrays of the step's own
  /// there, which the function is given; they may be on the host or on any device. What the
  /// function returns is returned: arrays in it are overwritten by the next call.
  ///
  /// A record holds for one device, one form of the arguments (shapes and dtypes) and one mode
  /// (TrainScope, NoGradScope, PrecisionScope, LayoutScope); another one is recorded beside it.
  /// When parameters or states of an optimizer are replaced, the step is recorded again. Throws
  /// what the function throws; Error when it does what cannot be recorded: wait for the device,
  /// copy from the host, leave the current stream, update by an algorithm of its own.
  template <std::convertible_to<ndarray>... Arrays>
  auto operator()(const Arrays&... arrays) {
    using Result = std::invoke_result_t<F&, decltype(static_cast<const ndarray&>(arrays))...>;
    using Call = Caller<Result, sizeof...(Arrays)>;
    const std::array<ndarray, sizeof...(Arrays)> arguments{arrays...};
    const std::shared_ptr<void> result =
        recorder_.run(arguments, {static_cast<void*>(&function_), &Call::call});
    if constexpr (!std::is_void_v<Result>) return *static_cast<const Result*>(result.get());
  }

  /// Whether the latest call replayed a record.
  bool is_replaying() const { return recorder_.is_replaying(); }

 private:
  template <class Result, std::size_t kCount>
  struct Caller {
    static std::shared_ptr<void> call(void* state, std::span<const ndarray> arguments) {
      return with(*static_cast<F*>(state), arguments, std::make_index_sequence<kCount>());
    }
    template <std::size_t... kAt>
    static std::shared_ptr<void> with(F& function, std::span<const ndarray> arguments,
                                      std::index_sequence<kAt...>) {
      if constexpr (std::is_void_v<Result>) {
        function(arguments[kAt]...);
        return nullptr;
      } else {
        return std::make_shared<Result>(function(arguments[kAt]...));
      }
    }
  };

  F function_;
  internal::StepRecorder recorder_;
};

/// A function of arrays as a step that is recorded and replayed. What it refers to must live as
/// long as the step.
template <class F>
CapturedStep<F> capture(F function, const CaptureOptions& options = {}) {
  return CapturedStep<F>(std::move(function), options);
}

}  // namespace chainerxx
