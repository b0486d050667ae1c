// SPDX-License-Identifier: MIT
// The steps of the optimization algorithms, and whole trainings.
#include <cmath>
#include <functional>
#include <memory>
#include <sstream>
#include <stdexcept>

#include "chainerxx/chainerxx.h"
#include "conformance/network/functions.h"
#include "conformance/network/judge.h"
#include "cupyxx/creation.h"
#include "cupyxx/math.h"
#include "gradcheck/gradcheck.h"

namespace conformance {
namespace {

namespace F = chainerxx::functions;
namespace O = chainerxx::optimizers;
using chainerxx::Optimizer;

/// The algorithm of a case; what the case does not give stays as it is by default.
std::unique_ptr<Optimizer> make_optimizer(const NetworkCase& c) {
  const std::string name = c.attrs().at("optimizer");
  const bool is_plain = c.attr("use_defaults", false);
  const auto given = [&](const char* key, double& value) {
    if (is_plain || !c.attrs().contains("hyper")) return;
    value = c.attrs()["hyper"].value(key, value);
  };
  const auto make = [&]<class A, class Options>(A*, Options options, auto... fields) {
    (given(fields.first, options.*(fields.second)), ...);
    return std::make_unique<A>(options);
  };
  const auto field = [](const char* key, auto member) { return std::pair(key, member); };
#define CONFORMANCE_OPTIMIZER(A, ...) \
  if (name == #A) return make(static_cast<O::A*>(nullptr), O::A##Options{}, __VA_ARGS__)
#define CONFORMANCE_FIELD(A, name) field(#name, &O::A##Options::name)
  CONFORMANCE_OPTIMIZER(SGD, CONFORMANCE_FIELD(SGD, lr));
  CONFORMANCE_OPTIMIZER(MomentumSGD, CONFORMANCE_FIELD(MomentumSGD, lr),
                        CONFORMANCE_FIELD(MomentumSGD, momentum));
  CONFORMANCE_OPTIMIZER(NesterovAG, CONFORMANCE_FIELD(NesterovAG, lr),
                        CONFORMANCE_FIELD(NesterovAG, momentum));
  CONFORMANCE_OPTIMIZER(AdaGrad, CONFORMANCE_FIELD(AdaGrad, lr), CONFORMANCE_FIELD(AdaGrad, eps));
  CONFORMANCE_OPTIMIZER(AdaDelta, CONFORMANCE_FIELD(AdaDelta, rho),
                        CONFORMANCE_FIELD(AdaDelta, eps));
  CONFORMANCE_OPTIMIZER(RMSprop, CONFORMANCE_FIELD(RMSprop, lr), CONFORMANCE_FIELD(RMSprop, alpha),
                        CONFORMANCE_FIELD(RMSprop, eps));
  CONFORMANCE_OPTIMIZER(
      RMSpropGraves, CONFORMANCE_FIELD(RMSpropGraves, lr), CONFORMANCE_FIELD(RMSpropGraves, alpha),
      CONFORMANCE_FIELD(RMSpropGraves, momentum), CONFORMANCE_FIELD(RMSpropGraves, eps));
  CONFORMANCE_OPTIMIZER(SMORMS3, CONFORMANCE_FIELD(SMORMS3, lr), CONFORMANCE_FIELD(SMORMS3, eps));
  CONFORMANCE_OPTIMIZER(Adam, CONFORMANCE_FIELD(Adam, alpha), CONFORMANCE_FIELD(Adam, beta1),
                        CONFORMANCE_FIELD(Adam, beta2), CONFORMANCE_FIELD(Adam, eps));
#undef CONFORMANCE_OPTIMIZER
#undef CONFORMANCE_FIELD
  throw std::runtime_error(cupyxx::message("unknown optimizer ", name));
}

void add_hooks(const NetworkCase& c, Optimizer& optimizer) {
  if (!c.attrs().contains("hooks")) return;
  for (const Json& hook : c.attrs()["hooks"]) {
    const std::string kind = hook.at(0);
    const double value = hook.at(1);
    if (kind == "WeightDecay") {
      optimizer.add_hook(kind, chainerxx::WeightDecay(value));
    } else if (kind == "GradientClipping") {
      optimizer.add_hook(kind, chainerxx::GradientClipping(value));
    } else {
      throw std::runtime_error(cupyxx::message("unknown hook ", kind));
    }
  }
}

/// A number of a step against the case's, by a relative bound.
std::string compare(const char* what, std::size_t step, double found, double expected,
                    double bound) {
  if (std::abs(found - expected) <= bound * std::abs(expected)) return {};
  std::ostringstream text;
  text.precision(9);
  text << what << " of step " << step + 1 << " is " << found << " instead of " << expected;
  return text.str();
}

struct Mlp : chainerxx::FunctionSet {
  F::Linear& l1 = add("l1", F::Linear(1, 1));
  F::Linear& l2 = add("l2", F::Linear(1, 1));
  F::Linear& l3 = add("l3", F::Linear(1, 1));
  Variable operator()(const Variable& x) { return l3(F::relu(l2(F::tanh(l1(x))))); }
};

struct Cnn : chainerxx::FunctionSet {
  Cnn(int pad, std::int64_t channels)
      : conv1(add("conv1", F::Convolution2D(1, 1, 3, {.pad = pad, .nobias = true}))),
        bn1(add("bn1", F::BatchNormalization(channels))),
        conv2(add("conv2", F::Convolution2D(1, 1, 3, {.pad = pad}))),
        fc(add("fc", F::Linear(1, 1))) {}

  Variable operator()(const Variable& x) {
    const Variable h = F::max_pooling_2d(F::relu(bn1(conv1(x), {.test = false})), 2, {.stride = 2});
    const Variable g = F::local_response_normalization(F::relu(conv2(h)));
    return fc(F::average_pooling_2d(g, 2, {.stride = 2}));
  }

  F::Convolution2D& conv1;
  F::BatchNormalization& bn1;
  F::Convolution2D& conv2;
  F::Linear& fc;
};

struct Recurrent : chainerxx::FunctionSet {
  F::EmbedID& embed = add("embed", F::EmbedID(1, 1));
  F::Linear& lx = add("lx", F::Linear(1, 1));
  F::Linear& lh = add("lh", F::Linear(1, 1));
  F::Linear& out = add("out", F::Linear(1, 1));
};

/// Steps of a training: compares each loss and norm, and at the end the parameters.
class Training {
 public:
  Training(const NetworkCase& c, chainerxx::FunctionSet& model)
      : c_(c),
        model_(model),
        losses_(c.get("extra_losses").to_vector<double>()),
        norms_(c.get("extra_grad_norms").to_vector<double>()),
        optimizer_(make_optimizer(c)) {
    c.fill(model);
    optimizer_->setup(model);
  }

  void step(const Variable& loss) {
    optimizer_->zero_grads();
    loss.backward();
    note(compare("the loss", step_, loss.data().item<double>(), losses_.at(step_), 2e-5));
    note(compare("the norm", step_, optimizer_->compute_grads_norm(), norms_.at(step_), 1e-4));
    if (const double decay = c_.attr("weight_decay", 0.0); decay > 0) {
      optimizer_->weight_decay(decay);
    }
    if (const double clip = c_.attr("clip", 0.0); clip > 0) optimizer_->clip_grads(clip);
    optimizer_->update();
    ++step_;
  }

  std::string finish() {
    for (const chainerxx::NamedField& field : model_.fields()) {
      const std::string key = "extra_final_" + field_name(field.name);
      if (c_.has(key)) note(judge(c_, key, *field.array, 4));
    }
    if (step_ != losses_.size()) note("there were " + std::to_string(step_) + " steps");
    return defect_;
  }

 private:
  void note(const std::string& defect) {
    if (defect_.empty()) defect_ = defect;
  }

  const NetworkCase& c_;
  chainerxx::FunctionSet& model_;
  std::vector<double> losses_, norms_;
  std::unique_ptr<Optimizer> optimizer_;
  std::size_t step_ = 0;
  std::string defect_;
};

std::string train_batches(const NetworkCase& c, chainerxx::FunctionSet& model,
                          const std::function<Variable(const Variable&)>& network) {
  Training training(c, model);
  const ndarray x = c.get("in_x"), t = c.get("in_t");
  const std::int64_t batch = c.attrs()["batch"], steps = c.attrs()["steps"];
  for (std::int64_t i = 0; i < steps; ++i) {
    const std::int64_t begin = i * batch % x.len();
    const cupyxx::slice rows(begin, begin + batch);
    training.step(
        F::softmax_cross_entropy(network(Variable(ndarray(x(rows)))), Variable(ndarray(t(rows)))));
  }
  return training.finish();
}

/// Truncated backpropagation through time.
std::string train_recurrent(const NetworkCase& c) {
  Recurrent model;
  Training training(c, model);
  const ndarray sequence = c.get("in_seq");
  const std::int64_t steps = c.attrs()["steps"], window = c.attrs()["bprop"];
  const std::int64_t batch = sequence.shape()[1], units = c.attrs()["units"];
  Variable cell(cupyxx::zeros({batch, units}, cupyxx::float32));
  Variable h(cupyxx::zeros({batch, units}, cupyxx::float32));
  Variable loss;
  for (std::int64_t i = 0; i < steps; ++i) {
    const Variable x = model.embed(Variable(ndarray(sequence(i))));
    const auto next = F::lstm(cell, model.lx(x) + model.lh(h));
    cell = next[0];
    h = next[1];
    loss += F::softmax_cross_entropy(model.out(h), Variable(ndarray(sequence(i + 1))));
    if ((i + 1) % window != 0) continue;
    training.step(loss);
    loss.unchain_backward();
    loss = Variable();
  }
  return training.finish();
}

}  // namespace

std::string run_optimizer(const NetworkCase& c) {
  std::vector<std::string> names;
  std::vector<ndarray> parameters, gradients, all_gradients;
  for (const std::string& key : c.keys("param_")) {
    const std::string name = key.substr(6);
    names.push_back(name);
    parameters.push_back(c.get(key));
    gradients.push_back(cupyxx::zeros_like(parameters.back()));
    all_gradients.push_back(c.get("in_g_" + name));
  }
  const auto optimizer = make_optimizer(c);
  optimizer->setup(parameters, gradients);
  add_hooks(c, *optimizer);
  const auto norms = c.get("extra_grad_norms").to_vector<double>();
  const double epsilon = parameters[0].dtype() == cupyxx::float16 ? 0x1p-10 : 0x1p-21;
  for (std::size_t step = 0; step < norms.size(); ++step) {
    for (std::size_t i = 0; i < names.size(); ++i) {
      gradients[i].set(all_gradients[i](static_cast<std::int64_t>(step)));
    }
    const std::string defect =
        compare("the norm", step, optimizer->compute_grads_norm(), norms[step], 4 * epsilon);
    if (!defect.empty()) return defect;
    optimizer->update();
    for (std::size_t i = 0; i < names.size(); ++i) {
      const std::string key = "extra_" + names[i] + "_after_" + std::to_string(step + 1);
      if (!c.has(key)) continue;
      if (const std::string found = judge(c, key, parameters[i]); !found.empty()) return found;
    }
  }
  std::size_t k = 0;
  for (const std::string& name : names) {
    for (const std::string& state : optimizer->state_names()) {
      const std::string key = "extra_state_" + name + "_" + state;
      const ndarray found = *optimizer->fields().at(k++).array;
      if (!c.has(key)) continue;
      if (const std::string defect = judge(c, key, found); !defect.empty()) return defect;
    }
  }
  return {};
}

std::string run_training(const NetworkCase& c) {
  const std::string model = c.attrs().at("model");
  if (model == "lstm") return train_recurrent(c);
  if (model == "mlp") {
    Mlp mlp;
    return train_batches(c, mlp, [&](const Variable& x) { return mlp(x); });
  }
  if (model == "cnn") {
    Cnn cnn(c.attr("pad", 1), c.get("param_bn1_gamma").size());
    return train_batches(c, cnn, [&](const Variable& x) { return cnn(x); });
  }
  throw std::runtime_error(cupyxx::message("unknown model ", model));
}

std::string run_numerical_grad(const NetworkCase& c) {
  const std::string name = c.attrs().at("f");
  std::vector<ndarray> x, gy;
  for (int i = 0; c.has("in_x" + std::to_string(i)); ++i) {
    x.push_back(c.get("in_x" + std::to_string(i)));
  }
  for (int i = 0; c.has("in_gy" + std::to_string(i)); ++i) {
    gy.push_back(c.get("in_gy" + std::to_string(i)));
  }
  const auto f = [&]() -> std::vector<ndarray> {
    if (name == "square_sum") return {x[0] * x[0] + 3 * x[0]};
    if (name == "product") return {x[0] * x[1], x[0] + 2 * x[1]};
    if (name == "exp") return {cupyxx::exp(x[0])};
    throw std::runtime_error(cupyxx::message("unknown function ", name));
  };
  const auto grads = gradcheck::numerical_grad(f, x, gy, c.attrs().at("eps"));
  for (std::size_t i = 0; i < grads.size(); ++i) {
    const std::string key = "extra_grad_" + std::to_string(i);
    if (const std::string defect = judge(c, key, grads[i]); !defect.empty()) return defect;
  }
  return {};
}

}  // namespace conformance
