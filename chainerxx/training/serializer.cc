// SPDX-License-Identifier: MIT
#include "chainerxx/training/serializer.h"

#include <optional>
#include <set>
#include <utility>

#include "chainerxx/function_set.h"
#include "chainerxx/internal/npz_path.h"
#include "chainerxx/optimizer.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/io.h"
#include "cupyxx/random.h"

namespace chainerxx::training {

namespace cp = cupyxx;

struct Serializer::Archive {
  enum class Mode : std::uint8_t { saving, checking, committing };

  std::string path;
  Mode mode = Mode::saving;
  cp::NamedArrays written;
  std::optional<cp::NpzFile> file;
  std::set<std::string, std::less<>> read;
};

namespace {

std::string describe(const ndarray& a) {
  return cp::message(a.shape(), " ", std::string(a.dtype().name()));
}

template <class T>
ndarray on_host(const std::vector<T>& values) {
  const cp::DeviceScope host(cp::Device::cpu());
  return cp::array(values);
}

}  // namespace

Serializer::Serializer(std::shared_ptr<Archive> archive, std::string prefix)
    : archive_(std::move(archive)), prefix_(std::move(prefix)) {}

Serializer Serializer::operator[](std::string_view name) const {
  return Serializer(archive_, cp::message(prefix_, name, "/"));
}

bool Serializer::is_saving() const { return archive_->mode == Archive::Mode::saving; }

bool Serializer::commits() const { return archive_->mode == Archive::Mode::committing; }

bool Serializer::contains(std::string_view name) const {
  if (is_saving()) return true;
  const std::string key = cp::message(prefix_, name), below = key + "/";
  for (const std::string& one : archive_->file->files()) {
    if (one == key || one.starts_with(below)) return true;
  }
  return false;
}

void Serializer::refuse(std::string_view name, const std::string& reason) const {
  throw cp::ValueError(cp::message(archive_->path, ": ", prefix_, name, " ", reason));
}

ndarray Serializer::read(std::string_view name) const {
  const std::string key = cp::message(prefix_, name);
  if (!archive_->file->contains(key)) refuse(name, "is not in the file");
  archive_->read.insert(key);
  const cp::DeviceScope host(cp::Device::cpu());
  return (*archive_->file)[key];
}

void Serializer::write(std::string_view name, const ndarray& value) const {
  archive_->written.emplace_back(cp::message(prefix_, name), value.to_cpu());
}

void Serializer::operator()(std::string_view name, std::int64_t& value) const {
  std::vector<std::int64_t> values = {value};
  (*this)(name, values);
  if (values.size() != 1) refuse(name, cp::message("has ", values.size(), " values, not 1"));
  value = values[0];
}

void Serializer::operator()(std::string_view name, std::uint64_t& value) const {
  if (is_saving()) return write(name, on_host(std::vector<std::uint64_t>{value}));
  const ndarray found = read(name);
  if (found.dtype() != cp::uint64 || found.size() != 1) {
    refuse(name, cp::message("is ", describe(found), ", not one uint64"));
  }
  value = found.reshape(cp::Shape{1}).to_vector<std::uint64_t>()[0];
}

void Serializer::operator()(std::string_view name, double& value) const {
  std::vector<double> values = {value};
  (*this)(name, values);
  if (values.size() != 1) refuse(name, cp::message("has ", values.size(), " values, not 1"));
  value = values[0];
}

void Serializer::operator()(std::string_view name, bool& value) const {
  std::int64_t number = value ? 1 : 0;
  (*this)(name, number);
  if (number != 0 && number != 1) refuse(name, cp::message("is ", number, ", not 0 or 1"));
  value = number == 1;
}

void Serializer::operator()(std::string_view name, std::string& value) const {
  if (is_saving()) {
    return write(name, on_host(std::vector<std::uint8_t>(value.begin(), value.end())));
  }
  const ndarray found = read(name);
  if (found.dtype() != cp::uint8 || found.ndim() != 1) {
    refuse(name, cp::message("is ", describe(found), ", not bytes of a text"));
  }
  const std::vector<std::uint8_t> bytes = found.to_vector<std::uint8_t>();
  value.assign(bytes.begin(), bytes.end());
}

void Serializer::operator()(std::string_view name, std::vector<std::int64_t>& values) const {
  if (is_saving()) return write(name, on_host(values));
  const ndarray found = read(name);
  if (found.dtype() != cp::int64 || found.ndim() > 1) {
    refuse(name, cp::message("is ", describe(found), ", not a list of int64"));
  }
  values = found.to_vector<std::int64_t>();
}

void Serializer::operator()(std::string_view name, std::vector<double>& values) const {
  if (is_saving()) return write(name, on_host(values));
  const ndarray found = read(name);
  if (found.dtype() != cp::float64 || found.ndim() > 1) {
    refuse(name, cp::message("is ", describe(found), ", not a list of float64"));
  }
  values = found.to_vector<double>();
}

void Serializer::operator()(std::string_view name, cp::random::State& state) const {
  const Serializer here = (*this)[name];
  here("seed", state.seed);
  here("offset", state.offset);
}

void Serializer::count(std::string_view name, std::int64_t& value) const {
  (*this)(name, value);
  if (value < 0 || value > (std::int64_t{1} << 53)) refuse(name, cp::message("is ", value));
}

void Serializer::operator()(std::string_view name, const ndarray& array) const {
  if (is_saving()) return write(name, array);
  const ndarray found = read(name);
  if (found.shape() != array.shape() || found.dtype() != array.dtype()) {
    refuse(name, cp::message("is ", describe(found), ", not ", describe(array)));
  }
  if (commits()) array.set(found);
}

void Serializer::operator()(std::string_view name, FunctionSet& model) const {
  const Serializer here = (*this)[name];
  for (const internal::UnsizedLayer& layer : internal::unsized_layers(model)) here.size(layer);
  for (const NamedField& field : model.fields()) here(field.name, *field.array);
}

/// A parameter without a size is an empty array in a file; another one gives the layer its size.
void Serializer::size(const internal::UnsizedLayer& layer) const {
  const cp::Shape empty = {0};
  if (is_saving()) {
    const cp::DeviceScope host(cp::Device::cpu());
    return write(layer.first_array, cp::zeros(empty, cp::float32));
  }
  const ndarray found = read(layer.first_array);
  if (found.shape() == empty || layer.size(found.shape())) return;
  refuse(layer.first_array,
         cp::message("is ", describe(found), ", which no layer of this type has"));
}

void Serializer::operator()(std::string_view name, Optimizer& optimizer) const {
  if (optimizer.groups().empty()) {
    throw cp::ValueError(cp::message(archive_->path, ": ", prefix_, name,
                                     " is an optimizer without parameters; setup() comes first"));
  }
  const Serializer here = (*this)[name];
  std::int64_t t = optimizer.t();
  here.count("t", t);
  for (const NamedField& field : optimizer.fields()) here(field.name, *field.array);
  if (commits()) optimizer.set_t(t);
}

void save_state(const std::string& path, const Callback<void(Serializer&)>& body) {
  const auto archive = std::make_shared<Serializer::Archive>();
  archive->path = path;
  Serializer root(archive, "");
  body(root);
  cp::savez(path, archive->written);
}

void load_state(const std::string& given, const Callback<void(Serializer&)>& body) {
  using Mode = Serializer::Archive::Mode;
  const std::string path = chainerxx::internal::saved_npz(given);
  const auto archive = std::make_shared<Serializer::Archive>();
  archive->path = path;
  archive->file.emplace(path);
  Serializer root(archive, "");
  archive->mode = Mode::checking;
  body(root);
  // Extensions and devices come and go between runs; what else is in the file belongs to something.
  for (const std::string& name : archive->file->files()) {
    if (archive->read.contains(name) || name.starts_with("extension") ||
        name.starts_with("random/")) {
      continue;
    }
    throw cp::ValueError(cp::message(path, ": holds ", name, ", which is not here"));
  }
  archive->mode = Mode::committing;
  body(root);
}

}  // namespace chainerxx::training
