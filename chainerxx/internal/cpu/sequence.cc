// SPDX-License-Identifier: MIT
// Cells of recurrent networks and losses of sequences.
#include "chainerxx/internal/cpu/loops.h"
#include "chainerxx/internal/cpu/sequence_loops.h"
#include "chainerxx/internal/cpu/support.h"
#include "chainerxx/internal/kernels/ctc.h"
#include "chainerxx/internal/kernels/lstm.h"
#include "chainerxx/internal/kernels/sigmoid_cross_entropy.h"

namespace chainerxx::internal::cpu {
namespace {

using namespace kernels;

struct OneThread {
  static long rank() { return 0; }
  static long size() { return 1; }
  static void sync() {}
};

}  // namespace

void lstm(cupyxx::dtype type, const LstmArgs& args) {
  visit_type(type, [&](auto* null) {
    using T = Element<decltype(null)>;
    parallel_for(args.size, kGrain / 16, [&](std::int64_t begin, std::int64_t end) {
      with_arch([&]<Arch kArch>() { SequenceLoops<kArch, T>::lstm(args, begin, end); });
    });
  });
}

void lstm_grad(cupyxx::dtype type, const LstmGradArgs& args) {
  visit_type(type, [&](auto* null) {
    using T = Element<decltype(null)>;
    parallel_for(args.size, kGrain / 16, [&](std::int64_t begin, std::int64_t end) {
      with_arch([&]<Arch kArch>() { SequenceLoops<kArch, T>::lstm_grad(args, begin, end); });
    });
  });
}

void sigmoid_cross_entropy(cupyxx::dtype type, const SigmoidCrossEntropyArgs& args, bool is_grad) {
  visit_type(type, [&](auto* null) {
    using T = Element<decltype(null)>;
    parallel_for(args.size, kGrain, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        is_grad ? sigmoid_cross_entropy_grad_element<T>(args, i)
                : sigmoid_cross_entropy_element<T>(args, i);
      }
    });
  });
}

void ctc(cupyxx::dtype type, const CtcArgs& args) {
  visit_type(type, [&](auto* null) {
    using T = Element<decltype(null)>;
    parallel_for(args.batch, 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t b = begin; b < end; ++b) ctc_sequence<T>(args, b, OneThread());
    });
  });
}

}  // namespace chainerxx::internal::cpu
