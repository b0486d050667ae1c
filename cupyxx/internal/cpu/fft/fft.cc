// SPDX-License-Identifier: MIT
#include "cupyxx/internal/fft.h"

#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "cupyxx/internal/cpu/fft/plan.h"
#include "cupyxx/internal/cpu/parallel.h"

namespace cupyxx::internal::cpu {

namespace {

// The plans that were used last; making one costs as much as a few transforms.
template <class P>
std::shared_ptr<const FftPlan<P>> plan_for(std::int64_t n) {
  constexpr std::size_t kKept = 8;
  using Plan = std::shared_ptr<const FftPlan<P>>;
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
  Plan made = std::make_shared<const FftPlan<P>>(n);
  if (kept.plans.size() == kKept) kept.plans.erase(kept.plans.begin());
  kept.plans.emplace_back(n, made);
  return made;
}

template <class P>
void exchange_parts(complex<P>* x, std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i) std::swap(x[i].re, x[i].im);
}

template <class P>
void transform(complex<P>* x, std::int64_t count, std::int64_t n, bool inverse) {
  const auto plan = plan_for<P>(n);
  const std::int64_t rows_at_once = kGrain / (8 * n) + 1;
  parallel_for(count, rows_at_once, [&](std::int64_t begin, std::int64_t end) {
    std::vector<complex<P>> scratch(static_cast<std::size_t>(plan->scratch_size()));
    for (std::int64_t i = begin; i < end; ++i) {
      complex<P>* row = x + i * n;
      // The inverse is the forward transform with real and imaginary parts exchanged.
      if (inverse) exchange_parts(row, n);
      plan->run(row, scratch.data());
      if (inverse) exchange_parts(row, n);
    }
  });
}

}  // namespace

void fft(const char*, const ndarray& a, bool inverse) {
  const Shape shape = a.shape();
  if (a.dtype() == complex64) {
    transform(static_cast<complex<float>*>(a.data()), shape[0], shape[1], inverse);
  } else {
    transform(static_cast<complex<double>*>(a.data()), shape[0], shape[1], inverse);
  }
}

}  // namespace cupyxx::internal::cpu
