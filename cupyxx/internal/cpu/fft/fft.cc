// SPDX-License-Identifier: MIT
#include "cupyxx/internal/fft.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "cupyxx/core/arrays.h"
#include "cupyxx/internal/cpu/fft/plan.h"
#include "cupyxx/internal/cpu/parallel.h"

namespace cupyxx::internal::cpu {

namespace {

// The plans that were used last; making one costs as much as a few transforms.
template <class P>
std::shared_ptr<const P> plan_for(std::int64_t n) {
  constexpr std::size_t kKept = 8;
  using Plan = std::shared_ptr<const P>;
  struct Kept {
    std::mutex mutex;
    std::vector<std::pair<std::int64_t, Plan>> plans;  // the last one used comes last
  };
  static Kept& kept = *new Kept;  // outlives every thread
  const std::lock_guard lock(kept.mutex);
  for (std::size_t i = 0; i < kept.plans.size(); ++i) {
    if (kept.plans[i].first != n) continue;
    auto found = std::move(kept.plans[i]);
    kept.plans.erase(kept.plans.begin() + static_cast<std::ptrdiff_t>(i));
    return kept.plans.emplace_back(std::move(found)).second;
  }
  Plan made = std::make_shared<const P>(n);
  if (kept.plans.size() == kKept) kept.plans.erase(kept.plans.begin());
  kept.plans.emplace_back(n, made);
  return made;
}

// Runs body(row, lanes, work, scratch) for groups of `count` rows of n numbers, on several threads.
// Work space is an array's memory, which the pool has ready.
template <class P, class Plan, class Body>
void for_each_group(std::int64_t count, std::int64_t n, const Plan& plan, const Body& body) {
  const std::int64_t most = plan.lanes_for(count);
  const std::int64_t groups = (count + most - 1) / most;
  parallel_for(groups, kGrain / (8 * n * most) + 1, [&](std::int64_t begin, std::int64_t end) {
    const std::int64_t size = most * plan.size(), scratch_size = most * plan.scratch_size();
    const ndarray memory = make_array("fft", {split_size<P>(size) + split_size<P>(scratch_size)},
                                      dtype_of<P>(), Device::cpu());
    P* const numbers = static_cast<P*>(memory.elements());
    const Split<P> work = split_in(numbers, size);
    const Split<P> scratch = split_in(numbers + split_size<P>(size), scratch_size);
    for (std::int64_t group = begin; group < end; ++group) {
      const std::int64_t row = group * most;
      body(row, std::min(most, count - row), work, scratch);
    }
  });
}

template <class P>
void transform(const ndarray& from, const ndarray& to, bool inverse, double scale) {
  const std::int64_t n = from.shape()[1];
  const auto* x = static_cast<const complex<P>*>(from.elements());
  auto* y = static_cast<complex<P>*>(to.elements());
  const auto plan = plan_for<FftPlan<P>>(n);
  const FftLoops<P>& loops = fft_loops<P>();
  for_each_group<P>(from.shape()[0], n, *plan,
                    [&](std::int64_t row, std::int64_t lanes, Split<P> work, Split<P> scratch) {
                      for (std::int64_t i = 0; i < lanes; ++i)
                        loops.split(x + (row + i) * n, work + i, n, lanes);
                      const Split<P> result =
                          inverse
                              ? plan->run(work.exchanged(), scratch.exchanged(), lanes).exchanged()
                              : plan->run(work, scratch, lanes);
                      for (std::int64_t i = 0; i < lanes; ++i) {
                        loops.join(result + i, static_cast<P>(scale), y + (row + i) * n, n, lanes);
                      }
                    });
}

template <class P>
void transform_real(const ndarray& numbers, const ndarray& frequencies, bool inverse,
                    double scale) {
  const std::int64_t n = numbers.shape()[1], terms = n / 2 + 1;
  auto* x = static_cast<P*>(numbers.elements());
  auto* f = static_cast<complex<P>*>(frequencies.elements());
  const auto factor = static_cast<P>(scale);
  const auto plan = plan_for<RealFftPlan<P>>(n);
  for_each_group<P>(numbers.shape()[0], n, *plan,
                    [&](std::int64_t row, std::int64_t lanes, Split<P> work, Split<P> scratch) {
                      if (inverse) {
                        plan->run_inverse(f + row * terms, factor, x + row * n, work, scratch,
                                          lanes);
                      } else {
                        plan->run(x + row * n, factor, f + row * terms, work, scratch, lanes);
                      }
                    });
}

}  // namespace

void fft(const ndarray& from, const ndarray& to, bool inverse, double scale) {
  (to.dtype() == complex64 ? transform<float> : transform<double>)(from, to, inverse, scale);
}

void rfft(const ndarray& numbers, const ndarray& frequencies, double scale) {
  (frequencies.dtype() == complex64 ? transform_real<float>
                                    : transform_real<double>)(numbers, frequencies, false, scale);
}

void irfft(const ndarray& frequencies, const ndarray& numbers, double scale) {
  (frequencies.dtype() == complex64 ? transform_real<float>
                                    : transform_real<double>)(numbers, frequencies, true, scale);
}

}  // namespace cupyxx::internal::cpu
