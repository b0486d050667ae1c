// SPDX-License-Identifier: MIT
// Functions, optimizers and whole trainings against Chainer's results (testdata/cases.json).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "chainerxx/chainerxx.h"
#include "chainerxx/golden_calls.h"
#include "cupyxx/creation.h"
#include "cupyxx/io.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace chainerxx {
namespace {

namespace F = chainerxx::functions;
using Json = nlohmann::json;
using Variables = std::vector<Variable>;

const std::string kFolder = "chainerxx/testdata/";

const Json& all_cases() {
  static const Json cases = [] {
    std::ifstream file(kFolder + "cases.json");
    return Json::parse(file);
  }();
  return cases;
}

struct Param {
  cupyxx::Device device;
  std::size_t index;
  const Json& json() const { return all_cases()[index]; }
};

std::vector<Param> params() {
  std::vector<Param> list;
  for (const cupyxx::Device device : cupyxx::testing::devices()) {
    for (std::size_t i = 0; i < all_cases().size(); ++i) list.push_back({device, i});
  }
  return list;
}

std::ostream& operator<<(std::ostream& os, const Param& param) {
  return os << param.json()["name"] << " on " << param.device;
}

std::string param_name(const ::testing::TestParamInfo<Param>& info) {
  std::string name = info.param.json()["name"];
  std::replace(name.begin(), name.end(), '.', '_');
  return name + (info.param.device.is_cpu() ? "_cpu" : "_cuda");
}

class GoldenTest : public ::testing::TestWithParam<Param> {
 protected:
  GoldenTest()
      : scope_(GetParam().device),
        json_(GetParam().json()),
        file_(cupyxx::load_npz(kFolder + json_["name"].get<std::string>() + ".npz")) {}

  bool has(const std::string& key) const { return file_.contains(key); }
  ndarray get(const std::string& key) const { return file_[key]; }
  const Json& attrs() const { return json_["attrs"]; }
  double attr(const std::string& key, double otherwise) const {
    return attrs().value(key, otherwise);
  }

  /// Arrays whose keys begin with a prefix, in the order of their names.
  std::vector<std::string> keys(const std::string& prefix) const {
    std::vector<std::string> found;
    for (const auto& [key, unused] : json_["members"].items()) {
      if (key.starts_with(prefix)) found.push_back(key);
    }
    return found;
  }

  /// The case's own layout of an input.
  ndarray input(const std::string& key) const {
    const ndarray a = get(key);
    const std::string name = key.substr(key.find('_') + 1);
    const bool is_transposed = json_.contains("layouts") && json_["layouts"].contains(name);
    return is_transposed ? a.T().copy().T() : a;
  }

  /// Within a few times the oracle's own distance from the float64 result, or a few ulp of its
  /// size.
  void check(const ndarray& actual, const std::string& key, double slack = 1) const {
    const ndarray oracle = get(key);
    ASSERT_EQ(actual.shape(), oracle.shape()) << key;
    const std::string reference_key = has("ref64_" + key) ? "ref64_" + key : key;
    const auto expected = get(reference_key).to_vector<double>();
    const auto found = actual.to_vector<double>();
    const double epsilon = oracle.dtype() == cupyxx::float16   ? 0x1p-10
                           : oracle.dtype() == cupyxx::float32 ? 0x1p-23
                                                               : 0x1p-52;
    double scale = 0;
    for (const double e : expected) {
      if (std::isfinite(e)) scale = std::max(scale, std::abs(e));
    }
    const double oracle_error = json_.value("oracle_error", 0.0);
    const double bound = slack * std::max(4 * oracle_error, 8 * epsilon * scale);
    for (std::size_t i = 0; i < expected.size(); ++i) {
      if (!std::isfinite(expected[i])) {
        ASSERT_EQ(found[i], expected[i]) << key << " at " << i;
        continue;
      }
      ASSERT_NEAR(found[i], expected[i], bound) << key << " at " << i;
    }
  }

  void run_function();
  void run_call(golden::Call call);
  void check_set(FunctionSet& set);
  void run_optimizer();
  template <class Model>
  void run_training();
  std::unique_ptr<Optimizer> make_optimizer() const;

