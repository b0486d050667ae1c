// SPDX-License-Identifier: MIT
// The states of objects in one npz file, and back. An object of one's own says once what it keeps:
//
//   void MyExtension::serialize(Serializer& s) {
//     std::int64_t count = count_;
//     s("count", count);                  // writes it, or reads it into `count`
//     if (s.commits()) count_ = count;    // true once all of the file has been found good
//   }
//
// A file is gone through twice: first everything is read and checked, then everything is taken
// over. So loading changes nothing unless all can be loaded.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "chainerxx/training/callback.h"
#include "cupyxx/export.h"
#include "cupyxx/ndarray.h"

namespace cupyxx::random {
struct State;
}

namespace chainerxx {

class FunctionSet;
class Optimizer;
namespace internal {
struct UnsizedLayer;
}

}  // namespace chainerxx

namespace chainerxx::training {

using cupyxx::ndarray;

/// A place in a file of states: what is written or read here has names that begin with the place's
/// own, "updater/iteration". Reading throws ValueError, naming the file and the entry, for what is
/// missing or of another kind or shape.
class CUPYXX_API Serializer {
 public:
  /// The place below this one.
  Serializer operator[](std::string_view name) const;

  /// Whether states are written; else they are read.
  bool is_saving() const;
  /// Whether what was read is to be taken over now.
  bool commits() const;
  /// Whether something of this name, or below it, is in the file; true while saving.
  bool contains(std::string_view name) const;

  /// Writes a number or text, or sets it to what the file has.
  void operator()(std::string_view name, std::int64_t& value) const;
  void operator()(std::string_view name, std::uint64_t& value) const;
  void operator()(std::string_view name, double& value) const;
  void operator()(std::string_view name, bool& value) const;
  void operator()(std::string_view name, std::string& value) const;
  void operator()(std::string_view name, std::vector<std::int64_t>& values) const;
  void operator()(std::string_view name, std::vector<double>& values) const;
  /// The same for where a stream of random numbers stands.
  void operator()(std::string_view name, cupyxx::random::State& state) const;
  /// The same for a number of steps, passes or examples, which is between 0 and 2^53: one can be
  /// added to what comes from a file. Throws ValueError for another.
  void count(std::string_view name, std::int64_t& value) const;
  /// Writes an array, or copies the file's elements into it when it commits: shape and dtype must
  /// be the same.
  void operator()(std::string_view name, const ndarray& array) const;
  /// All arrays of a model; t and the states of an optimizer. Layers that wait for their sizes take
  /// those of the file. Entries of the file below this place
  /// that the model does not have are an error, too.
  void operator()(std::string_view name, FunctionSet& model) const;
  void operator()(std::string_view name, Optimizer& optimizer) const;

  /// Throws the ValueError of an entry whose value cannot be: "FILE: updater/position is -1;
  /// REASON".
  [[noreturn]] void refuse(std::string_view name, const std::string& reason) const;

 private:
  friend CUPYXX_API void save_state(const std::string& path,
                                    const Callback<void(Serializer&)>& body);
  friend CUPYXX_API void load_state(const std::string& path,
                                    const Callback<void(Serializer&)>& body);
  struct Archive;
  Serializer(std::shared_ptr<Archive> archive, std::string prefix);
  ndarray read(std::string_view name) const;
  void size(const internal::UnsizedLayer& layer) const;
  void write(std::string_view name, const ndarray& value) const;

  std::shared_ptr<Archive> archive_;
  std::string prefix_;
};

/// Writes what `body` gives to its argument, as an npz file that replaces an earlier one only when
/// it is whole. Synchronises. Throws IOError.
CUPYXX_API void save_state(const std::string& path, const Callback<void(Serializer&)>& body);
/// Calls `body` twice, to check and to take over. Throws IOError for a file that is missing or
/// damaged and ValueError for one of something else; then nothing has changed, but that layers
/// which waited for their sizes may have them.
CUPYXX_API void load_state(const std::string& path, const Callback<void(Serializer&)>& body);

}  // namespace chainerxx::training
