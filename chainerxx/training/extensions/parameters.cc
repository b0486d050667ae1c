// SPDX-License-Identifier: MIT
#include "chainerxx/training/extensions/parameters.h"

#include <string>
#include <utility>
#include <vector>

#include "chainerxx/training/trainer.h"
#include "cupyxx/error.h"
#include "cupyxx/math.h"
#include "cupyxx/statistics.h"

namespace chainerxx::training::extensions {
namespace {

/// The models of the updater by name. Throws ValueError where there is none.
std::vector<std::pair<std::string, FunctionSet*>> models_of(const char* operation,
                                                            const Trainer& trainer) {
  std::vector<std::pair<std::string, FunctionSet*>> models;
  std::vector<std::string> names = trainer.updater().names();
  if (names.empty()) names = {"main"};  // of an updater of one's own
  for (const std::string& name : names) {
    if (FunctionSet* const model = trainer.updater().model(name)) models.emplace_back(name, model);
  }
  if (models.empty()) {
    throw cupyxx::ValueError(cupyxx::message(operation, ": the updater has no models"));
  }
  return models;
}

void report_of(const std::string& name, const ndarray& a) {
  if (a.is_none() || a.size() == 0) return;
  const std::string mean = name + "/mean", std = name + "/std", min = name + "/min",
                    max = name + "/max";
  report({{mean, a.mean()}, {std, a.std()}, {min, a.min()}, {max, a.max()}});
}

}  // namespace

void FailOnNonNumber::operator()(Trainer& trainer) {
  for (const auto& [name, model] : models_of("FailOnNonNumber", trainer)) {
    for (const NamedField& field : model->fields()) {
      if (field.gradient == nullptr || cupyxx::isfinite(*field.array).all().item<bool>()) continue;
      throw cupyxx::ValueError(cupyxx::message("FailOnNonNumber: ", name, "/", field.name,
                                               " holds a NaN or an infinity after step ",
                                               trainer.updater().iteration()));
    }
  }
}

void ParameterStatistics::operator()(Trainer& trainer) {
  const auto models =
      model_ != nullptr
          ? std::vector<std::pair<std::string, FunctionSet*>>{{options_.prefix, model_}}
          : models_of("ParameterStatistics", trainer);
  for (const auto& [name, model] : models) {
    const std::string place = name.empty() ? "" : name + "/";
    for (const NamedField& field : model->fields()) {
      if (field.gradient == nullptr) continue;
      if (options_.report_params) report_of(place + field.name + "/data", *field.array);
      if (options_.report_grads) report_of(place + field.name + "/grad", *field.gradient);
    }
  }
}

}  // namespace chainerxx::training::extensions
