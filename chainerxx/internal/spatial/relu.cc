// SPDX-License-Identifier: MIT
#include "chainerxx/internal/spatial/relu.h"

#include <memory>
#include <utility>

#include "chainerxx/internal/ops/activation.h"
#include "cupyxx/extension/op.h"

namespace chainerxx::internal {
namespace {

constexpr cupyxx::extension::Ufunc<ops::Relu> kRelu;
constexpr cupyxx::extension::Ufunc<ops::GradientOf<ops::Relu>, 2> kReluGrad;

}  // namespace

void apply_relu(const cupyxx::ndarray& y) { kRelu(y, cupyxx::UfuncOptions{.out = y}); }

cupyxx::ndarray relu_gradient(const cupyxx::ndarray& y, const cupyxx::ndarray& gy,
                              const cupyxx::ndarray& out) {
  return kReluGrad(y, gy, cupyxx::UfuncOptions{.out = out});
}

void MaskedGradient::note(const cupyxx::ndarray& gradient, const void* y_handle,
                          const cupyxx::ndarray& pooled_gradient, const cupyxx::ndarray& places) {
  auto masked = std::make_unique<MaskedGradient>();
  masked->y_ = y_handle;
  masked->gradient_ = gradient.handle();
  masked->version_ = gradient.version();
  masked->pooled_version_ = pooled_gradient.version();
  masked->pooled_gradient_ = pooled_gradient;
  masked->places_ = places;
  cupyxx::extension::attach(gradient, std::move(masked));
}

const MaskedGradient* MaskedGradient::of(const cupyxx::ndarray& gradient,
                                         const cupyxx::ndarray& y) {
  const auto* const masked =
      dynamic_cast<const MaskedGradient*>(cupyxx::extension::attachment(gradient));
  if (masked == nullptr || masked->y_ != y.handle() || masked->gradient_ != gradient.handle()) {
    return nullptr;
  }
  const bool is_as_it_was = masked->version_ == gradient.version() &&
                            masked->pooled_version_ == masked->pooled_gradient_.version();
  return is_as_it_was ? masked : nullptr;
}

void MaskedGradient::add_channel_sums(const cupyxx::ndarray& gb) const {
  add_unmarked_channel_sums(pooled_gradient_, places_, gb);
}

}  // namespace chainerxx::internal
