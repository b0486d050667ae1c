// SPDX-License-Identifier: MIT
#include "chainerxx/training/extensions/snapshot.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <vector>

#include "chainerxx/serializers.h"
#include "chainerxx/training/trainer.h"
#include "cupyxx/error.h"

namespace chainerxx::training::extensions {
namespace {

constexpr std::string_view kIteration = "{.updater.iteration}";
constexpr std::string_view kEpoch = "{.updater.epoch}";

void replace(std::string& text, std::string_view what, std::int64_t number) {
  for (std::size_t at; (at = text.find(what)) != text.npos;) {
    text.replace(at, what.size(), std::to_string(number));
  }
}

std::string file_name(const std::string& pattern, const Updater& updater) {
  std::string name = pattern;
  replace(name, kIteration, updater.iteration());
  replace(name, kEpoch, updater.epoch());
  return name;
}

/// The largest of the numbers that stand in a name where the pattern has them; -1 for another name.
std::int64_t number_in(std::string_view pattern, std::string_view name) {
  std::int64_t largest = 0;
  while (!pattern.empty()) {
    const std::string_view place = pattern.starts_with(kIteration) ? kIteration
                                   : pattern.starts_with(kEpoch)   ? kEpoch
                                                                   : std::string_view();
    if (place.empty()) {
      if (name.empty() || name[0] != pattern[0]) return -1;
      pattern.remove_prefix(1);
      name.remove_prefix(1);
      continue;
    }
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
    if (error != std::errc() || number < 0) return -1;
    largest = std::max(largest, number);
    name.remove_prefix(static_cast<std::size_t>(end - name.data()));
    pattern.remove_prefix(place.size());
  }
  return name.empty() ? largest : -1;
}

/// Files of a folder whose names fit, the oldest first.
std::vector<std::string> find_files(const std::string& folder, const std::string& pattern) {
  std::vector<std::pair<std::int64_t, std::string>> found;
  std::error_code error;
  for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end;
       at.increment(error)) {
    const std::string name = at->path().filename();
    const std::int64_t number = number_in(pattern, name);
    if (number >= 0) found.emplace_back(number, folder + "/" + name);
  }
  std::sort(found.begin(), found.end());
  std::vector<std::string> paths;
  for (auto& [number, path] : found) paths.push_back(std::move(path));
  return paths;
}

template <class Target>
Snapshot object(Target& target, std::string filename, SnapshotOptions options) {
  options.filename = std::move(filename);
  return Snapshot(
      "snapshot_object", std::move(options),
      [&target](Trainer& /*trainer*/, const std::string& path) { save_npz(path, target); },
      [&target](Trainer& /*trainer*/, const std::string& path) { load_npz(path, target); });
}

}  // namespace

Snapshot::Snapshot(std::string name, SnapshotOptions options, Write save, Write load)
    : name_(std::move(name)),
      options_(std::move(options)),
      save_(std::move(save)),
      load_(std::move(load)) {
  if (options_.n_retains < -1 || options_.n_retains == 0) {
    throw cupyxx::ValueError(cupyxx::message(name_, ": keeps ", options_.n_retains, " files"));
  }
  std::string& file = options_.filename;
  if (file.empty() || file.find('/') != file.npos) {
    throw cupyxx::ValueError(
        cupyxx::message(name_, ": \"", file, "\" is no name of a file in the folder"));
  }
  std::string rest = file;
  replace(rest, kIteration, 0);
  replace(rest, kEpoch, 0);
  if (rest.find_first_of("{}") != rest.npos) {
    // Each file would take the place of the one before it.
    throw cupyxx::ValueError(cupyxx::message(name_, ": \"", file, "\" has another place than ",
                                             kIteration, " and ", kEpoch));
  }
  if (!file.ends_with(".npz")) file += ".npz";  // as savez does
}

void Snapshot::operator()(Trainer& trainer) {
  save_(trainer, path(trainer));
  if (options_.n_retains > 0) remove_old(trainer.out());
}

std::string Snapshot::path(const Trainer& trainer) const {
  return trainer.out() + "/" + file_name(options_.filename, trainer.updater());
}

void Snapshot::on_error(Trainer& trainer, const std::exception_ptr& /*error*/) {
  if (!options_.snapshot_on_error || trainer.is_before_training()) return;
  std::error_code error;
  // Beside those of before, which stay: this one may hold what went wrong.
  if (!std::filesystem::exists(path(trainer), error)) save_(trainer, path(trainer));
}

void Snapshot::remove_old(const std::string& folder) const {
  const std::vector<std::string> files = find_files(folder, options_.filename);
  for (std::int64_t i = 0; i + options_.n_retains < std::ssize(files); ++i) {
    std::error_code error;
    std::filesystem::remove(files[i], error);
    if (error) {
      throw cupyxx::IOError(
          cupyxx::message(name_, ": cannot remove ", files[i], "; ", error.message()));
    }
  }
}

void Snapshot::initialize(Trainer& trainer) {
  if (!options_.autoload) return;
  const std::vector<std::string> files = find_files(trainer.out(), options_.filename);
  if (files.empty()) return;
  const auto told = [&](const cupyxx::Error& error) {
    return cupyxx::message(name_, ": cannot go on from ", files.back(), "; ", error.what(),
                           "; without this file the training goes on from ",
                           files.size() > 1 ? files[files.size() - 2] : "its beginning");
  };
  try {
    load_(trainer, files.back());
  } catch (const cupyxx::IOError& error) {
    throw cupyxx::IOError(told(error));
  } catch (const cupyxx::ValueError& error) {
    throw cupyxx::ValueError(told(error));
  }
  if (options_.n_retains > 0) remove_old(trainer.out());  // what an earlier run came not to
}

Snapshot snapshot(const SnapshotOptions& options) {
  return Snapshot(
      "snapshot", options,
      [](Trainer& trainer, const std::string& path) { save_npz(path, trainer); },
      [](Trainer& trainer, const std::string& path) { load_npz(path, trainer); });
}

Snapshot snapshot_object(FunctionSet& target, std::string filename, SnapshotOptions options) {
  return object(target, std::move(filename), std::move(options));
}

Snapshot snapshot_object(Optimizer& target, std::string filename, SnapshotOptions options) {
  return object(target, std::move(filename), std::move(options));
}

}  // namespace chainerxx::training::extensions
