// SPDX-License-Identifier: MIT
#include "chainerxx/functions/util/forget.h"

#include <optional>
#include <string>

#include "chainerxx/internal/graph.h"
#include "chainerxx/internal/recomputation.h"
#include "chainerxx/scope.h"
#include "cupyxx/creation.h"
#include "cupyxx/cuda/device.h"
#include "cupyxx/error.h"
#include "cupyxx/extension/random_place.h"
#include "cupyxx/random.h"

namespace chainerxx::internal {
namespace {

/// The default random streams of the host and of all CUDA devices; those of cuRAND's generators,
/// which keep their place to themselves, are passed over.
class RandomStreams {
 public:
  static RandomStreams now() {
    RandomStreams streams;
    for (const cupyxx::Device device : devices()) {
      const auto& state = cupyxx::extension::default_random_state(device);
      streams.places_.emplace_back();
      if (state.method() == cupyxx::random::Method::counter) {
        streams.places_.back() = state.get_state();
      }
    }
    return streams;
  }

  /// Puts the streams back to where they were.
  void restore() const {
    for (std::size_t i = 0; i < places_.size(); ++i) {
      if (!places_[i]) continue;
      cupyxx::extension::default_random_state(devices()[i]).set_state(*places_[i]);
    }
  }

 private:
  static const std::vector<cupyxx::Device>& devices() {
    static const auto* const all = [] {
      auto* list = new std::vector<cupyxx::Device>{cupyxx::Device::cpu()};
      const int count = cupyxx::cuda::device_count();
      for (int i = 0; i < count; ++i) list->push_back(cupyxx::Device::cuda(i));
      return list;
    }();
    return *all;
  }

  std::vector<std::optional<cupyxx::random::State>> places_;
};

/// The modes and random numbers of an earlier moment, until the end of the scope.
class Replay {
 public:
  struct Moment {
    bool is_training = true;
    RandomStreams random{};
  };

  static Moment now() { return {is_training(), RandomStreams::now()}; }

  explicit Replay(const Moment& moment) : train_(moment.is_training), now_(RandomStreams::now()) {
    moment.random.restore();
  }
  ~Replay() { now_.restore(); }
  Replay(const Replay&) = delete;
  Replay& operator=(const Replay&) = delete;

 private:
  const TrainScope train_;
  const RecordScope record_{true};
  const RecomputationScope recomputation_;
  const RandomStreams now_;
};

/// Brings gradients to several variables in one walk.
class Seeds final : public FunctionOf<Seeds> {
 public:
  explicit Seeds(std::vector<ndarray> gradients) : gradients_(std::move(gradients)) {}
  std::vector<ndarray> forward(ArraySpan ys) override {
    retain_inputs({});
    return {cupyxx::zeros({}, ys[0].dtype())};
  }
  std::vector<ndarray> backward(ArraySpan, ArraySpan) override {
    return std::exchange(gradients_, {});
  }

 private:
  std::vector<ndarray> gradients_;
};

class Forget final : public FunctionOf<Forget, 0>, public RunsAgain {
 public:
  explicit Forget(std::shared_ptr<const Forgettable> f) : f_(std::move(f)) {}
  std::string label() const override { return "forget"; }

  std::vector<ndarray> forward(ArraySpan in) override {
    if (records()) moment_ = Replay::now();
    const NoGradScope forgetting;
    std::vector<Variable> variables;
    for (const ndarray& x : in) variables.emplace_back(x, false);
    std::vector<ndarray> results;
    for (const Variable& y : f_->run(variables)) {
      results.push_back(y.data());
      shapes_.push_back(y.shape());
    }
    return results;
  }

  std::vector<ndarray> backward(ArraySpan in, ArraySpan gy) override {
    std::vector<Variable> variables, outputs;
    for (std::size_t i = 0; i < in.size(); ++i) {
      if (needs_gradient(i)) {
        variables.emplace_back(in[i], false);
      } else {
        variables.emplace_back(in[i]);
      }
    }
    {
      const Replay again(moment_);
      outputs = f_->run(variables);
    }
    check(outputs);
    std::vector<ndarray> gradients;
    std::erase_if(outputs, [&, i = std::size_t{0}](const Variable&) mutable {
      const ndarray& g = gy[i++];
      if (!g.is_none()) gradients.push_back(g);
      return g.is_none();
    });
    // The graph goes as the walk comes back through it.
    seeded(std::move(outputs), std::move(gradients)).backward();
    std::vector<ndarray> grads;
    for (std::size_t i = 0; i < in.size(); ++i) {
      grads.push_back(needs_gradient(i) ? variables[i].grad() : ndarray());
    }
    return grads;
  }

  std::vector<Variable> backward_variables(VariableSpan in, VariableSpan gy) override {
    const bool second_order = is_recording();
    const std::vector<Variable> own = aliases(in);
    std::vector<Variable> outputs;
    {
      const Replay again(moment_);
      outputs = f_->run(own);
    }
    check(outputs);
    return differentiate_all(outputs, gy, own, second_order);
  }

 private:
  /// A result from which the walk begins; the graph alone has the outputs then.
  static Variable seeded(std::vector<Variable> outputs, std::vector<ndarray> gradients) {
    const RecordScope record(true);
    Variable seed = Seeds(std::move(gradients))(outputs);
    outputs.clear();
    return seed;
  }

  void check(const std::vector<Variable>& outputs) const {
    bool is_same = outputs.size() == shapes_.size();
    for (std::size_t i = 0; is_same && i < outputs.size(); ++i) {
      is_same = outputs[i].shape() == shapes_[i];
    }
    if (is_same) return;
    throw cupyxx::ValueError(
        cupyxx::message("forget: the function gave other results when it ran again; ",
                        text(outputs), " after ", text(shapes_)));
  }

  static std::string text(const auto& list) {
    std::string text;
    for (const auto& item : list) {
      if (!text.empty()) text += ", ";
      if constexpr (requires { item.shape(); }) {
        text += item.shape().str();
      } else {
        text += item.str();
      }
    }
    return text;
  }

  std::shared_ptr<const Forgettable> f_;
  Replay::Moment moment_;
  std::vector<cupyxx::Shape> shapes_;
};

}  // namespace

Forgettable::~Forgettable() = default;

std::vector<Variable> forget(std::shared_ptr<const Forgettable> f, VariableSpan inputs) {
  return Forget(std::move(f)).call(inputs);
}

}  // namespace chainerxx::internal
