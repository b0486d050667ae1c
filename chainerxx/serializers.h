// SPDX-License-Identifier: MIT
// Models and optimizers in files that others read as well, npz and safetensors: "l1/W", "l1/b" for
// a model, "t" and "l1/W/m" for an optimizer. Saving replaces the file only when all is written;
// loading changes nothing unless all can be loaded.
#pragma once

#include <string>
#include <vector>

#include "chainerxx/function_set.h"
#include "chainerxx/optimizer.h"
#include "cupyxx/export.h"

namespace chainerxx {

/// How a file differs from what it was loaded into.
struct LoadReport {
  std::vector<std::string> missing;     ///< not in the file; kept as they were
  std::vector<std::string> unexpected;  ///< in the file only; ignored
  std::vector<std::string> misshaped;   ///< of another shape or kind of dtype; kept as they were

  bool is_complete() const { return missing.empty() && unexpected.empty() && misshaped.empty(); }
  /// All differences in one line; empty when there are none.
  CUPYXX_API std::string str() const;
};

/// Options of load_npz and load_safetensors.
struct LoadOptions {
  bool strict = true;  ///< any difference is a ValueError with the report
};

/// Writes all arrays of a set, an empty one for a parameter that has no size yet, to `path` with
/// ".npz" appended unless it ends so. Synchronises; throws IOError and leaves an earlier file as it
/// was.
CUPYXX_API void save_npz(const std::string& path, FunctionSet& model);
/// Those of one layer, as "W" and "b".
CUPYXX_API void save_npz(const std::string& path, Function& layer);
/// Writes t and the states of an optimizer.
CUPYXX_API void save_npz(const std::string& path, Optimizer& optimizer);

/// Copies arrays of a file into those of a set, on their devices and in their dtypes. Layers that
/// wait for their sizes (see InputSize) take those of the file, and keep them if it does not match
/// otherwise. A path without ".npz" is that of a file of this name, or else of what save_npz made
/// of it. Throws IOError for a file that is missing or damaged.
CUPYXX_API LoadReport load_npz(const std::string& path, FunctionSet& model,
                               const LoadOptions& options = {});
/// The same for one layer, of a file that was made of one.
CUPYXX_API LoadReport load_npz(const std::string& path, Function& layer,
                               const LoadOptions& options = {});
/// The same for an optimizer, after setup(). What only Chainer writes, `epoch` and `l1/W/t`, is
/// passed over.
CUPYXX_API LoadReport load_npz(const std::string& path, Optimizer& optimizer,
                               const LoadOptions& options = {});

/// The same with safetensors files.
CUPYXX_API void save_safetensors(const std::string& path, FunctionSet& model);
CUPYXX_API void save_safetensors(const std::string& path, Function& layer);
CUPYXX_API void save_safetensors(const std::string& path, Optimizer& optimizer);
CUPYXX_API LoadReport load_safetensors(const std::string& path, FunctionSet& model,
                                       const LoadOptions& options = {});
CUPYXX_API LoadReport load_safetensors(const std::string& path, Function& layer,
                                       const LoadOptions& options = {});
CUPYXX_API LoadReport load_safetensors(const std::string& path, Optimizer& optimizer,
                                       const LoadOptions& options = {});

/// Chainer's place of these names.
namespace serializers {
using chainerxx::load_npz, chainerxx::load_safetensors;
using chainerxx::save_npz, chainerxx::save_safetensors;
}  // namespace serializers

}  // namespace chainerxx
