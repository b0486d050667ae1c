// SPDX-License-Identifier: MIT
#include "chainerxx/internal/weight_gradient.h"

#include <unordered_map>
#include <vector>

#include "chainerxx/internal/array_ops.h"
#include "chainerxx/internal/contiguous_sum.h"
#include "chainerxx/internal/join_rows.h"
#include "chainerxx/internal/put_off.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/linalg.h"
#include "cupyxx/precision.h"

namespace chainerxx::internal {
namespace {

constexpr std::int64_t kFewRows = 256, kMostRows = 1024;

void add_product(const ndarray& gy, const ndarray& x, const ndarray& gW, const ndarray& gb) {
  // On devices one kernel may do both for float32; sums of narrow types are faster, and are rounded
  // once, in a kernel of ours.
  const bool together = !gb.is_none() && gy.dtype() == cupyxx::float32 && gW.device().is_cuda();
  const ContiguousSum weights(gW), bias(together ? gb : ndarray());
  cupyxx::gemm(gy.T(), x, {.out = weights.get(), .accumulate = true, .row_sums = bias.get()});
  weights.finish();
  bias.finish();
  if (!gb.is_none() && !together) add_column_sums(gy, gb);
}

/// An array that must stay as it is until it is used.
struct Kept {
  explicit Kept(const ndarray& a) : array(a), version(a.version()) {}
  const ndarray& get() const {
    if (array.version() == version) return array;
    throw cupyxx::ValueError(cupyxx::message(
        "backward: an input of a layer, or the gradient of its result, was changed in place while "
        "backward went on; shape ",
        array.shape()));
  }
  ndarray array;
  std::uint64_t version;
};

/// The uses of one gW that are still to be added.
class KeptUses {
 public:
  KeptUses(const ndarray& gy, const ndarray& x, const ndarray& gW, const ndarray& gb)
      : gW_(gW),
        gb_(gb),
        dtype_(x.dtype()),
        gradient_dtype_(gy.dtype()),
        precision_(cupyxx::compute_precision()) {}

  /// Whether a product is of the same kind, so that it can be joined to the others.
  bool takes(const ndarray& gy, const ndarray& x, const ndarray& gb) const {
    return gb.is_none() == gb_.is_none() && (gb.is_none() || gb.body() == gb_.body()) &&
           x.dtype() == dtype_ && gy.dtype() == gradient_dtype_ &&
           cupyxx::compute_precision() == precision_;
  }

  void keep(const ndarray& gy, const ndarray& x) {
    const std::int64_t rows = x.shape()[0];
    if (rows_ + rows > kMostRows || gys_.size() == kMostJoined) add();
    gys_.emplace_back(contiguous(gy));
    xs_.emplace_back(contiguous(x));
    rows_ += rows;
  }

  void add() {
    if (gys_.empty()) return;
    const cupyxx::DeviceScope device(gW_.device());
    const cupyxx::ComputeScope compute(precision_);
    add_product(joined(gys_), joined(xs_), gW_, gb_);
    gys_.clear();
    xs_.clear();
    rows_ = 0;
  }

 private:
  static ndarray joined(const std::vector<Kept>& kept) {
    if (kept.size() == 1) return kept[0].get();
    std::vector<ndarray> arrays;
    for (const Kept& k : kept) arrays.push_back(k.get());
    return join_rows(arrays);
  }

  ndarray gW_, gb_;
  cupyxx::dtype dtype_, gradient_dtype_;
  cupyxx::Precision precision_;
  std::vector<Kept> gys_, xs_;
  std::int64_t rows_ = 0;
};

class KeptProducts final : public PutOff {
 public:
  /// Whether the product is kept; the first of each gW is not.
  bool keep(const ndarray& gy, const ndarray& x, const ndarray& gW, const ndarray& gb) {
    const auto [at, is_first] = places_.try_emplace(gW.handle(), layers_.size());
    if (is_first) {
      layers_.emplace_back(gy, x, gW, gb);
      return false;
    }
    KeptUses& uses = layers_[at->second];
    if (!uses.takes(gy, x, gb)) return false;
    uses.keep(gy, x);
    return true;
  }

  void run() override {
    for (KeptUses& uses : layers_) uses.add();
  }

 private:
  std::unordered_map<const void*, std::size_t> places_;  // by gW
  std::vector<KeptUses> layers_;                         // in the order in which the walk met them
};

}  // namespace

void add_weight_gradient(const Function& f, const ndarray& gy, const ndarray& x, const ndarray& gW,
                         const ndarray& gb) {
  const std::int64_t rows = x.shape()[0];
  std::unique_ptr<PutOff>* const place = rows != 0 && rows <= kFewRows ? put_off_by(f) : nullptr;
  if (place != nullptr) {
    if (*place == nullptr) *place = std::make_unique<KeptProducts>();
    // Nobody else puts anything off.
    if (static_cast<KeptProducts&>(**place).keep(gy, x, gW, gb)) return;
  }
  add_product(gy, x, gW, gb);
}

}  // namespace chainerxx::internal
