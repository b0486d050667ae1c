// SPDX-License-Identifier: MIT
// The kernels that keep rows in registers, run on the host as the launcher would run them on a
// device, beside the host's own loops: rows that begin anywhere in a pack, and rows of several
// parts.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "cupyxx/extension/testing/emulated_device.h"
#include "cupyxx/ops/prelude.h"

// From here on the device parts of headers are read.
#define __CUDACC__  // NOLINT(bugprone-reserved-identifier,readability-identifier-naming)
#include "chainerxx/internal/kernels/column_sums.h"
#include "chainerxx/internal/kernels/embed.h"
#include "chainerxx/internal/kernels/layer_norm_row.h"
#include "chainerxx/internal/kernels/lstm_step.h"
#include "chainerxx/internal/kernels/softmax_staged.h"
#include "chainerxx/internal/kernels/trust_rules.h"
#undef __CUDACC__
#include "chainerxx/internal/cpu/loops.h"
#include "chainerxx/internal/cpu/spatial.h"

namespace chainerxx::internal::kernels {
namespace {

/// Aligned, as arrays are.
class Floats {
 public:
  explicit Floats(long n, unsigned seed = 0) : packs_(static_cast<std::size_t>(n + 3) / 4), n_(n) {
    for (long i = 0; seed != 0 && i < n; ++i) {
      seed = seed * 1664525u + 1013904223u;
      (*this)[i] = static_cast<float>(seed >> 8) / 4194304.0f - 2;
    }
  }
  float* data() { return packs_[0].x; }
  const float* data() const { return packs_[0].x; }
  float& operator[](long i) { return data()[i]; }
  long size() const { return n_; }

