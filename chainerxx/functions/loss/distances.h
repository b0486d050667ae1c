// SPDX-License-Identifier: MIT
// Losses of distances and of decision margins.
#pragma once

#include <concepts>
#include <optional>
#include <string_view>
#include <vector>

#include "chainerxx/function.h"
#include "chainerxx/functions/loss/reduce.h"
#include "chainerxx/variable.h"
#include "cupyxx/export.h"

namespace chainerxx::functions {

/// Options of huber_loss.
struct HuberLossOptions {
  double delta;
  /// What becomes of the elements' losses; by default the sum over axis 1.
  std::optional<ReduceChoice> reduce = {};
};

/// How a hinge loss grows beyond its margin.
enum class HingeNorm { L1, L2 };

}  // namespace chainerxx::functions

namespace cupyxx::internal {
template <>
struct Choices<chainerxx::functions::HingeNorm> {
  using Norm = chainerxx::functions::HingeNorm;
  static constexpr std::string_view kWhat = "norm";
  static constexpr NamedValue<Norm> kAll[] = {{"L1", Norm::L1}, {"L2", Norm::L2}};
};
}  // namespace cupyxx::internal

namespace chainerxx::functions {

/// Options of hinge.
struct HingeOptions {
  cupyxx::Choice<HingeNorm> norm = HingeNorm::L1;  ///< or "L1", "L2"
  ReduceChoice reduce = Reduce::mean;
};

/// The hinge loss of scores.
class CUPYXX_API Hinge final : public FunctionOf<Hinge> {
 public:
  explicit Hinge(cupyxx::Choice<HingeNorm> norm = HingeNorm::L1, ReduceChoice reduce = Reduce::mean)
      : norm_(norm), reduce_(reduce) {}
  void check_type_forward(const typecheck::TypeInfos& in_types) const override;
  std::vector<ndarray> forward(ArraySpan in) override;
  std::vector<ndarray> backward(ArraySpan in, ArraySpan gy) override;
  std::vector<Variable> backward_variables(VariableSpan in, VariableSpan gy) override;
  PrecisionRule precision_rule() const override { return PrecisionRule::wide; }

 private:
  double share(const cupyxx::Shape& shape) const;

  HingeNorm norm_;
  Reduce reduce_;
  ndarray sign_;    // -1 at the label, 1 elsewhere
  ndarray excess_;  // beyond the margin
};

/// The Huber loss of two inputs.
class CUPYXX_API HuberLoss final : public FunctionOf<HuberLoss> {
 public:
  explicit HuberLoss(double delta) : delta_(delta) {}
  void check_type_forward(const typecheck::TypeInfos& in_types) const override;
  std::vector<ndarray> forward(ArraySpan in) override;
  std::vector<ndarray> backward(ArraySpan in, ArraySpan gy) override;
  std::vector<Variable> backward_variables(VariableSpan in, VariableSpan gy) override;
  PrecisionRule precision_rule() const override { return PrecisionRule::wide; }

 private:
  double delta_;
  ndarray difference_;
};

/// Half the sum of the squared covariances of two batches.
class CUPYXX_API CrossCovariance final : public FunctionOf<CrossCovariance> {
 public:
  void check_type_forward(const typecheck::TypeInfos& in_types) const override;
  std::vector<ndarray> forward(ArraySpan in) override;
  std::vector<ndarray> backward(ArraySpan in, ArraySpan gy) override;
  std::vector<Variable> backward_variables(VariableSpan in, VariableSpan gy) override;
  PrecisionRule precision_rule() const override { return PrecisionRule::wide; }

