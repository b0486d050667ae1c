// SPDX-License-Identifier: MIT
// Gradients of parameters that lie one behind the other in a few large arrays, buckets, which are
// reduced over the ranks as soon as all that is in them is final: while backward goes on with the
// layers before.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "chainerxx/function_set.h"
#include "chainerxx/internal/backward_observer.h"
#include "chainerxx/parallel/multi_node_optimizer.h"
#include "cupyxx/comm.h"
#include "cupyxx/cuda/stream.h"
#include "cupyxx/ndarray.h"

namespace chainerxx::internal {

/// A part of a flat array, from a byte on, as an array with the shape of `a`, and its strides if it
/// has no gaps.
ndarray part_like(const ndarray& a, const ndarray& flat, std::int64_t offset);

/// What one rank updates of a parameter where states are divided.
struct ParameterPart {
  std::string name;
  ndarray parameter, gradient;  // of one axis, views of larger arrays; often empty
  ndarray whole;                // the parameter
  std::int64_t begin = 0;       // of the part, in elements of the parameter's memory
};

class GradientBuckets final : public BackwardObserver {
 public:
  GradientBuckets(cupyxx::comm::Communicator communicator, const MultiNodeOptions& options);
  ~GradientBuckets() override;

  /// The gradients of a model become views into buckets, and keep their values; where states are
  /// divided the parameters do as well.
  void build(const std::vector<NamedField>& fields);
  /// The averages over all ranks stand in the gradients when this returns, in the order of the
  /// current stream. All ranks call it. Does nothing where they stand there already. Where states
  /// are divided each rank has the averages of its part, and zeros elsewhere.
  void average();
  /// This rank's part of each parameter of the fields, in their order.
  std::vector<ParameterPart> parts(const std::vector<NamedField>& fields) const;
  /// All ranks get the parameters that each has updated.
  void gather_parameters();
  void zero_grads();
  /// The gradients are a rank's own again: they are zeroed, or have been used.
  void forget_average() { is_averaged_ = false; }
  /// update() has used the gradients.
  void note_update();
  /// Whether backward reduces while it runs.
  void set_active(bool active) { is_active_ = active; }
  /// Whether nothing is added between the next backward and average(), so that averages may take
  /// the place of a rank's own gradients at once.
  void set_last(bool is_last) { is_last_ = is_last; }
  /// How many buckets the last backward had under way before it was over.
  int overlapped() const { return overlapped_; }
  std::size_t bucket_count() const { return buckets_.size(); }

  void begin() override;
  void reach(Function& f) override;
  void start() override;
  void prepare(Function& f) override;
  void finish(Function& f) override;
  void end() override;
  void fail() noexcept override;

 private:
  /// One gradient, which several layers may share.
  struct Slot {
    std::string name;
    std::vector<ndarray*> handles;
    std::vector<ndarray*> parameters;
    ndarray view;                 // None where gradients are divided and not there
    ndarray parameter_view;       // where states are divided
    std::int64_t first_byte = 0;  // in the bucket
    std::size_t bucket = 0;
    int pending = 0;  // functions of the walk that will add to it
    bool is_ready = false;

    bool is_current() const;
  };
  struct Bucket {
    // The gradients. Where they are divided as well: a rank's own that are still to be reduced,
    // from the first that is added to them on; else None.
    ndarray flat;
    ndarray sent;         // what travels: these, or these narrowed
    ndarray spare;        // for averages that are not the gradients yet; made when needed
    ndarray averages;     // where they stand: of all, or of this rank's part
    ndarray parameters;   // where states are divided
    ndarray own;          // where gradients are divided: the averages of this rank's part
    bool is_zero = true;  // all of `own`
    cupyxx::Device device;
    cupyxx::dtype type;
    std::int64_t count = 0;           // of the elements
    std::size_t first = 0, last = 0;  // its slots
    std::size_t missing = 0;          // gradients that are not final
    bool is_launched = false;
    bool is_settled = false;    // the averages are the gradients
    std::uint64_t version = 0;  // of `flat` when it was launched
  };

  void expect_own();
  bool is_current() const;
  void check_current() const;
  /// This rank's part of an array of a bucket.
  ndarray own_part(const ndarray& flat) const;
  void lay_out();
  std::size_t end_of_bucket(std::size_t first) const;
  void fill_bucket(std::size_t first, std::size_t last);
  void make_arrays(Bucket& bucket, const ndarray& lead, std::int64_t nbytes);
  void place(Slot& slot, const Bucket& bucket);
  void follow_readiness();
  std::vector<std::size_t> in_order_of_readiness() const;
  /// What rank 0 has.
  std::vector<std::size_t> agreed(const std::vector<std::size_t>& places) const;
  const ndarray& form_of(const Slot& slot) const;
  Slot* find(const Field& field);
  std::vector<std::size_t> changed() const;
  void check_again(const std::vector<std::size_t>& again);
  void launch_ready();
  void launch(Bucket& bucket, bool is_last);
  void reduce(Bucket& bucket, bool is_last);
  void prepare_to_send(Bucket& bucket, bool is_last);
  void exchange(Bucket& bucket);
  ndarray place_of_averages(Bucket& bucket, bool is_last) const;
  void settle(const Bucket& bucket);
  void await();
  void forget_launches();

  // Where gradients are divided.
  void check_own(const Slot& slot) const;
  void open(Bucket& bucket);
  void close(Bucket& bucket);
  void launch_rest();
  void reduce_to_part(Bucket& bucket);

  cupyxx::comm::Communicator communicator_;
  MultiNodeOptions options_;
  std::vector<Slot> slots_;  // in the order in which they become ready
  std::vector<Bucket> buckets_;
  std::unordered_map<const void*, std::size_t> slot_of_;  // by the gradient, or by the parameter
  std::unique_ptr<cupyxx::cuda::Stream> stream_;
  std::vector<std::size_t> readiness_;  // of the first walk
  bool has_followed_ = false;
  bool is_active_ = true;
  bool is_last_ = false;
  bool is_walking_ = false;
  bool is_averaged_ = false;
  std::vector<std::size_t> order_;  // of the launches, the same on all ranks
  std::size_t next_ = 0;            // the place in it of the launch that comes next
  bool has_own_ = false;            // gradients that are still to be reduced
  bool is_used_ = false;            // update() was called since they were zeroed
  int overlapped_ = 0;
  int device_checks_ = 64;  // that are left
};

}  // namespace chainerxx::internal
