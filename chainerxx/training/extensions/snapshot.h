// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <exception>
#include <string>
#include <utility>

#include "chainerxx/training/callback.h"
#include "chainerxx/training/extension.h"

namespace chainerxx {
class FunctionSet;
class Optimizer;
}  // namespace chainerxx

namespace chainerxx::training::extensions {

/// Options of snapshots.
struct SnapshotOptions {
  /// In the trainer's folder. "{.updater.iteration}" and "{.updater.epoch}" stand for the numbers.
  std::string filename = "snapshot_iter_{.updater.iteration}.npz";
  std::int64_t n_retains = -1;  ///< files that are kept, the latest; -1: all
  /// Goes on from the latest file of such a name in the folder, if there is one.
  bool autoload = false;
  /// Writes a file, too, when an update or an extension throws, unless there is one of this step:
  /// what goes on from it begins with the batch after the one that failed.
  bool snapshot_on_error = false;
};

/// A file from which a training goes on as if it had never stopped: to the same bits on the same
/// device. It replaces an earlier one only when it is whole.
class CUPYXX_API Snapshot final : public Extension {
 public:
  using Write = Callback<void(Trainer&, const std::string& path)>;
  /// What is written and read is somebody else's: see snapshot() and snapshot_object(). Throws
  /// ValueError for a number of files that is 0 or below -1, for an empty name, one that leaves
  /// the folder, and one with other words in braces.
  Snapshot(std::string name, SnapshotOptions options, Write save, Write load);

  /// Writes the file, and removes those that are too many.
  void operator()(Trainer& trainer) override;
  std::string default_name() const override { return name_; }
  TriggerArg default_trigger() const override { return {1, "epoch"}; }
  /// Behind everything else, whose states it writes.
  int default_priority() const override { return -100; }
  /// Writes a file, if it is to.
  void on_error(Trainer& trainer, const std::exception_ptr& error) override;
  /// Loads, if it is to. Throws IOError for a file that is damaged, ValueError for one of another
  /// training.
  void initialize(Trainer& trainer) override;

 private:
  std::string path(const Trainer& trainer) const;
  void remove_old(const std::string& folder) const;

  std::string name_;
  SnapshotOptions options_;
  Write save_, load_;
};

/// A snapshot of the whole trainer: model, optimizer, iterator, random numbers, extensions.
CUPYXX_API Snapshot snapshot(const SnapshotOptions& options = {});
/// A snapshot of a model or of an optimizer alone, which must live as long; the file's name stands
/// first, "model_{.updater.epoch}.npz".
CUPYXX_API Snapshot snapshot_object(FunctionSet& target, std::string filename,
                                    SnapshotOptions options = {});
CUPYXX_API Snapshot snapshot_object(Optimizer& target, std::string filename,
                                    SnapshotOptions options = {});

}  // namespace chainerxx::training::extensions
