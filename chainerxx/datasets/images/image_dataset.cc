// SPDX-License-Identifier: MIT
#include "chainerxx/datasets/images/image_dataset.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <system_error>

#include "cupyxx/creation.h"
#include "cupyxx/error.h"

namespace chainerxx::datasets {
namespace {

namespace cp = cupyxx;

std::vector<std::string> read_lines(const std::string& path) {
  // A pipe would be waited for, and a device may have no end.
  std::error_code error;
  const bool is_file = std::filesystem::is_regular_file(path, error);
  std::ifstream file;
  if (is_file) file.open(path);
  if (!is_file || !file) throw cp::IOError(cp::message(path, ": cannot be read"));
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    lines.push_back(line);
  }
  if (file.bad()) throw cp::IOError(cp::message(path, ": cannot be read to its end"));
  return lines;
}

std::vector<std::string> read_paths(const std::string& path) {
  std::vector<std::string> lines = read_lines(path);
  std::erase(lines, "");
  return lines;
}

std::vector<LabeledPath> read_pairs(const std::string& path) {
  std::vector<LabeledPath> pairs;
  const std::vector<std::string> lines = read_lines(path);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string& line = lines[i];
    if (line.empty()) continue;
    const std::size_t blank = line.find_last_of(" \t");
    std::int64_t label = 0;
    const char* end = line.data() + line.size();
    bool has_label = blank != line.npos && blank > 0 && blank + 1 < line.size();
    if (has_label) {
      const auto [stop, error] = std::from_chars(line.data() + blank + 1, end, label);
      has_label = stop == end && error == std::errc();  // also where it exceeds 64 bits
    }
    if (!has_label) {
      throw cp::IOError(
          cp::message(path, ": line ", i + 1, " is no path with a label: \"", line, "\""));
    }
    pairs.emplace_back(line.substr(0, line.find_last_not_of(" \t", blank) + 1), label);
  }
  return pairs;
}

std::vector<std::string> paths_of(const std::vector<LabeledPath>& pairs) {
  std::vector<std::string> paths;
  paths.reserve(pairs.size());
  for (const auto& [path, label] : pairs) paths.push_back(path);
  return paths;
}

bool is_image(const std::filesystem::path& path) {
  std::string end = path.extension();
  for (char& c : end) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return end == ".jpg" || end == ".jpeg" || end == ".png";
}

/// Names in a folder that fit, sorted.
template <class Fits>
std::vector<std::string> names_in(const std::string& folder, Fits fits) {
  std::error_code error;
  std::vector<std::string> names;
  for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end;
       at.increment(error)) {
    const std::string name = at->path().filename();
    if (!name.starts_with('.') && fits(*at)) names.push_back(name);
  }
  if (error) throw cp::IOError(cp::message(folder, ": cannot be listed; ", error.message()));
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace

struct ImageDataset::Skipped {
  std::mutex mutex;
  std::vector<std::string> texts;
};

ImageDataset::ImageDataset(std::vector<std::string> paths, const ImageDatasetOptions& options)
    : paths_(std::move(paths)), options_(options), skipped_(std::make_shared<Skipped>()) {}

ImageDataset::ImageDataset(const std::string& list, const ImageDatasetOptions& options)
    : ImageDataset(read_paths(list), options) {}

Example ImageDataset::get_example(std::int64_t i) const {
  try {
    const std::string& path = paths_[i];
    const ndarray image =
        read_image(path.starts_with('/') ? path : options_.root + "/" + path, options_.mode);
    return {image.astype(options_.dtype, false)};
  } catch (const cp::IOError& error) {
    if (options_.bad_image == BadImage::refuse) throw;
    const std::lock_guard lock(skipped_->mutex);
    std::vector<std::string>& texts = skipped_->texts;
    if (std::find(texts.begin(), texts.end(), error.what()) == texts.end()) {
      texts.emplace_back(error.what());
    }
    return {};
  }
}

std::vector<std::string> ImageDataset::skipped() const {
  const std::lock_guard lock(skipped_->mutex);
  return skipped_->texts;
}

LabeledImageDataset::LabeledImageDataset(const std::vector<LabeledPath>& pairs,
                                         const ImageDatasetOptions& options)
    : images_(paths_of(pairs), options), label_dtype_(options.label_dtype) {
  for (const auto& [path, label] : pairs) labels_.push_back(label);
}

LabeledImageDataset::LabeledImageDataset(const std::string& list,
                                         const ImageDatasetOptions& options)
    : LabeledImageDataset(read_pairs(list), options) {}

Example LabeledImageDataset::get_example(std::int64_t i) const {
  Example example = images_.get_example(i);
  if (example.empty()) return example;
  const cp::DeviceScope host(cp::Device::cpu());
  example.push_back(cp::array(cp::Scalar(labels_[i]), label_dtype_));
  return example;
}

ImageFolder list_image_folder(const std::string& root) {
  ImageFolder found;
  found.classes = names_in(root, [](const auto& entry) { return entry.is_directory(); });
  for (std::size_t i = 0; i < found.classes.size(); ++i) {
    const std::string& name = found.classes[i];
    for (const std::string& file :
         names_in(root + "/" + name, [](const auto& entry) { return is_image(entry.path()); })) {
      found.images.emplace_back(name + "/" + file, static_cast<std::int64_t>(i));
    }
  }
  if (found.images.empty()) {
    throw cp::IOError(cp::message(root, ": has no folders with images (.jpg, .jpeg, .png)"));
  }
  return found;
}

}  // namespace chainerxx::datasets
