// SPDX-License-Identifier: MIT
#include "examples/mnist/snapshot.h"

#include <filesystem>
#include <utility>

#include "cupyxx/creation.h"
#include "cupyxx/io.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/random.h"
#include "cupyxx/reduction.h"
#include "examples/mnist/errors.h"

namespace mnist {
namespace {

namespace cp = cupyxx;

constexpr std::int64_t kFormat = 1;
constexpr int kColumns = 4;  // of the history

// The names in the archive, beside those of the model and the optimizer.
constexpr const char* kFormatKey = "train_mnist/format";
constexpr const char* kSettingsKey = "train_mnist/settings";    // units, batchsize, images
constexpr const char* kOptimizerKey = "train_mnist/optimizer";  // its name, as bytes
constexpr const char* kSeedKey = "train_mnist/seed";
constexpr const char* kPlaceKey = "train_mnist/place";  // epoch, position, images in the totals
constexpr const char* kOrderKey = "train_mnist/order";
constexpr const char* kTotalsKey = "train_mnist/totals";
constexpr const char* kHistoryKey = "train_mnist/history";
constexpr const char* kRandomKey = "train_mnist/random";    // seed and offset
constexpr const char* kUpdatesKey = "train_mnist/updates";  // of the optimizer
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

template <class T>
void check_same(const std::string& path, const char* flag, const T& made, const T& given) {
  if (made == given) return;
  const auto text = [](const auto& value) {
    if constexpr (std::is_same_v<T, std::string>) {
      return value;
    } else {
      return std::to_string(value);
    }
  };
  throw UserError(path + ": was made with --" + flag + "=" + text(made) + ", not --" + flag + "=" +
                  text(given));
}

[[noreturn]] void damaged(const std::string& path, const char* what) {
  throw UserError(path + ": is damaged; " + what);
}

/// The `count` numbers of an entry.
template <class T>
std::vector<T> numbers_of(const cp::NpzFile& file, const std::string& path, const char* key,
                          std::size_t count) {
  if (!file.contains(key)) damaged(path, key);
  const cp::ndarray entry = file[key];
  if (!entry.dtype().is_integer()) damaged(path, key);
  std::vector<T> numbers = entry.to_vector<T>();
  if (numbers.size() != count) damaged(path, key);
  return numbers;
}

/// The entries of a model's or an optimizer's arrays, each like the array that it is for.
std::vector<cp::ndarray> values_of(const cp::NpzFile& file, const std::string& path,
                                   const char* prefix,
                                   const std::vector<chainerxx::NamedField>& fields) {
  std::vector<cp::ndarray> values;
  for (const chainerxx::NamedField& field : fields) {
    const std::string name = prefix + field.name;
    if (!file.contains(name)) damaged(path, name.c_str());
    const cp::ndarray value = file[name];
    if (value.shape() != field.array->shape() || value.dtype() != field.array->dtype()) {
      damaged(path, name.c_str());
    }
    values.push_back(value);
  }
  return values;
}

void store(const std::vector<chainerxx::NamedField>& fields,
           const std::vector<cp::ndarray>& values) {
  for (std::size_t i = 0; i < fields.size(); ++i) cp::copyto(*fields[i].array, values[i]);
}

void check_settings(const cp::NpzFile& file, const std::string& path, const Options& options,
                    std::int64_t images) {
  if (!file.contains(kFormatKey)) throw UserError(path + ": is no snapshot of train_mnist");
  const std::int64_t format = numbers_of<std::int64_t>(file, path, kFormatKey, 1)[0];
  if (format != kFormat) {
    throw UserError(path + ": is a snapshot of format " + std::to_string(format) + ", not " +
                    std::to_string(kFormat));
  }
  const std::vector<std::int64_t> settings = numbers_of<std::int64_t>(file, path, kSettingsKey, 3);
  const std::vector<std::uint8_t> name = file[kOptimizerKey].to_vector<std::uint8_t>();
  check_same(path, "units", settings[0], options.units);
  check_same(path, "batchsize", settings[1], options.batchsize);
  check_same(path, "optimizer", std::string(name.begin(), name.end()), options.optimizer);
  check_same(path, "seed", numbers_of<std::uint64_t>(file, path, kSeedKey, 1)[0], options.seed);
  if (settings[2] != images) {
    throw UserError(path + ": was made with " + std::to_string(settings[2]) +
                    " training images, but " + options.data + " holds " + std::to_string(images));
  }
}

}  // namespace

Totals::Totals() : loss_(cp::zeros({}, cp::float64)), accuracy_(cp::zeros({}, cp::float64)) {}

Totals::Totals(const cp::ndarray& sums, std::int64_t count)
    : loss_(sums(0).copy()), accuracy_(sums(1).copy()), count_(count) {}

void Totals::add(const cp::ndarray& loss, const cp::ndarray& accuracy, std::int64_t count) {
  loss_ += loss * static_cast<double>(count);
  accuracy_ += accuracy * static_cast<double>(count);
  count_ += count;
}

double Totals::mean_loss() const { return loss_.item<double>() / static_cast<double>(count_); }

double Totals::mean_accuracy() const {
  return accuracy_.item<double>() / static_cast<double>(count_);
}

cp::ndarray Totals::sums() const {
  return cp::array(std::vector<double>{loss_.item<double>(), accuracy_.item<double>()});
}

std::string save_snapshot(const Options& options, std::int64_t images, const TrainingState& state,
                          chainerxx::FunctionSet& model, chainerxx::Optimizer& optimizer) {
  const cp::random::RandomState random = cp::random::get_state();
  cp::NamedArrays arrays = {
      {kFormatKey, numbers({kFormat})},
      {kSettingsKey, numbers({options.units, options.batchsize, images})},
      {kOptimizerKey,
       cp::array(std::vector<std::uint8_t>(options.optimizer.begin(), options.optimizer.end()))},
      {kSeedKey, cp::array(std::vector<std::uint64_t>{options.seed})},
      {kPlaceKey, numbers({state.epoch, state.position, state.totals.count()})},
      {kOrderKey, state.order},
      {kUpdatesKey, numbers({optimizer.t()})},
      {kTotalsKey, state.totals.sums()},
      {kHistoryKey, history_array(state.history)},
      {kRandomKey, cp::array(std::vector<std::uint64_t>{random.seed(), random.offset()})},
  };
  for (const auto& field : model.fields()) arrays.emplace_back(kModel + field.name, *field.array);
  for (const auto& field : optimizer.fields()) {
    arrays.emplace_back(kStates + field.name, *field.array);
  }
  const std::string path = options.out + "/snapshot.npz";
  cp::savez(path, arrays);
  return path;
}

TrainingState load_snapshot(const Options& options, std::int64_t images,
                            chainerxx::FunctionSet& model, chainerxx::Optimizer& optimizer) {
  const std::string& path = options.resume;
  if (!std::filesystem::exists(path)) throw UserError(path + ": no such file");
  const cp::NpzFile file = cp::load_npz(path);
  check_settings(file, path, options, images);

  TrainingState state;
  const std::vector<std::int64_t> place = numbers_of<std::int64_t>(file, path, kPlaceKey, 3);
  state.epoch = place[0];
  state.position = place[1];
  if (state.epoch < 0 || state.position < 0 || state.position > images || place[2] < 0 ||
      place[2] > images) {
    damaged(path, kPlaceKey);
  }
  state.order = file[kOrderKey];
  const bool is_order =
      state.order.dtype() == cp::int64 && state.order.shape() == cp::Shape{images};
  if (state.position != 0 && (!is_order || cp::amin(state.order).item<std::int64_t>() < 0 ||
                              cp::amax(state.order).item<std::int64_t>() >= images)) {
    damaged(path, kOrderKey);
  }
  const cp::ndarray totals = file[kTotalsKey];
  if (totals.dtype() != cp::float64 || totals.shape() != cp::Shape{2}) damaged(path, kTotalsKey);
  state.totals = Totals(totals, place[2]);
  const cp::ndarray history = file[kHistoryKey];
  if (history.dtype() != cp::float64 || history.ndim() != 2 || history.shape(1) != kColumns) {
    damaged(path, kHistoryKey);
  }
  state.history = history_of(history);
  if (state.epoch >= options.epochs) {
    throw UserError(path + ": is in epoch " + std::to_string(state.epoch + 1) +
                    " already, beyond --epochs=" + std::to_string(options.epochs));
  }

  // All is read and checked before anything changes.
  const std::vector<chainerxx::NamedField> parameters = model.fields(), states = optimizer.fields();
  const std::vector<cp::ndarray> new_parameters = values_of(file, path, kModel, parameters);
  const std::vector<cp::ndarray> new_states = values_of(file, path, kStates, states);
  const std::int64_t updates = numbers_of<std::int64_t>(file, path, kUpdatesKey, 1)[0];
  const auto random = numbers_of<std::uint64_t>(file, path, kRandomKey, 2);
  cp::random::RandomState random_state(0);
  random_state.set_state(random[0], random[1]);
  optimizer.set_t(updates);  // refuses what no training counts
  store(parameters, new_parameters);
  store(states, new_states);
  cp::random::set_state(random_state);
  return state;
}

}  // namespace mnist
