// SPDX-License-Identifier: MIT
// A ReLU behind a function of images, whose result is kept and not its argument.
#pragma once

#include <cstdint>

#include "cupyxx/extension/storage.h"
#include "cupyxx/ndarray.h"

namespace chainerxx::internal {

/// Negative elements of y become 0, in place.
void apply_relu(const cupyxx::ndarray& y);
/// gy where y, the result of a ReLU, is positive, else 0; in `out` unless that is None.
cupyxx::ndarray relu_gradient(const cupyxx::ndarray& y, const cupyxx::ndarray& gy,
                              const cupyxx::ndarray& out = {});
/// The same of images, whose sums over all axes but 1 are added to gb on the way.
cupyxx::ndarray relu_gradient_and_sums(const cupyxx::ndarray& y, const cupyxx::ndarray& gy,
                                       const cupyxx::ndarray& gb);

/// Of maxima under windows (pooling.h): gb += the sums over all axes but 1 of what goes to maxima
/// that are positive. Places are marked bytes; both lie channels last on a device.
void add_unmarked_channel_sums(const cupyxx::ndarray& pooled_gradient,
                               const cupyxx::ndarray& places, const cupyxx::ndarray& gb);

/// What pooling knows of a gradient that it has made for the result of a ReLU: it is 0 where the
/// result is not positive. Kept with the gradient's memory.
class MaskedGradient final : public cupyxx::extension::Attachment {
 public:
  /// Says so of `gradient`, made of `pooled_gradient` and marked places, and the result y.
  static void note(const cupyxx::ndarray& gradient, const void* y_handle,
                   const cupyxx::ndarray& pooled_gradient, const cupyxx::ndarray& places);
  /// What has been said of `gradient`, as it is still, for y; null where nothing has.
  static const MaskedGradient* of(const cupyxx::ndarray& gradient, const cupyxx::ndarray& y);

  /// gb += the gradient's sums over all axes but 1, without reading it.
  void add_channel_sums(const cupyxx::ndarray& gb) const;

 private:
  const void* y_ = nullptr;
  const void* gradient_ = nullptr;
  std::uint64_t version_ = 0, pooled_version_ = 0;
  cupyxx::ndarray pooled_gradient_, places_;
};

}  // namespace chainerxx::internal