  cupyxx::DeviceScope scope_;
  const Json& json_;
  cupyxx::NpzFile file_;
};

using Call = Variables (*)(const Variables& x, const Json& attrs);

Variables one(const Variable& v) { return {v}; }

const std::map<std::string, Call>& calls() {
  using V = Variables;
  using J = Json;
  static const std::map<std::string, Call> table = {
      {"arith_neg", [](const V& x, const J&) { return one(-x[0]); }},
      {"arith_abs", [](const V& x, const J&) { return one(F::absolute(x[0])); }},
      {"arith_add", [](const V& x, const J&) { return one(x[0] + x[1]); }},
      {"arith_sub", [](const V& x, const J&) { return one(x[0] - x[1]); }},
      {"arith_mul", [](const V& x, const J&) { return one(x[0] * x[1]); }},
      {"arith_div", [](const V& x, const J&) { return one(x[0] / x[1]); }},
      {"arith_pow", [](const V& x, const J&) { return one(F::pow(x[0], x[1])); }},
      {"arith_add_c", [](const V& x, const J& a) { return one(x[0] + a["c"].get<double>()); }},
      {"arith_radd_c", [](const V& x, const J& a) { return one(a["c"].get<double>() + x[0]); }},
      {"arith_sub_c", [](const V& x, const J& a) { return one(x[0] - a["c"].get<double>()); }},
      {"arith_rsub_c", [](const V& x, const J& a) { return one(a["c"].get<double>() - x[0]); }},
      {"arith_mul_c", [](const V& x, const J& a) { return one(x[0] * a["c"].get<double>()); }},
      {"arith_rmul_c", [](const V& x, const J& a) { return one(a["c"].get<double>() * x[0]); }},
      {"arith_div_c", [](const V& x, const J& a) { return one(x[0] / a["c"].get<double>()); }},
      {"arith_rdiv_c", [](const V& x, const J& a) { return one(a["c"].get<double>() / x[0]); }},
      {"arith_pow_c",
       [](const V& x, const J& a) { return one(F::pow(x[0], a["c"].get<double>())); }},
      {"arith_rpow_c",
       [](const V& x, const J& a) { return one(F::pow(a["c"].get<double>(), x[0])); }},
      {"arith_chain", [](const V& x, const J&) { return one(F::pow(x[0], 2) - 2 * x[0] + 1); }},
      {"exp", [](const V& x, const J&) { return one(F::exp(x[0])); }},
      {"log", [](const V& x, const J&) { return one(F::log(x[0])); }},
      {"sin", [](const V& x, const J&) { return one(F::sin(x[0])); }},
      {"cos", [](const V& x, const J&) { return one(F::cos(x[0])); }},
      {"relu", [](const V& x, const J&) { return one(F::relu(x[0])); }},
      {"sigmoid", [](const V& x, const J&) { return one(F::sigmoid(x[0])); }},
      {"tanh", [](const V& x, const J&) { return one(F::tanh(x[0])); }},
      {"softmax", [](const V& x, const J&) { return one(F::softmax(x[0])); }},
      {"softmax_cross_entropy",
       [](const V& x, const J& a) {
         return one(F::softmax_cross_entropy(x[1], x[0], a["normalize"]));
       }},
      {"mean_squared_error",
       [](const V& x, const J&) { return one(F::mean_squared_error(x[0], x[1])); }},
      {"accuracy", [](const V& x, const J&) { return one(F::accuracy(x[1], x[0])); }},
      {"sum",
       [](const V& x, const J& a) {
         const J& axis = a["axis"];
         if (axis.is_null()) return one(F::sum(x[0]));
         if (axis.is_number()) return one(F::sum(x[0], axis.get<int>()));
         return one(F::sum(x[0], axis.get<std::vector<std::int64_t>>()));
       }},
      {"concat", [](const V& x, const J& a) { return one(F::concat(x, a["axis"])); }},
      {"reshape",
       [](const V& x, const J& a) {
         return one(F::reshape(x[0], a["shape"].get<std::vector<std::int64_t>>()));
       }},
      {"dropout",
       [](const V& x, const J& a) { return one(F::Dropout(a["ratio"], x[0].data())(x[1])); }},
  };
  return table;
}

// Inputs come in the order of their names: labels "t" before "x" and "y", "mask" before "x".
void GoldenTest::run_function() {
  Variables x;
  const std::vector<std::string> names = keys("in_");
  for (const std::string& key : names) x.push_back(Variable(input(key)));
  Variables y;
  std::unique_ptr<F::Linear> linear;
  if (json_["function"] == "linear") {
    const bool nobias = !has("param_b");
    linear = std::make_unique<F::Linear>(
        1, 1, F::LinearOptions{.nobias = nobias, .initialW = cupyxx::ones({1, 1})});
    linear->W = get("param_W");
    linear->gW = cupyxx::zeros_like(linear->W);
    if (!nobias) linear->b = get("param_b");
    if (!nobias) linear->gb = cupyxx::zeros_like(linear->b);
    y = one((*linear)(x[0]));
  } else {
    y = calls().at(json_["function"])(x, attrs());
    EXPECT_EQ(y[0].creator()->label(), json_["creator_label"].get<std::string>());
  }
  for (std::size_t i = 0; i < y.size(); ++i) check(y[i].data(), "out_" + std::to_string(i));
  if (!has("gy_0")) return;
  for (std::size_t i = 0; i < y.size(); ++i) y[i].set_grad(get("gy_" + std::to_string(i)));
  y[0].backward();
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string key = "g" + names[i];
    if (has(key)) check(x[i].grad(), key);
  }
  if (linear == nullptr) return;
  check(linear->gW, "gparam_W");
  if (has("gparam_b")) check(linear->gb, "gparam_b");
}

