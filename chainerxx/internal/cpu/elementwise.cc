// SPDX-License-Identifier: MIT
#include <algorithm>
#include <type_traits>

#include "chainerxx/internal/cpu/loops.h"
#include "chainerxx/internal/cpu/support.h"

namespace chainerxx::internal::cpu {
namespace {

using namespace kernels;

template <class Op, class T>
CHAINERXX_CLONES void unary_loop(const T* __restrict a, T* __restrict out, std::int64_t n) {
  using C = Compute<T>;
#pragma omp simd
  for (std::int64_t i = 0; i < n; ++i) out[i] = T(Op::apply(static_cast<C>(a[i])));
}

template <class Op, class T>
CHAINERXX_CLONES void binary_loop(const T* __restrict a, const T* __restrict b, T* __restrict out,
                                  std::int64_t n) {
  using C = Compute<T>;
  for (std::int64_t i = 0; i < n; ++i) {
    out[i] = T(Op::apply(static_cast<C>(a[i]), static_cast<C>(b[i])));
  }
}

template <class Op, class T>
void unary(const ElementwiseArgs& args) {
  parallel_for(args.size, kGrain, [&](std::int64_t begin, std::int64_t end) {
    unary_loop<Op>(static_cast<const T*>(args.a) + begin, static_cast<T*>(args.out) + begin,
                   end - begin);
  });
}

template <class Op, class T>
void binary(const ElementwiseArgs& args) {
  parallel_for(args.size, kGrain, [&](std::int64_t begin, std::int64_t end) {
    binary_loop<Op>(static_cast<const T*>(args.a) + begin, static_cast<const T*>(args.b) + begin,
                    static_cast<T*>(args.out) + begin, end - begin);
  });
}

template <class Op, class T>
CHAINERXX_CLONES void unary_loop(const T* __restrict a, T* __restrict out, std::int64_t n,
                                 Compute<T> p, Compute<T> q) {
  for (std::int64_t i = 0; i < n; ++i) {
    out[i] = T(Op::apply(static_cast<Compute<T>>(a[i]), p, q));
  }
}

template <class Op, class T>
CHAINERXX_CLONES void binary_loop(const T* __restrict a, const T* __restrict b, T* __restrict out,
                                  std::int64_t n, Compute<T> p, Compute<T> q) {
  using C = Compute<T>;
  for (std::int64_t i = 0; i < n; ++i) {
    out[i] = T(Op::apply(static_cast<C>(a[i]), static_cast<C>(b[i]), p, q));
  }
}

/// A function of one array and its gradient, both with parameters.
template <class Op, class Grad, class T>
void with_parameters(const ElementwiseArgs& args, bool is_grad) {
  const auto p = static_cast<Compute<T>>(args.p[0]), q = static_cast<Compute<T>>(args.p[1]);
  const T* const a = static_cast<const T*>(args.a);
  const T* const b = static_cast<const T*>(args.b);
  T* const out = static_cast<T*>(args.out);
  parallel_for(args.size, kGrain, [&](std::int64_t begin, std::int64_t end) {
    if (is_grad) {
      binary_loop<Grad>(a + begin, b + begin, out + begin, end - begin, p, q);
    } else {
      unary_loop<Op>(a + begin, out + begin, end - begin, p, q);
    }
  });
}

constexpr int kLanes = 16;  // blocks of random words at a time
constexpr int kSpan = 4 * kLanes;

/// The factors of kSpan elements: 0 or the scale.
template <class C>
inline __attribute__((always_inline)) void dropout_factors(const DropoutArgs& args,
                                                           std::int64_t span, C (&factor)[kSpan]) {
  const auto scale = static_cast<C>(args.scale);
  unsigned words[4][kLanes];
  for (int l = 0; l < kLanes; ++l) {
    const cupyxx::random::Words block =
        cupyxx::random::philox_block(args.state, static_cast<unsigned long>(span * kLanes + l));
    for (int k = 0; k < 4; ++k) words[k][l] = block.w[k];
  }
  for (int l = 0; l < kLanes; ++l) {
    for (int k = 0; k < 4; ++k) {
      const bool keep = cupyxx::random::uniform_float(words[k][l]) >= args.ratio;
      factor[4 * l + k] = keep ? scale : C(0);
    }
  }
}

/// Elements kSpan * i ... for i in [begin, end), and what the size cuts off. A dropped element is 0
/// even where x is infinite.
template <class T>
CHAINERXX_CLONES void dropout_loop(const DropoutArgs& args, std::int64_t begin, std::int64_t end) {
  using C = Compute<T>;
  for (std::int64_t span = begin; span < end; ++span) {
    C factor[kSpan];
    dropout_factors(args, span, factor);
    const T* const x = static_cast<const T*>(args.x) + span * kSpan;
    T* const y = static_cast<T*>(args.y) + span * kSpan;
    const std::int64_t n = args.size - span * kSpan;
    if (n >= kSpan) {
      for (int i = 0; i < kSpan; ++i) {
        const C scaled = static_cast<C>(x[i]) * factor[i];
        y[i] = T(factor[i] != C(0) ? scaled : C(0));
      }
    } else {
      for (std::int64_t i = 0; i < n; ++i) {
        y[i] = T(factor[i] != C(0) ? static_cast<C>(x[i]) * factor[i] : C(0));
      }
    }
  }
}

template <class T>
CHAINERXX_CLONES void add_rows(const T* __restrict matrix, Compute<T>* __restrict sums,
                               std::int64_t rows, std::int64_t stride, std::int64_t columns) {
  for (std::int64_t r = 0; r < rows; ++r) {
    for (std::int64_t c = 0; c < columns; ++c) {
      sums[c] += static_cast<Compute<T>>(matrix[r * stride + c]);
    }
  }
}

}  // namespace

void elementwise(KernelName name, cupyxx::dtype type, const ElementwiseArgs& args) {
  visit_type(type, [&](auto* null) {
    using T = Element<decltype(null)>;
    switch (name) {
      case KernelName::relu:
        return unary<Relu, T>(args);
      case KernelName::relu_grad:
        return binary<ReluGrad, T>(args);
      case KernelName::sigmoid:
        return unary<Sigmoid, T>(args);
      case KernelName::sigmoid_grad:
        return binary<SigmoidGrad, T>(args);
      case KernelName::tanh_grad:
        return binary<TanhGrad, T>(args);
      case KernelName::clipped_relu:
      case KernelName::clipped_relu_grad:
        return with_parameters<ClippedRelu, ClippedReluGrad, T>(
            args, name == KernelName::clipped_relu_grad);
      case KernelName::leaky_relu:
      case KernelName::leaky_relu_grad:
        return with_parameters<LeakyRelu, LeakyReluGrad, T>(args,
                                                            name == KernelName::leaky_relu_grad);
      case KernelName::elu:
      case KernelName::elu_grad:
        return with_parameters<Elu, EluGrad, T>(args, name == KernelName::elu_grad);
      case KernelName::softplus:
      case KernelName::softplus_grad:
        return with_parameters<Softplus, SoftplusGrad, T>(args, name == KernelName::softplus_grad);
      case KernelName::hard_sigmoid:
      case KernelName::hard_sigmoid_grad:
        return with_parameters<HardSigmoid, HardSigmoidGrad, T>(
            args, name == KernelName::hard_sigmoid_grad);
      case KernelName::gelu:
      case KernelName::gelu_grad:
        return with_parameters<Gelu, GeluGrad, T>(args, name == KernelName::gelu_grad);
      case KernelName::swish:
      case KernelName::swish_grad:
        return with_parameters<Swish, SwishGrad, T>(args, name == KernelName::swish_grad);
      default:
        throw cupyxx::ValueError("elementwise: this kernel is none");
    }
  });
}

void dropout(cupyxx::dtype type, const DropoutArgs& args) {
  visit_type(type, [&](auto* null) {
    using T = Element<decltype(null)>;
    parallel_for((args.size + kSpan - 1) / kSpan, kGrain / kSpan,
                 [&](std::int64_t begin, std::int64_t end) { dropout_loop<T>(args, begin, end); });
  });
}

void column_sums(cupyxx::dtype type, const ColumnSumsArgs& args) {
  visit_type(type, [&](auto* null) {
    using T = Element<decltype(null)>;
    constexpr std::int64_t kColumns = 256;
    const T* const matrix = static_cast<const T*>(args.matrix);
    T* const out = static_cast<T*>(args.out);
    const auto part = [&](std::int64_t begin) {
      const std::int64_t n = std::min(kColumns, args.columns - begin);
      Compute<T> sums[kColumns] = {};
      add_rows(matrix + begin, sums, args.rows, args.columns, n);
      for (std::int64_t c = 0; c < n; ++c) {
        out[begin + c] = T(static_cast<Compute<T>>(out[begin + c]) + sums[c]);
      }
    };
    const std::int64_t parts = (args.columns + kColumns - 1) / kColumns;
    const std::int64_t grain = std::max<std::int64_t>(1, kGrain / (args.rows * kColumns));
    parallel_for(parts, grain, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) part(i * kColumns);
    });
  });
}

}  // namespace chainerxx::internal::cpu
