// SPDX-License-Identifier: MIT
#include <algorithm>
#include <vector>

#include "chainerxx/internal/cpu/loops.h"
#include "chainerxx/internal/cpu/softmax_loops.h"
#include "chainerxx/internal/cpu/support.h"

namespace chainerxx::internal::cpu {
namespace {

using namespace kernels;

/// Instances are taken in blocks of this many, whose sums are added in order.
constexpr std::int64_t kBlock = 64;

/// Calls `body(block, begin, end)` for blocks of instances.
template <class Body>
void for_blocks(std::int64_t instances, std::int64_t classes, const Body& body) {
  const std::int64_t blocks = (instances + kBlock - 1) / kBlock;
  // An exponential costs as much as several cheap elements.
  const auto grain = std::max<std::int64_t>(1, kGrain / (4 * kBlock * classes));
  parallel_for(blocks, grain, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t b = first; b < last; ++b) {
      body(b, b * kBlock, std::min(instances, (b + 1) * kBlock));
    }
  });
}

std::int64_t offset_of(std::int64_t i, std::int64_t classes, std::int64_t inner) {
  return i / inner * classes * inner + i % inner;
}

/// The largest of the classes; NaN wins.
template <class T>
Compute<T> largest(const T* x, std::int64_t classes, std::int64_t inner) {
  using C = Compute<T>;
  auto max = static_cast<C>(x[0]);
  for (std::int64_t c = 1; c < classes; ++c) {
    const auto value = static_cast<C>(x[c * inner]);
    max = value > max || value != value ? value : max;
  }
  return max;
}

template <class T>
void exponentials(const T* x, Compute<T>* e, std::int64_t classes, std::int64_t inner,
                  Compute<T> max) {
  with_arch([&]<Arch kArch>() { SoftmaxLoops<kArch, T>::exponentials(x, e, classes, inner, max); });
}

template <class T>
Compute<T> sum_of(const Compute<T>* values, std::int64_t n) {
  return with_arch([&]<Arch kArch>() { return SoftmaxLoops<kArch, T>::sum_of(values, n); });
}

template <class T>
void softmax_instances(const SoftmaxArgs& args, std::int64_t begin, std::int64_t end) {
  using C = Compute<T>;
  std::vector<C> e(static_cast<std::size_t>(args.classes));
  for (std::int64_t i = begin; i < end; ++i) {
    const std::int64_t offset = offset_of(i, args.classes, args.inner);
    const T* const x = static_cast<const T*>(args.x) + offset;
    T* const out = static_cast<T*>(args.out) + offset;
    exponentials(x, e.data(), args.classes, args.inner, largest(x, args.classes, args.inner));
    const C sum = sum_of<T>(e.data(), args.classes);
    for (std::int64_t c = 0; c < args.classes; ++c) {
      out[c * args.inner] = T(e[static_cast<std::size_t>(c)] / sum);
    }
  }
}

template <class T>
void softmax_grad_instances(const SoftmaxArgs& args, std::int64_t begin, std::int64_t end) {
  using C = Compute<T>;
  for (std::int64_t i = begin; i < end; ++i) {
    const std::int64_t offset = offset_of(i, args.classes, args.inner);
    const T* const y = static_cast<const T*>(args.x) + offset;
    const T* const gy = static_cast<const T*>(args.gy) + offset;
    T* const out = static_cast<T*>(args.out) + offset;
    C dot = 0;
    for (std::int64_t c = 0; c < args.classes; ++c) {
      dot += static_cast<C>(y[c * args.inner]) * static_cast<C>(gy[c * args.inner]);
    }
    for (std::int64_t c = 0; c < args.classes; ++c) {
      const std::int64_t k = c * args.inner;
      out[k] = T(static_cast<C>(y[k]) * (static_cast<C>(gy[k]) - dot));
    }
  }
}

