// SPDX-License-Identifier: MIT
// The arrays of an optimizer as tables of pointers, one per device and dtype, for kernels that work
// on all of them at once. Built from the users' handles and built again when one of them changes.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "chainerxx/internal/precision.h"
#include "chainerxx/internal/update_rule.h"
#include "chainerxx/parameter_group.h"
#include "cupyxx/device.h"
#include "cupyxx/dtype.h"
#include "cupyxx/ndarray.h"

namespace chainerxx::internal {

using cupyxx::ndarray;

/// One parameter as the optimizer knows it.
struct OptimizerEntry {
  std::string name;
  ndarray* param;
  ndarray* grad;
  std::vector<ndarray> state{};
  const ParameterGroup* group = nullptr;  // null: rate and decay are 1
  std::size_t place = 0;                  // among all parameters, those without sizes included
};

/// The launches of an optimizer's update in a captured graph. Before each run of the graph the
/// update is called again on the host; instead of launching kernels it puts here the numbers that
/// they need in this run, such as the rate.
struct UpdateReplay {
  std::vector<UpdateRule> launches;
  std::size_t exchanged = 0;  // nodes of the graph in which ranks tell each other of their parts
  std::size_t next = 0;       // of the run that is being prepared
  bool is_running = false;
};

/// While an object lives, launches of tables on this thread belong to the replay: they are noted in
/// it or, if `is_running`, only give it their new numbers.
class UpdateReplayScope {
 public:
  UpdateReplayScope(const std::shared_ptr<UpdateReplay>& replay, bool is_running);
  ~UpdateReplayScope();
  UpdateReplayScope(const UpdateReplayScope&) = delete;
  UpdateReplayScope& operator=(const UpdateReplayScope&) = delete;
};

/// Where gradients are in parts: each rank's element becomes the largest of all.
void take_largest_of_ranks(const ndarray& own);

class TensorTable {
 public:
  /// Whether the table still describes the arrays behind the handles.
  bool is_current(std::span<const OptimizerEntry> entries) const;
  /// Whether an entry that it was built from has, on the same device, two other arrays since.
  bool has_lost(std::size_t number, const OptimizerEntry& entry) const;
  /// On an exception it is empty.
  void build(std::span<const OptimizerEntry> entries);

  /// From now on no parameter is changed while these numbers (kernels/tensors.h), in the
  /// memory of the parameters' device, say that a gradient is not finite; null: always.
  void obey(const ndarray& loss_scale) { loss_scale_ = loss_scale; }

  /// How often it has been built: a graph has the arrays of one time.
  int builds() const { return builds_; }

  /// Runs a rule over all tensors and notes what it has changed.
  void run(const UpdateRule& rule);
  /// Sets all gradients to zero: large ones later, where they are read or overwritten.
  void zero_grads();
  /// The sum of the squares of all gradients. Synchronises.
  double sum_of_squares();
  /// Scales the gradients when their norm exceeds `maxnorm`.
  void clip(double maxnorm);
  /// Both in one pass: as clip() and then run(), to the same bits. Only where can_clip_in() says
  /// so.
  void clip_and_run(double maxnorm, UpdateRule rule);
  /// Whether a rule can scale the gradients as it reads them.
  bool can_clip_in(const UpdateRule& rule) const;

 private:
  struct Group {
    cupyxx::Device device;
    cupyxx::dtype dtype;
    int turn = 0;  // tensors that share memory with an earlier one come later
    std::vector<kernels::Tensor> tensors{};
    std::vector<kernels::Chunk> chunks{};
    ndarray table{};                       // both in device memory
    long first_partial = 0;                // in `partials` of its device
    std::vector<kernels::Chunk> zeroed{};  // those of gradients that are zeroed at once
    ndarray zeroed_table{};                // they in device memory
  };
  struct Strided {
    ndarray array;
    ndarray copy;  // contiguous; stands in for it
    int turn;
  };
  struct DevicePartials {
    cupyxx::Device device;
    long count = 0;
    ndarray sums{};  // float64; row 0 has the squares of gradients, row 1 a trust rule's others
  };

  void clear() noexcept;
  void fill(std::span<const OptimizerEntry> entries);
  Group& group_of(cupyxx::Device device, cupyxx::dtype dtype, int turn);
  ndarray layout(const ndarray& array, int turn);
  void cut(Group& group);
  void upload(Group& group);
  kernels::TensorArgs arguments(const Group& group);
  enum class Part : std::uint8_t { all, zeroed };
  void launch_group(const UpdateRule& rule, const Group& group, Part part = Part::all);
  void run_over(Part part, const UpdateRule& rule);
  void list_zeroed();
  void write_owed_zeros();
  void leave_out_what_was_written();
  void launch_squares();
  bool is_on_one_gpu() const;
  ndarray squares_of_ranks();
  void run_by_squares_of_ranks(const UpdateRule& rule);
  void gather(int turn);
  void scatter(int turn);
  void write_copies_on_host();

  int builds_ = 0;
  ndarray loss_scale_;
  ndarray squares_;                 // what is clipped by, where gradients are in parts
  std::vector<ndarray> arrays_;     // of each entry the parameter, the gradient, the states
  std::vector<std::size_t> first_;  // where an entry begins
  std::vector<double> factors_;     // rate and decay of each entry
  // The copy of each parameter that updates write along, or null.
  std::vector<std::shared_ptr<KeptCopy>> copies_;
  std::vector<Group> groups_;
  std::vector<DevicePartials> partials_;
  std::vector<Strided> strided_;
  std::vector<ndarray> later_;  // the gradients that are zeroed when somebody asks for them
};

}  // namespace chainerxx::internal
