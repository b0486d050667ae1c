// SPDX-License-Identifier: MIT
// Hooks that measure and print what functions do.
//
//   chainerxx::TimerHook timer;
//   {
//     const chainerxx::FunctionHookScope watched(timer);
//     trainer.run();
//   }
//   timer.print_report();
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include "chainerxx/function_hook.h"
#include "cupyxx/export.h"

namespace chainerxx {

/// Adds up the time of functions, forward and backward together. It waits for the device before and
/// after each, so that the whole becomes slower than the sum; a step that is captured cannot be
/// watched.
class CUPYXX_API TimerHook final : public FunctionHook {
 public:
  /// What functions of one label took.
  struct Summary {
    std::string name;
    double time = 0;              ///< seconds, without those of functions that ran within them
    std::int64_t occurrence = 0;  ///< calls
  };

  /// Seconds of all functions.
  double total_time() const;
  /// Of each label, in the order of their first calls.
  const std::vector<Summary>& summary() const { return summary_; }
  /// A line for each label, the longest time first.
  void print_report() const;  // to std::cout
  void print_report(std::ostream& out) const;
  /// Forgets all.
  void clear() { summary_.clear(); }

  void forward_preprocess(const Function& function, ArraySpan inputs) override;
  void forward_postprocess(const Function& function, ArraySpan inputs) override;
  void backward_preprocess(const Function& function, ArraySpan inputs,
                           ArraySpan grad_outputs) override;
  void backward_postprocess(const Function& function, ArraySpan inputs,
                            ArraySpan grad_outputs) override;

 private:
  struct Running {
    const Function* function;
    double start;
    double within = 0;  // of functions that ran within it
  };
  void start(const Function& function, ArraySpan inputs);
  void stop(const Function& function, ArraySpan inputs);

  std::vector<Running> running_;
  std::vector<Summary> summary_;
};

/// Prints the label of each function with shape and dtype of its inputs before it runs:
/// "forward LinearFunction (2, 3) float32, (4, 3) float32".
class CUPYXX_API PrintHook final : public FunctionHook {
 public:
  PrintHook();  // to std::cout
  explicit PrintHook(std::ostream& out) : out_(&out) {}
  void forward_preprocess(const Function& function, ArraySpan inputs) override;
  void backward_preprocess(const Function& function, ArraySpan inputs,
                           ArraySpan grad_outputs) override;

 private:
  void print(const char* way, const Function& function, ArraySpan arrays);

  std::ostream* out_;
};

}  // namespace chainerxx
