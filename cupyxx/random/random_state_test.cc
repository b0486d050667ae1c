// SPDX-License-Identifier: MIT
// Streams: states, copies, parts, threads, and what they refuse.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <thread>
#include <vector>

#include "cupyxx/creation.h"
#include "cupyxx/cuda/stream.h"
#include "cupyxx/error.h"
#include "cupyxx/math.h"
#include "cupyxx/random.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace cupyxx::random {
namespace {

using testing::expect_array_equal;
using testing::expect_error;

class RandomStateTest : public testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(RandomStateTest);

TEST_P(RandomStateTest, ContinuesWhereItStopped) {
  RandomState state(7);
  const ndarray all = state.uniform({20}, {.dtype = float32});
  EXPECT_EQ(all.device(), device());
  RandomState again(7);
  again.uniform({7}, {.dtype = float32});  // two blocks of four
  expect_array_equal(again.uniform({12}, {.dtype = float32}), all(slice(8, none)));
  RandomState copy = state;
  expect_array_equal(copy.normal({3}), state.normal({3}));
}

TEST_P(RandomStateTest, AdvancesByWhatItDraws) {
  RandomState state(7);
  const auto used = [&](const auto& draw) {
    const std::uint64_t before = state.offset();
    draw();
    return state.offset() - before;
  };
  EXPECT_EQ(used([&] { state.uniform({9}, {.dtype = float32}); }), 3u);
  EXPECT_EQ(used([&] { state.uniform({9}); }), 5u);
  EXPECT_EQ(used([&] { state.normal({8}); }), 4u);
  EXPECT_EQ(used([&] { state.randint(0, 10, {9}); }), 3u);
  EXPECT_EQ(used([&] { state.randint(0, 1l << 40, {9}); }), 5u);
  EXPECT_EQ(used([&] { state.gamma(0.1, {9}); }), 9u);  // however many words they need
  EXPECT_EQ(used([&] { state.uniform({0}); }), 0u);
  EXPECT_EQ(used([&] { state.bytes(17); }), 2u);
}

TEST_P(RandomStateTest, SavesAndRestores) {
  RandomState state(7);
  state.normal({10});
  const State saved = state.get_state();
  EXPECT_EQ(saved, (State{7, 5}));
  const ndarray next = state.normal({4});
  for (const State& back :
       {saved, State::from_array(saved.to_array()), State::from_bytes(saved.to_bytes())}) {
    RandomState other(1);
    other.set_state(back);
    expect_array_equal(other.normal({4}), next);
    expect_array_equal(RandomState(back).normal({4}), next);
  }
  expect_error<ValueError>([] { State::from_bytes("short"); },
                           "State: a state has 24 bytes, not 5");
  expect_error<ValueError>([] { State::from_bytes(std::string(24, 'x')); },
                           "State: the bytes hold no state");
  expect_error<ValueError>([] { State::from_array(zeros({3}, uint64)); },
                           "State: the array holds no state");
  expect_error<ValueError>([] { State::from_array(zeros({3})); },
                           "State: the array is not of uint64 and shape (3,)");
}

TEST_P(RandomStateTest, JumpsAndSplits) {
  const RandomState state(7);
  EXPECT_EQ(state.jumped().get_state(), (State{7, 1ull << 48}));
  EXPECT_EQ(state.jumped(3).offset(), 3ull << 48);
  RandomState skipped(7), drawn(7);
  skipped.advance(5);
  drawn.uniform({10});
  expect_array_equal(skipped.uniform({4}), drawn.uniform({4}));

  RandomState parent(7), same(7);
  const auto children = parent.split(3), again = same.split(3), more = parent.split(3);
  std::vector<std::uint64_t> seeds{7};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(children[i].get_state(), again[i].get_state());
    seeds.insert(seeds.end(), {children[i].seed(), more[i].seed()});
  }
  std::sort(seeds.begin(), seeds.end());
  EXPECT_EQ(std::unique(seeds.begin(), seeds.end()), seeds.end());
  EXPECT_EQ(default_rng(7).spawn(2)[1].seed(), children[1].seed());
  expect_error<ValueError>([&] { parent.split(-1); }, "split: the count is negative; -1");
}

TEST_P(RandomStateTest, DefaultStreamIsSeededAndRestored) {
  seed(7);
  const ndarray first = normal({10});
  expect_array_equal(first, RandomState(7).normal({10}));
  const RandomState here = get_state();
  const ndarray second = uniform({10});
  set_state(here);
  expect_array_equal(uniform({10}), second);
  set_random_state(here);
  expect_array_equal(get_random_state().uniform({10}), second);
  seed(7);
  expect_array_equal(standard_normal({10}), first);
  seed();
  EXPECT_NE(get_state().seed(), 7u);
  const std::uint64_t before = get_state().seed();
  reset_states();
  EXPECT_NE(get_state().seed(), before);
}

