// SPDX-License-Identifier: MIT
#include "examples/gpt/gpt.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <numbers>
#include <numeric>
#include <random>
#include <string_view>
#include <system_error>
#include <tuple>
#include <utility>

#include "cupyxx/cupyxx.h"
#include "examples/program/errors.h"

namespace gpt {
namespace {

namespace cp = cupyxx;
namespace F = chainerxx::functions;

constexpr double kDeviation = 0.02;  // of all matrices at first

ndarray normal(const cp::Shape& shape, double deviation = kDeviation) {
  return cp::random::normal(shape, {.scale = deviation, .dtype = cp::float32});
}

F::EmbedID embedding(std::int64_t tokens, std::int64_t units) {
  return F::EmbedID(tokens, units, {.initialW = normal({tokens, units})});
}

/// What is added up from block to block has the type that a PrecisionScope multiplies in.
Variable in_precision(const Variable& h) {
  switch (chainerxx::current_precision()) {
    case chainerxx::Precision::bfloat16:
      return F::cast(h, cp::bfloat16_);
    case chainerxx::Precision::float16:
      return F::cast(h, cp::float16);
    default:
      return h;
  }
}

// A step has two files. That of the optimizer is written last and removed first, so that a step
// which has it is whole whenever the program is ended.
constexpr std::string_view kModel = "model_", kOptimizer = "optimizer_", kEnd = ".npz";
std::string model_file(const std::string& folder, const std::string& step) {
  return folder + '/' + std::string(kModel) + step + std::string(kEnd);
}
std::string optimizer_file(const std::string& folder, const std::string& step) {
  return folder + '/' + std::string(kOptimizer) + step + std::string(kEnd);
}

/// The steps of the files of a folder that begin so.
std::vector<std::string> steps_in(const std::string& folder, std::string_view begin) {
  std::vector<std::string> steps;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(folder, none)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(begin) || !name.ends_with(kEnd)) continue;
    const std::string step(name.begin() + std::ssize(begin), name.end() - std::ssize(kEnd));
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    if (!step.empty() && std::all_of(step.begin(), step.end(), is_digit)) steps.push_back(step);
  }
  return steps;
}

std::string last_step(const std::string& folder) {
  const std::vector<std::string> steps = steps_in(folder, kOptimizer);
  if (steps.empty()) {
    throw cp::IOError(
        cp::message(folder, ": has no file optimizer_STEP.npz of a training to go on with"));
  }
  return *std::max_element(steps.begin(), steps.end(), [](const auto& a, const auto& b) {
    return std::pair(a.size(), a) < std::pair(b.size(), b);
  });
}

void remove_others(const std::string& folder, const std::string& step) {
  for (const bool of_model : {false, true}) {
    for (const std::string& other : steps_in(folder, of_model ? kModel : kOptimizer)) {
      const std::string path = of_model ? model_file(folder, other) : optimizer_file(folder, other);
      std::error_code none;
      if (other != step) std::filesystem::remove(path, none);
    }
  }
}

std::pair<Variable, Variable> to_pair(std::array<Variable, 2> both) {
  return {std::move(both[0]), std::move(both[1])};
}

/// One of the likeliest tokens by their scores.
std::int32_t draw(std::vector<float> scores, std::int64_t choices, std::mt19937_64& random) {
  std::vector<std::int32_t> order(scores.size());
  std::iota(order.begin(), order.end(), 0);
  const auto last = order.begin() + std::min<std::ptrdiff_t>(choices, std::ssize(order));
  const auto score = [&](std::int32_t token) { return scores[static_cast<std::size_t>(token)]; };
  std::partial_sort(order.begin(), last, order.end(),
                    [&](std::int32_t a, std::int32_t b) { return score(a) > score(b); });
  std::vector<double> weights;
  for (auto i = order.begin(); i != last; ++i)
    weights.push_back(std::exp(score(*i) - score(order[0])));
  std::discrete_distribution<std::size_t> which(weights.begin(), weights.end());
  return order[which(random)];
}

}  // namespace

Size size_of(std::string_view name) {
  if (name == "tiny") return {4, 128, 4};
  if (name == "124M") return {12, 768, 12};
  if (name == "355M") return {24, 1024, 16};
  if (name == "774M") return {36, 1280, 20};
  throw examples::UsageError(cp::message("--size=", name, ": not one of tiny|124M|355M|774M"));
}

Block::Block(const Size& size, double deviation_of_outputs)
    : norm_(add("norm", F::LayerNorm(size.units))),
      attention_(add<F::MultiHeadAttention>("attention", size.units, size.heads,
                                            F::MultiHeadAttentionOptions{.is_causal = true})),
      norm_of_layers_(add("norm_of_layers", F::LayerNorm(size.units))),
      layers_(add<F::FeedForward>("layers", size.units, 4 * size.units)) {
  attention_.projection.W.set(normal(attention_.projection.W.shape()));
  attention_.output.W.set(normal(attention_.output.W.shape(), deviation_of_outputs));
  layers_.wide.W.set(normal(layers_.wide.W.shape()));
  layers_.narrow.W.set(normal(layers_.narrow.W.shape(), deviation_of_outputs));
}

Variable Block::operator()(Variable& h, const Variable& added, KeyValueCache* cache) {
  Variable normalised;
  if (added.is_none()) {
    normalised = norm_(h);
  } else {
    std::tie(h, normalised) = to_pair(norm_.of_sum(h, added));
  }
  std::tie(h, normalised) = to_pair(norm_of_layers_.of_sum(h, attention_(normalised, {}, cache)));
  return layers_(normalised);
}

