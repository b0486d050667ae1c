// SPDX-License-Identifier: MIT
// Data for several ranks: a dataset that is divided once, and an order of samples that is the same
// for any number of ranks.
#pragma once

#include <cstdint>

#include "cupyxx/comm.h"
#include "cupyxx/export.h"
#include "cupyxx/ndarray.h"

namespace chainerxx {

/// Options of scatter_index and scatter_dataset, with ChainerMN's names.
struct ScatterOptions {
  int root = 0;
  bool shuffle = false;
  std::uint64_t seed = 0;          ///< of the order, with `shuffle`
  bool force_equal_length = true;  ///< some samples come twice, so that all ranks have as many
};

/// This rank's samples of 0 to count - 1, int64 on the host; those of all ranks together are all.
/// Nothing is sent. Throws ValueError for a negative count.
CUPYXX_API cupyxx::ndarray scatter_index(std::int64_t count,
                                         const cupyxx::comm::Communicator& communicator,
                                         const ScatterOptions& options = {});
/// This rank's rows of the root's array, on the root array's kind of device; `dataset` may be None
/// elsewhere. Arrays that belong together (images and labels) are divided in the same way.
CUPYXX_API cupyxx::ndarray scatter_dataset(const cupyxx::ndarray& dataset,
                                           const cupyxx::comm::Communicator& communicator,
                                           const ScatterOptions& options = {});

/// Where a sampler is, for snapshots.
struct SamplerState {
  std::int64_t epoch = 0;
  std::int64_t position = 0;  ///< samples of the epoch that all ranks together have had
};

/// Options of MultiNodeSampler.
struct SamplerOptions {
  bool shuffle = true;  ///< in another order in each epoch
  std::uint64_t seed = 0;
};

/// Divides batches over the ranks. The order of an epoch's samples, and which are in a batch,
/// follow from the seed and the number of the epoch alone: with another number of ranks the batches
/// are the same, and training may go on in the middle of an epoch.
///
///   chainerxx::MultiNodeSampler sampler(images, 256, comm, {.seed = 1});
///   while (sampler.state().epoch < 10) {
///     const ndarray mine = sampler.next();             // numbers of samples
///   }
class CUPYXX_API MultiNodeSampler {
 public:
  /// Batches of `batch_size` of `count` samples, over all ranks; the last one of an epoch is left
  /// out unless it is full. Throws ValueError for a batch that is larger than the dataset, or that
  /// the number of ranks does not divide.
  MultiNodeSampler(std::int64_t count, std::int64_t batch_size,
                   const cupyxx::comm::Communicator& communicator,
                   const SamplerOptions& options = {});

  /// This rank's part of the next batch, int64 on the host. Behind the last batch of an epoch the
  /// next epoch begins.
  cupyxx::ndarray next();
  std::int64_t batches_per_epoch() const { return count_ / batch_size_; }
  const SamplerState& state() const { return state_; }
  /// Goes on from there. Throws ValueError for a place that no sampler of this dataset has.
  void set_state(const SamplerState& state);

 private:
  void draw_order();

  std::int64_t count_, batch_size_;
  cupyxx::comm::Communicator communicator_;
  SamplerOptions options_;
  SamplerState state_;
  std::int64_t order_epoch_ = -1;  // whose order this is
  cupyxx::ndarray order_;
};

}  // namespace chainerxx
