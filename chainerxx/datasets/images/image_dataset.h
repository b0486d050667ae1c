// SPDX-License-Identifier: MIT
// Pictures of a folder as examples.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "chainerxx/datasets/dataset.h"
#include "chainerxx/datasets/images/image_file.h"
#include "cupyxx/dtype.h"

namespace chainerxx::datasets {

/// What becomes of an image that cannot be read.
enum class BadImage : std::uint8_t {
  refuse,  ///< an error that names it
  skip     ///< it is left out of its batch; skipped() lists it
};

/// Options of ImageDataset and LabeledImageDataset.
struct ImageDatasetOptions {
  std::string root = ".";                 ///< stands before the paths
  cupyxx::dtype dtype = cupyxx::float32;  ///< of the pixels, from 0 to 255
  cupyxx::dtype label_dtype = cupyxx::int32;
  ImageMode mode = ImageMode::rgb;
  BadImage bad_image = BadImage::refuse;
};

/// A path below the root, and what the image shows.
using LabeledPath = std::pair<std::string, std::int64_t>;

/// Images of files, each (channels, height, width) on the host, read when they are asked for.
/// Copies share the list of those that were skipped.
class CUPYXX_API ImageDataset : public Dataset {
 public:
  /// The paths themselves.
  explicit ImageDataset(std::vector<std::string> paths, const ImageDatasetOptions& options = {});
  /// A text file with a path in each line. Throws cupyxx::IOError.
  explicit ImageDataset(const std::string& list, const ImageDatasetOptions& options = {});

  std::int64_t size() const override { return std::ssize(paths_); }
  Example get_example(std::int64_t i) const override;
  /// Texts of the errors of images that were left out so far, each with its path.
  std::vector<std::string> skipped() const;

 private:
  struct Skipped;
  std::vector<std::string> paths_;
  ImageDatasetOptions options_;
  std::shared_ptr<Skipped> skipped_;
};

/// The same with labels.
class CUPYXX_API LabeledImageDataset : public Dataset {
 public:
  explicit LabeledImageDataset(const std::vector<LabeledPath>& pairs,
                               const ImageDatasetOptions& options = {});
  /// A text file with a path and a number in each line. Throws cupyxx::IOError, naming the line.
  explicit LabeledImageDataset(const std::string& list, const ImageDatasetOptions& options = {});

  std::int64_t size() const override { return images_.size(); }
  Example get_example(std::int64_t i) const override;
  std::vector<std::string> skipped() const { return images_.skipped(); }

 private:
  ImageDataset images_;
  cupyxx::dtype label_dtype_;
  std::vector<std::int64_t> labels_;
};

/// The images of a folder whose own folders are the classes.
struct ImageFolder {
  std::vector<std::string> classes;  ///< names of the folders, sorted
  std::vector<LabeledPath> images;   ///< paths below the root, sorted; numbers of the classes
};
/// Looks for files that end with .jpg, .jpeg or .png; names that begin with a dot, `.git` and
/// `._a.jpg` say, are passed over. A folder without images is a class, too. Throws cupyxx::IOError
/// for a folder that cannot be read and for one without images.
CUPYXX_API ImageFolder list_image_folder(const std::string& root);

}  // namespace chainerxx::datasets