 private:
  ndarray y_, z_, covariance_;
};

/// The mean over the samples of the sum of max(0, 1 + x) for wrong classes and max(0, 1 - x) for
/// the label's, or of their squares. x is (n, classes), t holds n integers. Reduce::no gives the
/// losses of all classes, in x's shape.
CUPYXX_API Variable hinge(const Variable& x, const Variable& t,
                          cupyxx::Choice<HingeNorm> norm = HingeNorm::L1,
                          ReduceChoice reduce = Reduce::mean);
template <std::same_as<HingeOptions> O = HingeOptions>
Variable hinge(const Variable& x, const Variable& t, O options) {
  return hinge(x, t, options.norm, options.reduce);
}
/// With the reduction by name behind it: `hinge(x, t, "L2", {.reduce = "no"})`.
template <std::same_as<ReduceOptions> O = ReduceOptions>
Variable hinge(const Variable& x, const Variable& t, cupyxx::Choice<HingeNorm> norm, O options) {
  return hinge(x, t, norm, options.reduce.value_or(Reduce::mean));
}
/// For each sample the sum over the other axes of d^2 / 2 where |d| < delta and of
/// delta (|d| - delta / 2) elsewhere, d = x - t (Huber, 1964).
CUPYXX_API Variable huber_loss(const Variable& x, const Variable& t, double delta);
/// The same of each element with Reduce::no, or their mean or sum, as PyTorch's.
CUPYXX_API Variable huber_loss(const Variable& x, const Variable& t, double delta,
                               ReduceChoice reduce);
template <std::same_as<HuberLossOptions> O = HuberLossOptions>
Variable huber_loss(const Variable& x, const Variable& t, O options) {
  return options.reduce ? huber_loss(x, t, options.delta, *options.reduce)
                        : huber_loss(x, t, options.delta);
}
/// With the reduction by name behind it: `huber_loss(x, t, 1, {.reduce = "no"})`.
template <std::same_as<ReduceOptions> O = ReduceOptions>
Variable huber_loss(const Variable& x, const Variable& t, double delta, O options) {
  return options.reduce ? huber_loss(x, t, delta, *options.reduce) : huber_loss(x, t, delta);
}
/// sum(C^2) / 2 with C = (y - mean(y))^T (z - mean(z)) / n (Cheung et al., 2014).
CUPYXX_API Variable cross_covariance(const Variable& y, const Variable& z);
/// sum(t d^2 + (1 - t) max(margin - d, 0)^2) / 2 n, where d is the distance of the rows of x0 and
/// x1 and t is 1 for pairs that belong together, else 0 (Hadsell et al., 2006). Reduce::no
/// gives a loss for each pair.
CUPYXX_API Variable contrastive(const Variable& x0, const Variable& x1, const Variable& t,
                                double margin = 1, ReduceChoice reduce = Reduce::mean);
template <std::same_as<MarginOptions> O = MarginOptions>
Variable contrastive(const Variable& x0, const Variable& x1, const Variable& t, O options) {
  return contrastive(x0, x1, t, options.margin.value_or(1), options.reduce);
}
/// With the reduction by name behind it: `contrastive(x0, x1, t, 1, {.reduce = "no"})`.
template <std::same_as<ReduceOptions> O = ReduceOptions>
Variable contrastive(const Variable& x0, const Variable& x1, const Variable& t, double margin,
                     O options) {
  return contrastive(x0, x1, t, margin, options.reduce.value_or(Reduce::mean));
}
/// The mean over rows of max(|a - p|^2 - |a - n|^2 + margin, 0) (Schroff et al., 2015). Reduce::no
/// gives a loss for each row.
CUPYXX_API Variable triplet(const Variable& anchor, const Variable& positive,
                            const Variable& negative, double margin = 0.2,
                            ReduceChoice reduce = Reduce::mean);
template <std::same_as<MarginOptions> O = MarginOptions>
Variable triplet(const Variable& anchor, const Variable& positive, const Variable& negative,
                 O options) {
  return triplet(anchor, positive, negative, options.margin.value_or(0.2), options.reduce);
}
/// With the reduction by name behind it: `triplet(a, p, n, 0.2, {.reduce = "no"})`.
template <std::same_as<ReduceOptions> O = ReduceOptions>
Variable triplet(const Variable& anchor, const Variable& positive, const Variable& negative,
                 double margin, O options) {
  return triplet(anchor, positive, negative, margin, options.reduce.value_or(Reduce::mean));
}

}  // namespace chainerxx::functions
