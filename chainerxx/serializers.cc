// SPDX-License-Identifier: MIT
#include "chainerxx/serializers.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "chainerxx/internal/npz_path.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/io.h"

namespace chainerxx {
namespace {

/// What a file has for a parameter without a size: an empty array.
ndarray no_size() {
  const cupyxx::DeviceScope host(cupyxx::Device::cpu());
  return cupyxx::zeros({0}, cupyxx::float32);
}

/// What was read for each field that fits; null for the others.
struct Loaded {
  LoadReport report;
  std::vector<ndarray> values;
};

std::string describe(const ndarray& a) { return cupyxx::message(a.shape(), " ", a.dtype().name()); }

/// The arrays of fields on the host, after those that are given.
cupyxx::NamedArrays gather(const std::vector<NamedField>& fields, cupyxx::NamedArrays arrays = {}) {
  for (const NamedField& field : fields) arrays.emplace_back(field.name, field.array->to_cpu());
  return arrays;
}

/// What a model or a layer of its own has, and what of it waits for a size.
std::vector<NamedField> fields_of(FunctionSet& model) { return model.fields(); }
std::vector<NamedField> fields_of(Function& layer) {
  std::vector<NamedField> fields;
  for (const Field& field : layer.fields()) {
    if (!field.array->is_none()) fields.push_back({field.name, field.array, field.gradient});
  }
  return fields;
}
std::vector<internal::UnsizedLayer> waiting(FunctionSet& model) {
  return internal::unsized_layers(model);
}
std::vector<internal::UnsizedLayer> waiting(Function& layer) {
  if (layer.is_initialized()) return {};
  return {{layer.fields()[0].name, &layer}};
}

/// Gives layers the sizes that their arrays have in a file.
template <class File, class Model>
void take_sizes(const File& file, Model& model) {
  for (const internal::UnsizedLayer& layer : waiting(model)) {
    if (!file.contains(layer.first_array)) continue;
    const cupyxx::Shape shape = file[layer.first_array].shape();
    if (shape != cupyxx::Shape{0}) layer.size(shape);
  }
}

/// The arrays of a model on the host, and what stands for those without a size.
template <class Model>
cupyxx::NamedArrays gather_model(Model& model) {
  cupyxx::NamedArrays arrays = gather(fields_of(model));
  for (const internal::UnsizedLayer& layer : waiting(model)) {
    arrays.emplace_back(layer.first_array, no_size());
  }
  return arrays;
}

/// Whether only Chainer writes such an entry of an optimizer: its count of passes, and the updates
/// of each parameter, which are those of all.
bool is_of_chainer(const std::string& name) { return name == "epoch" || name.ends_with("/t"); }

/// `empty_in_file`: arrays that are to have no size there.
template <class File>
Loaded read(const char* operation, const std::string& path, const File& file,
            const std::vector<NamedField>& fields, const LoadOptions& options,
            const std::vector<std::string>& empty_in_file = {}, bool of_optimizer = false) {
  const cupyxx::DeviceScope host(cupyxx::Device::cpu());
  Loaded loaded;
  for (const NamedField& field : fields) {
    loaded.values.emplace_back();
    if (!file.contains(field.name)) {
      loaded.report.missing.push_back(field.name);
      continue;
    }
    const ndarray value = file[field.name];
    const ndarray& target = *field.array;
    const bool fits = value.shape() == target.shape() &&
                      cupyxx::can_cast(value.dtype(), target.dtype(), cupyxx::Casting::same_kind);
    if (!fits) {
      loaded.report.misshaped.push_back(field.name + " " + describe(value) + " instead of " +
                                        describe(target));
      continue;
    }
    loaded.values.back() = value.astype(target.dtype(), false).to(target.device());
  }
  std::unordered_set<std::string> known;
  for (const NamedField& field : fields) known.insert(field.name);
  for (const std::string& name : empty_in_file) {
    known.insert(name);
    if (!file.contains(name)) {
      loaded.report.missing.push_back(name);
    } else if (const ndarray value = file[name]; value.shape() != cupyxx::Shape{0}) {
      loaded.report.misshaped.push_back(name + " " + describe(value) +
                                        " for a layer without a size");
    }
  }
  for (const std::string& name : file.files()) {
    if (known.count(name) != 0 || (of_optimizer && is_of_chainer(name))) continue;
    loaded.report.unexpected.push_back(name);
  }
  if (options.strict && !loaded.report.is_complete()) {
    throw cupyxx::ValueError(
        cupyxx::message(operation, ": ", path, " does not match; ", loaded.report));
  }
  return loaded;
}

LoadReport store(const std::vector<NamedField>& fields, Loaded loaded) {
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (!loaded.values[i].is_none()) fields[i].array->set(loaded.values[i]);
  }
  return std::move(loaded.report);
}

void append(std::string& text, const char* title, const std::vector<std::string>& names) {
  if (names.empty()) return;
  if (!text.empty()) text += "; ";
  text += title;
  for (std::size_t i = 0; i < names.size(); ++i) text += (i == 0 ? " " : ", ") + names[i];
}

ndarray counter(std::int64_t t) {
  const cupyxx::DeviceScope host(cupyxx::Device::cpu());
  return cupyxx::array(cupyxx::Scalar(t), cupyxx::int64);
}

/// Refuses an optimizer that has no states yet, of which only t would be saved or loaded.
void check_setup(const char* operation, const Optimizer& optimizer) {
  if (!optimizer.groups().empty()) return;
  throw cupyxx::ValueError(
      cupyxx::message(operation, ": setup() comes first; the optimizer has no parameters yet"));
}

template <class File, class Model>
LoadReport load_model(const char* operation, const std::string& path, Model& model,
                      const LoadOptions& options) {
  const cupyxx::DeviceScope host(cupyxx::Device::cpu());
  const File file(path);
  take_sizes(file, model);
  std::vector<std::string> still_waiting;
  for (const internal::UnsizedLayer& layer : waiting(model)) {
    still_waiting.push_back(layer.first_array);
  }
  const std::vector<NamedField> fields = fields_of(model);
  return store(fields, read(operation, path, file, fields, options, still_waiting));
}

template <class File>
LoadReport load(const char* operation, const std::string& path, Optimizer& optimizer,
                const LoadOptions& options) {
  check_setup(operation, optimizer);
  ndarray t = counter(optimizer.t());
  std::vector<NamedField> fields = optimizer.fields();
  fields.push_back({"t", &t, nullptr});
  Loaded loaded = read(operation, path, File(path), fields, options, {}, true);
  // Refuses what no training counts, before anything is changed.
  if (const ndarray& count = loaded.values.back(); !count.is_none()) {
    optimizer.set_t(count.item<std::int64_t>());
  }
  return store(fields, std::move(loaded));
}

}  // namespace

