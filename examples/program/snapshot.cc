// SPDX-License-Identifier: MIT
#include "examples/program/snapshot.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "cupyxx/creation.h"
#include "cupyxx/io.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/random.h"
#include "cupyxx/reduction.h"
#include "examples/program/errors.h"

namespace examples {
namespace {

namespace cp = cupyxx;

constexpr std::int64_t kFormat = 1;
constexpr int kColumns = 4;  // of the history

// The names in the archive behind that of the program, beside those of the model and the optimizer.
constexpr const char* kFormatKey = "format";
constexpr const char* kSettingsKey = "settings";    // the numbers, then how many images
constexpr const char* kOptimizerKey = "optimizer";  // its name, as bytes
constexpr const char* kSeedKey = "seed";
constexpr const char* kPlaceKey = "place";  // epoch, position, images in the means
constexpr const char* kOrderKey = "order";
constexpr const char* kTotalsKey = "totals";  // the sums of the means
constexpr const char* kHistoryKey = "history";
constexpr const char* kRandomKey = "random";    // seed and offset
constexpr const char* kUpdatesKey = "updates";  // of the optimizer
// And before the names of arrays of the model ("l1/W") and of the optimizer ("l1/W/m").
constexpr const char* kModel = "model/";
constexpr const char* kStates = "optimizer/";

cp::ndarray numbers(const std::vector<std::int64_t>& values) { return cp::array(values); }

cp::ndarray history_array(const std::vector<EpochResult>& history) {
  std::vector<double> values;
  for (const EpochResult& epoch : history) {
    values.insert(values.end(),
                  {epoch.train_loss, epoch.train_accuracy, epoch.test_loss, epoch.test_accuracy});
  }
  return cp::array(values).reshape({static_cast<std::int64_t>(history.size()), kColumns});
}

std::vector<EpochResult> history_of(const cp::ndarray& array) {
  const std::vector<double> values = array.to_vector<double>();
  std::vector<EpochResult> history;
  for (std::size_t i = 0; i + kColumns <= values.size(); i += kColumns) {
    history.push_back({values[i], values[i + 1], values[i + 2], values[i + 3]});
  }
  return history;
}

void check_same(const std::string& path, const std::string& flag, const std::string& made,
                const std::string& given) {
  if (made == given) return;
  throw UserError(
      cupyxx::message(path, ": was made with --", flag, "=", made, ", not --", flag, "=", given));
}

/// A snapshot that is read.
class File {
 public:
  File(const std::string& path, const std::string& program)
      : path_(path), program_(program), arrays_(open(path)) {
    if (!arrays_.contains(key(kFormatKey))) {
      throw UserError(cupyxx::message(path, ": is no snapshot of ", program));
    }
    const std::int64_t format = numbers<std::int64_t>(kFormatKey, 1)[0];
    if (format != kFormat) {
      throw UserError(
          cupyxx::message(path, ": is a snapshot of format ", format, ", not ", kFormat));
    }
  }

  /// Throws the error of an entry that is not as it must be.
  [[noreturn]] void damaged(const char* name) const { refuse(key(name)); }

  /// An entry of the training.
  cp::ndarray operator[](const char* name) const { return arrays_[key(name)]; }

  /// The `count` integers of an entry.
  template <class T>
  std::vector<T> numbers(const char* name, std::size_t count) const {
    if (!arrays_.contains(key(name))) damaged(name);
    const cp::ndarray entry = arrays_[key(name)];
    if (!entry.dtype().is_integer()) damaged(name);
    std::vector<T> values = entry.to_vector<T>();
    if (values.size() != count) damaged(name);
    return values;
  }

  /// The entries of a model's or an optimizer's arrays, each like the array that it is for.
  std::vector<cp::ndarray> values(const char* prefix,
                                  const std::vector<chainerxx::NamedField>& fields) const {
    std::vector<cp::ndarray> found;
    for (const chainerxx::NamedField& field : fields) {
      const std::string name = prefix + field.name;
      if (!arrays_.contains(name)) refuse(name);
      const cp::ndarray value = arrays_[name];
      if (value.shape() != field.array->shape() || value.dtype() != field.array->dtype()) {
        refuse(name);
      }
      found.push_back(value);
    }
    return found;
  }

 private:
  static cp::NpzFile open(const std::string& path) {
    if (!std::filesystem::exists(path)) throw UserError(cupyxx::message(path, ": no such file"));
    return cp::load_npz(path);
  }
  std::string key(const char* name) const { return program_ + "/" + name; }
  [[noreturn]] void refuse(const std::string& name) const {
    throw UserError(cupyxx::message(path_, ": is damaged; ", name));
  }

