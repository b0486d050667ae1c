// SPDX-License-Identifier: MIT
// The states of an optimizer divided over the ranks: each has those of its part of every bucket.
#pragma once

#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "chainerxx/function_set.h"
#include "chainerxx/internal/gradient_exchange.h"
#include "chainerxx/optimizer.h"
#include "chainerxx/parallel/gradient_buckets.h"
#include "cupyxx/comm.h"
#include "cupyxx/error.h"
#include "cupyxx/ndarray.h"

namespace chainerxx::internal {

/// Whether an algorithm is one of the library's that work element by element, so that a part of a
/// parameter is updated as the whole would be.
bool works_by_elements(const Optimizer& optimizer);

/// Calls `f` on rank 0. What it throws is thrown there, and an Error with its text by the others.
template <class F>
void on_rank_0(const cupyxx::comm::Communicator& communicator, const char* operation, F&& f) {
  std::exception_ptr thrown;
  std::string why;
  if (communicator.rank() == 0) {
    try {
      f();
    } catch (const std::exception& error) {
      thrown = std::current_exception();
      why = error.what();
    }
  }
  why = communicator.broadcast_bytes(why);
  if (thrown) std::rethrow_exception(thrown);
  if (why.empty()) return;
  throw cupyxx::Error(cupyxx::message(operation, ": rank ", communicator.rank(), " of ",
                                      communicator.size(), ": rank 0 failed; ",
                                      std::string_view(why)));
}

class StateShards final : public GradientExchange {
 public:
  /// Prepares the optimizer for this rank's parts, which have the names of the parameters.
  StateShards(cupyxx::comm::Communicator communicator, Optimizer& actual, FunctionSet& model,
              const GradientBuckets& buckets);

  /// Whole states and t in a file, which rank 0 writes and reads. All ranks call it.
  void save(const std::string& path);
  void load(const std::string& path);

  double sum(double own) override;
  ndarray gather(const ndarray& own) override;
  void take_largest(const ndarray& own) override;

 private:
  const ParameterPart& part_of(std::size_t state) const;

  cupyxx::comm::Communicator communicator_;
  Optimizer& actual_;
  std::vector<ParameterPart> parts_;
  FunctionSet named_parts_;
  ndarray gathered_;
};

}  // namespace chainerxx::internal
