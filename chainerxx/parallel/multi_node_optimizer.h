// SPDX-License-Identifier: MIT
// Data parallel training: every rank goes forward and backward with its own part of a batch, and
// all make the same update by the averages of their gradients.
//
//   auto comm = chainerxx::create_communicator();
//   auto optimizer = chainerxx::create_multi_node_optimizer(adam, comm);
//   optimizer.setup(model);                            // all ranks start from rank 0's parameters
//   for (...) optimizer.update(loss, x, t);
#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "chainerxx/function_set.h"
#include "chainerxx/optimizer.h"
#include "chainerxx/variable.h"
#include "cupyxx/comm.h"
#include "cupyxx/dtype.h"
#include "cupyxx/export.h"

namespace chainerxx {

/// Options of create_multi_node_optimizer.
struct MultiNodeOptions {
  /// Gradients travel together, in pieces of about this size.
  std::int64_t bucket_bytes = std::int64_t{25} << 20;
  /// float16 or bfloat16: what gradients of float32 are rounded to on their way.
  cupyxx::dtype reduced_dtype = {};
  /// Gradients travel while backward still runs; otherwise in update().
  bool overlap = true;
  /// Each rank keeps the optimizer's states of its part of the parameters only, of one size on all,
  /// updates that part and gets the rest from the others: see MultiNodeOptimizer.
  bool shard_states = false;
  /// Each rank keeps the averaged gradients of that part only, too; the gradients of the model are
  /// there while backward() needs them. Implies shard_states.
  bool shard_gradients = false;
};

namespace internal {
class GradientBuckets;
class StateShards;
}  // namespace internal

/// An optimizer for the ranks of a communicator. Its calls are those of the optimizer inside, and
/// all ranks make them in the same order. What reads gradients sees their averages; hooks, clipping
/// and decay work on these. With one rank it is the optimizer inside and nothing else.
///
/// Gradients may come from several backward() before an update, and parameters may be without one:
/// so may a rank, which counts as zeros. Otherwise all ranks call backward() equally often, and
/// change the same gradients by hand or none: ValueError on all of them where not, on devices in
/// the first 64 steps. A gradient that is None is a ValueError.
/// On a device they travel on a stream of their own, beside backward, also in a captured step;
/// divided gradients travel on the step's stream there. On the host they travel between the
/// functions of backward, and the averages have the bits of one process that adds up the ranks'
/// gradients in the order of the ranks and divides the sum. The division is part of the reduction
/// (comm::Op::average). update(loss, ...) makes the averages where the gradients lie; where several
/// backward() may add up, each backward() makes them in arrays of the same size, from which
/// average_grads() copies.
///
/// With shard_states (Rajbhandari et al., "ZeRO", 2020, its first stage) parameters are views of
/// larger arrays as well, the gradients of a rank's part hold averages after average_grads() and
/// the others zeros, and the states of the optimizer inside are those of the part. Results are the
/// same, but for the last bits of a norm. What works on all gradients at once is asked of this
/// object, or in a hook. One rank does the same by itself.
///
/// With shard_gradients (the second stage) a bucket of gradients is allocated, filled with 0, when
/// backward comes to the first of its parameters, and goes to the ranks that own its parts, and
/// back to the pool, when the last is final: after backward() a rank has 1 / size() of the
/// gradients. Each backward() reduces what it has added, on the way or at its end, and the averages
/// of several add up, in another order than without; after set_overlap(false) whole gradients stay
/// and add up on each rank, with the same bits as without, until a backward() with overlap or
/// update(). All ranks call backward() as often, and all of them or none reach parameters. Between
/// walks the gradients of the model (Linear::gW, ...) are None, on the rank that owns them as well:
/// only what is asked of this object, and hooks, work on the averages. What they held before
/// setup() is dropped. update() without this object's zero_grads() before the next backward(), and
/// parameters that were moved or replaced, are a ValueError; so is, in a captured step, a backward
/// that would leave whole gradients. Parts of networks within functions::forget reduce at the end
/// of backward.
class CUPYXX_API MultiNodeOptimizer {
 public:
  /// Refers to `actual`, which lives as long.
  MultiNodeOptimizer(Optimizer& actual, const cupyxx::comm::Communicator& communicator,
                     const MultiNodeOptions& options = {});
  MultiNodeOptimizer(MultiNodeOptimizer&&) noexcept;
  MultiNodeOptimizer& operator=(MultiNodeOptimizer&&) noexcept;
  ~MultiNodeOptimizer();

