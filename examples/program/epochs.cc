// SPDX-License-Identifier: MIT
#include "examples/program/epochs.h"

#include <iomanip>
#include <ostream>

#include "chainerxx/functions/evaluation/accuracy.h"
#include "chainerxx/scope.h"
#include "cupyxx/indexing.h"
#include "cupyxx/random.h"
#include "examples/program/means.h"

namespace examples {
namespace {

namespace cp = cupyxx;

double train_epoch(const Learner& learner, const Dataset& data, std::int64_t batchsize) {
  const cp::ndarray order = cp::random::permutation(data.size());
  RunningMean loss(cp::float32);
  for (std::int64_t i = 0; i + batchsize <= data.size(); i += batchsize) {
    loss.add(learner.learn(data.take(order(cp::slice(i, i + batchsize)))));
  }
  return loss.value();
}

double accuracy(const Learner& learner, const Dataset& data) {
  const chainerxx::NoGradScope no_graph;
  const chainerxx::TrainScope testing(false);
  constexpr std::int64_t kBatch = 5000;
  RunningMean mean;
  for (const Dataset& batch : data.batches(kBatch)) {
    const chainerxx::Variable scores = learner.predict(batch.images), t(batch.labels);
    mean.add(chainerxx::functions::accuracy(scores, t).data(), batch.size());
  }
  return mean.value();
}

}  // namespace

void train_epochs(const Learner& learner, const TrainingData& data, std::int64_t epochs,
                  std::int64_t batchsize, std::ostream& out) {
  out << std::fixed << std::setprecision(4);
  for (std::int64_t epoch = 1; epoch <= epochs; ++epoch) {
    const double loss = train_epoch(learner, data.train, batchsize);
    out << "epoch " << epoch << ": loss " << loss << ", test accuracy "
        << accuracy(learner, data.test) << std::endl;
  }
}

}  // namespace examples
