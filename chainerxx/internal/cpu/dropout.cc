// SPDX-License-Identifier: MIT
#include "chainerxx/internal/cpu/dropout_loops.h"
#include "chainerxx/internal/cpu/loops.h"
#include "chainerxx/internal/cpu/support.h"

namespace chainerxx::internal::cpu {

void dropout(cupyxx::dtype type, const kernels::DropoutArgs& args) {
  visit_type(type, [&](auto* null) {
    using T = Element<decltype(null)>;
    parallel_for((args.size + kDropoutSpan - 1) / kDropoutSpan, kGrain / kDropoutSpan,
                 [&](std::int64_t begin, std::int64_t end) {
                   with_arch([&]<Arch kArch>() { DropoutLoops<kArch, T>::run(args, begin, end); });
                 });
  });
}

}  // namespace chainerxx::internal::cpu
