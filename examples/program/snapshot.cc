// SPDX-License-Identifier: MIT
#include "examples/program/snapshot.h"

#include <algorithm>
#include <utility>

#include "chainerxx/training/serializer.h"
#include "cupyxx/creation.h"
#include "cupyxx/random.h"
#include "examples/program/errors.h"

namespace examples {
namespace {

namespace cp = cupyxx;
using chainerxx::training::Serializer;

void check_same(const std::string& path, const Serializer& s, const TrainingSettings& settings) {
  for (const auto& [flag, given] : settings.flags) {
    std::string made = given;
    s(flag, made);
    if (made == given) continue;
    throw UserError(
        cp::message(path, ": was made with --", flag, "=", made, ", not --", flag, "=", given));
  }
  std::int64_t images = settings.images;
  s("images", images);
  if (images != settings.images) {
    throw UserError(cp::message(path, ": was made with ", images, " training images, but ",
                                settings.data, " holds ", settings.images));
  }
}

void serialize(const Serializer& s, LossAndAccuracy& means, std::int64_t images) {
  std::int64_t count = means.loss.count();
  double loss = means.loss.sum(), accuracy = means.accuracy.sum();
  s.count("count", count);
  if (count > images) s.refuse("count", cp::message("is ", count, ", beyond ", images, " images"));
  s("loss", loss);
  s("accuracy", accuracy);
  means = {RunningMean(cp::array(loss), count), RunningMean(cp::array(accuracy), count)};
}

void serialize(const Serializer& s, std::vector<EpochResult>& history, std::int64_t epochs) {
  std::vector<double> values;
  for (const EpochResult& epoch : history) {
    values.insert(values.end(),
                  {epoch.train_loss, epoch.train_accuracy, epoch.test_loss, epoch.test_accuracy});
  }
  s("history", values);
  if (std::ssize(values) != 4 * epochs) {
    s.refuse("history", cp::message("has ", values.size(), " values, not four for each of ", epochs,
                                    " epochs"));
  }
  history.clear();
  for (std::size_t i = 0; i < values.size(); i += 4) {
    history.push_back({values[i], values[i + 1], values[i + 2], values[i + 3]});
  }
}

void serialize(const Serializer& s, TrainingState& state, std::int64_t images) {
  s.count("epoch", state.epoch);
  s.count("position", state.position);
  if (state.position > images) {
    s.refuse("position", cp::message("is ", state.position, ", beyond ", images, " images"));
  }
  std::vector<std::int64_t> order;
  if (s.is_saving() && state.position > 0) order = state.order.to_vector<std::int64_t>();
  s("order", order);
  if (state.position > 0) {
    const auto is_image = [&](std::int64_t image) { return image >= 0 && image < images; };
    if (std::ssize(order) != images || !std::all_of(order.begin(), order.end(), is_image)) {
      s.refuse("order", cp::message("is no order of ", images, " images"));
    }
    state.order = cp::array(order);
  }
  serialize(s["means"], state.means, images);
  serialize(s, state.history, state.epoch);
}

/// All of a snapshot; what is read goes into `state` at once, into the rest when all is good.
void serialize(const Serializer& s, const TrainingSettings& settings, TrainingState& state,
               chainerxx::FunctionSet& model, chainerxx::Optimizer& optimizer) {
  serialize(s[settings.program], state, settings.images);
  s("model", model);
  s("optimizer", optimizer);
  cp::random::State random = cp::random::get_state().get_state();
  s("random", random);
  if (s.commits()) cp::random::set_state(cp::random::RandomState(random));
}

}  // namespace

cp::ndarray TrainingState::next_batch(std::int64_t images, std::int64_t batchsize) {
  if (position == 0) order = cp::random::permutation(images);
  const std::int64_t begin = std::exchange(position, std::min(position + batchsize, images));
  return order(cp::slice(begin, position));
}

void TrainingState::finish_epoch(const LossAndAccuracy& test) {
  history.push_back(
      {means.loss.value(), means.accuracy.value(), test.loss.value(), test.accuracy.value()});
  ++epoch;
  position = 0;
  means = LossAndAccuracy();
}

void save_snapshot(const std::string& path, const TrainingSettings& settings,
                   const TrainingState& state, chainerxx::FunctionSet& model,
                   chainerxx::Optimizer& optimizer) {
  TrainingState now = state;
  chainerxx::training::save_state(path, [&](const Serializer& s) {
    check_same(path, s[settings.program], settings);
    serialize(s, settings, now, model, optimizer);
  });
}

TrainingState load_snapshot(const std::string& path, const TrainingSettings& settings,
                            std::int64_t epochs, chainerxx::FunctionSet& model,
                            chainerxx::Optimizer& optimizer) {
  TrainingState state;
  chainerxx::training::load_state(path, [&](const Serializer& s) {
    if (!s.contains(settings.program)) {
      throw UserError(cp::message(path, ": is no snapshot of ", settings.program));
    }
    check_same(path, s[settings.program], settings);
    serialize(s, settings, state, model, optimizer);
    if (state.epoch >= epochs) {
      throw UserError(cp::message(path, ": is in epoch ", state.epoch + 1,
                                  " already, beyond --epochs=", epochs));
    }
  });
  return state;
}

}  // namespace examples