  std::string path_, program_;
  cp::NpzFile arrays_;
};

void store(const std::vector<chainerxx::NamedField>& fields,
           const std::vector<cp::ndarray>& values) {
  for (std::size_t i = 0; i < fields.size(); ++i) cp::copyto(*fields[i].array, values[i]);
}

void check_settings(const File& file, const std::string& path, const TrainingSettings& wanted) {
  const std::size_t count = wanted.numbers.size();
  const auto made = file.numbers<std::int64_t>(kSettingsKey, count + 1);
  const std::vector<std::uint8_t> name = file[kOptimizerKey].to_vector<std::uint8_t>();
  for (std::size_t i = 0; i < count; ++i) {
    const auto& [flag, number] = wanted.numbers[i];
    check_same(path, flag, std::to_string(made[i]), std::to_string(number));
  }
  check_same(path, "optimizer", std::string(name.begin(), name.end()), wanted.optimizer);
  check_same(path, "seed", std::to_string(file.numbers<std::uint64_t>(kSeedKey, 1)[0]),
             std::to_string(wanted.seed));
  if (made[count] != wanted.images) {
    throw UserError(cupyxx::message(path, ": was made with ", made[count], " training images, but ",
                                    wanted.data, " holds ", wanted.images));
  }
}

TrainingState state_of(const File& file, std::int64_t images) {
  TrainingState state;
  const auto place = file.numbers<std::int64_t>(kPlaceKey, 3);
  state.epoch = place[0];
  state.position = place[1];
  if (state.epoch < 0 || state.position < 0 || state.position > images || place[2] < 0 ||
      place[2] > images) {
    file.damaged(kPlaceKey);
  }
  state.order = file[kOrderKey];
  const bool is_order =
      state.order.dtype() == cp::int64 && state.order.shape() == cp::Shape{images};
  if (state.position != 0 && (!is_order || cp::amin(state.order).item<std::int64_t>() < 0 ||
                              cp::amax(state.order).item<std::int64_t>() >= images)) {
    file.damaged(kOrderKey);
  }
  const cp::ndarray totals = file[kTotalsKey];
  if (totals.dtype() != cp::float64 || totals.shape() != cp::Shape{2}) file.damaged(kTotalsKey);
  state.means = {RunningMean(totals(0), place[2]), RunningMean(totals(1), place[2])};
  const cp::ndarray history = file[kHistoryKey];
  if (history.dtype() != cp::float64 || history.ndim() != 2 || history.shape(1) != kColumns) {
    file.damaged(kHistoryKey);
  }
  state.history = history_of(history);
  return state;
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
  cp::NamedArrays arrays;
  const auto add = [&](const char* name, const cp::ndarray& value) {
    arrays.emplace_back(settings.program + "/" + name, value);
  };
  std::vector<std::int64_t> settings_numbers;
  for (const auto& [flag, number] : settings.numbers) settings_numbers.push_back(number);
  settings_numbers.push_back(settings.images);
  const cp::random::RandomState random = cp::random::get_state();
  add(kFormatKey, numbers({kFormat}));
  add(kSettingsKey, numbers(settings_numbers));
  add(kOptimizerKey,
      cp::array(std::vector<std::uint8_t>(settings.optimizer.begin(), settings.optimizer.end())));
  add(kSeedKey, cp::array(std::vector<std::uint64_t>{settings.seed}));
  add(kPlaceKey, numbers({state.epoch, state.position, state.means.loss.count()}));
  add(kOrderKey, state.order);
  add(kUpdatesKey, numbers({optimizer.t()}));
  add(kTotalsKey,
      cp::array(std::vector<double>{state.means.loss.sum(), state.means.accuracy.sum()}));
  add(kHistoryKey, history_array(state.history));
  add(kRandomKey, cp::array(std::vector<std::uint64_t>{random.seed(), random.offset()}));
  for (const auto& field : model.fields()) arrays.emplace_back(kModel + field.name, *field.array);
  for (const auto& field : optimizer.fields()) {
    arrays.emplace_back(kStates + field.name, *field.array);
  }
  cp::savez(path, arrays);
}

TrainingState load_snapshot(const std::string& path, const TrainingSettings& settings,
                            std::int64_t epochs, chainerxx::FunctionSet& model,
                            chainerxx::Optimizer& optimizer) {
  const File file(path, settings.program);
  check_settings(file, path, settings);
  const TrainingState state = state_of(file, settings.images);
  if (state.epoch >= epochs) {
    throw UserError(cupyxx::message(path, ": is in epoch ", state.epoch + 1,
                                    " already, beyond --epochs=", epochs));
  }

  // All is read and checked before anything changes.
  const std::vector<chainerxx::NamedField> parameters = model.fields(), states = optimizer.fields();
  const std::vector<cp::ndarray> new_parameters = file.values(kModel, parameters);
  const std::vector<cp::ndarray> new_states = file.values(kStates, states);
  const std::int64_t updates = file.numbers<std::int64_t>(kUpdatesKey, 1)[0];
  const auto random = file.numbers<std::uint64_t>(kRandomKey, 2);
  cp::random::RandomState random_state(0);
  random_state.set_state(random[0], random[1]);
  optimizer.set_t(updates);  // refuses what no training counts
  store(parameters, new_parameters);
  store(states, new_states);
  cp::random::set_state(random_state);
  return state;
}

}  // namespace examples
