// SPDX-License-Identifier: MIT
#include "examples/imagenet/training.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "cupyxx/cupyxx.h"
#include "examples/program/errors.h"
#include "examples/program/means.h"

namespace imagenet {
namespace {

namespace cp = cupyxx;
namespace F = chainerxx::functions;
using chainerxx::Variable;
using chainerxx::training::Serializer;
using examples::UserError;

/// Between the seeds of ranks, whose dropout differs.
constexpr std::uint64_t kBetweenRanks = 1'000'003;

cp::ndarray random_order(std::int64_t count, cp::random::RandomState& random) {
  const cp::DeviceScope host(cp::Device::cpu());
  return random.permutation(count);
}

}  // namespace

Training::Training(Network& model, const Options& options)
    : model_(model), options_(options), optimizer_({.lr = options.lr}) {
  if (options.communicator) {
    together_.emplace(chainerxx::create_multi_node_optimizer(optimizer_, *options.communicator));
    together_->setup(model);
  } else {
    optimizer_.setup(model);
  }
  if (chainerxx::current_precision() == chainerxx::Precision::float16) optimizer_.scale_loss();
}

std::int64_t Training::rank() const {
  return options_.communicator ? options_.communicator->rank() : 0;
}

std::int64_t Training::size() const {
  return options_.communicator ? options_.communicator->size() : 1;
}

double Training::total(double own) const {
  if (!options_.communicator) return own;
  const cp::DeviceScope on_host(cp::Device::cpu());
  return options_.communicator->all_reduce(cp::full({1}, own)).item<double>();
}

/// Each has seen other images.
void Training::average_statistics() {
  if (size() == 1) return;
  for (const chainerxx::NamedField& field : model_.fields()) {
    if (field.gradient != nullptr || field.array->dtype().kind() != 'f') continue;
    options_.communicator->all_reduce(*field.array,
                                      {.op = cp::comm::Op::average, .out = *field.array});
  }
}

std::int64_t Training::steps(const Images& images) const {
  const std::int64_t count = images.size() / options_.batchsize;
  if (count > 0) return count;
  throw UserError(cupyxx::message("a batch of ", options_.batchsize, " is more than the ",
                                  images.size(), " images there are; see --batchsize"));
}

std::int64_t Training::passes(const Images& images) const {
  if (optimizer_.t() % steps(images) == 0) return optimizer_.t() / steps(images);
  throw UserError(cupyxx::message(optimizer_.t(), " updates are no whole passes of ", steps(images),
                                  "; resume with the same images and --batchsize"));
}

double Training::pass(const Images& images) {
  const std::int64_t before = passes(images);
  const std::uint64_t seed = options_.seed + static_cast<std::uint64_t>(before) + 1;
  cp::random::seed(seed + kBetweenRanks * static_cast<std::uint64_t>(rank()));
  optimizer_.set_lr(options_.lr * std::pow(options_.fall, before));
  cp::random::RandomState random(seed);
  const cp::ndarray order = random_order(images.size(), random);
  examples::RunningMean mean(cp::float32);
  const std::int64_t share = options_.batchsize / size(), first = rank() * share;
  for (std::int64_t i = 0; i < steps(images); ++i) {
    const std::int64_t begin = i * options_.batchsize + first;
    const std::vector<Cut> cuts = random_cuts(images, options_.batchsize, model_.insize(), random);
    const Batch batch = cut_out(
        images, order(cp::slice(begin, begin + share)), model_.insize(),
        std::span(cuts).subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(share)));
    const auto loss = [&] { return model_.loss(Variable(batch.x), Variable(batch.t)); };
    mean.add((together_ ? together_->update(loss) : optimizer_.update(loss)).data());
  }
  average_statistics();
  return total(mean.value()) / static_cast<double>(size());
}

double Training::accuracy(const Images& images) const {
  const chainerxx::NoGradScope no_graph;
  const chainerxx::TrainScope testing(false);
  examples::RunningMean mean(cp::float32);
  for (std::int64_t i = rank() * options_.batchsize; i < images.size();
       i += size() * options_.batchsize) {
    const std::int64_t end = std::min(i + options_.batchsize, images.size());
    const Batch batch = cut_out(images, cp::arange(i, end), model_.insize());
    const Variable scores = model_.predict(Variable(batch.x));
    mean.add(F::accuracy(scores, Variable(batch.t)).data(), end - i);
  }
  return total(mean.sum()) / static_cast<double>(images.size());
}

void Training::serialize(const Serializer& s) {
  s("model", model_);
  s("optimizer", optimizer_);
}

void Training::save(const std::string& folder) {
  if (rank() != 0) return;
  chainerxx::training::save_state(folder + "/snapshot.npz",
                                  [this](const Serializer& s) { serialize(s); });
  chainerxx::save_npz(folder + "/model.npz", model_);
}

void Training::load(const std::string& folder) {
  if (rank() == 0) {
    chainerxx::training::load_state(folder + "/snapshot.npz",
                                    [this](const Serializer& s) { serialize(s); });
  }
  if (together_) together_->broadcast();
}

}  // namespace imagenet
