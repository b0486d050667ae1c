// SPDX-License-Identifier: MIT
#include "chainerxx/training/extensions/evaluator.h"

#include "chainerxx/datasets/batch.h"
#include "chainerxx/scope.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"

namespace chainerxx::training::extensions {

namespace cp = cupyxx;

Evaluator::Evaluator(iterators::Iterator& iterator, FunctionSet& model, Call call,
                     const EvaluatorOptions& options, Erased)
    : iterator_(&iterator),
      model_(&model),
      call_(std::move(call)),
      options_(options),
      device_(options.device.value_or(cp::current_device())) {
  if (iterator.repeats()) {
    throw cp::ValueError("Evaluator: the iterator repeats; {.repeat = false} lets it end");
  }
}

void Evaluator::operator()(Trainer& /*trainer*/) { report(evaluate()); }

Observation Evaluator::evaluate() {
  const cp::DeviceScope there(device_);
  const NoGradScope no_graph;
  const TrainScope testing(false);
  const PrecisionScope precision(options_.precision.value_or(current_precision()));
  Reporter reporter;
  reporter.add_observer("main", *model_);

  iterator_->reset();
  DictSummary summary;
  bool has_batches = false;
  while (!iterator_->is_done()) {
    const iterators::Batch batch = iterator_->next();
    has_batches = true;
    std::vector<ndarray> arrays;
    if (options_.converter) {
      for (const ndarray& a : options_.converter(batch)) arrays.push_back(a.to(device_));
    } else {
      arrays = concat_examples(batch, {.device = device_, .padding = options_.padding});
    }
    Observation observation;
    const ReportScope scope(reporter, observation, prefix_);
    std::vector<Variable> variables;
    for (const ndarray& a : arrays) variables.emplace_back(a);
    call_(variables);
    summary.add(observation);
  }
  if (!has_batches) {
    throw cp::ValueError("Evaluator: the iterator gives no batch; its dataset has no examples");
  }
  Observation means;
  for (auto& [name, mean] : summary.compute_mean()) means.set(name, mean);
  return means;
}

void Evaluator::finalize(Trainer& /*trainer*/) { iterator_->finalize(); }

}  // namespace chainerxx::training::extensions
