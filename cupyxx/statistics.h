// SPDX-License-Identifier: MIT
// Running sums, differences, order statistics, histograms, and reductions that pass over NaN.
// NumPy's chapters "Statistics" and "Sums, products, differences".
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "cupyxx/bin_range.h"
#include "cupyxx/core/array_like.h"
#include "cupyxx/core/one_or_more.h"
#include "cupyxx/ndarray.h"
#include "cupyxx/reduction.h"

namespace cupyxx {

/// Options of cumsum and cumprod.
struct CumsumOptions {
  Axes axis = Axes::missing();
  cupyxx::dtype dtype = {};  ///< in which it is computed; that of sum unless given
  ndarray out = {};
};

/// Running sums along one axis, or of the flattened array; dtypes as of sum.
CUPYXX_API ndarray cumsum(const ndarray& a, const Axes& axis = {},
                          const CumsumOptions& options = {});
template <std::same_as<CumsumOptions> O = CumsumOptions>
ndarray cumsum(const ArrayLike& a, O options) {
  return cumsum(a.array(), internal::take_axis(options.axis), options);
}
/// Running products.
CUPYXX_API ndarray cumprod(const ndarray& a, const Axes& axis = {},
                           const CumsumOptions& options = {});
template <std::same_as<CumsumOptions> O = CumsumOptions>
ndarray cumprod(const ArrayLike& a, O options) {
  return cumprod(a.array(), internal::take_axis(options.axis), options);
}
/// The same with NaN counted as 0, or as 1.
CUPYXX_API ndarray nancumsum(const ndarray& a, const Axes& axis = {},
                             const CumsumOptions& options = {});
template <std::same_as<CumsumOptions> O = CumsumOptions>
ndarray nancumsum(const ArrayLike& a, O options) {
  return nancumsum(a.array(), internal::take_axis(options.axis), options);
}
CUPYXX_API ndarray nancumprod(const ndarray& a, const Axes& axis = {},
                              const CumsumOptions& options = {});
template <std::same_as<CumsumOptions> O = CumsumOptions>
ndarray nancumprod(const ArrayLike& a, O options) {
  return nancumprod(a.array(), internal::take_axis(options.axis), options);
}

/// Options of diff.
struct DiffOptions {
  int n = 1;
  Axes axis = Axes::missing();
  ArrayValue prepend = {};  ///< put before the first element; a number along the whole edge
  ArrayValue append = {};
};
/// Differences of neighbours along an axis, `n` times over; of bools, whether they differ.
CUPYXX_API ndarray diff(const ndarray& a, internal::Int n = 1, internal::Int axis = -1,
                        const DiffOptions& options = {});
template <std::same_as<DiffOptions> O = DiffOptions>
ndarray diff(const ArrayLike& a, O options) {
  const int n = std::exchange(options.n, 1);
  return diff(a.array(), n, internal::take_axis("diff", options.axis, -1), options);
}

/// `n` in its place and the rest by name: `diff(a, 2, {.axis = 0})`. It is 1 among the options
/// then.
template <std::same_as<DiffOptions> O = DiffOptions>
ndarray diff(const ArrayLike& a, internal::Int n, O options) {
  return diff(a.array(), n, internal::take_axis("diff", options.axis, -1), options);
}

namespace internal {
CUPYXX_API ndarray diff_between(const ndarray& a, int n, int axis, const Operand& prepend,
                                const Operand& append);
}  // namespace internal
/// What stands before and behind the elements in its place: `diff(a, 1, -1, 0)`.
template <class P>
requires(std::is_arithmetic_v<P> || std::derived_from<P, ndarray> || std::same_as<P, None>) ndarray
    diff(const ndarray& a, internal::Int n, internal::Int axis, const P& prepend,
         const Operand& append = {}) {
  return internal::diff_between(a, n, axis, prepend, append);
}

/// Options of bincount.
struct BincountOptions {
  ArrayOption weights = {};  ///< are summed, as float64
  std::int64_t minlength = 0;
};
/// How often each of 0, 1, ... occurs among non-negative integers. Synchronises.
CUPYXX_API ndarray bincount(const ndarray& x, const BincountOptions& options = {});
/// Of a list, and with the weights in their place: `bincount({0, 1, 1})`, `bincount(x, weights)`.
CUPYXX_API ndarray bincount(const ArrayLike& x, const BincountOptions& options = {});
CUPYXX_API ndarray bincount(const ArrayLike& x, const ArrayLike& weights,
                            internal::Int64 minlength = 0);
CUPYXX_API ndarray bincount(const ArrayLike& x, None, internal::Int64 minlength);

/// Options of histogram.
struct HistogramOptions {
  BinRangeOption range = {};  ///< of the bins; that of the data
  bool density = false;       ///< divide by the count and the widths
  ndarray weights = {};
};
/// Counts and the edges of the bins.
struct HistogramResult {
  ndarray hist;
  ndarray bin_edges;
  /// The parts by their places: `histogram(a)[0]`.
  CUPYXX_API ndarray operator[](internal::Int part) const;
};
/// How many elements fall into each of equally wide bins; the last bin includes its upper edge.
/// Synchronises.
CUPYXX_API HistogramResult histogram(const ndarray& a, internal::Int bins = 10,
                                     const HistogramOptions& options = {});
/// The same for bins between given edges.
CUPYXX_API HistogramResult histogram(const ndarray& a, const ndarray& bins,
                                     const HistogramOptions& options = {});
/// Of lists: `histogram(a, {0, 1, 2.5})`.
CUPYXX_API HistogramResult histogram(const ArrayLike& a, const ArrayLike& bins,
                                     const HistogramOptions& options = {});
CUPYXX_API HistogramResult histogram(const ArrayLike& a, internal::Int bins = 10,
                                     const HistogramOptions& options = {});
/// The range in its place: `histogram(a, 10, {0, 1})`.
CUPYXX_API HistogramResult histogram(const ArrayLike& a, internal::Int bins, const BinRange& range,
                                     bool density = false);

/// All of it by name: `histogram(a, {.bins = {0, 1, 2.5}, .density = true})`.
class HistogramBins {
 public:
  // Templates for the reason given at Shape.
  template <internal::ExtentNumber I>
  HistogramBins(I count) : count_(static_cast<int>(count)) {}  // NOLINT
  template <std::convertible_to<std::string_view> T>
  HistogramBins(const T& rule) : rule_(rule) {}  // NOLINT(google-explicit-constructor)
  template <std::derived_from<ndarray> A>
  HistogramBins(const A& edges) : edges_(edges) {}  // NOLINT(google-explicit-constructor)
  template <internal::HostNumbers R>
  HistogramBins(const R& edges) : edges_(edges) {}  // NOLINT
  template <internal::ListNumber T, internal::ListNumber U, internal::ListNumber... More>
  HistogramBins(T first, U second, More... more) : edges_(first, second, more...) {}  // NOLINT