std::string LoadReport::str() const {
  std::string text;
  append(text, "missing", missing);
  append(text, "unexpected", unexpected);
  append(text, "misshaped", misshaped);
  return text;
}

void save_npz(const std::string& path, FunctionSet& model) {
  cupyxx::savez(path, gather_model(model));
}

void save_npz(const std::string& path, Function& layer) {
  cupyxx::savez(path, gather_model(layer));
}

void save_npz(const std::string& path, Optimizer& optimizer) {
  check_setup("save_npz", optimizer);
  cupyxx::savez(path, gather(optimizer.fields(), {{"t", counter(optimizer.t())}}));
}

void save_safetensors(const std::string& path, FunctionSet& model) {
  cupyxx::save_safetensors(path, gather_model(model));
}

void save_safetensors(const std::string& path, Function& layer) {
  cupyxx::save_safetensors(path, gather_model(layer));
}

void save_safetensors(const std::string& path, Optimizer& optimizer) {
  check_setup("save_safetensors", optimizer);
  cupyxx::save_safetensors(path, gather(optimizer.fields(), {{"t", counter(optimizer.t())}}));
}

LoadReport load_npz(const std::string& path, FunctionSet& model, const LoadOptions& options) {
  return load_model<cupyxx::NpzFile>("load_npz", internal::saved_npz(path), model, options);
}

LoadReport load_npz(const std::string& path, Function& layer, const LoadOptions& options) {
  return load_model<cupyxx::NpzFile>("load_npz", internal::saved_npz(path), layer, options);
}

LoadReport load_npz(const std::string& path, Optimizer& optimizer, const LoadOptions& options) {
  return load<cupyxx::NpzFile>("load_npz", internal::saved_npz(path), optimizer, options);
}

LoadReport load_safetensors(const std::string& path, FunctionSet& model,
                            const LoadOptions& options) {
  return load_model<cupyxx::SafetensorsFile>("load_safetensors", path, model, options);
}

LoadReport load_safetensors(const std::string& path, Function& layer, const LoadOptions& options) {
  return load_model<cupyxx::SafetensorsFile>("load_safetensors", path, layer, options);
}

LoadReport load_safetensors(const std::string& path, Optimizer& optimizer,
                            const LoadOptions& options) {
  return load<cupyxx::SafetensorsFile>("load_safetensors", path, optimizer, options);
}

}  // namespace chainerxx
