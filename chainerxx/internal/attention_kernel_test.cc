// SPDX-License-Identifier: MIT
// The kernels of fused attention, run on the host as the launcher would run them on a device,
// beside the formulas in float64.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "cupyxx/extension/testing/emulated_device.h"
#include "cupyxx/ops/philox.h"
#include "cupyxx/ops/prelude.h"

// From here on the device parts of headers are read.
#define __CUDACC__  // NOLINT(bugprone-reserved-identifier,readability-identifier-naming)
#include "chainerxx/internal/emulated_tensor_cores.h"
#include "chainerxx/internal/kernels/attention_forward.h"
#include "chainerxx/internal/kernels/attention_grad.h"
#include "chainerxx/internal/kernels/attention_weights.h"
#undef __CUDACC__

namespace chainerxx::internal::kernels {
namespace {

/// (heads, rows, depth), 16-byte aligned.
template <class T>
class Operand {
 public:
  Operand(int heads, int rows, int depth, unsigned seed)
      : rows_(rows),
        depth_(depth),
        packs_(static_cast<std::size_t>(heads * rows * depth / kWide + 1)) {
    for (long i = 0; i < static_cast<long>(heads) * rows * depth; ++i) {
      seed = seed * 1664525u + 1013904223u;
      data()[i] = T(static_cast<float>(seed >> 8) / 8388608.0f - 1);
    }
  }
  T* data() { return packs_[0].x; }
  double at(int head, int row, int column) {
    return static_cast<float>(data()[(static_cast<long>(head) * rows_ + row) * depth_ + column]);
  }
  AttentionOperand args() { return {data(), 0, static_cast<long>(rows_) * depth_, depth_}; }
  int rows() const { return rows_; }
  int depth() const { return depth_; }

 private:
  static constexpr int kWide = 16 / static_cast<int>(sizeof(T));
  int rows_, depth_;
  std::vector<Pack<T, kWide>> packs_;
};

struct Case {
  int queries, keys, depth, width;
  bool is_causal = false;
  bool has_mask = false;
  float ratio = 0;
};

void PrintTo(const Case& c, std::ostream* os) {
  *os << c.queries << " queries, " << c.keys << " keys, " << c.depth << " by " << c.width
      << (c.is_causal ? ", causal" : "") << (c.has_mask ? ", mask" : "") << ", ratio " << c.ratio;
}

constexpr int kHeads = 2;

/// Everything in double, from the same rounded inputs.
template <class T>
struct Reference {
  std::vector<double> y, grad_query, grad_key, grad_value;

  Reference(const Case& c, const AttentionArgs& args, Operand<T>& q, Operand<T>& k, Operand<T>& v,
            Operand<T>& gy) {
    const auto size = [](int rows, int depth) {
      return static_cast<std::size_t>(kHeads) * static_cast<std::size_t>(rows * depth);
    };
    y.resize(size(c.queries, c.width));
    grad_query.resize(size(c.queries, c.depth));
    grad_key.resize(size(c.keys, c.depth));
    grad_value.resize(size(c.keys, c.width));
    for (int head = 0; head < kHeads; ++head) {
      for (int i = 0; i < c.queries; ++i) add_row(c, args, q, k, v, gy, head, i);
    }
  }

