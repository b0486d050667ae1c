// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <vector>

#include "cupyxx/core/arrays.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/indexing.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/random/generator.h"
#include "cupyxx/sorting.h"

namespace cupyxx::random {
namespace {

// Keys of equal chance for every order; of n keys two are equal with a chance of n^2 / 2^65.
ndarray keys(RandomState& state, const Shape& shape) {
  return state.random_integers(0, UINT64_MAX, shape, {.dtype = uint64});
}

// The next 32 bits of a key and its place, in the order of the keys but for a chance of 2^-32.
using Ticket = std::uint64_t;
constexpr int kDigit = 8;  // bits that a pass looks at
constexpr int kDigits = 1 << kDigit;

Ticket ticket_of(std::uint64_t key, int bits, std::int64_t place) {
  return (key << bits >> 32) << 32 | static_cast<Ticket>(place);
}

void insert_in_order(Ticket* tickets, std::int64_t n) {
  for (std::int64_t i = 1; i < n; ++i) {
    const Ticket ticket = tickets[i];
    std::int64_t at = i;
    for (; at > 0 && tickets[at - 1] > ticket; --at) tickets[at] = tickets[at - 1];
    tickets[at] = ticket;
  }
}

// Counts to places: each becomes the sum of those before it.
void sum_up(std::uint32_t (&counts)[kDigits]) {
  std::uint32_t sum = 0;
  for (std::uint32_t& count : counts) {
    const std::uint32_t here = count;
    count = sum;
    sum += here;
  }
}

// Some thousand tickets: two passes over their leading 16 bits bring all but a few in order.
void sort_bucket(Ticket* tickets, Ticket* other, std::int64_t n) {
  if (n > 64) {
    constexpr int kHigh = 64 - kDigit, kLow = kHigh - kDigit;
    std::uint32_t low[kDigits] = {}, high[kDigits] = {};
    for (std::int64_t i = 0; i < n; ++i) {
      ++low[tickets[i] >> kLow & (kDigits - 1)];
      ++high[tickets[i] >> kHigh];
    }
    sum_up(low);
    sum_up(high);
    for (std::int64_t i = 0; i < n; ++i) {
      other[low[tickets[i] >> kLow & (kDigits - 1)]++] = tickets[i];
    }
    for (std::int64_t i = 0; i < n; ++i) tickets[high[other[i] >> kHigh]++] = other[i];
  }
  insert_in_order(tickets, n);
}

// Of a sorted bucket the places alone; those of tickets that are equal in the bits of the key by
// the whole of their keys.
void write_places(const std::uint64_t* key, const Ticket* tickets, std::int64_t n,
                  std::int64_t* to) {
  Ticket equal = 0, before = n == 0 ? 0 : ~tickets[0];
  for (std::int64_t i = 0; i < n; ++i) {
    to[i] = static_cast<std::int64_t>(tickets[i] & 0xffffffffu);
    equal |= (tickets[i] ^ before) >> 32 == 0;
    before = tickets[i];
  }
  if (equal == 0) return;
  std::stable_sort(to, to + n, [key](std::int64_t x, std::int64_t y) {
    return key[x] < key[y] || (key[x] == key[y] && x < y);
  });
}

// What argsort gives for less than 2^32 keys, on the host. Keys are uniform, so their leading bits
// put them into buckets of some thousand, which stay in the nearest cache while they are sorted.
ndarray sorted_places(const ndarray& keys) {
  const std::int64_t n = keys.size();
  const auto* key = static_cast<const std::uint64_t*>(keys.elements());
  int bits = 0;
  while (bits < 14 && std::int64_t{3000} << bits < n) ++bits;
  const ndarray all = internal::make_array("permutation", {n}, uint64, keys.device());
  auto* const tickets = static_cast<Ticket*>(all.elements());
  std::vector<std::int64_t> begin((std::size_t{1} << bits) + 1);
  if (bits == 0) {
    for (std::int64_t i = 0; i < n; ++i) tickets[i] = ticket_of(key[i], 0, i);
    begin[0] = n;
  } else {
    const int shift = 64 - bits;
    for (std::int64_t i = 0; i < n; ++i) ++begin[(key[i] >> shift) + 1];
    for (std::size_t i = 1; i < begin.size(); ++i) begin[i] += begin[i - 1];
    // Each bucket's begin moves to its end, where the next one's was.
    for (std::int64_t i = 0; i < n; ++i) {
      tickets[begin[key[i] >> shift]++] = ticket_of(key[i], bits, i);
    }
  }
  const ndarray places = internal::make_array("permutation", {n}, int64, keys.device());
  auto* const to = static_cast<std::int64_t*>(places.elements());
  std::int64_t first = 0;
  for (std::size_t bucket = 0; bucket + 1 < begin.size(); ++bucket) {
    const std::int64_t count = begin[bucket] - first;
    // Where the places will stand is free until then.
    sort_bucket(tickets + first, reinterpret_cast<Ticket*>(to + first), count);
    write_places(key, tickets + first, count, to + first);
    first += count;
  }
  return places;
}

// The slices of `a` along an axis in the order `places`.
ndarray reordered(const ndarray& a, const ndarray& places, int axis) {
  return a.take(places, axis);
}

// Probabilities on the host, checked.
std::vector<double> probabilities(const ndarray& p, std::int64_t n) {
  if (p.ndim() != 1) throw ValueError(message("choice: p must be 1-dimensional; ", p.shape()));
  if (p.size() != n) {
    throw ValueError(message("choice: a and p must have the same size; ", n, " and ", p.size()));
  }
  std::vector<double> values = p.to_vector<double>();
  double sum = 0, lost = 0;  // Kahan's sum
  for (const double value : values) {
    if (!(value >= 0)) {
      throw ValueError(message("choice: probabilities are not non-negative; ", Scalar(value)));
    }
    const double term = value - lost, next = sum + term;
    lost = next - sum - term;
    sum = next;
  }
  const double tolerance = std::max(1e-8, p.dtype() == float64   ? 0
                                          : p.dtype() == float32 ? 3.5e-4
                                                                 : 0.03);
  if (!(std::abs(sum - 1) <= tolerance)) {
    throw ValueError(message("choice: probabilities do not sum to 1; ", Scalar(sum)));
  }
  return values;
}

// Inversion of the cumulative distribution.
ndarray choose_with(RandomState& state, std::vector<double> p, const Shape& size) {
  double sum = 0;
  for (double& value : p) value = sum += value;
  for (double& value : p) value /= sum;
  return searchsorted(array(p), state.random_sample(size), {.side = SearchSide::right});
}

// An exponential race: the smallest E / p win, in the order of drawing one after the other
// (Efraimidis, Spirakis: "Weighted random sampling with a reservoir", 2006).
ndarray choose_without(RandomState& state, const std::vector<double>& p, std::int64_t count) {
  std::int64_t possible = 0;
  for (const double value : p) possible += value > 0;
  if (possible < count) {
    throw ValueError(
        message("choice: fewer non-zero entries in p than size; ", possible, " and ", count));
  }
  const ndarray times = state.standard_exponential({static_cast<std::int64_t>(p.size())});
  // What cannot win comes last: 0 / 0 would be no number.
  std::vector<double> rates = p;
  for (double& rate : rates) rate = rate > 0 ? 1 / rate : INFINITY;
  const ndarray shifted = add(times, 0x1p-1000);
  return argsort(multiply(shifted, array(rates)))(slice(0, count));
}

ndarray choose(RandomState& state, std::int64_t n, const Shape& size,
               const ChoiceOptions& options) {
  const std::int64_t count = size.element_count();
  if (n < 1 && count > 0) {
    throw ValueError(message("choice: a must be greater than 0 unless no samples are taken; ", n));
  }
  if (!options.replace && count > n) {
    throw ValueError(
        message("choice: cannot take a larger sample than population without replacement; ", count,
                " and ", n));
  }
  if (options.p.is_none()) {
    if (options.replace) {
      return count == 0 ? empty(size, int64) : state.randint(0, n, size);
    }
    return array(state.permutation(n)(slice(0, count))).reshape(size);
  }
  const std::vector<double> p = probabilities(options.p.array(), n);
  if (options.replace) return choose_with(state, p, size);
  return array(choose_without(state, p, count)).reshape(size);
}

}  // namespace

ndarray RandomState::permutation(internal::Int64 n) {
  if (n < 0) throw ValueError(message("permutation: the length is negative; ", n));
  const ndarray drawn = keys(*this, {n});
  return drawn.device().is_cpu() && n > 0 && n <= INT64_C(0xffffffff) ? sorted_places(drawn)
                                                                      : argsort(drawn);
}

ndarray RandomState::permutation(const ndarray& a, internal::Int axis) {
  internal::check_not_none("permutation", a);
  if (a.ndim() == 0) {
    throw IndexError(message("permutation: the array must be at least 1-dimensional; ", a.shape()));
  }
  const int at = normalize_axis("permutation", axis, a.ndim());
  const DeviceScope device(a.device());
  return reordered(a, permutation(a.shape()[at]), at);
}

void RandomState::shuffle(const ndarray& a, internal::Int axis) {
  internal::check_not_none("shuffle", a);
  if (a.ndim() == 0) throw TypeError(message("shuffle: the array has no axis; ", a.shape()));
  const int at = normalize_axis("shuffle", axis, a.ndim());
  if (!a.flags().writeable) throw ValueError("shuffle: the array is read-only");
  const DeviceScope device(a.device());
  internal::assign("shuffle", a, reordered(a, permutation(a.shape()[at]), at));
}

ndarray RandomState::choice(internal::Int64 n, const Shape& size, const ChoiceOptions& options) {
  const ndarray& p = options.p.array();
  const DeviceScope device(p.is_none() ? current_device() : p.device());
  return choose(*this, n, size, options);
}

ndarray RandomState::choice(const ndarray& a, const Shape& size, const ChoiceOptions& options) {
  internal::check_not_none("choice", a);
  if (a.ndim() == 0) {
    throw ValueError(message("choice: a must be an integer or an array with an axis; ", a.shape()));
  }
  const int axis = normalize_axis("choice", options.axis, a.ndim());
  const ndarray p = options.p.beside(a);
  if (!p.is_none()) internal::common_device("choice", a, p);
  const DeviceScope device(a.device());
  return a.take(choose(*this, a.shape()[axis], size, {.replace = options.replace, .p = p}), axis);
}

ndarray Generator::permuted(const ndarray& a, const Axes& axis) {
  internal::check_not_none("permuted", a);
  const DeviceScope device(a.device());
  if (axis.is_all()) return permutation(a.ravel()).reshape(a.shape());
  if (axis.list().ndim() != 1) {
    throw ValueError(message("permuted: one axis or none; ", axis.list()));
  }
  const int at = normalize_axis("permuted", axis.list()[0], a.ndim());
  return take_along_axis(a, argsort(keys(*this, a.shape()), at), at);
}

std::vector<Generator> Generator::spawn(internal::Int count) {
  std::vector<Generator> children;
  for (RandomState& child : split(count)) children.emplace_back(std::move(child));
  return children;
}

}  // namespace cupyxx::random
