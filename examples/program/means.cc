// SPDX-License-Identifier: MIT
#include "examples/program/means.h"

#include "cupyxx/creation.h"
#include "cupyxx/math.h"

namespace examples {

RunningMean::RunningMean(cupyxx::dtype sums_in) : sum_(cupyxx::zeros({}, sums_in)) {}

RunningMean::RunningMean(const cupyxx::ndarray& sum, std::int64_t count)
    : sum_(sum.copy()), count_(count) {}

void RunningMean::add(const cupyxx::ndarray& mean, std::int64_t count) {
  sum_ += count == 1 ? mean : mean * static_cast<double>(count);
  count_ += count;
}

double RunningMean::value() const { return sum() / static_cast<double>(count_); }

double RunningMean::sum() const { return sum_.item<double>(); }

}  // namespace examples
