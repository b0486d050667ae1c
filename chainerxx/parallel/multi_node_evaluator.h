// SPDX-License-Identifier: MIT
// Results of an evaluation, each of which every rank computes from its own part of the data,
// averaged over the ranks.
#pragma once

#include <map>
#include <string>
#include <utility>

#include "cupyxx/comm.h"
#include "cupyxx/export.h"

namespace chainerxx {

/// What an evaluation gives: "loss" and "accuracy", say.
using EvaluationResults = std::map<std::string, double>;

namespace internal {
CUPYXX_API double average_over_ranks(const cupyxx::comm::Communicator& communicator, double value);
CUPYXX_API EvaluationResults average_over_ranks(const cupyxx::comm::Communicator& communicator,
                                                const EvaluationResults& results);
}  // namespace internal

/// A function that calls `evaluate(arguments...)` and gives the averages, the same on all ranks, of
/// what it gives on each: a number, or numbers by name. Throws ValueError where names differ.
template <class Evaluate>
auto create_multi_node_evaluator(Evaluate evaluate,
                                 const cupyxx::comm::Communicator& communicator) {
  return [evaluate = std::move(evaluate), communicator](auto&&... arguments) mutable {
    return internal::average_over_ranks(communicator,
                                        evaluate(std::forward<decltype(arguments)>(arguments)...));
  };
}

}  // namespace chainerxx