  /// Gives all ranks the parameters and states of rank 0, and prepares the optimizer. The gradients
  /// of the model become views of larger arrays: handles taken before are not theirs any more.
  /// Throws as Optimizer::setup, and where models differ between ranks.
  void setup(FunctionSet& model);
  /// Gives all ranks what rank 0 has in the parameters and states of the model, and in the states
  /// of the optimizer: after it was read from a file. States that are divided stay as they are.
  void broadcast();
  /// Throws ValueError, which names the array, unless the parameters and the states of the model
  /// have the same bits on all ranks. Synchronises.
  void check_equal();

  void zero_grads();
  /// Goes backward from a loss, as Optimizer::backward; loss.backward() does as well.
  void backward(const Variable& loss);
  /// Averages the gradients, and updates.
  void update();
  /// One step of training: sets the gradients to 0, goes backward from loss(arguments...), updates.
  /// Returns this rank's loss.
  template <class Loss, class... Args>
  requires std::invocable<Loss&, Args...> Variable update(Loss&& loss, Args&&... arguments) {
    Variable value = loss(std::forward<Args>(arguments)...);
    zero_grads();
    backward_once(value);
    update();
    return value;
  }
  /// Makes the gradients of all ranks their averages now; update() does.
  void average_grads();
  /// The norm of the averages, and what else Optimizer does with gradients.
  double compute_grads_norm();
  void clip_grads(double maxnorm);
  void weight_decay(double decay);

  /// Whether backward() sends gradients on their way. Off while several backward() add up, so that
  /// only the last one does: the result is the same, and whole gradients stay on each rank.
  void set_overlap(bool overlap);
  /// How many of the pieces were on their way before the latest backward() was over, and how many
  /// there are.
  int overlapped_buckets() const;
  int bucket_count() const;

  Optimizer& actual() const;
  /// The same for those that save its states, training::StandardUpdater say, each rank by itself.
  /// Throws ValueError before setup(), and where states are divided: no rank has them all.
  Optimizer& actual_optimizer() const;
  const cupyxx::comm::Communicator& communicator() const;

 private:
  /// backward(), with update() to follow: averages take the place of gradients at once.
  void backward_once(const Variable& loss);

  friend CUPYXX_API void save_npz(const std::string& path, MultiNodeOptimizer& optimizer);
  friend CUPYXX_API void load_npz(const std::string& path, MultiNodeOptimizer& optimizer);
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// ChainerMN's name. Throws DtypeError for a reduced dtype that is not narrow; ValueError for
/// shard_states or shard_gradients with an algorithm that needs whole parameters (LARS, LAMB, any
/// with an update_one of its own).
CUPYXX_API MultiNodeOptimizer
create_multi_node_optimizer(Optimizer& actual, const cupyxx::comm::Communicator& communicator,
                            const MultiNodeOptions& options = {});

/// Writes t and the states of an optimizer: rank 0 does, with all ranks' parts where states are
/// divided. The file is that of one process. All ranks call it after setup().
CUPYXX_API void save_npz(const std::string& path, MultiNodeOptimizer& optimizer);
/// Rank 0 reads such a file, written by any number of ranks, and gives all what they keep of it.
/// Throws on all ranks, before anything is changed, where rank 0 cannot.
CUPYXX_API void load_npz(const std::string& path, MultiNodeOptimizer& optimizer);

}  // namespace chainerxx