TEST_P(RandomStateTest, ReadsTheSeedOfTheEnvironment) {
  ::setenv("CHAINER_SEED", "123", 1);
  reset_states();
  EXPECT_EQ(get_state().seed(), 123u);
  EXPECT_EQ(RandomState().seed(), 123u);
  ::setenv("CHAINER_SEED", "12x", 1);
  expect_error<ValueError>([] { RandomState(); }, "random: CHAINER_SEED is no number; 12x");
  ::unsetenv("CHAINER_SEED");
}

TEST_P(RandomStateTest, HasTheNamesOfTheManual) {
  seed(1);
  EXPECT_EQ(rand({2, 3}).shape(), Shape({2, 3}));
  EXPECT_EQ(randn({4}).dtype(), float64);
  EXPECT_EQ(rand({2}, {.dtype = float32}).dtype(), float32);
  for (const ndarray& a : {random({5}), ranf({5}), sample({5}), random_sample({5})}) {
    EXPECT_EQ(a.shape(), Shape({5}));
    EXPECT_LT(a.max().item<double>(), 1);
  }
  EXPECT_EQ(random_sample().shape(), Shape());
  EXPECT_EQ(random_integers(3, none, {4}).dtype(), int64);
  EXPECT_EQ(randint(3, none).shape(), Shape());
  EXPECT_EQ(bytes(5).size(), 5u);
  EXPECT_GT(lognormal({3}).min().item<double>(), 0);
  EXPECT_EQ(RandomState(1).interval(5, {100}).max().item<int>(), 5);
  EXPECT_EQ(RandomState(1).interval(5).dtype(), uint32);
  EXPECT_EQ(RandomState(1).interval(1ull << 40).dtype(), uint64);
  EXPECT_NE(RandomState(none).seed(), RandomState(none).seed());
  EXPECT_EQ(RandomState(none, Method::counter).method(), Method::counter);
  Generator rng = default_rng(1);
  EXPECT_EQ(rng.random({3}).dtype(), float64);
  expect_array_equal(rng.integers(3, none, {2}, {.dtype = uint8}) < 3, ones({2}, bool_));
  EXPECT_EQ(rng.integers(1, 1, {}, {.endpoint = true}).item<int>(), 1);
}

TEST_P(RandomStateTest, BytesAreThoseOfTheWords) {
  RandomState state(9), words(9);
  const auto expected =
      words.random_integers(0, UINT32_MAX, {8}, {.dtype = uint32}).view(uint8).to_vector<char>();
  EXPECT_EQ(state.bytes(30), std::string(expected.begin(), expected.begin() + 30));
  EXPECT_EQ(state.bytes(0), "");
  expect_error<ValueError>([&] { state.bytes(-1); }, "bytes: the length is negative; -1");
}

