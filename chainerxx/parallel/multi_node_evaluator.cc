// SPDX-License-Identifier: MIT
#include "chainerxx/parallel/multi_node_evaluator.h"

#include <vector>

#include "cupyxx/creation.h"
#include "cupyxx/error.h"

namespace chainerxx::internal {
namespace {

std::vector<double> averages(const cupyxx::comm::Communicator& communicator,
                             const std::vector<double>& values) {
  const cupyxx::DeviceScope on_host(cupyxx::Device::cpu());
  const cupyxx::ndarray mine = cupyxx::array(values);
  return communicator.all_reduce(mine, {.op = cupyxx::comm::Op::average}).to_vector<double>();
}

}  // namespace

double average_over_ranks(const cupyxx::comm::Communicator& communicator, double value) {
  return averages(communicator, {value})[0];
}

EvaluationResults average_over_ranks(const cupyxx::comm::Communicator& communicator,
                                     const EvaluationResults& results) {
  std::string names;
  std::vector<double> values;
  for (const auto& [name, value] : results) {
    names += name + "\n";
    values.push_back(value);
  }
  const std::vector<std::string> all = communicator.all_gather_bytes(names);
  for (std::size_t rank = 1; rank < all.size(); ++rank) {
    if (all[rank] == all[0]) continue;
    throw cupyxx::ValueError(cupyxx::message(
        "create_multi_node_evaluator: rank ", communicator.rank(), " of ", communicator.size(),
        ": the results of ranks 0 and ", rank, " have other names"));
  }
  values = averages(communicator, values);
  EvaluationResults averaged;
  std::size_t i = 0;
  for (const auto& [name, value] : results) averaged[name] = values[i++];
  return averaged;
}

}  // namespace chainerxx::internal
