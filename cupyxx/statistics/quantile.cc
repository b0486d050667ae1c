// SPDX-License-Identifier: MIT
// Order statistics: rows are brought into order where they are read, at one place or between two.
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "cupyxx/core/arrays.h"
#include "cupyxx/core/rows.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/indexing.h"
#include "cupyxx/internal/partition.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/reduction.h"
#include "cupyxx/sorting/sorted_rows.h"
#include "cupyxx/statistics.h"
#include "cupyxx/statistics/reduce.h"

namespace cupyxx {

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

using Method = QuantileMethod;

/// Where between the elements of a sorted row a quantile is.
struct Place {
  std::int64_t before;
  std::int64_t after;
  double fraction;  // of the way from one to the other
};

/// Methods that give elements only.
bool is_discrete(Method method) {
  return method == Method::inverted_cdf || method == Method::closest_observation ||
         method == Method::lower || method == Method::higher || method == Method::nearest;
}

/// The position between 0 and n - 1 that a method gives to a fraction. The continuous ones are the
/// family of Hyndman and Fan, "Sample quantiles in statistical packages" (1996).
double position(Method method, double n, double q) {
  const auto family = [&](double alpha, double beta) {
    return n * q + (alpha + q * (1 - alpha - beta)) - 1;
  };
  const double linear = (n - 1) * q;
  switch (method) {
    case Method::inverted_cdf: {
      const double at = n * q - 1;
      return std::ceil(at);
    }
    case Method::averaged_inverted_cdf:
      return n * q - 1;
    case Method::closest_observation: {
      const double at = n * q - 1 - 0.5, below = std::floor(at);
      return at == below && std::fmod(below, 2) == 0 ? below : below + 1;
    }
    case Method::interpolated_inverted_cdf:
      return family(0, 1);
    case Method::hazen:
      return family(0.5, 0.5);
    case Method::weibull:
      return family(0, 0);
    case Method::median_unbiased:
      return family(1 / 3.0, 1 / 3.0);
    case Method::normal_unbiased:
      return family(3 / 8.0, 3 / 8.0);
    case Method::lower:
      return std::floor(linear);
    case Method::higher:
      return std::ceil(linear);
    case Method::nearest:
      return std::nearbyint(linear);
    default:
      return linear;
  }
}

Place place_of(Method method, std::int64_t n, double q) {
  const double at = position(method, static_cast<double>(n), q);
  if (!(at >= 0)) return {0, 0, 0};
  if (at >= static_cast<double>(n - 1)) return {n - 1, n - 1, 0};
  const double below = std::floor(at);
  const auto before = static_cast<std::int64_t>(below);
  double fraction = at - below;
  if (method == Method::averaged_inverted_cdf) fraction = fraction == 0 ? 0.5 : 1;
  if (method == Method::midpoint) fraction = fraction == 0 ? 0 : 0.5;
  return {before, before + 1, fraction};
}

/// `fraction` of the way from `before` to `after`, from the nearer end.
ndarray interpolate(const ndarray& before, const ndarray& after, const ndarray& fraction) {
  // bool has no difference; integers take theirs where it cannot wrap around.
  const bool integers = before.dtype().is_integer();
  const ndarray low = integers ? before.astype(float64) : before;
  const ndarray high = integers ? after.astype(float64) : after;
  const ndarray distance = subtract(high, low);
  const ndarray from_low = add(low, multiply(distance, fraction));
  const ndarray from_high = subtract(high, multiply(distance, subtract(1.0, fraction)));
  const ndarray between = where(greater_equal(fraction, 0.5), from_high, from_low);
  return where(equal(low, high), low.astype(between.dtype(), false), between);
}

/// Whether the host selects from rows; others are sorted.
bool selects(const ndarray& array) {
  return array.device().is_cpu() && !array.dtype().is_complex();
}

/// What sorting puts at some places of each row, side by side.
ndarray chosen_elements(const char* operation, const internal::Rows& rows,
                        const std::vector<std::int64_t>& places) {
  const int last = rows.array.ndim() - 1;
  if (!selects(rows.array)) {
    const ndarray sorted = internal::sorted_rows(operation, rows);
    const DeviceScope scope(sorted.device());
    return take(sorted, array(places), last);
  }
  Shape shape;
  for (int i = 0; i < last; ++i) shape.push_back(rows.array.shape()[i]);
  shape.push_back(static_cast<std::int64_t>(places.size()));
  ndarray chosen = internal::make_array(operation, shape, rows.array.dtype(), rows.array.device());
  internal::cpu::select_from_rows(
      {&rows.array, &chosen, nullptr, rows.count, rows.n, shape[last],
       [&](std::int64_t, std::int64_t* to) { std::copy(places.begin(), places.end(), to); }});
  return chosen;
}

ndarray quantile_of(const char* operation, const ndarray& a, const std::vector<double>& q,
                    const Shape& q_shape, const Axes& axes, const QuantileOptions& options) {
  internal::check_computable(operation, a);
  const std::uint32_t mask = axes.mask(operation, a.ndim());
  const internal::Rows rows = internal::rows_over(a, mask);
  if (rows.n == 0) {
    throw IndexError(message(operation, ": there is no element to choose; ", a.shape()));
  }
  const int last = rows.array.ndim() - 1;
  std::vector<std::int64_t> before, after;
  std::vector<double> fraction;
  for (const double value : q) {
    const Place place = place_of(options.method, rows.n, value);
    before.push_back(place.before);
    after.push_back(place.after);
    fraction.push_back(place.fraction);
  }
  const auto count = static_cast<std::int64_t>(q.size());
  std::vector<std::int64_t> places = before;
  if (!is_discrete(options.method)) places.insert(places.end(), after.begin(), after.end());
  if (a.dtype().is_inexact()) places.push_back(rows.n - 1);  // where a NaN shows
  const ndarray chosen = chosen_elements(operation, rows, places);
  const DeviceScope scope(a.device());
  ndarray result = internal::part(chosen, last, 0, count);
  if (!is_discrete(options.method)) {
    result = interpolate(result, internal::part(chosen, last, count, 2 * count), array(fraction));
  }
  if (a.dtype().is_inexact()) {
    result = where(isnan(internal::part(chosen, last, -1, none)), kNan, result);
  }
  Shape shape = q_shape;
  for (const std::int64_t extent : internal::reduced_shape(a.shape(), mask, options.keepdims)) {
    shape.push_back(extent);
  }
  result = internal::contiguous(rollaxis(result, last, 0)).reshape(shape);
  return internal::deliver_to(operation, result, options.out);
}

/// The elements of q as fractions.
std::vector<double> fractions_of(const char* operation, const Operand& q, double most) {
  if (q.is_array()) internal::check_not_none(operation, q.array());
  std::vector<double> values =
      q.is_array() ? q.array().to_vector<double>() : std::vector<double>{q.scalar().as_double()};
  for (double& value : values) {
    if (!(value >= 0 && value <= most)) {
      throw ValueError(message(operation, ": q must be in the range [0, ", most == 1 ? "1" : "100",
                               "]; ", Scalar(value)));
    }
    value /= most;
  }
  return values;
}

Shape shape_of(const Operand& q) { return q.is_array() ? q.array().shape() : Shape(); }

ndarray checked(const char* operation, const ndarray& a, const Operand& q, double most,
                const Axes& axes, const QuantileOptions& options) {
  internal::check_axis_once(operation, axes, options.axis);
  const std::vector<double> fractions = fractions_of(operation, q, most);  // refuses None
  return quantile_of(operation, a, fractions, shape_of(q), axes, options);
}

}  // namespace

