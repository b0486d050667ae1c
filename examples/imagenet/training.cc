// SPDX-License-Identifier: MIT
#include "examples/imagenet/training.h"

#include <algorithm>
#include <cmath>

#include "cupyxx/cupyxx.h"
#include "examples/program/errors.h"
#include "examples/program/means.h"

namespace imagenet {
namespace {

namespace cp = cupyxx;
namespace F = chainerxx::functions;
using chainerxx::Variable;
using examples::UserError;

/// The order of images is drawn on the host, dropout where the network lives.
void seed_everywhere(std::uint64_t seed) {
  cp::random::seed(seed);
  const cp::DeviceScope host(cp::Device::cpu());
  cp::random::seed(seed);
}

cp::ndarray random_order(std::int64_t count) {
  const cp::DeviceScope host(cp::Device::cpu());
  return cp::random::permutation(count);
}

}  // namespace

Training::Training(Network& model, const Options& options)
    : model_(model), options_(options), optimizer_({.lr = options.lr}) {
  optimizer_.setup(model);
  if (chainerxx::current_precision() == chainerxx::Precision::float16) optimizer_.scale_loss();
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
  seed_everywhere(options_.seed + static_cast<std::uint64_t>(before) + 1);
  optimizer_.set_lr(options_.lr * std::pow(options_.fall, before));
  const cp::ndarray order = random_order(images.size());
  examples::RunningMean mean(cp::float32);
  for (std::int64_t i = 0; i < steps(images); ++i) {
    const cp::slice part(i * options_.batchsize, (i + 1) * options_.batchsize);
    const Batch batch = cut_out(images, order(part), model_.insize(), true);
    const Variable loss = model_.loss(Variable(batch.x), Variable(batch.t));
    optimizer_.zero_grads();
    optimizer_.backward(loss);
    optimizer_.update();
    mean.add(loss.data());
  }
  return mean.value();
}

double Training::accuracy(const Images& images) const {
  const chainerxx::NoGradScope no_graph;
  const chainerxx::TrainScope testing(false);
  examples::RunningMean mean(cp::float32);
  for (std::int64_t i = 0; i < images.size(); i += options_.batchsize) {
    const std::int64_t end = std::min(i + options_.batchsize, images.size());
    const Batch batch = cut_out(images, cp::arange(i, end), model_.insize(), false);
    const Variable scores = model_.predict(Variable(batch.x));
    mean.add(F::accuracy(scores, Variable(batch.t)).data(), end - i);
  }
  return mean.value();
}

void Training::save(const std::string& folder) {
  chainerxx::save_npz(folder + "/model.npz", model_);
  chainerxx::save_npz(folder + "/optimizer.npz", optimizer_);
}

void Training::load(const std::string& folder) {
  chainerxx::load_npz(folder + "/model.npz", model_);
  chainerxx::load_npz(folder + "/optimizer.npz", optimizer_);
}

}  // namespace imagenet