/// Chainer's pooling over any number of axes goes by its general name.
std::string our_label(const std::string& label) {
  return label == "MaxPoolingND" ? "MaxPooling2D" : label;
}

void GoldenTest::run_call(golden::Call call) {
  golden::Arguments a{.attrs = attrs()};
  for (const std::string& key : keys("in_")) a.in[key.substr(3)] = Variable(input(key));
  for (const std::string& key : keys("param_")) a.param[key.substr(6)] = Variable(get(key));
  const Variables y = call(a);
  if (y[0].creator() != nullptr) {
    EXPECT_EQ(y[0].creator()->label(), our_label(json_["creator_label"]));
  }
  for (std::size_t i = 0; i < y.size(); ++i) check(y[i].data(), "out_" + std::to_string(i));
  for (const auto& [name, array] : a.extra) check(array, "extra_" + name);
  if (!has("gy_0")) return;
  for (std::size_t i = 0; i < y.size(); ++i) y[i].set_grad(get("gy_" + std::to_string(i)));
  y[0].backward();
  for (const auto& [name, x] : a.in) {
    if (has("gin_" + name)) check(x.grad(), "gin_" + name);
  }
  if (a.set != nullptr) return check_set(*a.set);
  for (const auto& [name, p] : a.param) check(p.grad(), "gparam_" + name);
}

void GoldenTest::check_set(FunctionSet& set) {
  for (const NamedField& field : set.fields()) {
    if (field.gradient != nullptr) {
      check(*field.gradient, "gparam_" + golden::field_key(field.name));
    }
  }
}

template <class Algorithm, class Options>
std::unique_ptr<Optimizer> make(bool use_defaults, const Options& options) {
  return use_defaults ? std::make_unique<Algorithm>() : std::make_unique<Algorithm>(options);
}

std::unique_ptr<Optimizer> GoldenTest::make_optimizer() const {
  namespace O = optimizers;
  const std::string name = attrs()["optimizer"];
  const bool plain = attrs().value("use_defaults", false);
  const auto h = [&](const char* key, double otherwise) {
    return attrs()["hyper"].value(key, otherwise);
  };
  const double lr = h("lr", 0), eps = h("eps", 0), momentum = h("momentum", 0);
  const double alpha = h("alpha", 0);
  if (name == "SGD") return make<O::SGD>(plain, O::SGDOptions{lr});
  if (name == "MomentumSGD") {
    return make<O::MomentumSGD>(plain, O::MomentumSGDOptions{lr, momentum});
  }
  if (name == "NesterovAG") return make<O::NesterovAG>(plain, O::NesterovAGOptions{lr, momentum});
  if (name == "AdaGrad") return make<O::AdaGrad>(plain, O::AdaGradOptions{lr, eps});
  if (name == "AdaDelta") return make<O::AdaDelta>(plain, O::AdaDeltaOptions{h("rho", 0), eps});
  if (name == "RMSprop") return make<O::RMSprop>(plain, O::RMSpropOptions{lr, alpha, eps});
  if (name == "RMSpropGraves") {
    return make<O::RMSpropGraves>(plain, O::RMSpropGravesOptions{lr, alpha, momentum, eps});
  }
  if (name == "SMORMS3") return make<O::SMORMS3>(plain, O::SMORMS3Options{lr, eps});
  return make<O::Adam>(plain, O::AdamOptions{.alpha = alpha});
}