ndarray quantile(const ndarray& a, const Operand& q, const Axes& axes,
                 const QuantileOptions& options) {
  return checked("quantile", a, q, 1, axes, options);
}

ndarray percentile(const ndarray& a, const Operand& q, const Axes& axes,
                   const QuantileOptions& options) {
  return checked("percentile", a, q, 100, axes, options);
}

ndarray median(const ndarray& a, const Axes& axes, const MedianOptions& options) {
  internal::check_axis_once("median", axes, options.axis);
  internal::check_computable("median", a);
  const std::uint32_t mask = axes.mask("median", a.ndim());
  const internal::Rows rows = internal::rows_over(a, mask);
  const int last = rows.array.ndim() - 1;
  ndarray result;
  if (rows.n == 0) {
    result = mean(rows.array, last);  // NaN
  } else {
    const std::int64_t middle = rows.n / 2;
    std::vector<std::int64_t> places{middle};
    if (rows.n % 2 == 0) places.push_back(middle - 1);
    const auto count = static_cast<std::int64_t>(places.size());
    if (a.dtype().is_inexact()) places.push_back(rows.n - 1);  // where a NaN shows
    const ndarray chosen = chosen_elements("median", rows, places);
    result = mean(internal::part(chosen, last, 0, count), last);
    if (a.dtype().is_inexact()) {
      const ndarray largest = internal::part(chosen, last, -1, none).reshape(result.shape());
      result = where(isnan(largest), kNan, result);
    }
  }
  result = result.reshape(internal::reduced_shape(a.shape(), mask, options.keepdims));
  return internal::deliver_to("median", result, options.out, Casting::unsafe);
}