Gpt::Gpt(const Size& size, std::int64_t vocabulary, std::int64_t length)
    : units_(size.units),
      vocabulary_(vocabulary),
      length_(length),
      tokens_(add("tokens", embedding((vocabulary + 63) / 64 * 64, size.units))),
      positions_(add("positions", F::Parameter(normal({length, size.units})))),
      norm_(add("norm", F::LayerNorm(size.units))) {
  const double deviation = kDeviation / std::sqrt(2 * static_cast<double>(size.layers));
  for (std::int64_t i = 0; i < size.layers; ++i) {
    blocks_.push_back(&add<Block>("block" + std::to_string(i), size, deviation));
  }
}

Variable Gpt::operator()(const ndarray& tokens, std::vector<KeyValueCache>* caches) {
  const cp::Shape shape = tokens.shape();
  const std::int64_t before = caches == nullptr ? 0 : caches->front().length;
  const Variable ids(tokens);
  const Variable places = F::get_item(positions_(), {cp::slice(before, before + shape[1])});
  const Variable embedded = tokens_(ids);
  Variable h = in_precision(embedded + F::broadcast_to(places, embedded.shape()));
  Variable added;
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    added = (*blocks_[i])(h, added, caches == nullptr ? nullptr : &(*caches)[i]);
  }
  const Variable normalised = norm_.of_sum(h, added)[1];
  return tokens_.project(F::reshape(normalised, {shape[0] * shape[1], units_}));
}

Variable Gpt::loss(const ndarray& tokens, const ndarray& next) {
  return F::softmax_cross_entropy((*this)(tokens), Variable(next.reshape({next.size()})));
}

double Gpt::test(const std::vector<Batch>& batches) {
  const chainerxx::NoGradScope no_graph;
  const chainerxx::TrainScope testing(false);
  double sum = 0;
  for (const Batch& batch : batches) {
    sum += loss(batch.tokens, batch.next).data().astype(cp::float64).item<double>();
  }
  return sum / static_cast<double>(batches.size());
}

Tokens Gpt::generate(Tokens text, std::int64_t count, std::uint64_t seed, std::int64_t choices) {
  const chainerxx::NoGradScope no_graph;
  const chainerxx::TrainScope testing(false);
  std::mt19937_64 random(seed);
  std::vector<KeyValueCache> caches(blocks_.size());
  std::size_t read = text.size() - std::min(text.size(), static_cast<std::size_t>(length_));
  for (std::int64_t i = 0; i < count; ++i) {
    if (caches.front().length == length_) {
      for (KeyValueCache& cache : caches) cache.length = 0;
      read = text.size() - static_cast<std::size_t>((length_ + 1) / 2);
    }
    const Tokens fresh(text.begin() + static_cast<std::ptrdiff_t>(read), text.end());
    read = text.size();
    const ndarray ids = cp::array(fresh).reshape({1, std::ssize(fresh)});
    const ndarray scores = (*this)(ids, &caches).data();
    const ndarray last = scores(std::ssize(fresh) - 1, cp::slice(0, vocabulary_));
    text.push_back(draw(last.astype(cp::float32).to_vector<float>(), choices, random));
  }
  return text;
}

Training::Training(Gpt& model, const Options& options)
    : model_(model),
      options_(options),
      optimizer_({.alpha = options.rate, .beta2 = 0.95, .weight_decay = 0.1}),
      captured_(Learn{*this}, {}) {
  if (options.communicator) {
    together_.emplace(chainerxx::create_multi_node_optimizer(
        optimizer_, *options.communicator,
        {.shard_states = options.shard_states, .shard_gradients = options.shard_gradients}));
    together_->setup(model);
  } else {
    optimizer_.setup(model);
  }
  optimizer_.add_group("vectors", {"*/b", "*gamma", "*beta"}, {.decay = 0});
  if (chainerxx::current_precision() == chainerxx::Precision::float16) optimizer_.scale_loss();
  optimizer_.add_hook(chainerxx::GradientClipping(1));
}

bool Training::is_first() const { return !together_ || together_->communicator().rank() == 0; }

ndarray Training::learn(const ndarray& tokens, const ndarray& next) {
  const auto loss = [&] { return model_.loss(tokens, next); };
  return (together_ ? together_->update(loss) : optimizer_.update(loss)).data();
}

ndarray Training::step(const ndarray& tokens, const ndarray& next) {
  const auto done = static_cast<double>(optimizer_.t());
  const auto warm_up = static_cast<double>(std::max<std::int64_t>(options_.warm_up, 1));
  const double left = static_cast<double>(options_.steps) - warm_up;
  const double course = std::clamp((done - warm_up) / std::max(left, 1.0), 0.0, 1.0);
  optimizer_.alpha = done < warm_up
                         ? options_.rate * (done + 1) / warm_up
                         : options_.rate * (0.55 + 0.45 * std::cos(std::numbers::pi * course));
  return options_.is_captured ? captured_(tokens, next) : learn(tokens, next);
}

void Training::save(const std::string& folder) {
  const std::string step = std::to_string(optimizer_.t());
  if (is_first()) chainerxx::save_npz(model_file(folder, step), model_);
  const std::string path = optimizer_file(folder, step);
  together_ ? save_npz(path, *together_) : chainerxx::save_npz(path, optimizer_);
  if (is_first()) remove_others(folder, step);
}

void Training::load(const std::string& folder) {
  const std::string step = is_first() ? last_step(folder) : "";
  if (is_first()) chainerxx::load_npz(model_file(folder, step), model_);
  const std::string path = optimizer_file(folder, step);
  if (!together_) {
    chainerxx::load_npz(path, optimizer_);
    return;
  }
  together_->broadcast();
  load_npz(path, *together_);
}

}  // namespace gpt
