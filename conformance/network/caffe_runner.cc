// SPDX-License-Identifier: MIT
#include "conformance/network/caffe_runner.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <filesystem>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "chainerxx/functions/caffe/caffe_function.h"
#include "cupyxx/creation.h"
#include "cupyxx/io.h"

namespace conformance {
namespace {

namespace caffe = chainerxx::functions::caffe;
using chainerxx::Variable;
using cupyxx::ndarray;

/// A blob that is expected, and its key in the file.
struct Expected {
  std::string blob;
  std::string key;
};

std::vector<Expected> expected_blobs(const cupyxx::NpzFile& file) {
  std::vector<Expected> blobs;
  for (const std::string& key : file.files()) {
    if (key.starts_with("cv_")) blobs.push_back({key.substr(3), key});
  }
  for (const std::string& key : file.files()) {
    if (key.starts_with("ch_") && !file.contains("cv_" + key.substr(3))) {
      blobs.push_back({key.substr(3), key});
    }
  }
  return blobs;
}

std::string compare(const std::string& blob, const ndarray& found, const ndarray& expected,
                    bool has_weights) {
  std::ostringstream text;
  text.precision(9);
  if (found.shape() != expected.shape()) {
    text << blob << ": shape " << found.shape() << " instead of " << expected.shape();
    return text.str();
  }
  if (!has_weights) return {};
  const auto a = found.to_vector<double>(), b = expected.to_vector<double>();
  double scale = 0;
  for (const double value : b) scale = std::max(scale, std::abs(value));
  const double bound = 1e-5 * scale;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (std::abs(a[i] - b[i]) <= bound) continue;
    text << blob << ": element " << i << " is " << a[i] << " instead of " << b[i]
         << "; they may be " << bound << " apart";
    return text.str();
  }
  return {};
}

std::string run_network(const std::string& model, const std::string& results, bool has_weights) {
  const cupyxx::NpzFile file(results);
  const caffe::CaffeFunction network(model);
  std::vector<std::pair<std::string, Variable>> inputs;
  for (const std::string& key : file.files()) {
    if (!key.starts_with("cv_") && !key.starts_with("ch_")) {
      inputs.emplace_back(key, Variable(file[key]));
    }
  }
  const std::vector<Expected> blobs = expected_blobs(file);
  std::vector<std::string> names;
  names.reserve(blobs.size());
  for (const Expected& blob : blobs) names.push_back(blob.blob);
  const auto found = network(inputs, names, {.train = false});
  for (std::size_t i = 0; i < blobs.size(); ++i) {
    const std::string defect =
        compare(blobs[i].blob, found[i].data(), file[blobs[i].key], has_weights);
    if (!defect.empty()) return defect;
  }
  return {};
}

}  // namespace

Count run_caffe(const RunOptions& options, std::ostream& out) {
  namespace fs = std::filesystem;
  std::vector<std::string> names;
  if (fs::is_directory(options.folder)) {
    for (const auto& entry : fs::directory_iterator(options.folder)) {
      if (entry.path().extension() == ".npz") names.push_back(entry.path().stem());
    }
  }
  if (names.empty())
    throw std::runtime_error(cupyxx::message(options.folder, " holds no networks"));
  std::sort(names.begin(), names.end());
  const cupyxx::DeviceScope scope(options.device);
  Report report(options, out);
  for (const std::string& name : names) {
    const std::string stem = options.folder + "/" + name;
    for (const char* kind : {".caffemodel", ".v1.caffemodel", ".prototxt"}) {
      const std::string model = stem + kind;
      if (!fs::exists(model) || !report.wants(name + kind)) continue;
      try {
        report.add(name + kind,
                   run_network(model, stem + ".npz", std::string(kind) != ".prototxt"));
      } catch (const std::exception& error) {
        report.add(name + kind, error.what());
      }
    }
  }
  return report.count();
}

}  // namespace conformance