 private:
  std::vector<Pack<float, 4>> packs_;
  long n_;
};

void expect_close(Floats& actual, Floats& expected, const char* what) {
  ASSERT_EQ(actual.size(), expected.size());
  for (long i = 0; i < expected.size(); ++i) {
    ASSERT_NEAR(actual[i], expected[i], 1e-5 * (1 + std::abs(expected[i]))) << what << " at " << i;
  }
}

template <class Kernel>
void launch(bool warps, const Kernel& kernel) {
  emulated::launch({2, 1}, {warps ? 64u : 32u, 1}, true, kernel);
}

/// A warp for each row, and blocks of a warp with several parts of long rows.
struct RowCase {
  bool warps;
  long rows, n;
};
constexpr RowCase kRows[] = {{true, 5, 101},  {true, 3, 1024},  {true, 4, 64},
                             {false, 3, 700}, {false, 2, 2048}, {false, 3, 3001}};

TEST(RowKernels, Softmax) {
  for (const RowCase& c : kRows) {
    const Floats x(c.rows * c.n, 1);
    Floats y(x.size()), expected(x.size());
    SoftmaxArgs args{x.data(), nullptr, y.data(), c.rows, c.n, 1};
    launch(c.warps,
           [&] { c.warps ? softmax_row<float, true>(args) : softmax_row<float, false>(args); });
    args.out = expected.data();
    cpu::softmax(cupyxx::float32, args);
    expect_close(y, expected, "softmax");
  }
}

TEST(RowKernels, SoftmaxGradient) {
  for (const RowCase& c : kRows) {
    const Floats y(c.rows * c.n, 2), gy(c.rows * c.n, 3);
    Floats gx(y.size()), expected(y.size());
    SoftmaxArgs args{y.data(), gy.data(), gx.data(), c.rows, c.n, 1};
    launch(c.warps, [&] {
      c.warps ? softmax_grad_row<float, true>(args) : softmax_grad_row<float, false>(args);
    });
    args.out = expected.data();
    cpu::softmax_grad(cupyxx::float32, args);
    // Sums of up to 3001 products of numbers up to 4.
    for (long i = 0; i < gx.size(); ++i) ASSERT_NEAR(gx[i], expected[i], 2e-3) << i;
  }
}

TEST(RowKernels, SoftmaxOfInfinitiesAndNaN) {
  constexpr long kN = 128;
  Floats x(4 * kN, 4), y(x.size());
  const float infinity = HUGE_VALF;
  for (long i = 0; i < kN - 1; ++i) x[i] = -infinity;  // row 0: one class is possible
  for (long i = kN; i < 2 * kN; ++i) x[i] = -infinity;
  x[2 * kN + 5] = infinity;
  x[3 * kN + 70] = NAN;
  const SoftmaxArgs args{x.data(), nullptr, y.data(), 4, kN, 1};
  launch(true, [&] { softmax_row<float, true>(args); });
  for (long i = 0; i < kN; ++i) {
    ASSERT_EQ(y[i], i == kN - 1 ? 1 : 0) << i;
    ASSERT_TRUE(std::isnan(y[kN + i]) && std::isnan(y[3 * kN + i])) << i;
  }
  EXPECT_TRUE(std::isnan(y[2 * kN + 5]));
}

TEST(RowKernels, CrossEntropy) {
  for (const RowCase& c : kRows) {
    const Floats x(c.rows * c.n, 5);
    std::vector<int> labels(static_cast<std::size_t>(c.rows));
    for (long i = 0; i < c.rows; ++i) {
      labels[static_cast<std::size_t>(i)] =
          i == 1 ? -1 : static_cast<int>((i + 1) * c.n - 1) % 997 % static_cast<int>(c.n);
    }
    Floats grad(x.size()), expected_grad(x.size()), loss(1), expected_loss(1);
    std::vector<double> losses(labels.size());
    double factor = 0;
    CrossEntropyArgs args{};
    args.x = x.data();
    args.labels = labels.data();
    args.loss = loss.data();
    args.grad = grad.data();
    args.instance_loss = losses.data();
    args.factor = &factor;
    args.outer = c.rows;
    args.classes = c.n;
    args.inner = 1;
    args.normalize = 1;
    launch(true, [&] { cross_entropy_factor(args); });
    launch(c.warps, [&] {
      c.warps ? cross_entropy_row<float, true>(args) : cross_entropy_row<float, false>(args);
    });
    launch(true, [&] { cross_entropy_sum<float>(args); });
    args.loss = expected_loss.data();
    args.grad = expected_grad.data();
    cpu::cross_entropy(cupyxx::float32, args);
    expect_close(loss, expected_loss, "loss");
    expect_close(grad, expected_grad, "gradient");
  }
}

/// Rows of which threads have several packs, none, or edges only, and blocks that take several
/// rows.
constexpr RowCase kStagedRows[] = {{false, 5, 700}, {false, 7, 3001}, {false, 2, 2048},
                                   {false, 5, 6},   {false, 1, 333},  {false, 9, 41}};

TEST(StagedKernels, Softmax) {
  for (const RowCase& c : kStagedRows) {
    const Floats x(c.rows * c.n, 1), gy(c.rows * c.n, 3);
    Floats y(x.size()), expected(x.size()), gx(x.size()), expected_gx(x.size());
    SoftmaxArgs args{x.data(), nullptr, y.data(), c.rows, c.n, 1};
    launch(true, [&] { softmax_staged<float>(args); });
    args.out = expected.data();
    cpu::softmax(cupyxx::float32, args);
    expect_close(y, expected, "softmax");
    SoftmaxArgs grad{y.data(), gy.data(), gx.data(), c.rows, c.n, 1};
    launch(true, [&] { softmax_grad_staged<float>(grad); });
    grad.out = expected_gx.data();
    cpu::softmax_grad(cupyxx::float32, grad);
    expect_close(gx, expected_gx, "gradient");
  }
}

TEST(StagedKernels, CrossEntropy) {
  for (const RowCase& c : kStagedRows) {
    for (const bool with_grad : {true, false}) {
      const Floats x(c.rows * c.n, 5);
      std::vector<long> labels(static_cast<std::size_t>(c.rows));
      for (long i = 0; i < c.rows; ++i) {
        labels[static_cast<std::size_t>(i)] = i == 1 ? -1 : i == 2 ? c.n - 1 : i * 997 % c.n;
      }
      Floats grad(x.size()), expected_grad(x.size()), loss(1), expected_loss(1);
      std::vector<double> losses(labels.size());
      double factor = 0;
      CrossEntropyArgs args{};
      args.x = x.data();
      args.labels = labels.data();
      args.loss = loss.data();
      args.grad = with_grad ? grad.data() : nullptr;
      args.instance_loss = losses.data();
      args.factor = &factor;
      args.outer = c.rows;
      args.classes = c.n;
      args.inner = 1;
      args.normalize = 1;
      args.wide_labels = 1;
      launch(true, [&] { cross_entropy_factor(args); });
      launch(true, [&] { cross_entropy_staged<float>(args); });
      launch(true, [&] { cross_entropy_sum<float>(args); });
      args.loss = expected_loss.data();
      args.grad = with_grad ? expected_grad.data() : nullptr;
      cpu::cross_entropy(cupyxx::float32, args);
      expect_close(loss, expected_loss, "loss");
      expect_close(grad, expected_grad, "gradient");
    }
  }
}

TEST(StagedKernels, InfinitiesAndNaN) {
  constexpr long kN = 301;
  Floats x(4 * kN, 4), y(x.size());
  const float infinity = HUGE_VALF;
  for (long i = 0; i < kN - 1; ++i) x[i] = -infinity;  // row 0: one class is possible
  for (long i = kN; i < 2 * kN; ++i) x[i] = -infinity;
  x[2 * kN + 5] = infinity;
  x[3 * kN + 70] = NAN;
  const SoftmaxArgs args{x.data(), nullptr, y.data(), 4, kN, 1};
  launch(true, [&] { softmax_staged<float>(args); });
  for (long i = 0; i < kN; ++i) {
    ASSERT_EQ(y[i], i == kN - 1 ? 1 : 0) << i;
    ASSERT_TRUE(std::isnan(y[kN + i]) && std::isnan(y[3 * kN + i])) << i;
  }
  EXPECT_TRUE(std::isnan(y[2 * kN + 5]));
}

/// bfloat16 beside float32 of the same numbers.
TEST(StagedKernels, NarrowRows) {
  constexpr long kRowsOfTest = 3, kN = 1003;
  Floats x(kRowsOfTest * kN, 6), expected(x.size());
  std::vector<Pack<cupyxx::bfloat16, 8>> memory(static_cast<std::size_t>(x.size() + 7) / 8);
  auto results = memory;
  cupyxx::bfloat16 *const narrow = memory[0].x, *const y = results[0].x;
  for (long i = 0; i < x.size(); ++i) {
    narrow[i] = cupyxx::bfloat16(x[i]);
    x[i] = static_cast<float>(narrow[i]);
  }
  launch(true, [&] { softmax_staged<cupyxx::bfloat16>({narrow, nullptr, y, kRowsOfTest, kN, 1}); });
  cpu::softmax(cupyxx::float32, {x.data(), nullptr, expected.data(), kRowsOfTest, kN, 1});
  for (long i = 0; i < x.size(); ++i) {
    ASSERT_NEAR(static_cast<float>(y[i]), expected[i], 0x1p-8 * expected[i]) << i;
  }
}

TEST(RowKernels, LayerNormalisation) {
  const RowCase cases[] = {{true, 9, 64}, {true, 6, 1024}, {false, 5, 900}};
  for (const RowCase& c : cases) {
    const Floats x(c.rows * c.n, 6), gy(c.rows * c.n, 7), gamma(c.n, 8), beta(c.n, 9);
    Floats y(x.size()), gx(x.size()), ggamma(c.n), gbeta(c.n);
    Floats expected_y(x.size()), expected_gx(x.size()), expected_ggamma(c.n), expected_gbeta(c.n);
    std::vector<double> moments(static_cast<std::size_t>(2 * c.rows));
    std::vector<float> parts(static_cast<std::size_t>(2 * 2 * c.n));
    LayerNormArgs args{x.data(),
                       nullptr,
                       y.data(),
                       gamma.data(),
                       beta.data(),
                       ggamma.data(),
                       gbeta.data(),
                       moments.data(),
                       c.rows,
                       c.n,
                       1e-3,
                       parts.data(),
                       2};
    launch(c.warps, [&] {
      c.warps ? layer_norm_row<float, true>(args) : layer_norm_row<float, false>(args);
    });
    args.gy = gy.data();
    args.out = gx.data();
    if (c.warps) {
      const auto across = static_cast<unsigned>((c.n / 4 + 31) / 32 * 32);
      emulated::launch({2, 1}, {across, 2}, true, [&] { layer_norm_grad_row<float, false>(args); });
    } else {
      launch(false, [&] { layer_norm_grad_long_row<float, false>(args); });
    }
    emulated::launch({static_cast<unsigned>((2 * c.n + 7) / 8), 1}, {8, 128}, true,
                     [&] { layer_norm_parts<float>(args); });
    args.out = expected_y.data();
    cpu::layer_norm(false, cupyxx::float32, args);
    args.out = expected_gx.data();
    args.ggamma = expected_ggamma.data();
    args.gbeta = expected_gbeta.data();
    cpu::layer_norm(true, cupyxx::float32, args);
    expect_close(y, expected_y, "y");
    expect_close(gx, expected_gx, "gx");
    expect_close(ggamma, expected_ggamma, "ggamma");
    expect_close(gbeta, expected_gbeta, "gbeta");
    args.ggamma = ggamma.data();
    args.gbeta = gbeta.data();
    args.adds = true;
    emulated::launch({static_cast<unsigned>((2 * c.n + 7) / 8), 1}, {8, 128}, true,
                     [&] { layer_norm_parts<float>(args); });
    for (long i = 0; i < c.n; ++i) expected_ggamma[i] *= 2;
    expect_close(ggamma, expected_ggamma, "twice ggamma");
  }
}

TEST(RowKernels, LayerNormalisationOfPartsOfRows) {
  constexpr long kRowsOfParts = 2, kN = 3000;
  const Floats x(kRowsOfParts * kN, 10), gamma(kN, 11), beta(kN, 12);
  Floats y(x.size()), expected(x.size());
  std::vector<double> moments(4);
  LayerNormArgs args{x.data(), nullptr,        y.data(),     gamma.data(), beta.data(), nullptr,
                     nullptr,  moments.data(), kRowsOfParts, kN,           1e-3};
  launch(false, [&] { layer_norm_row<float, false>(args); });
  args.out = expected.data();
  cpu::layer_norm(false, cupyxx::float32, args);
  expect_close(y, expected, "y");
}

// Rows that are left over, columns beside the last block's packs.
TEST(ColumnSumKernels, AddThePartsOfAllBlocks) {
  for (const auto& [rows, columns] : {std::pair(3L, 4L), {69L, 132L}, {200L, 256L}}) {
    constexpr unsigned kParts = 2;
    const Floats matrix(rows * columns, 15);
    Floats out(columns, 16), expected(columns, 16);
    std::vector<float> parts(static_cast<std::size_t>(kParts * columns));
    const ColumnSumsArgs args{matrix.data(), out.data(), rows, columns, parts.data(), kParts};
    const auto across = static_cast<unsigned>((columns + 127) / 128);
    emulated::launch({across, kParts}, {32, 8}, true, [&] { column_sum_parts<float>(args); });
    emulated::launch({static_cast<unsigned>((columns + 7) / 8), 1}, {8, 128}, true,
                     [&] { add_column_parts<float>(args); });
    for (long i = 0; i < columns; ++i) {
      double sum = expected[i];
      for (long row = 0; row < rows; ++row) sum += matrix.data()[row * columns + i];
      expected[i] = static_cast<float>(sum);
    }
    expect_close(out, expected, "sums");
  }
}

TEST(EmbedKernel, RepeatedIdsAreAddedInOrder) {
  constexpr long kCount = 75, kWords = 20, kUnits = 70;
  const Floats gy(kCount * kUnits, 13);
  std::vector<long> ids;
  for (long i = 0; i < kCount; ++i) ids.push_back(i * i % 23 - 3);  // some from the end

  for (const bool ignores : {false, true}) {
    Floats gW(kWords * kUnits, 14), expected(kWords * kUnits, 14);
    std::vector<float> sums(static_cast<std::size_t>(kWords * kUnits));
    for (long i = 0; i < kCount; ++i) {
      const long id = ids[static_cast<std::size_t>(i)];
      if (ignores && id == 1) continue;
      for (long u = 0; u < kUnits; ++u) {
        sums[static_cast<std::size_t>((id + kWords) % kWords * kUnits + u)] +=
            gy.data()[i * kUnits + u];
      }
    }
    for (long k = 0; k < gW.size(); ++k) expected[k] += sums[static_cast<std::size_t>(k)];
    cupyxx::extension::ErrorWord error{};
    const EmbedArgs args{ids.data(), gy.data(), gW.data(), kCount, kWords, kUnits,
                         1,          ignores,   1,         &error, 0};
    emulated::launch({7, 1}, {32, 1}, true, [&] { embed_grad<float>(args); });
    EXPECT_EQ(error.code, 0u);
    for (long k = 0; k < gW.size(); ++k) ASSERT_EQ(gW[k], expected[k]) << k;
  }
}

/// Ids that fill pieces, that go on over several, and that occur once.
template <class T>
void check_embedding_of_many(long count, long words, long units, bool spread) {
  std::vector<long> ids, order;
  for (long i = 0; i < count; ++i) {
    const long word = spread ? i * 7919 % words : i % 5 < 3 ? 2 : i * i % words;
    ids.push_back(i % 11 == 3 ? word - words : word);  // some from the end
  }
  std::vector<Pack<T, 8>> memory(static_cast<std::size_t>(count * units + 7) / 8);
  T* const gy = memory[0].x;
  const Floats numbers(count * units, 13);
  for (long i = 0; i < numbers.size(); ++i) gy[i] = T(numbers.data()[i]);
  Floats gW(words * units, 14), expected(words * units, 14);
  std::vector<double> sums(static_cast<std::size_t>(words * units));
  for (long i = 0; i < count; ++i) {
    const long id = ids[static_cast<std::size_t>(i)];
    order.push_back(i);
    if (id == 1) continue;
    for (long u = 0; u < units; ++u) {
      sums[static_cast<std::size_t>((id + words) % words * units + u)] +=
          static_cast<double>(static_cast<float>(gy[i * units + u]));
    }
  }
  std::vector<int> keys(ids.size());
  const long pieces = (count + kEmbedPiece - 1) / kEmbedPiece;
  Floats parts(2 * pieces * units);
  cupyxx::extension::ErrorWord error{};
  EmbedArgs args{ids.data(), gy, gW.data(), count, words, units, 1, 1, 1, &error, 0};
  args.keys = keys.data();
  args.order = order.data();
  args.sums = parts.data();
  emulated::launch({3, 1}, {64, 1}, true, [&] { embed_keys(args); });
  std::stable_sort(order.begin(), order.end(), [&](long a, long b) {
    return keys[static_cast<std::size_t>(a)] < keys[static_cast<std::size_t>(b)];
  });
  const auto blocks = static_cast<unsigned>(pieces);
  emulated::launch({blocks, 1}, {32, 1}, true, [&] { embed_pieces<T>(args); });
  emulated::launch({blocks, 1}, {32, 1}, true, [&] { embed_continued<T>(args); });
  EXPECT_EQ(error.code, 0u);
  for (long k = 0; k < gW.size(); ++k) {
    const double sum = sums[static_cast<std::size_t>(k)] + static_cast<double>(expected[k]);
    ASSERT_NEAR(gW[k], sum, 1e-4 * (1 + std::abs(sum))) << k;
  }
}

TEST(EmbedKernel, ManyIdsAreAddedByPieces) {
  check_embedding_of_many<float>(300, 40, 70, false);
  check_embedding_of_many<float>(300, 1000, 8, true);
  check_embedding_of_many<float>(17, 3, 300, false);
  check_embedding_of_many<cupyxx::bfloat16>(500, 37, 72, false);
  check_embedding_of_many<cupyxx::half>(500, 37, 33, true);
}

TEST(EmbedKernel, IdsOutsideAreReportedAndAddNothing) {
  const std::vector<long> ids = {0, 3, -4, 2};
  std::vector<int> keys(ids.size());
  cupyxx::extension::ErrorWord error{};
  EmbedArgs args{ids.data(), nullptr, nullptr, 4, 3, 1, 0, 0, 1, &error, 0};
  args.keys = keys.data();
  emulated::launch({1, 1}, {32, 1}, true, [&] { embed_keys(args); });
  EXPECT_EQ(keys, (std::vector<int>{0, 3, 3, 2}));
  EXPECT_NE(error.code, 0u);
}

/// Beside the product written out and the kernels of the cells alone.
TEST(LstmStepKernels, AreTheProductAndTheCells) {
  constexpr long kBatch = 7, kUnits = 45, kCells = kBatch * kUnits;
  const Floats U(4 * kUnits * kUnits, 21), h(kCells, 22), c_prev(kCells, 23);
  Floats gates(4 * kCells, 24), expected_gates(4 * kCells, 24);
  Floats c(kCells), y(kCells), expected_c(kCells), expected_y(kCells);
  const LstmArgs cells{c_prev.data(), gates.data(), c.data(), y.data(), kCells, 1};
  const LstmStepArgs step{U.data(), h.data(), gates.data(), cells, kBatch, kUnits};
  emulated::launch({3, 1}, {64, 1}, true, [&] { lstm_step<float>(step); });
  for (long b = 0; b < kBatch; ++b) {
    for (long row = 0; row < 4 * kUnits; ++row) {
      float sum = 0;
      for (long k = 0; k < kUnits; ++k)
        sum += U.data()[row * kUnits + k] * h.data()[b * kUnits + k];
      expected_gates[b * 4 * kUnits + row] += sum;
    }
  }
  cpu::lstm(cupyxx::float32, {c_prev.data(), expected_gates.data(), expected_c.data(),
                              expected_y.data(), kCells, 1});
  for (long i = 0; i < gates.size(); ++i) ASSERT_NEAR(gates[i], expected_gates[i], 1e-4) << i;
  for (long i = 0; i < kCells; ++i) ASSERT_NEAR(y[i], expected_y[i], 1e-4) << i;

  const Floats U_T(4 * kUnits * kUnits, 25), after(4 * kCells, 26);
  Floats gh(kCells, 27), expected_gh(kCells, 27), gc(kCells, 28), expected_gc(kCells, 28);
  Floats gx(4 * kCells), expected_gx(4 * kCells);
  const auto arguments = [&](Floats& cell_grad, Floats& hidden, Floats& out) {
    return LstmGradArgs{c_prev.data(),
                        expected_gates.data(),
                        expected_c.data(),
                        cell_grad.data(),
                        hidden.data(),
                        cell_grad.data(),
                        out.data(),
                        kCells,
                        1};
  };
  const LstmStepGradArgs grad{U_T.data(), after.data(), gh.data(), arguments(gc, gh, gx),
                              kBatch,     kUnits};
  emulated::launch({3, 1}, {128, 1}, true, [&] { lstm_step_grad<float>(grad); });
  for (long b = 0; b < kBatch; ++b) {
    for (long u = 0; u < kUnits; ++u) {
      float sum = 0;
      for (long k = 0; k < 4 * kUnits; ++k) {
        sum += U_T.data()[u * 4 * kUnits + k] * after.data()[b * 4 * kUnits + k];
      }
      expected_gh[b * kUnits + u] += sum;
    }
  }
  cpu::lstm_grad(cupyxx::float32, arguments(expected_gc, expected_gh, expected_gx));
  for (long i = 0; i < kCells; ++i) ASSERT_NEAR(gc[i], expected_gc[i], 1e-3) << i;
  for (long i = 0; i < gx.size(); ++i) ASSERT_NEAR(gx[i], expected_gx[i], 1e-3) << i;
}

/// A tensor of three chunks and one of a short chunk: two passes over both, beside a loop in
/// float64.
template <template <class> class Rule>
void check_trust(const Rule<double>& numbers) {
  constexpr int kStates = Rule<double>::kStates;
  const long sizes[] = {2500, 7};
  Floats p[2] = {Floats(2500, 1), Floats(7, 2)}, g[2] = {Floats(2500, 3), Floats(7, 4)};
  Floats s[2][2] = {{Floats(2500, 5), Floats(2500)}, {Floats(7, 6), Floats(7)}};
  std::vector<cupyxx::bfloat16> copy(2500);
  std::vector<Tensor> tensors(2);
  std::vector<Floats> expected;
  for (int k = 0; k < 2; ++k) {
    tensors[k].p = p[k].data();
    tensors[k].g = g[k].data();
    tensors[k].size = sizes[k];
    tensors[k].rate = 0.5;
    tensors[k].decay = 2;
    for (int j = 0; j < kStates; ++j) tensors[k].s[j] = s[k][j].data();
    const auto rule = numbers.template for_tensor<double>(tensors[k]);
    double of_p = 0, of_step = 0;
    expected.push_back(p[k]);
    std::vector<double> states;
    for (long i = 0; i < sizes[k]; ++i) {
      double state[2] = {s[k][0][i], s[k][1][i]};
      const double step = rule.prepare(p[k][i], g[k][i], state);
      of_p += p[k][i] * p[k][i];
      of_step += step * step;
      states.insert(states.end(), state, state + 2);
    }
    const double by = rule.factor(std::sqrt(of_p), std::sqrt(of_step));
    for (long i = 0; i < sizes[k]; ++i) {
      double value = p[k][i];
      rule.apply(value, g[k][i], states.data() + 2 * i, by);
      expected.back()[i] = static_cast<float>(value);
    }
  }
  tensors[0].copy = copy.data();
  tensors[0].copy_type = CopyType::bfloat16;
  const Chunk chunks[] = {{0, 0, 1024}, {0, 1024, 2048}, {0, 2048, 2500}, {1, 0, 7}};
  std::vector<double> partial(2 * 5, 1e9);  // the first of each kind is another launch's
  float loss_scale[kLossScaleSize] = {};
  const RuleArgs<Rule<double>> args{{tensors.data(), chunks, partial.data(), 5, 1, loss_scale},
                                    numbers};
  for (const float is_skipped : {1.0f, 0.0f}) {
    loss_scale[kNotFinite] = is_skipped;
    Floats before[] = {p[0], p[1]};
    emulated::launch({4, 1}, {64, 1}, true, [&] { trust_norms<float>(args); });
    emulated::launch({4, 1}, {64, 1}, true, [&] { trust_step<float>(args); });
    for (int k = 0; k < 2; ++k) expect_close(p[k], is_skipped != 0 ? before[k] : expected[k], "p");
  }
  for (long i = 0; i < 2500; ++i) {
    ASSERT_EQ(static_cast<float>(copy[static_cast<std::size_t>(i)]),
              static_cast<float>(cupyxx::bfloat16(p[0][i])));
  }
}

TEST(TrustKernels, MeasureWholeTensors) {
  check_trust<Lamb>({.rate = 0.1,
                     .one_minus_beta1 = 0.1,
                     .one_minus_beta2 = 0.01,
                     .scale = 0.7,
                     .eps = 1e-3,
                     .decay = 0.05});
  check_trust<Lars>(
      {.rate = 0.5, .momentum = 0.9, .decay = 0.05, .coefficient = 0.02, .eps = 1e-9});
}

}  // namespace
}  // namespace chainerxx::internal::kernels