  void add_row(const Case& c, const AttentionArgs& args, Operand<T>& q, Operand<T>& k,
               Operand<T>& v, Operand<T>& gy, int head, int i) {
    const auto place = [](int h, int rows, int row, int depth, int column) {
      return static_cast<std::size_t>((h * rows + row) * depth + column);
    };
    std::vector<double> weights(static_cast<std::size_t>(c.keys)), factors(weights.size(), 1);
    double sum = 0;
    for (int j = 0; j < c.keys; ++j) {
      const auto at = static_cast<std::size_t>(j);
      double score = 0;
      for (int d = 0; d < c.depth; ++d) score += q.at(head, i, d) * k.at(head, j, d);
      const bool is_hidden = (c.is_causal && j > i) ||
                             (c.has_mask && !args.mask[i * args.mask_query + j * args.mask_key]);
      weights[at] = is_hidden ? 0 : std::exp(score * static_cast<double>(args.scale));
      sum += weights[at];
      if (c.ratio == 0) continue;
      const long block = static_cast<long>(head * c.queries + i) * ((c.keys + 3) / 4) + j / 4;
      const auto words =
          cupyxx::random::philox_block(args.state, static_cast<unsigned long>(block));
      factors[at] =
          cupyxx::random::uniform_float(words.w[j % 4]) >= c.ratio ? 1.0 / (1 - c.ratio) : 0;
    }
    if (sum == 0) return;
    double delta = 0;
    std::vector<double> grads(weights.size());
    for (int j = 0; j < c.keys; ++j) {
      const auto at = static_cast<std::size_t>(j);
      weights[at] /= sum;
      for (int d = 0; d < c.width; ++d) {
        const double g = gy.at(head, i, d);
        y[place(head, c.queries, i, c.width, d)] += weights[at] * factors[at] * v.at(head, j, d);
        grad_value[place(head, c.keys, j, c.width, d)] += weights[at] * factors[at] * g;
        grads[at] += g * v.at(head, j, d) * factors[at];
      }
      delta += weights[at] * grads[at];
    }
    for (int j = 0; j < c.keys; ++j) {
      const auto at = static_cast<std::size_t>(j);
      const double grad = weights[at] * (grads[at] - delta) * static_cast<double>(args.scale);
      for (int d = 0; d < c.depth; ++d) {
        grad_query[place(head, c.queries, i, c.depth, d)] += grad * k.at(head, j, d);
        grad_key[place(head, c.keys, j, c.depth, d)] += grad * q.at(head, i, d);
      }
    }
  }
};

template <class T>
void expect_close(Operand<T>& actual, const std::vector<double>& expected, const char* what) {
  // Weights and their gradients are rounded to T, and so are the results; of float to TF32, as are
  // the operands.
  const double unit = cupyxx::ops::is_same<T, cupyxx::bfloat16> ? 0x1p-8 : 0x1p-11;
  double largest = 0;
  for (const double x : expected) largest = std::max(largest, std::abs(x));
  for (std::size_t i = 0; i < expected.size(); ++i) {
    ASSERT_NEAR(static_cast<float>(actual.data()[i]), expected[i], 3 * unit * largest)
        << what << " at " << i;
  }
}

template <class T, int kDepth, int kRowTiles, bool kExtras>
void check(const Case& c) {
  SCOPED_TRACE(::testing::PrintToString(c));
  Operand<T> q(kHeads, c.queries, c.depth, 1), k(kHeads, c.keys, c.depth, 2);
  Operand<T> v(kHeads, c.keys, c.width, 3), gy(kHeads, c.queries, c.width, 4);
  Operand<T> y(kHeads, c.queries, c.width, 5), gq(kHeads, c.queries, c.depth, 6);
  Operand<T> gk(kHeads, c.keys, c.depth, 7), gv(kHeads, c.keys, c.width, 8);
  std::vector<float> log_sums(static_cast<std::size_t>(kHeads * c.queries));
  std::vector<float> base_2_sums(log_sums), deltas(log_sums);
  std::vector<char> mask(static_cast<std::size_t>(c.queries * c.keys));
  for (std::size_t i = 0; i < mask.size(); ++i) mask[i] = i * i % 7 < 4;
  std::fill_n(mask.begin(), c.keys, false);  // the first query sees nothing

  AttentionArgs args{};
  args.query = q.args();
  args.key = k.args();
  args.value = v.args();
  args.y = y.args();
  args.grad_y = gy.args();
  args.grad_query = gq.args();
  args.grad_key = gk.args();
  args.grad_value = gv.args();
  args.log_sums = log_sums.data();
  args.base_2_sums = base_2_sums.data();
  args.deltas = deltas.data();
  args.log_factor = 1;
  args.mask = c.has_mask ? reinterpret_cast<const bool*>(mask.data()) : nullptr;
  args.mask_query = c.keys;
  args.mask_key = 1;
  args.heads = kHeads;
  args.queries = c.queries;
  args.keys = c.keys;
  args.depth = c.depth;
  args.width = c.width;
  args.is_causal = c.is_causal;
  args.scale = static_cast<float>(2 / std::sqrt(c.depth));
  args.exponent_scale = args.scale * 1.4426950408889634f;
  args.ratio = c.ratio;
  args.keep_scale = 1 / (1 - c.ratio);
  args.state = {5, 6};

  const auto launch = [&](int rows, int rows_of_block, const auto& kernel) {
    args.blocks = (rows + rows_of_block - 1) / rows_of_block;
    emulated::launch({static_cast<unsigned>(args.blocks * kHeads), 1}, {kAttentionThreads, 1}, true,
                     kernel);
  };
  launch(c.queries, 64 * kRowTiles,
         [&] { attention_forward<T, kDepth, kRowTiles, kExtras>(args); });
  // As a library would hand them over.
  for (float& sum : log_sums) sum *= 0.5f;
  args.log_factor = 2;
  launch(c.queries, kAttentionGradRows, [&] { attention_grad_query<T, kDepth, kExtras>(args); });
  launch(c.keys, kAttentionGradRows, [&] { attention_grad_key<T, kDepth, kExtras>(args); });
  const Reference<T> expected(c, args, q, k, v, gy);
  expect_close(y, expected.y, "y");
  expect_close(gq, expected.grad_query, "the gradient by the query");
  expect_close(gk, expected.grad_key, "the gradient by the key");
  expect_close(gv, expected.grad_value, "the gradient by the value");
}

using cupyxx::bfloat16;
using cupyxx::half;

TEST(AttentionKernels, AreTheFormulas) {
  check<bfloat16, 64, 2, false>({64, 64, 64, 64});
  check<bfloat16, 64, 2, false>({1, 1, 8, 16});
  check<half, 64, 2, false>({130, 70, 40, 64});
  check<half, 64, 1, false>({7, 65, 64, 24});
}

TEST(AttentionKernels, HideWhatFollows) {
  check<half, 64, 2, false>({193, 193, 64, 64, true});
  check<bfloat16, 64, 1, false>({65, 130, 64, 64, true});
  check<half, 64, 2, false>({130, 65, 48, 64, true});
}

TEST(AttentionKernels, OfOtherDepths) {
  check<bfloat16, 32, 2, false>({65, 65, 16, 32, true});
  check<half, 128, 1, false>({65, 97, 80, 128, true});
}

TEST(AttentionKernels, MasksAndDropout) {
  check<half, 64, 1, true>({70, 66, 64, 64, false, true});
  check<half, 64, 1, true>({33, 67, 64, 64, true, true, 0.3f});
  check<bfloat16, 32, 2, true>({33, 40, 32, 32, false, false, 0.5f});
  check<half, 128, 1, true>({20, 30, 128, 104, false, true, 0.25f});
}

TEST(AttentionKernels, OfFloat) {
  check<float, 64, 2, false>({64, 64, 64, 64});
  check<float, 64, 2, false>({130, 70, 20, 64, true});
  check<float, 64, 1, true>({33, 67, 64, 36, true, true, 0.3f});
  check<float, 128, 1, false>({40, 97, 100, 128, true});
}

/// 16-byte aligned numbers.
std::vector<Pack<float, 4>> draw(long count, unsigned seed) {
  std::vector<Pack<float, 4>> packs(static_cast<std::size_t>(count / 4 + 1));
  for (auto& pack : packs) {
    for (float& x : pack.x) {
      seed = seed * 1664525u + 1013904223u;
      x = static_cast<float>(seed >> 8) / 8388608.0f - 1;
    }
  }
  return packs;
}

void check_weights(long heads, int queries, int keys, bool is_causal, bool has_mask) {
  constexpr double kScale = 2.5;
  const long count = heads * queries * keys;
  auto scores = draw(count, 11), gy = draw(count, 12), weights = draw(count, 13);
  auto grads = draw(count, 14);
  std::vector<char> mask(static_cast<std::size_t>(heads * keys));  // for all queries
  for (std::size_t i = 0; i < mask.size(); ++i) mask[i] = i % 5 != 1;
  AttentionWeightsArgs args{};
  args.x = scores[0].x;
  args.out = weights[0].x;
  args.mask = has_mask ? reinterpret_cast<const bool*>(mask.data()) : nullptr;
  args.mask_head = keys;
  args.mask_key = 1;
  args.rows = heads * queries;
  args.heads = static_cast<int>(heads);
  args.queries = queries;
  args.keys = keys;
  args.is_causal = is_causal;
  args.scale = kScale;
  emulated::launch({2, 1}, {64, 1}, true, [&] { attention_weights<float>(args); });
  args.x = weights[0].x;
  args.gy = gy[0].x;
  args.out = grads[0].x;
  emulated::launch({2, 1}, {64, 1}, true, [&] { attention_weights_grad<float>(args); });
  for (long r = 0; r < heads * queries; ++r) {
    const float* const x = scores[0].x + r * keys;
    const float* const g = gy[0].x + r * keys;
    std::vector<double> expected(static_cast<std::size_t>(keys));
    double sum = 0, delta = 0;
    for (int j = 0; j < keys; ++j) {
      const auto at = static_cast<std::size_t>(j);
      if (is_causal && j > r % queries) continue;
      if (has_mask && !mask[static_cast<std::size_t>(r / queries * keys + j)]) continue;
      sum += expected[at] = std::exp(kScale * static_cast<double>(x[j]));
    }
    for (int j = 0; sum != 0 && j < keys; ++j) {
      const auto at = static_cast<std::size_t>(j);
      expected[at] /= sum;
      delta += expected[at] * static_cast<double>(g[j]);
    }
    for (int j = 0; j < keys; ++j) {
      const double weight = expected[static_cast<std::size_t>(j)];
      const double grad = weight * (static_cast<double>(g[j]) - delta) * kScale;
      ASSERT_NEAR(weights[0].x[r * keys + j], weight, 1e-6) << r << " " << j;
      ASSERT_NEAR(grads[0].x[r * keys + j], grad, 5e-6) << r << " " << j;
    }
  }
}

TEST(AttentionWeightsKernels, AreTheFormulas) {
  check_weights(3, 5, 260, false, false);
  check_weights(2, 7, 7, true, false);  // rows that begin anywhere
  check_weights(2, 140, 136, true, true);
  check_weights(2, 3, 9, false, true);
}

}  // namespace
}  // namespace chainerxx::internal::kernels