namespace {

/// Places in a row of so many numbers.
using Places = std::function<void(std::int64_t count, std::int64_t* places)>;

/// The numbers of each row, NaN being none: the host selects two of them for each of some results,
/// a device sorts them and asks for no place, so that it need not wait for their count.
class ValidRows {
 public:
  ValidRows(const char* operation, const ndarray& a, std::uint32_t mask, std::size_t results,
            const Places& places)
      : rows(internal::rows_over(a, mask)) {
    if (selects(a) && rows.n > 0) {
      const auto count = 2 * static_cast<std::int64_t>(results);
      counts = internal::make_array(operation, {rows.count}, int64, a.device());
      chosen_ = internal::make_array(operation, {rows.count, count}, a.dtype(), a.device());
      internal::cpu::select_from_rows({&rows.array, &chosen_,
                                       static_cast<std::int64_t*>(counts.elements()), rows.count,
                                       rows.n, count, places});
      return;
    }
    sorted_ = internal::sorted_rows(operation, rows).reshape({rows.count, rows.n});
    counts = a.dtype().is_inexact() ? sum(logical_not(isnan(sorted_)), 1)
                                    : full({rows.count}, rows.n, int64);
  }

  /// The quantile of each row that result number `result` is.
  ndarray quantile(Method method, double q, std::size_t result) const {
    return nan_where_empty(method == Method::linear ? linear_quantile(q, result)
                                                    : quantile_by_places(method, q, result));
  }

  /// The median of each row, for which the host has selected from both sides of the middle.
  ndarray median() const {
    const ndarray low = is_selected() ? chosen(0) : at(floor_divide(subtract(counts, 1), 2));
    const ndarray high = is_selected() ? chosen(1) : at(floor_divide(counts, 2));
    return nan_where_empty(mean(stack({low, high}), 0));
  }

  internal::Rows rows;
  ndarray counts;  // int64, of the numbers of each row

 private:
  bool is_selected() const { return !chosen_.is_none(); }
  ndarray chosen(std::size_t place) const {
    const auto column = static_cast<std::int64_t>(place);
    return internal::part(chosen_, 1, column, column + 1).reshape({rows.count});
  }
  /// The element of each row at a place of its own, cut to the row.
  ndarray at(const ndarray& places) const {
    const ndarray starts = arange(0, rows.count * rows.n, std::max<std::int64_t>(rows.n, 1));
    return take(sorted_, add(clip(places, 0, rows.n - 1), starts));
  }
  ndarray nan_where_empty(const ndarray& values) const {
    return rows.array.dtype().is_inexact() ? where(equal(counts, 0), kNan, values) : values;
  }

  /// Which most ask for: it stays on the device.
  ndarray linear_quantile(double q, std::size_t result) const {
    const ndarray last = subtract(counts, 1);
    const ndarray place = multiply(last.astype(float64), q), below = floor(place);
    const ndarray fraction = subtract(place, below);
    if (is_selected()) return interpolate(chosen(2 * result), chosen(2 * result + 1), fraction);
    const ndarray before = below.astype(int64);
    return interpolate(at(before), at(minimum(add(before, 1), last)), fraction);
  }

