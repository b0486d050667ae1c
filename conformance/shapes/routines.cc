// SPDX-License-Identifier: MIT
// Reductions, sorting, selections and copies of arrays in several types and layouts.
#include <algorithm>
#include <string>

#include "conformance/shapes/beside.h"
#include "cupyxx/cupyxx.h"

namespace conformance {
namespace {

namespace cp = cupyxx;
using cp::ndarray;

enum class Layout { plain, transposed, every_other };

ndarray laid_out(const ndarray& a, Layout layout) {
  if (layout == Layout::transposed) return cp::transpose(a);
  return layout == Layout::every_other ? a(cp::slice(cp::none, cp::none, 2)) : a;
}

/// What rounding may do to a sum of so many terms.
double bound_of(cp::dtype type) {
  if (type == cp::float64) return 1e-12;
  return type.is_floating() ? 1e-5 : 0;
}

}  // namespace

void compare_routines(Beside& beside) {
  constexpr std::int64_t kMostOf[] = {3'000'000, 3'000, 200, 40};
  const cp::dtype types[] = {cp::float32, cp::float64, cp::int32,     cp::float16,
                             cp::int64,   cp::uint8,   cp::bfloat16_, cp::bool_};
  const cp::dtype type = types[beside.number(std::ssize(types) - 1)];
  const int ndim = static_cast<int>(1 + beside.number(3));
  const std::int64_t shrink = beside.device().is_cpu() ? 8 : 1;
  cp::Shape shape;
  for (int i = 0; i < ndim; ++i) shape.push_back(beside.extent(1, kMostOf[ndim - 1] / shrink));
  const auto layout = static_cast<Layout>(beside.number(2));
  const ndarray drawn = beside.normal(shape, type);
  const ndarray host = laid_out(drawn, layout), a = laid_out(drawn.to(beside.device()), layout);
  const int axis = static_cast<int>(beside.number(ndim - 1));
  const ndarray wide = type.is_floating() ? host.astype(cp::float64) : host;
  const std::string array = cp::message(host.shape(), " ", type.name(), ", strides ", a.strides());
  const auto whole = [&](const char* routine) { return cp::message(routine, " of ", array); };
  const auto named = [&](const char* routine) {
    return cp::message(routine, " over axis ", axis, " of ", array);
  };

  const double bound = bound_of(type), rounding = std::max(bound, 1e-6);
  if (type != cp::float16 && type != cp::bfloat16_) {
    beside.compare(named("sum"), cp::sum(a, axis), cp::sum(wide, axis), 10 * bound);
    // Of all elements the sum may nearly vanish.
    beside.compare(whole("sum of squares"), cp::sum(cp::square(a.astype(cp::float64))),
                   cp::sum(cp::square(host.astype(cp::float64))), 1e-12);
    beside.compare(named("mean"), cp::mean(a, axis), cp::mean(wide, axis), 10 * rounding);
    if (type != cp::bool_) {
      beside.compare(named("var"), cp::var(a, axis), cp::var(wide, axis), 10 * rounding);
      beside.compare(named("cumsum"), cp::cumsum(a, axis), cp::cumsum(wide, axis), 50 * bound);
    }
  }
  beside.compare(named("amax"), cp::amax(a, axis), cp::amax(host, axis), 0);
  beside.compare(named("argmin"), cp::argmin(a, axis), cp::argmin(host, axis), 0);
  beside.compare(named("argmax"), cp::argmax(a, axis), cp::argmax(host, axis), 0);
  beside.compare(named("any"), cp::any(a, axis), cp::any(host, axis), 0);
  beside.compare(named("count_nonzero"), cp::count_nonzero(a, axis), cp::count_nonzero(host, axis),
                 0);
  if (type != cp::bool_) {
    beside.compare(named("sort"), cp::sort(a, axis), cp::sort(host, axis), 0);
    beside.compare(named("argsort"), cp::argsort(a, axis), cp::argsort(host, axis), 0);
  }
  beside.compare(named("flip"), cp::flip(a, axis), cp::flip(host, axis), 0);
  beside.compare(named("roll"), cp::roll(a, 7, axis), cp::roll(host, 7, axis), 0);
  beside.compare(whole("ascontiguousarray"), cp::ascontiguousarray(a), host, 0);
  beside.compare(named("concatenate"), cp::concatenate({a, cp::flip(a, axis)}, axis),
                 cp::concatenate({host, cp::flip(host, axis)}, axis), 0);
  beside.compare(whole("selection by a > 0"), a(a > 0), host(host > 0), 0);
  beside.compare(whole("where"), cp::where(a > 0, a, a), host, 0);
  const std::int64_t extent = host.shape(axis);
  const ndarray indices = cp::random::randint(0, extent, {.size = {beside.extent(1, 3000)}});
  if (host.size() / extent * indices.size() < 20'000'000 / shrink) {
    beside.compare(named("take"), cp::take(a, indices.to(beside.device()), axis),
                   cp::take(host, indices, axis), 0);
  }
}

}  // namespace conformance
