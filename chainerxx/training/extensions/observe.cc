// SPDX-License-Identifier: MIT
#include "chainerxx/training/extensions/observe.h"

#include "chainerxx/training/trainer.h"
#include "cupyxx/error.h"

namespace chainerxx::training::extensions {

void Observe::operator()(Trainer& trainer) { report({{key_, function_(trainer)}}); }

void Observe::initialize(Trainer& trainer) {
  if (check_) check_(trainer);
}

Observe observe_value(std::string observation_key, Callback<double(Trainer&)> function) {
  return Observe("observe_value", std::move(observation_key), std::move(function));
}

Observe observe_lr(std::string optimizer_name, std::string observation_key) {
  const auto find = [name = std::move(optimizer_name)](Trainer& trainer) -> const NamedRate& {
    for (const char* rate_name : {"lr", "alpha"}) {
      if (const NamedRate* rate = trainer.updater().rate(name, rate_name)) return *rate;
    }
    trainer.updater().get_optimizer(name);  // throws for an unknown name
    throw cupyxx::ValueError(
        cupyxx::message("observe_lr: the optimizer ", name, " has no learning rate"));
  };
  return Observe(
      "observe_lr", std::move(observation_key),
      [find](Trainer& trainer) { return find(trainer).read(); },
      [find](Trainer& trainer) { find(trainer); });
}

Observe observe_waiting(const iterators::Iterator& iterator, std::string observation_key) {
  const auto share = [&iterator, waited = iterator.waited_seconds(),
                      time = 0.0](Trainer& trainer) mutable {
    const double now = trainer.elapsed_time(), all = iterator.waited_seconds();
    const double percent = now > time ? 100 * (all - waited) / (now - time) : 0;
    waited = all;
    time = now;
    return percent;
  };
  return Observe("observe_waiting", std::move(observation_key), share);
}

}  // namespace chainerxx::training::extensions
