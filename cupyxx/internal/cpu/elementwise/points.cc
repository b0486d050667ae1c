// SPDX-License-Identifier: MIT
#include "cupyxx/internal/cpu/elementwise/points.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <vector>

#include "cupyxx/internal/cpu/elementwise/cast.h"
#include "cupyxx/internal/cpu/parallel.h"

namespace cupyxx::internal::cpu {

namespace {

constexpr std::int64_t kChunk = 1024;       // elements that are cast at a time
constexpr std::int64_t kGrainHere = 16384;  // a search costs as much as ten sums

/// Finds the interval [points[i], points[i + 1]) of a number. Points are as good as even in most
/// programs, so a line through the ends is asked first.
class Intervals {
 public:
  /// `count` >= 2 points that do not fall.
  Intervals(const double* points, std::int64_t count)
      : points_(points), last_(count - 1), first_(points[0]) {
    const double width = points[last_] - first_;
    const double scale = static_cast<double>(last_) / width;
    // Elsewhere every guess is the first interval.
    if (width > 0 && std::isfinite(scale)) scale_ = scale;
  }

  /// The interval of points[0] <= x < points[count - 1].
  std::int64_t find(double x) const {
    const double guess = (x - first_) * scale_;
    const std::int64_t at =
        guess < static_cast<double>(last_) ? static_cast<std::int64_t>(guess) : last_ - 1;
    if (points_[at] <= x && x < points_[at + 1]) return at;
    if (at + 2 <= last_ && points_[at + 1] <= x && x < points_[at + 2]) return at + 1;
    if (at > 0 && points_[at - 1] <= x && x < points_[at]) return at - 1;
    return search(x);
  }

 private:
  /// Halves without a branch on the element.
  std::int64_t search(double x) const {
    const double* low = points_;
    for (std::int64_t n = last_ + 1; n > 1;) {
      const std::int64_t half = n / 2;
      low = low[half] <= x ? low + half : low;
      n -= half;
    }
    return std::min(low - points_, last_ - 1);  // points that fall have no last interval
  }

  const double* points_;
  std::int64_t last_;
  double first_;
  double scale_ = 0;
};

/// Calls body(i, bin) for each of the elements [begin, end) that is in a bin.
template <class Body>
void for_each_bin(const char* elements, dtype type, std::int64_t begin, std::int64_t end,
                  const double* edges, std::int64_t bins, const Body& body) {
  const Intervals intervals(edges, bins + 1);
  const double first = edges[0], last = edges[bins];
  const LoopFn to_double = type == float64 ? nullptr : cast_loop(type, float64);
  const std::int64_t size = type.itemsize();
  double buffer[kChunk];
  for (std::int64_t i = begin; i < end; i += kChunk) {
    const std::int64_t n = std::min(kChunk, end - i);
    const auto* x = reinterpret_cast<const double*>(elements + i * size);
    if (to_double != nullptr) {
      char* const pair[] = {reinterpret_cast<char*>(buffer),
                            const_cast<char*>(elements + i * size)};
      const std::int64_t strides[] = {8, size};
      to_double(pair, strides, n);
      x = buffer;
    }
    for (std::int64_t j = 0; j < n; ++j) {
      if (!(x[j] >= first && x[j] <= last)) continue;
      body(i + j, x[j] == last ? bins - 1 : intervals.find(x[j]));
    }
  }
}

void count_range(const char* elements, dtype type, std::int64_t begin, std::int64_t end,
                 const double* edges, std::int64_t bins, std::int64_t* counts) {
  for_each_bin(elements, type, begin, end, edges, bins,
               [&](std::int64_t, std::int64_t bin) { ++counts[bin]; });
}

}  // namespace

void count_bins(const char* elements, dtype type, std::int64_t n, const double* edges,
                std::int64_t bins, std::int64_t* counts) {
  if (n <= kGrainHere || bins > n) {
    count_range(elements, type, 0, n, edges, bins, counts);
    return;
  }
  std::mutex mutex;
  parallel_for(n, kGrainHere, [&](std::int64_t begin, std::int64_t end) {
    std::vector<std::int64_t> own(static_cast<std::size_t>(bins));
    count_range(elements, type, begin, end, edges, bins, own.data());
    const std::lock_guard lock(mutex);
    for (std::int64_t i = 0; i < bins; ++i) counts[i] += own[static_cast<std::size_t>(i)];
  });
}

void weigh_bins(const char* elements, dtype type, const double* weights, std::int64_t n,
                const double* edges, std::int64_t bins, double* sums) {
  for_each_bin(elements, type, 0, n, edges, bins,
               [&](std::int64_t i, std::int64_t bin) { sums[bin] += weights[i]; });
}

void interpolate(const double* at, std::int64_t n, const Polyline& line, double* out) {
  const double *px = line.x, *py = line.y;
  const std::int64_t last = line.count - 1;
  if (last == 0) {
    for (std::int64_t i = 0; i < n; ++i) {
      const double x = at[i];
      out[i] = x < px[0] ? line.left : x > px[0] ? line.right : py[0];  // of NaN, too
    }
    return;
  }
  // One division for each interval instead of one for each element, where there are more of these.
  std::vector<double> slopes;
  if (last <= n) {
    slopes.resize(static_cast<std::size_t>(last));
    for (std::int64_t i = 0; i < last; ++i) {
      slopes[static_cast<std::size_t>(i)] = (py[i + 1] - py[i]) / (px[i + 1] - px[i]);
    }
  }
  const Intervals intervals(px, line.count);
  parallel_for(n, kGrainHere, [&](std::int64_t begin, std::int64_t end) {
    std::int64_t j = 0;  // the interval of the element before: that of the next one, where sorted
    for (std::int64_t i = begin; i < end; ++i) {
      const double x = at[i];
      if (!(x >= px[0] && x < px[last])) {
        // NaN stays what it is.
        out[i] = x < px[0] ? line.left : x > px[last] ? line.right : x == px[last] ? py[last] : x;
        continue;
      }
      if (!(x >= px[j] && x < px[j + 1])) j = intervals.find(x);
      if (x == px[j]) {
        out[i] = py[j];
        continue;
      }
      const double slope = slopes.empty() ? (py[j + 1] - py[j]) / (px[j + 1] - px[j])
                                          : slopes[static_cast<std::size_t>(j)];
      double y = slope * (x - px[j]) + py[j];
      // An infinite value beside a point may be reached from the other side; equal ones are
      // themselves.
      if (y != y) {
        y = slope * (x - px[j + 1]) + py[j + 1];
        if (y != y && py[j] == py[j + 1]) y = py[j];
      }
      out[i] = y;
    }
  });
}

}  // namespace cupyxx::internal::cpu