  int count() const { return count_; }
  /// Empty without one.
  const std::string& rule() const { return rule_; }
  /// None without them.
  const ArrayOption& edges() const { return edges_; }

 private:
  int count_ = 10;
  std::string rule_;
  ArrayOption edges_;
};
/// Options of histogram and histogram_bin_edges with the bins among them.
struct NamedHistogramOptions {
  HistogramBins bins = 10;
  BinRangeOption range = {};  ///< of the bins; that of the data
  bool density = false;       ///< divide by the count and the widths
  ArrayOption weights = {};
};
namespace internal {
CUPYXX_API HistogramResult histogram_by_name(const ndarray& a,
                                             const NamedHistogramOptions& options);
CUPYXX_API ndarray bin_edges_by_name(const ndarray& a, const NamedHistogramOptions& options);
}  // namespace internal
template <std::same_as<NamedHistogramOptions> O = NamedHistogramOptions>
HistogramResult histogram(const ArrayLike& a, const O& options) {
  return internal::histogram_by_name(a.array(), options);
}
template <std::same_as<NamedHistogramOptions> O = NamedHistogramOptions>
ndarray histogram_bin_edges(const ArrayLike& a, const O& options) {
  return internal::bin_edges_by_name(a.array(), options);
}

/// The edges of histogram's bins alone.
CUPYXX_API ndarray histogram_bin_edges(const ndarray& a, internal::Int bins = 10,
                                       const HistogramOptions& options = {});

/// Options of median.
struct MedianOptions {
  Axes axis = Axes::missing();
  ndarray out = {};
  bool overwrite_input = false;  ///< taken over from NumPy; the argument never changes
  bool keepdims = false;
};
/// The middle element in order, or the mean of both; NaN where there is one.
CUPYXX_API ndarray median(const ndarray& a, const Axes& axes = {},
                          const MedianOptions& options = {});
template <std::same_as<MedianOptions> O = MedianOptions>
ndarray median(const ArrayLike& a, O options) {
  return median(a.array(), internal::take_axis(options.axis), options);
}

/// What lies between two elements; NumPy's methods by name.
enum class QuantileMethod : std::uint8_t {
  inverted_cdf,
  averaged_inverted_cdf,
  closest_observation,
  interpolated_inverted_cdf,
  hazen,
  weibull,
  linear,
  median_unbiased,
  normal_unbiased,
  lower,
  higher,
  midpoint,
  nearest,
};
namespace internal {
template <>
struct Choices<QuantileMethod> {
  static constexpr std::string_view kWhat = "method";
  static constexpr NamedValue<QuantileMethod> kAll[] = {
      {"inverted_cdf", QuantileMethod::inverted_cdf},
      {"averaged_inverted_cdf", QuantileMethod::averaged_inverted_cdf},
      {"closest_observation", QuantileMethod::closest_observation},
      {"interpolated_inverted_cdf", QuantileMethod::interpolated_inverted_cdf},
      {"hazen", QuantileMethod::hazen},
      {"weibull", QuantileMethod::weibull},
      {"linear", QuantileMethod::linear},
      {"median_unbiased", QuantileMethod::median_unbiased},
      {"normal_unbiased", QuantileMethod::normal_unbiased},
      {"lower", QuantileMethod::lower},
      {"higher", QuantileMethod::higher},
      {"midpoint", QuantileMethod::midpoint},
      {"nearest", QuantileMethod::nearest}};
};
}  // namespace internal
/// Options of quantile and percentile.
struct QuantileOptions {
  Axes axis = Axes::missing();
  ndarray out = {};
  bool overwrite_input = false;  ///< taken over from NumPy; the argument never changes
  Choice<QuantileMethod> method = QuantileMethod::linear;
  bool keepdims = false;
};
/// The element at a fraction `q` in [0, 1] of the order, one or more; the axes of `q` come first.
/// Interpolated ones are float64, as in NumPy 1.24. Synchronises when `q` is on a device.
CUPYXX_API ndarray quantile(const ndarray& a, const Operand& q, const Axes& axes = {},
                            const QuantileOptions& options = {});
template <std::same_as<QuantileOptions> O = QuantileOptions>
ndarray quantile(const ArrayLike& a, const Operand& q, O options) {
  return quantile(a.array(), q, internal::take_axis(options.axis), options);
}
/// The same with `q` in [0, 100].
CUPYXX_API ndarray percentile(const ndarray& a, const Operand& q, const Axes& axes = {},
                              const QuantileOptions& options = {});
template <std::same_as<QuantileOptions> O = QuantileOptions>
ndarray percentile(const ArrayLike& a, const Operand& q, O options) {
  return percentile(a.array(), q, internal::take_axis(options.axis), options);
}
/// A list is one axis of the result, also that of a single number: `percentile(a, {50})`.
template <internal::ListNumber T>
ndarray quantile(const ndarray& a, std::initializer_list<T> q, const Axes& axes = {},
                 const QuantileOptions& options = {}) {
  return quantile(a, internal::list_of(q), axes, options);
}
template <internal::ListNumber T, std::same_as<QuantileOptions> O = QuantileOptions>
ndarray quantile(const ndarray& a, std::initializer_list<T> q, O options) {
  return quantile(a, internal::list_of(q), std::move(options));
}
template <internal::ListNumber T>
ndarray percentile(const ndarray& a, std::initializer_list<T> q, const Axes& axes = {},
                   const QuantileOptions& options = {}) {
  return percentile(a, internal::list_of(q), axes, options);
}
template <internal::ListNumber T, std::same_as<QuantileOptions> O = QuantileOptions>
ndarray percentile(const ndarray& a, std::initializer_list<T> q, O options) {
  return percentile(a, internal::list_of(q), std::move(options));
}

/// Options of average.
struct AverageOptions {
  Axes axis = Axes::missing();
  ArrayOption weights = {};     ///< of a's shape, or 1-D along the one axis
  ndarray* returned = nullptr;  ///< receives the sum of the weights
  bool keepdims = false;
};
/// The weighted mean. Throws ValueError for weights whose sum is zero; synchronises for that when
/// there are weights.
CUPYXX_API ndarray average(const ndarray& a, const Axes& axes = {},
                           const AverageOptions& options = {});
template <std::same_as<AverageOptions> O = AverageOptions>
ndarray average(const ArrayLike& a, O options) {
  return average(a.array(), internal::take_axis(options.axis), options);
}
/// The weights in their place: `average(a, 0, weights)`, `average(a, none, {1, 2, 3})`.
CUPYXX_API ndarray average(const ArrayLike& a, const Axes& axes, const ArrayLike& weights);
template <internal::ListNumber T>
ndarray average(const ndarray& a, const Axes& axes, std::initializer_list<T> weights) {
  return average(a, axes, internal::list_beside(weights, a));
}

/// Options of ptp.
struct PtpOptions {
  Axes axis = Axes::missing();
  ndarray out = {};
  bool keepdims = false;
};
/// Largest element less the smallest.
CUPYXX_API ndarray ptp(const ndarray& a, const Axes& axes = {}, const PtpOptions& options = {});
template <std::same_as<PtpOptions> O = PtpOptions>
ndarray ptp(const ArrayLike& a, O options) {
  return ptp(a.array(), internal::take_axis(options.axis), options);
}

/// sum with NaN counted as 0.
CUPYXX_API ndarray nansum(const ndarray& a, const Axes& axes = {}, const SumOptions& options = {});
template <std::same_as<SumOptions> O = SumOptions>
ndarray nansum(const ArrayLike& a, O options) {
  return nansum(a.array(), internal::take_axis(options.axis), options);
}
/// prod with NaN counted as 1.
CUPYXX_API ndarray nanprod(const ndarray& a, const Axes& axes = {}, const SumOptions& options = {});
template <std::same_as<SumOptions> O = SumOptions>
ndarray nanprod(const ArrayLike& a, O options) {
  return nanprod(a.array(), internal::take_axis(options.axis), options);
}
/// Largest and smallest of what is not NaN; NaN where all is.
CUPYXX_API ndarray nanmax(const ndarray& a, const Axes& axes = {}, const MaxOptions& options = {});
template <std::same_as<MaxOptions> O = MaxOptions>
ndarray nanmax(const ArrayLike& a, O options) {
  return nanmax(a.array(), internal::take_axis(options.axis), options);
}
CUPYXX_API ndarray nanmin(const ndarray& a, const Axes& axes = {}, const MaxOptions& options = {});
template <std::same_as<MaxOptions> O = MaxOptions>
ndarray nanmin(const ArrayLike& a, O options) {
  return nanmin(a.array(), internal::take_axis(options.axis), options);
}
/// Mean, variance and standard deviation of what is not NaN; NaN where that is too little.
CUPYXX_API ndarray nanmean(const ndarray& a, const Axes& axes = {},
                           const MeanOptions& options = {});
template <std::same_as<MeanOptions> O = MeanOptions>
ndarray nanmean(const ArrayLike& a, O options) {
  return nanmean(a.array(), internal::take_axis(options.axis), options);
}
CUPYXX_API ndarray nanvar(const ndarray& a, const Axes& axes = {}, const VarOptions& options = {});
template <std::same_as<VarOptions> O = VarOptions>
ndarray nanvar(const ArrayLike& a, O options) {
  return nanvar(a.array(), internal::take_axis(options.axis), options);
}
CUPYXX_API ndarray nanstd(const ndarray& a, const Axes& axes = {}, const VarOptions& options = {});
template <std::same_as<VarOptions> O = VarOptions>
ndarray nanstd(const ArrayLike& a, O options) {
  return nanstd(a.array(), internal::take_axis(options.axis), options);
}
/// median of what is not NaN.
CUPYXX_API ndarray nanmedian(const ndarray& a, const Axes& axes = {},
                             const MedianOptions& options = {});
template <std::same_as<MedianOptions> O = MedianOptions>
ndarray nanmedian(const ArrayLike& a, O options) {
  return nanmedian(a.array(), internal::take_axis(options.axis), options);
}
/// quantile and percentile of what is not NaN. Other methods than `linear` synchronise.
CUPYXX_API ndarray nanquantile(const ndarray& a, const Operand& q, const Axes& axes = {},
                               const QuantileOptions& options = {});
template <std::same_as<QuantileOptions> O = QuantileOptions>
ndarray nanquantile(const ndarray& a, const Operand& q, O options) {
  return nanquantile(a, q, internal::take_axis(options.axis), options);
}
CUPYXX_API ndarray nanpercentile(const ndarray& a, const Operand& q, const Axes& axes = {},
                                 const QuantileOptions& options = {});
template <std::same_as<QuantileOptions> O = QuantileOptions>
ndarray nanpercentile(const ndarray& a, const Operand& q, O options) {
  return nanpercentile(a, q, internal::take_axis(options.axis), options);
}
template <internal::ListNumber T>
ndarray nanquantile(const ndarray& a, std::initializer_list<T> q, const Axes& axes = {},
                    const QuantileOptions& options = {}) {
  return nanquantile(a, internal::list_of(q), axes, options);
}
template <internal::ListNumber T, std::same_as<QuantileOptions> O = QuantileOptions>
ndarray nanquantile(const ndarray& a, std::initializer_list<T> q, O options) {
  return nanquantile(a, internal::list_of(q), std::move(options));
}
template <internal::ListNumber T>
ndarray nanpercentile(const ndarray& a, std::initializer_list<T> q, const Axes& axes = {},
                      const QuantileOptions& options = {}) {
  return nanpercentile(a, internal::list_of(q), axes, options);
}
template <internal::ListNumber T, std::same_as<QuantileOptions> O = QuantileOptions>
ndarray nanpercentile(const ndarray& a, std::initializer_list<T> q, O options) {
  return nanpercentile(a, internal::list_of(q), std::move(options));
}
inline ndarray nanquantile(const ArrayLike& a, const Operand& q, const Axes& axes = {}) {
  return nanquantile(a.array(), q, axes);
}
inline ndarray nanpercentile(const ArrayLike& a, const Operand& q, const Axes& axes = {}) {
  return nanpercentile(a.array(), q, axes);
}
/// Position of the largest and smallest of what is not NaN. Throws ValueError where all is;
/// synchronises for that.
CUPYXX_API ndarray nanargmax(const ndarray& a, const Axes& axis = {},
                             const ArgOptions& options = {});
template <std::same_as<ArgOptions> O = ArgOptions>
ndarray nanargmax(const ArrayLike& a, O options) {
  return nanargmax(a.array(), internal::take_axis(options.axis), options);
}
CUPYXX_API ndarray nanargmin(const ndarray& a, const Axes& axis = {},
                             const ArgOptions& options = {});
template <std::same_as<ArgOptions> O = ArgOptions>
ndarray nanargmin(const ArrayLike& a, O options) {
  return nanargmin(a.array(), internal::take_axis(options.axis), options);
}

/// Quantiles of lists: `percentile({1, 2, 3}, 50)`.
CUPYXX_API ndarray quantile(const ArrayLike& a, const Operand& q, const Axes& axes = {});
CUPYXX_API ndarray percentile(const ArrayLike& a, const Operand& q, const Axes& axes = {});
/// The same of lists: `cumsum({1, 2, 3})`, `median({3, 1, 2})`.
CUPYXX_API ndarray cumsum(const ArrayLike& a, const Axes& axis = {},
                          const CumsumOptions& options = {});
CUPYXX_API ndarray cumprod(const ArrayLike& a, const Axes& axis = {},
                           const CumsumOptions& options = {});
CUPYXX_API ndarray median(const ArrayLike& a, const Axes& axes = {},
                          const MedianOptions& options = {});
CUPYXX_API ndarray ptp(const ArrayLike& a, const Axes& axes = {}, const PtpOptions& options = {});
CUPYXX_API ndarray average(const ArrayLike& a, const Axes& axes = {},
                           const AverageOptions& options = {});
CUPYXX_API ndarray diff(const ArrayLike& a, internal::Int n = 1, internal::Int axis = -1,
                        const DiffOptions& options = {});
CUPYXX_API ndarray nansum(const ArrayLike& a, const Axes& axes = {},
                          const SumOptions& options = {});
CUPYXX_API ndarray nanmax(const ArrayLike& a, const Axes& axes = {},
                          const MaxOptions& options = {});
CUPYXX_API ndarray nanmin(const ArrayLike& a, const Axes& axes = {},
                          const MaxOptions& options = {});
CUPYXX_API ndarray nanmean(const ArrayLike& a, const Axes& axes = {},
                           const MeanOptions& options = {});
CUPYXX_API ndarray nanvar(const ArrayLike& a, const Axes& axes = {},
                          const VarOptions& options = {});
CUPYXX_API ndarray nanstd(const ArrayLike& a, const Axes& axes = {},
                          const VarOptions& options = {});
CUPYXX_API ndarray nanmedian(const ArrayLike& a, const Axes& axes = {},
                             const MedianOptions& options = {});
inline ndarray nancumsum(const ArrayLike& a, const Axes& axis = {},
                         const CumsumOptions& options = {}) {
  return nancumsum(a.array(), axis, options);
}
inline ndarray nancumprod(const ArrayLike& a, const Axes& axis = {},
                          const CumsumOptions& options = {}) {
  return nancumprod(a.array(), axis, options);
}
inline ndarray nanprod(const ArrayLike& a, const Axes& axes = {}, const SumOptions& options = {}) {
  return nanprod(a.array(), axes, options);
}
inline ndarray nanargmax(const ArrayLike& a, const Axes& axis = {},
                         const ArgOptions& options = {}) {
  return nanargmax(a.array(), axis, options);
}
inline ndarray nanargmin(const ArrayLike& a, const Axes& axis = {},
                         const ArgOptions& options = {}) {
  return nanargmin(a.array(), axis, options);
}
/// The dtype in its place: `cumsum(a, 0, float32)`.
template <std::convertible_to<cupyxx::dtype> D>
ndarray cumsum(const ArrayLike& a, const Axes& axis, const D& dtype) {
  return cumsum(a.array(), axis, CumsumOptions{.dtype = dtype});
}
template <std::convertible_to<cupyxx::dtype> D>
ndarray cumprod(const ArrayLike& a, const Axes& axis, const D& dtype) {
  return cumprod(a.array(), axis, CumsumOptions{.dtype = dtype});
}

// The methods that take options alone.
template <std::same_as<PtpOptions> O>
ndarray ndarray::ptp(O options) const {
  return cupyxx::ptp(*this, std::move(options));
}
template <std::same_as<CumsumOptions> O>
ndarray ndarray::cumsum(O options) const {
  return cupyxx::cumsum(*this, std::move(options));
}
template <std::same_as<CumsumOptions> O>
ndarray ndarray::cumprod(O options) const {
  return cupyxx::cumprod(*this, std::move(options));
}

}  // namespace cupyxx

#include "cupyxx/covariance.h"
#include "cupyxx/histograms.h"