void GoldenTest::run_optimizer() {
  const std::vector<std::string> names = {"W", "b", "s"};
  std::vector<ndarray> parameters, gradients, all_gradients;
  for (const std::string& name : names) {
    parameters.push_back(get("param_" + name));
    gradients.push_back(cupyxx::zeros_like(parameters.back()));
    all_gradients.push_back(get("in_g_" + name));
  }
  const auto optimizer = make_optimizer();
  optimizer->setup(parameters, gradients);
  if (attrs().contains("hooks")) {
    for (const Json& hook : attrs()["hooks"]) {
      const std::string kind = hook[0];
      const double value = hook[1];
      if (kind == "WeightDecay") optimizer->add_hook(kind, WeightDecay(value));
      if (kind == "GradientClipping") optimizer->add_hook(kind, GradientClipping(value));
    }
  }
  const auto norms = get("extra_grad_norms").to_vector<double>();
  const double epsilon = parameters[0].dtype() == cupyxx::float16 ? 0x1p-10 : 0x1p-21;
  for (int step = 1; step <= 20; ++step) {
    for (std::size_t i = 0; i < names.size(); ++i) gradients[i].set(all_gradients[i](step - 1));
    const double expected = norms[static_cast<std::size_t>(step - 1)];
    EXPECT_NEAR(optimizer->compute_grads_norm(), expected, 4 * epsilon * expected);
    optimizer->update();
    if (step != 1 && step != 5 && step != 20) continue;
    for (std::size_t i = 0; i < names.size(); ++i) {
      check(parameters[i], "extra_" + names[i] + "_after_" + std::to_string(step));
    }
  }
  std::size_t k = 0;
  for (const std::string& name : names) {
    for (const std::string& state : optimizer->state_names()) {
      const std::string key = "extra_state_" + name + "_" + state;
      if (has(key)) check(*optimizer->fields()[k].array, key);
      ++k;
    }
  }
}

struct Mlp : FunctionSet {
  F::Linear& l1 = add("l1", F::Linear(6, 8));
  F::Linear& l2 = add("l2", F::Linear(8, 7));
  F::Linear& l3 = add("l3", F::Linear(7, 4));
};

struct Cnn : FunctionSet {
  F::Convolution2D& conv1 = add("conv1", F::Convolution2D(2, 4, 3, {.pad = 1, .nobias = true}));
  F::BatchNormalization& bn1 = add("bn1", F::BatchNormalization(4));
  F::Convolution2D& conv2 = add("conv2", F::Convolution2D(4, 5, 3, {.pad = 1}));
  F::Linear& fc = add("fc", F::Linear(20, 3));
};

Variable logits(Mlp& model, const Variable& x) {
  return model.l3(F::relu(model.l2(F::tanh(model.l1(x)))));
}

Variable logits(Cnn& model, const Variable& x) {
  const Variable h = F::max_pooling_2d(F::relu(model.bn1(model.conv1(x))), 2);
  const Variable g = F::local_response_normalization(F::relu(model.conv2(h)));
  return model.fc(F::average_pooling_2d(g, 2));
}

template <class Model>
void GoldenTest::run_training() {
  Model model;
  for (const NamedField& field : model.fields()) {
    const std::string key = "param_" + golden::field_key(field.name);
    if (has(key)) field.array->set(get(key));
  }
  const auto optimizer = make_optimizer();
  optimizer->setup(model);
  const ndarray x = get("in_x"), t = get("in_t");
  const auto losses = get("extra_losses").to_vector<double>();
  const auto norms = get("extra_grad_norms").to_vector<double>();
  const std::int64_t batch = attrs()["batch"], steps = attrs()["steps"];
  for (std::int64_t step = 0; step < steps; ++step) {
    const std::int64_t begin = step * batch % x.len();
    const cupyxx::slice rows(begin, begin + batch);
    const Variable loss =
        F::softmax_cross_entropy(logits(model, Variable(x(rows))), Variable(t(rows)));
    optimizer->zero_grads();
    loss.backward();
    const auto i = static_cast<std::size_t>(step);
    EXPECT_NEAR(loss.data().item<double>(), losses[i], 2e-5 * std::abs(losses[i]));
    EXPECT_NEAR(optimizer->compute_grads_norm(), norms[i], 1e-4 * norms[i]);
    if (attr("weight_decay", 0) > 0) optimizer->weight_decay(attr("weight_decay", 0));
    if (attr("clip", 0) > 0) optimizer->clip_grads(attr("clip", 0));
    optimizer->update();
  }
  for (const NamedField& field : model.fields()) {
    const std::string key = "extra_final_" + golden::field_key(field.name);
    if (has(key)) check(*field.array, key, 4);
  }
}

TEST_P(GoldenTest, MatchesChainer) {
  const std::string function = json_["function"];
  if (function.starts_with("optimizer_")) {
    run_optimizer();
  } else if (function == "train_mlp") {
    run_training<Mlp>();
  } else if (function == "train_cnn") {
    run_training<Cnn>();
  } else if (const golden::Call call = golden::find_call(function); call != nullptr) {
    run_call(call);
  } else {
    run_function();
  }
}

INSTANTIATE_TEST_SUITE_P(, GoldenTest, ::testing::ValuesIn(params()), param_name);

}  // namespace
}  // namespace chainerxx