  ndarray quantile_by_places(Method method, double q, std::size_t result) const {
    std::vector<std::int64_t> before, after;
    std::vector<double> fraction;
    for (const std::int64_t count : counts.to_vector<std::int64_t>()) {
      const Place place = place_of(method, count, q);
      before.push_back(place.before);
      after.push_back(place.after);
      fraction.push_back(place.fraction);
    }
    const ndarray low = is_selected() ? chosen(2 * result) : at(array(before));
    if (is_discrete(method)) return low;
    const ndarray high = is_selected() ? chosen(2 * result + 1) : at(array(after));
    return interpolate(low, high, array(fraction));
  }

  ndarray chosen_, sorted_;  // one of them is there
};

ndarray all_nan(const ndarray& a, const Shape& shape) {
  return full(shape, kNan, a.dtype().is_inexact() ? a.dtype() : float64);
}

ndarray nan_quantile_of(const char* operation, const ndarray& a, const Operand& q, double most,
                        const Axes& axes, const QuantileOptions& options) {
  internal::check_axis_once(operation, axes, options.axis);
  internal::check_computable(operation, a);
  const std::vector<double> fractions = fractions_of(operation, q, most);
  Shape shape = shape_of(q);
  const std::uint32_t mask = axes.mask(operation, a.ndim());
  for (const std::int64_t extent : internal::reduced_shape(a.shape(), mask, options.keepdims)) {
    shape.push_back(extent);
  }
  const DeviceScope scope(a.device());
  const auto places = [&](std::int64_t count, std::int64_t* to) {
    for (const double fraction : fractions) {
      const Place place = place_of(options.method, count, fraction);
      *to++ = place.before;
      *to++ = place.after;
    }
  };
  const ValidRows valid(operation, a, mask, fractions.size(), places);
  std::vector<ndarray> results;
  for (std::size_t i = 0; i < fractions.size() && valid.rows.n != 0; ++i) {
    results.push_back(valid.quantile(options.method, fractions[i], i));
  }
  const ndarray result = results.empty() ? all_nan(a, shape) : stack(results, 0).reshape(shape);
  return internal::deliver_to(operation, result, options.out, Casting::unsafe);
}

}  // namespace

ndarray nanquantile(const ndarray& a, const Operand& q, const Axes& axes,
                    const QuantileOptions& options) {
  return nan_quantile_of("nanquantile", a, q, 1, axes, options);
}

ndarray nanpercentile(const ndarray& a, const Operand& q, const Axes& axes,
                      const QuantileOptions& options) {
  return nan_quantile_of("nanpercentile", a, q, 100, axes, options);
}

ndarray nanmedian(const ndarray& a, const Axes& axes, const MedianOptions& options) {
  internal::check_axis_once("nanmedian", axes, options.axis);
  internal::check_computable("nanmedian", a);
  const std::uint32_t mask = axes.mask("nanmedian", a.ndim());
  const Shape shape = internal::reduced_shape(a.shape(), mask, options.keepdims);
  const DeviceScope scope(a.device());
  const auto places = [](std::int64_t count, std::int64_t* to) {
    to[0] = (count - 1) / 2;
    to[1] = count / 2;
  };
  const ValidRows valid("nanmedian", a, mask, 1, places);
  const ndarray result = valid.rows.n == 0 ? all_nan(a, shape) : valid.median().reshape(shape);
  return internal::deliver_to("nanmedian", result, options.out, Casting::unsafe);
}

// Of lists.

ndarray quantile(const ArrayLike& a, const Operand& q, const Axes& axes) {
  return quantile(a.array(), q, axes);
}

ndarray percentile(const ArrayLike& a, const Operand& q, const Axes& axes) {
  return percentile(a.array(), q, axes);
}

ndarray median(const ArrayLike& a, const Axes& axes, const MedianOptions& options) {
  return median(a.array(), axes, options);
}

ndarray nanmedian(const ArrayLike& a, const Axes& axes, const MedianOptions& options) {
  return nanmedian(a.array(), axes, options);
}

}  // namespace cupyxx