// Every draw of one of the threads is a draw of the serial run.
TEST_P(RandomStateTest, ThreadsShareAStream) {
  constexpr int kThreads = 4, kDraws = 50;
  RandomState state(3);
  std::vector<std::vector<double>> drawn(kThreads * kDraws);
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      const DeviceScope scope(device());
      for (int i = 0; i < kDraws; ++i) {
        drawn[static_cast<std::size_t>(t * kDraws + i)] = state.normal({6}).to_vector<double>();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  RandomState serial(3);
  std::vector<std::vector<double>> expected;
  for (int i = 0; i < kThreads * kDraws; ++i) {
    expected.push_back(serial.normal({6}).to_vector<double>());
  }
  std::sort(drawn.begin(), drawn.end());
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(drawn, expected);
  EXPECT_EQ(state.offset(), serial.offset());
}

TEST_P(RandomStateTest, DrawsOnItsOwnStream) {
  if (device().is_cpu()) return;  // streams are a device's
  RandomState state(3);
  const cuda::Stream stream;
  state.set_stream(stream);
  const ndarray a = state.normal({100});
  stream.synchronize();
  expect_array_equal(a, RandomState(3).normal({100}));
  EXPECT_EQ(cuda::get_current_stream_ptr(), nullptr);
}

TEST_P(RandomStateTest, RefusesBadParameters) {
  RandomState r(1);
  expect_error<DtypeError>([&] { r.normal({2}, {.dtype = int32}); },
                           "normal: the dtype is neither float32 nor float64; int32");
  expect_error<DtypeError>([&] { r.gamma(1, {2}, {.dtype = int32}); },
                           "gamma: the dtype is neither float32 nor float64; int32");
  expect_error<DtypeError>([&] { r.poisson(1, {2}, {.dtype = complex64}); },
                           "poisson: the dtype is no type of numbers; complex64");
  expect_error<ValueError>([&] { r.normal({2}, {.scale = -1}); }, "normal: scale < 0; -1.0");
  expect_error<ValueError>([&] { r.normal({-2}); },
                           "normal: negative dimensions are not allowed; (-2,)");
  expect_error<ValueError>([&] { r.uniform({2}, {.low = 3, .high = 1}); },
                           "uniform: high - low < 0; 3.0 and 1.0");
  expect_error<OverflowError>([&] { r.uniform({2}, {.high = INFINITY}); },
                              "uniform: the range exceeds valid bounds; 0.0 and inf");
  expect_error<ValueError>([&] { r.exponential({2}, {.scale = -1}); }, "exponential: scale < 0");
  expect_error<ValueError>([&] { r.gamma(-1); }, "gamma: shape < 0; -1.0");
  expect_error<ValueError>([&] { r.beta(0, 1); }, "beta: a <= 0; 0.0");
  expect_error<ValueError>([&] { r.beta(1, NAN); }, "beta: b <= 0; nan");
  expect_error<ValueError>([&] { r.poisson(-1); }, "poisson: lam < 0 or lam is NaN; -1.0");
  expect_error<ValueError>([&] { r.poisson(1e20); }, "poisson: lam value too large; 1e+20");
  expect_error<ValueError>([&] { r.binomial(-1, 0.5); }, "binomial: n < 0 or n is NaN; -1.0");
  expect_error<ValueError>([&] { r.binomial(INFINITY, 1); }, "binomial: n value too large; inf");
  expect_error<ValueError>([&] { r.binomial(1, 1.5); }, "binomial: p < 0, p > 1 or p is NaN; 1.5");
  expect_error<ValueError>([&] { r.geometric(0); }, "geometric: p <= 0, p > 1 or p is NaN; 0.0");
  expect_error<ValueError>([&] { r.logseries(1); }, "logseries: p < 0, p >= 1 or p is NaN; 1.0");
  expect_error<ValueError>([&] { r.zipf(1); }, "zipf: a <= 1 or a is NaN; 1.0");
  expect_error<ValueError>([&] { r.triangular(1, 0, 2); },
                           "triangular: left > mode; 1.0, 0.0, 2.0");
  expect_error<ValueError>([&] { r.triangular(1, 1, 1); }, "triangular: left == right");
  expect_error<ShapeError>([&] { r.poisson(ones({2}), {3}); }, "poisson: ");
  expect_error<ShapeError>(
      [&] {
        r.poisson(ones({2, 3}), {3});
      },
      "poisson: the size (3,) does not fit the parameters' shape; (2, 3)");
  expect_error<ValueError>([&] { r.multivariate_normal(zeros({2}), identity(3)); },
                           "multivariate_normal: mean and cov must have the same length");
  expect_error<ValueError>([] { method("MERSENNE"); }, "random: the method is unknown; MERSENNE");
}

// On the host at once; on a device at the next synchronising call.
TEST_P(RandomStateTest, RefusesBadElements) {
  RandomState r(1);
  const ndarray means = array({1.0, -2.0, 3.0});
  expect_error<ValueError>([&] { r.poisson(means).to_vector<int>(); },
                           device().is_cpu()
                               ? "poisson: lam < 0 or lam is NaN; -2.0"
                               : "poisson: a parameter is outside of its range; -2.0");
  EXPECT_EQ(r.poisson(array({1.0, 2.0})).to_vector<int>().size(), 2u);
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  const auto expect_refused = [&](const ndarray& pvals, const char* on_host, const char* value) {
    expect_error<ValueError>(
        [&] { r.multinomial(3, pvals, {4}).to_vector<int>(); },
        device().is_cpu()
            ? on_host
            : "multinomial: a parameter is outside of its range; " + std::string(value));
  };
  expect_refused(array({0.5, 0.6, 0.1}), "multinomial: sum(pvals[:-1]) > 1.0; 1.1", "1.1");
  expect_refused(array({0.5, -0.5}), "multinomial: pvals < 0, pvals > 1 or pvals is NaN; -0.5",
                 "-0.5");
  expect_refused(array({kNan, 0.5}), "multinomial: pvals < 0, pvals > 1 or pvals is NaN; nan",
                 "nan");
  for (const double wrong : {0.0, -1.0, kNan}) {
    expect_error<ValueError>(
        [&] {
          r.dirichlet(array({wrong, 1.0}), {4}).to_vector<double>();
        },
        (device().is_cpu() ? "dirichlet: alpha <= 0; "
                           : "dirichlet: a parameter is outside of its range; ") +
            Scalar(wrong).str());
  }
}

}  // namespace
}  // namespace cupyxx::random
