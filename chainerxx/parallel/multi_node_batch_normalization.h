// SPDX-License-Identifier: MIT
// Batch normalisation by the moments of the batch of all ranks together.
#pragma once

#include <cstdint>
#include <vector>

#include "chainerxx/function.h"
#include "chainerxx/functions/normalization/batch_normalization.h"
#include "chainerxx/scope.h"
#include "chainerxx/variable.h"
#include "cupyxx/comm.h"
#include "cupyxx/export.h"

namespace chainerxx {

/// The layer BatchNormalization of one axis of channels, whose batch is that of all ranks: each has
/// its part, which may be of another size. Two rounds between the ranks for a step, one forward and
/// one backward.
class CUPYXX_API MultiNodeBatchNormalization final
    : public FunctionOf<MultiNodeBatchNormalization> {
 public:
  using Options = functions::BatchNormalizationLayerOptions;

  /// `size` channels, the second axis. Throws ValueError for a size below 1, a negative eps and a
  /// decay outside of [0, 1].
  MultiNodeBatchNormalization(std::int64_t size, const cupyxx::comm::Communicator& communicator,
                              const Options& options = {});

  ndarray gamma;  // starts as ones
  ndarray ggamma;
  ndarray beta;  // starts as zeros
  ndarray gbeta;
  ndarray avg_mean;  // starts as zeros; the same on all ranks
  ndarray avg_var;   // starts as ones

  /// Normalises x, by the moments of the batch in training and by the running statistics outside of
  /// it (TrainScope). All ranks call it.
  Variable operator()(const Variable& x) const;

  void check_type_forward(const typecheck::TypeInfos& in_types) const override;
  std::vector<ndarray> forward(ArraySpan inputs) override;
  std::vector<ndarray> backward(ArraySpan inputs, ArraySpan gy) override;
  std::vector<Field> fields() override;
  bool takes_any_layout() const override { return true; }

 private:
  ndarray beside(const ndarray& channels, const ndarray& x) const;
  ndarray sum_over_batch(const ndarray& x) const;
  void find_moments(const ndarray& x);

  cupyxx::comm::Communicator communicator_;
  double decay_, eps_;
  bool is_test_ = false;
  ndarray mean_, inv_std_;  // of a call
  ndarray count_;           // elements of a channel on all ranks
};

/// ChainerMN's place of this name.
namespace links {
using chainerxx::MultiNodeBatchNormalization;
}  // namespace links

}  // namespace chainerxx
