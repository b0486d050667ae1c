// SPDX-License-Identifier: MIT
#include "cupyxx/internal/random/sample_batches.h"

#include <memory>

#include "cupyxx/internal/cpu/arch.h"
#include "cupyxx/internal/cpu/parallel.h"

namespace cupyxx::internal::cpu {
namespace {

namespace m = random::m;

template <Arch kArch>
BatchFn find_in(Sample sample, dtype type) {
  switch (sample) {
    case Sample::poisson:
    case Sample::binomial:
      return BatchLoops<kArch>::inversion();
    case Sample::gamma:
    case Sample::chisquare:
      return BatchLoops<kArch>::gamma(type);
    case Sample::beta:
      return BatchLoops<kArch>::beta(type);
    default:
      return nullptr;
  }
}

BatchFn find(Sample sample, dtype type) {
  return with_arch(arch(), [&]<Arch kArch>() { return find_in<kArch>(sample, type); });
}

/// Collects the sums that a body would make, up to the first one that no uniform number reaches.
struct Inversion {
  InversionTable& table;
  double term, sum = term, k = 0;

  bool goes_on() const { return k < InversionTable::kMost && sum < 1; }
  /// `factor` makes the next term of this one.
  void add(double factor) {
    term *= factor;
    sum += term;
  }
  void note(double value) {
    table.values[table.count] = m::to_long(value);
    table.sums[table.count++] = sum;
    k += 1;
  }
  void end(double value) { table.values[table.count] = m::to_long(value); }
};

// The arithmetic of dist::poisson and dist::binomial, in the same order.
bool tabulate_poisson(double mean, InversionTable& table) {
  if (!(mean < 10)) return false;
  Inversion inversion{table, m::e_to(-mean)};
  while (inversion.goes_on()) {
    inversion.note(inversion.k);
    inversion.add(mean / inversion.k);
  }
  inversion.end(inversion.k);
  return true;
}

bool tabulate_binomial(double n, double p, InversionTable& table) {
  if (n == 0 || p == 0) return false;
  const bool mirrored = p > 0.5;
  if (mirrored) p = 1.0 - p;
  if (!(n * p < 10)) return false;
  const double odds = p / (1.0 - p);
  Inversion inversion{table, m::e_to(n * m::log1p(-p))};
  const auto value = [&] { return mirrored ? n - inversion.k : inversion.k; };
  while (inversion.goes_on() && inversion.k < n) {
    inversion.note(value());
    inversion.add(odds * (n - inversion.k + 1.0) / inversion.k);
  }
  inversion.end(value());
  return true;
}

bool tabulate(Sample sample, const double* p, InversionTable& table) {
  return sample == Sample::poisson ? tabulate_poisson(p[0], table)
                                   : tabulate_binomial(p[0], p[1], table);
}

}  // namespace

bool sample_batches(Sample sample, dtype type, const kernels::SampleArgs& args, SampleFn body) {
  constexpr std::int64_t kLeast = 64;  // elements that are worth a table
  if (args.size < kLeast) return false;
  for (int k = 0; k < args.count; ++k) {
    if (args.arrays[k] != nullptr) return false;
  }
  const BatchFn loop = find(sample, type);
  if (loop == nullptr) return false;
  const double* p = args.values;
  BatchCall call{args, body, nullptr, 1, p[0]};
  std::unique_ptr<InversionTable> table;
  switch (sample) {
    case Sample::gamma:
      call.factor = p[1];
      break;
    case Sample::chisquare:
      call.factor = 2;
      call.shape = 0.5 * p[0];
      break;
    case Sample::beta:
      if (!(p[1] >= 1)) return false;
      break;
    default:
      table = std::make_unique<InversionTable>();
      if (!tabulate(sample, p, *table)) return false;
      call.table = table.get();
      call.shape = 1;
  }
  // Smaller shapes draw another number after the gamma.
  if (!(call.shape >= 1)) return false;
  parallel_for(args.size, kGrain / 16,
               [&](std::int64_t begin, std::int64_t end) { loop(call, begin, end); });
  return true;
}

}  // namespace cupyxx::internal::cpu
