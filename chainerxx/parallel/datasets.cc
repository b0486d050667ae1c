// SPDX-License-Identifier: MIT
#include "chainerxx/parallel/datasets.h"

#include <algorithm>

#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/indexing.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/random.h"

namespace chainerxx {
namespace {

using cupyxx::ndarray;
using cupyxx::comm::Communicator;

/// A permutation that follows from two numbers alone, on any machine.
ndarray permutation(std::int64_t count, std::uint64_t seed) {
  const cupyxx::DeviceScope on_host(cupyxx::Device::cpu());
  cupyxx::random::RandomState random(seed);
  return random.permutation(count);
}

/// Which samples a rank has: those from `begin` on, as many as `length`, from the start again
/// behind the last.
struct Part {
  std::int64_t begin, length;
};

Part part_of(std::int64_t count, int rank, int size, bool is_equal) {
  // count * i / size without the product, which may exceed 64 bits.
  const auto at = [&](std::int64_t i) { return count / size * i + count % size * i / size; };
  const std::int64_t begin = at(rank), end = at(rank + 1);
  const std::int64_t longest = count / size + (count % size == 0 ? 0 : 1);
  return {begin, is_equal ? longest : end - begin};
}

ndarray index_of(std::int64_t count, int rank, int size, const ScatterOptions& options) {
  const cupyxx::DeviceScope on_host(cupyxx::Device::cpu());
  const Part part = part_of(count, rank, size, options.force_equal_length);
  const ndarray order = options.shuffle ? permutation(count, options.seed) : cupyxx::arange(count);
  const std::int64_t end = std::min(part.begin + part.length, count);
  const ndarray mine = order(cupyxx::slice(part.begin, end));
  const std::int64_t missing = part.length - mine.size();
  if (missing == 0) return mine.copy();
  return cupyxx::concatenate({mine, order(cupyxx::slice(0, missing))});
}

}  // namespace

ndarray scatter_index(std::int64_t count, const Communicator& communicator,
                      const ScatterOptions& options) {
  if (count < 0) {
    throw cupyxx::ValueError(cupyxx::message("scatter_index: the count is negative; ", count));
  }
  return index_of(count, communicator.rank(), communicator.size(), options);
}

ndarray scatter_dataset(const ndarray& dataset, const Communicator& communicator,
                        const ScatterOptions& options) {
  if (options.root < 0 || options.root >= communicator.size()) {
    throw cupyxx::ValueError(cupyxx::message(
        "scatter_dataset: the root is outside of the communicator; ", options.root));
  }
  const bool is_root = communicator.rank() == options.root;
  // All know first whether there is something to come.
  const bool fits = !is_root || (!dataset.is_none() && dataset.ndim() > 0);
  const std::string root_fits = communicator.broadcast_bytes(fits ? "yes" : "no", options.root);
  if (root_fits != "yes") {
    throw cupyxx::ValueError(
        cupyxx::message("scatter_dataset: the root has no array of samples; rank ", options.root));
  }
  if (!is_root) return communicator.recv(options.root);
  ndarray mine;
  for (int rank = 0; rank < communicator.size(); ++rank) {
    const ndarray index = index_of(dataset.shape(0), rank, communicator.size(), options);
    const ndarray rows = cupyxx::take(dataset, index.to(dataset.device()), 0);
    if (rank == options.root) {
      mine = rows;
    } else {
      communicator.send(rows, rank);
    }
  }
  return mine;
}

MultiNodeSampler::MultiNodeSampler(std::int64_t count, std::int64_t batch_size,
                                   const Communicator& communicator, const SamplerOptions& options)
    : count_(count), batch_size_(batch_size), communicator_(communicator), options_(options) {
  if (batch_size < 1 || batch_size > count) {
    throw cupyxx::ValueError(cupyxx::message(
        "MultiNodeSampler: the batch is not between 1 and the dataset; ", batch_size, ", ", count));
  }
  if (batch_size % communicator.size() != 0) {
    throw cupyxx::ValueError(
        cupyxx::message("MultiNodeSampler: the number of ranks does not divide the batch; ",
                        batch_size, ", ", communicator.size()));
  }
}

void MultiNodeSampler::draw_order() {
  if (order_epoch_ == state_.epoch) return;
  const cupyxx::DeviceScope on_host(cupyxx::Device::cpu());
  // Seeds of epochs lie far apart, so that those of neighbouring seeds do not meet.
  const std::uint64_t seed =
      options_.seed + static_cast<std::uint64_t>(state_.epoch) * 0x9e3779b97f4a7c15u;
  order_ = options_.shuffle ? permutation(count_, seed) : cupyxx::arange(count_);
  order_epoch_ = state_.epoch;
}

ndarray MultiNodeSampler::next() {
  draw_order();
  const std::int64_t share = batch_size_ / communicator_.size();
  const std::int64_t begin = state_.position + share * communicator_.rank();
  const ndarray mine = order_(cupyxx::slice(begin, begin + share)).copy();
  state_.position += batch_size_;
  if (state_.position + batch_size_ > count_) state_ = {state_.epoch + 1, 0};
  return mine;
}

void MultiNodeSampler::set_state(const SamplerState& state) {
  const bool fits = state.position >= 0 && state.position <= count_ - batch_size_;
  if (!fits || state.epoch < 0 || state.epoch > (std::int64_t{1} << 53)) {
    throw cupyxx::ValueError(
        cupyxx::message("MultiNodeSampler.set_state: there is no such place; epoch ", state.epoch,
                        ", position ", state.position, " of ", count_));
  }
  state_ = state;
}

}  // namespace chainerxx
