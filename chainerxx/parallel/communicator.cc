// SPDX-License-Identifier: MIT
#include "chainerxx/parallel/communicator.h"

#include <algorithm>
#include <iterator>

#include "cupyxx/error.h"

namespace chainerxx {

cupyxx::comm::Communicator create_communicator(std::string_view name) {
  constexpr std::string_view kNames[] = {"naive",           "flat",        "hierarchical",
                                         "two_dimensional", "single_node", "non_cuda_aware",
                                         "pure_nccl"};
  if (std::find(std::begin(kNames), std::end(kNames), name) == std::end(kNames)) {
    throw cupyxx::ValueError(
        cupyxx::message("create_communicator: there is no such communicator; \"", name, "\""));
  }
  return cupyxx::comm::Communicator::world();
}

}  // namespace chainerxx
