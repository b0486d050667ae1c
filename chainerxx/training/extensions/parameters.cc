// SPDX-License-Identifier: MIT
#include "chainerxx/training/extensions/parameters.h"

#include "chainerxx/training/trainer.h"
#include "cupyxx/error.h"
#include "cupyxx/math.h"
#include "cupyxx/statistics.h"

namespace chainerxx::training::extensions {
namespace {

FunctionSet& model_of(const char* operation, const Trainer& trainer) {
  FunctionSet* model = trainer.updater().model("main");
  if (model == nullptr) {
    throw cupyxx::ValueError(cupyxx::message(operation, ": the updater has no model main"));
  }
  return *model;
}

void report_of(const std::string& name, const ndarray& a) {
  if (a.is_none() || a.size() == 0) return;
  const std::string mean = name + "/mean", std = name + "/std", min = name + "/min",
                    max = name + "/max";
  report({{mean, a.mean()}, {std, a.std()}, {min, a.min()}, {max, a.max()}});
}

}  // namespace

void FailOnNonNumber::operator()(Trainer& trainer) {
  for (const NamedField& field : model_of("FailOnNonNumber", trainer).fields()) {
    if (field.gradient == nullptr || cupyxx::isfinite(*field.array).all().item<bool>()) continue;
    throw cupyxx::ValueError(cupyxx::message("FailOnNonNumber: ", field.name,
                                             " holds a NaN or an infinity after step ",
                                             trainer.updater().iteration()));
  }
}

void ParameterStatistics::operator()(Trainer& trainer) {
  for (const NamedField& field : model_of("ParameterStatistics", trainer).fields()) {
    if (field.gradient == nullptr) continue;
    report_of(cupyxx::message("main/", field.name, "/data"), *field.array);
    report_of(cupyxx::message("main/", field.name, "/grad"), *field.gradient);
  }
}

}  // namespace chainerxx::training::extensions