/// The loss of one instance; writes its gradient.
template <class T>
double cross_entropy_of(const CrossEntropyArgs& args, std::int64_t i, double factor,
                        std::vector<Compute<T>>& e) {
  using C = Compute<T>;
  const std::int64_t offset = offset_of(i, args.classes, args.inner);
  const std::int64_t label = label_at(args.labels, args.wide_labels, i);
  const T* const x = static_cast<const T*>(args.x) + offset;
  T* const grad = args.grad != nullptr ? static_cast<T*>(args.grad) + offset : nullptr;
  if (label == -1) {
    for (std::int64_t c = 0; grad != nullptr && c < args.classes; ++c)
      grad[c * args.inner] = T(C(0));
    return 0;
  }
  const C max = largest(x, args.classes, args.inner);
  exponentials(x, e.data(), args.classes, args.inner, max);
  const C sum = sum_of<T>(e.data(), args.classes);
  if (grad != nullptr) {
    const auto scale = static_cast<C>(factor);
    for (std::int64_t c = 0; c < args.classes; ++c) {
      const C y = e[static_cast<std::size_t>(c)] / sum;
      grad[c * args.inner] = T((c == label ? y - C(1) : y) * scale);
    }
  }
  return static_cast<double>(m::log(sum) - (static_cast<C>(x[label * args.inner]) - max));
}

/// Checks all labels before anything is written, and counts those that are not ignored.
std::int64_t count_labels(const CrossEntropyArgs& args) {
  const std::int64_t instances = args.outer * args.inner;
  std::int64_t count = 0;
  for (std::int64_t i = 0; i < instances; ++i) {
    const std::int64_t label = label_at(args.labels, args.wide_labels, i);
    if (label < -1 || label >= args.classes) {
      throw cupyxx::IndexError(cupyxx::message("softmax_cross_entropy: a label is out of range; ",
                                               label, " for ", args.classes, " classes"));
    }
    count += label != -1;
  }
  return count;
}

}  // namespace

void softmax(cupyxx::dtype type, const SoftmaxArgs& args) {
  visit_type(type, [&](auto* null) {
    using T = Element<decltype(null)>;
    for_blocks(args.outer * args.inner, args.classes,
               [&](std::int64_t, std::int64_t begin, std::int64_t end) {
                 softmax_instances<T>(args, begin, end);
               });
  });
}

void softmax_grad(cupyxx::dtype type, const SoftmaxArgs& args) {
  visit_type(type, [&](auto* null) {
    using T = Element<decltype(null)>;
    for_blocks(args.outer * args.inner, args.classes,
               [&](std::int64_t, std::int64_t begin, std::int64_t end) {
                 softmax_grad_instances<T>(args, begin, end);
               });
  });
}

void cross_entropy(cupyxx::dtype type, const CrossEntropyArgs& args) {
  const std::int64_t valid = count_labels(args);
  const std::int64_t count = args.normalize != 0 ? valid : args.outer;
  const double factor =
      (args.gy != nullptr ? *args.gy : 1.0) / static_cast<double>(std::max<std::int64_t>(count, 1));
  const std::int64_t instances = args.outer * args.inner;
  std::vector<double> sums(static_cast<std::size_t>((instances + kBlock - 1) / kBlock));
  visit_type(type, [&](auto* null) {
    using T = Element<decltype(null)>;
    for_blocks(instances, args.classes, [&](std::int64_t b, std::int64_t begin, std::int64_t end) {
      std::vector<Compute<T>> e(static_cast<std::size_t>(args.classes));
      double sum = 0;
      for (std::int64_t i = begin; i < end; ++i) sum += cross_entropy_of<T>(args, i, factor, e);
      sums[static_cast<std::size_t>(b)] = sum;
    });
    double total = 0;
    for (const double sum : sums) total += sum;
    store_loss<T>(args, total * factor);
  });
}

void accuracy(cupyxx::dtype type, const AccuracyArgs& args) {
  const std::int64_t instances = args.outer * args.inner;
  visit_type(type, [&](auto* null) {
    using T = Element<decltype(null)>;
    using C = Compute<T>;
    std::int64_t hits = 0, counted = 0;
    for (std::int64_t i = 0; i < instances; ++i) {
      const std::int64_t label = label_at(args.labels, args.wide_labels, i);
      if (args.ignores && label == args.ignored) continue;
      ++counted;
      const T* const y = static_cast<const T*>(args.y) + offset_of(i, args.classes, args.inner);
      std::int64_t best = 0;
      auto max = static_cast<C>(y[0]);
      for (std::int64_t c = 1; c < args.classes; ++c) {
        const auto value = static_cast<C>(y[c * args.inner]);
        if (value > max || (value != value && max == max)) {
          max = value;
          best = c;
        }
      }
      hits += best == label;
    }
    const double share =
        counted == 0 ? 0 : static_cast<double>(hits) / static_cast<double>(counted);
    *static_cast<T*>(args.out) = T(static_cast<C>(share));
  });
}

}  // namespace chainerxx::internal::cpu
