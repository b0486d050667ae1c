// SPDX-License-Identifier: MIT
// Gradients that are divided over the ranks. A bucket is there from the first gradient that is
// added to it until its averages are on their way to the ranks that own their parts.
#include "chainerxx/function.h"
#include "chainerxx/parallel/gradient_buckets.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/extension/capture.h"
#include "cupyxx/indexing.h"
#include "cupyxx/math.h"

namespace chainerxx::internal {

void GradientBuckets::prepare(Function& f) {
  if (!options_.shard_gradients) return;
  for (const Field& field : f.fields()) {
    const Slot* const slot = find(field);
    if (slot == nullptr) continue;
    check_own(*slot);
    open(buckets_[slot->bucket]);
    *field.gradient = slot->view;
    has_own_ = true;
  }
}

/// Before something is added to a rank's own gradients.
void GradientBuckets::check_own(const Slot& slot) const {
  if (!slot.is_current()) check_current();
  if (is_walking_ || !cupyxx::extension::Capture::current()) return;
  throw cupyxx::ValueError(
      "MultiNodeOptimizer: with shard_gradients a captured step reduces all gradients within "
      "backward(); after set_overlap(false), and with enable_double_backprop, a rank keeps its "
      "own");
}

/// Makes the arrays of a bucket's gradients, filled with 0, unless they are there.
void GradientBuckets::open(Bucket& bucket) {
  if (!bucket.flat.is_none()) return;
  const cupyxx::DeviceScope scope(bucket.device);
  bucket.flat = cupyxx::zeros({bucket.count}, bucket.type);
  for (std::size_t i = bucket.first; i < bucket.last; ++i) {
    Slot& slot = slots_[i];
    slot.view = part_like(slot.parameter_view, bucket.flat, slot.first_byte);
    for (ndarray* handle : slot.handles) *handle = slot.view;
  }
}

/// Lets go of them.
void GradientBuckets::close(Bucket& bucket) {
  if (bucket.flat.is_none()) return;
  for (std::size_t i = bucket.first; i < bucket.last; ++i) {
    slots_[i].view = ndarray();
    for (ndarray* handle : slots_[i].handles) *handle = ndarray();
  }
  bucket.flat = ndarray();
}

/// Adds the averages to those of earlier walks.
void GradientBuckets::reduce_to_part(Bucket& bucket) {
  const cupyxx::comm::Op average = cupyxx::comm::Op::average;
  const bool is_narrowed = options_.reduced_dtype && bucket.type == cupyxx::float32;
  const ndarray sent = is_narrowed ? bucket.flat.astype(options_.reduced_dtype) : bucket.flat;
  // A graph may run again without the zeros that it was recorded with.
  const bool is_first = bucket.is_zero && !cupyxx::extension::Capture::current();
  if (is_first && !is_narrowed) {
    communicator_.reduce_scatter(sent, {.op = average, .out = bucket.own});
  } else {
    const ndarray part = communicator_.reduce_scatter(sent, {.op = average});
    if (is_first) {
      bucket.own.set(part);
    } else {
      cupyxx::add(bucket.own, part, {.out = bucket.own});
    }
  }
  bucket.is_zero = false;
  bucket.is_launched = true;
  close(bucket);
}

/// All buckets that were not launched, or got more afterwards: those without gradients, too, which
/// may have some on other ranks.
void GradientBuckets::launch_rest() {
  for (const std::size_t i : order_) {
    Bucket& bucket = buckets_[i];
    if (!bucket.is_launched || !bucket.flat.is_none()) launch(bucket, true);
  }
  has_own_ = false;
  follow_readiness();
  forget_launches();
}

void GradientBuckets::note_update() {
  is_averaged_ = false;
  is_used_ = true;
}

}  // namespace chainerxx::internal
