// SPDX-License-Identifier: MIT
#include "examples/program/optimizers.h"

#include "chainerxx/optimizers/adam.h"
#include "chainerxx/optimizers/momentum_sgd.h"
#include "chainerxx/optimizers/sgd.h"
#include "examples/program/errors.h"

namespace examples {
namespace {

constexpr const char* kNames = "adam|sgd|momentum_sgd";

}  // namespace

Flag optimizer_flag(std::string& target) {
  return {"optimizer", &target, kNames, "rule of the updates"};
}

std::unique_ptr<chainerxx::Optimizer> make_optimizer(const std::string& name) {
  if (name == "adam") return std::make_unique<chainerxx::optimizers::Adam>();
  if (name == "sgd") return std::make_unique<chainerxx::optimizers::SGD>();
  if (name == "momentum_sgd") return std::make_unique<chainerxx::optimizers::MomentumSGD>();
  throw UsageError(cupyxx::message("--optimizer=", name, ": not one of ", kNames));
}

}  // namespace examples
