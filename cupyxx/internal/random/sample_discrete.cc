// SPDX-License-Identifier: MIT
#include "cupyxx/internal/cpu/parallel.h"
#include "cupyxx/internal/random/sample_loops.h"

namespace cupyxx::internal::cpu {
namespace {

template <class Distribution>
void rows(const kernels::SampleRowsArgs& args) {
  using T = typename Distribution::type;
  parallel_for(args.rows, kGrain / 64 / args.k + 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row) {
      random::Draws draws(args.stream, static_cast<unsigned long>(row));
      Distribution::draw(draws, args.n, args.p, args.k, static_cast<T*>(args.out) + row * args.k);
    }
  });
}

}  // namespace

SampleFn discrete_loop(Sample sample) {
  return sample_loop<long>(static_cast<int>(sample) - kContinuousCount,
                           random::dist::DiscreteList{});
}

void sample_rows(Rows kind, const kernels::SampleRowsArgs& args) {
  kind == Rows::multinomial ? rows<random::dist::Multinomial>(args)
                            : rows<random::dist::Dirichlet>(args);
}

}  // namespace cupyxx::internal::cpu
