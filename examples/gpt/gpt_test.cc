// SPDX-License-Identifier: MIT
#include "examples/gpt/gpt.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "cupyxx/comm.h"
#include "cupyxx/cupyxx.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"
#include "examples/program/errors.h"
#include "examples/program/text.h"

namespace gpt {
namespace {

namespace cp = cupyxx;
using cp::testing::expect_allclose;
using cp::testing::expect_error;
using examples::UserError;

class GptTest : public cp::testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(GptTest);

constexpr Size kSmall{2, 32, 2};

TEST(Vocabulary, JoinsTheMostFrequentPairs) {
  const std::string text = "hug hug pug hugs";
  const Vocabulary bytes, pairs = Vocabulary::learn(text, 259);
  EXPECT_EQ(bytes.size(), 256);
  EXPECT_EQ(bytes.encode("hu"), (Tokens{'h', 'u'}));
  // "ug" comes four times; then " h" twice and "hug" three times, of which " hug" is made last.
  EXPECT_EQ(pairs.size(), 259);
  EXPECT_EQ(pairs.encode("ug"), (Tokens{256}));
  EXPECT_EQ(pairs.encode("hug"), (Tokens{257}));
  EXPECT_EQ(pairs.encode(" hug"), (Tokens{258}));
  EXPECT_EQ(pairs.encode("mug hugs"), (Tokens{'m', 256, 258, 's'}));
  EXPECT_EQ(Vocabulary::learn(text, 100'000).size(), 259);  // no other pair comes twice
}

TEST(Vocabulary, GivesTheTextBack) {
  const std::string text = "In the beginning\n\n  was the \xff\x80 word\tthe the.";
  for (const std::int64_t size : {256, 260, 270}) {
    const Vocabulary vocabulary = Vocabulary::learn(text, size);
    EXPECT_EQ(vocabulary.decode(vocabulary.encode(text)), text);
    EXPECT_EQ(vocabulary.decode(vocabulary.encode("another word")), "another word");
  }
}

TEST(Vocabulary, IsReadFromItsFileAsLongAsTheTextIsTheSame) {
  const std::string path = ::testing::TempDir() + "/vocabulary.txt";
  std::filesystem::remove(path);
  const std::string text = "hug hug pug hugs";
  EXPECT_EQ(Vocabulary::learn(text, 259, path).size(), 259);
  const std::string written = examples::read_text(path);
  EXPECT_TRUE(written.starts_with("pairs for 259 tokens of a text of 16 bytes, ")) << written;
  {  // what is there is taken
    std::ofstream(path) << written.substr(0, written.find('\n') + 1) << "97 98\n";
  }
  EXPECT_EQ(Vocabulary::learn(text, 259, path).size(), 257);
  EXPECT_EQ(Vocabulary::learn("hug hug pug hugz", 259, path).size(), 259);
  { std::ofstream(path) << written.substr(0, written.find('\n') + 1) << "97 999\n"; }
  EXPECT_EQ(Vocabulary::learn(text, 259, path).size(), 259);  // damaged: learned again
}

TEST_P(GptTest, BatchesAreWindowsOfTheText) {
  Tokens text(100);
  for (std::size_t i = 0; i < text.size(); ++i) text[i] = static_cast<std::int32_t>(i);
  const Batch batch = random_batch(text, 5, 7, 3, 4);
  EXPECT_EQ(batch.tokens.shape(), (cp::Shape{5, 7}));
  const auto tokens = batch.tokens.to_vector<std::int32_t>();
  const auto next = batch.next.to_vector<std::int32_t>();
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    EXPECT_EQ(tokens[i], tokens[i / 7 * 7] + static_cast<std::int32_t>(i % 7));
    EXPECT_EQ(next[i], tokens[i] + 1);
  }
  EXPECT_EQ(random_batch(text, 5, 7, 3, 4).tokens.to_vector<std::int32_t>(), tokens);
  EXPECT_NE(random_batch(text, 5, 7, 3, 5).tokens.to_vector<std::int32_t>(), tokens);
  expect_error<UserError>([&] { random_batch(text, 1, 100, 0, 0); },
                          "a text of 100 tokens is too short for 100 and the one behind; see "
                          "--length");
}

TEST_P(GptTest, FollowsOnlyWhatCameBefore) {
  Gpt model(kSmall, 50, 9);
  const ndarray tokens = cp::array({{1, 2, 3, 4, 5, 6, 7, 8, 9}}).astype(cp::int32);
  const ndarray other = tokens.copy();
  other(0, 5).set(cp::array(40).astype(cp::int32));
  const ndarray a = model(tokens).data(), b = model(other).data();
  EXPECT_EQ(a.shape(), (cp::Shape{9, 64}));
  const cp::Index before = cp::slice(0, 5), behind = cp::slice(5, 9);
  cp::testing::expect_array_equal(a(before), b(before));
  EXPECT_GT(cp::abs(a(behind) - b(behind)).max().item<float>(), 1e-4f);
}

TEST_P(GptTest, CachesGiveTheScoresOfTheWholeText) {
  Gpt model(kSmall, 50, 9);
  const ndarray tokens = cp::array({{1, 2, 3, 4, 5, 6, 7, 8, 9}}).astype(cp::int32);
  const chainerxx::NoGradScope no_graph;
  const ndarray whole = model(tokens).data();
  std::vector<KeyValueCache> caches(2);
  for (const auto& [begin, end] : {std::pair(0, 4), {4, 5}, {5, 6}, {6, 9}}) {
    const ndarray part = tokens(cp::slice(), cp::slice(begin, end));
    expect_allclose(model(part, &caches).data(), whole(cp::slice(begin, end)), 1e-4, 1e-5);
  }
}

/// The alphabet, again and again.
Tokens alphabet() {
  Tokens text;
  for (int i = 0; i < 2000; ++i) text.push_back(i % 26);
  return text;
}

TEST_P(GptTest, LearnsTheAlphabet) {
  cp::random::seed(1);
  Gpt model(kSmall, 26, 16);
  Training training(model, {.rate = 5e-3, .warm_up = 5, .steps = 90});
  const Tokens text = alphabet();
  double first = 0, last = 0;
  for (int i = 0; i < 90; ++i) {
    const Batch batch = random_batch(text, 8, 16, 2, i);
    last = training.step(batch.tokens, batch.next).item<float>();
    if (i == 0) first = last;
  }
  EXPECT_NEAR(first, std::log(64), 0.2);
  EXPECT_LT(last, 0.2);
  // Beyond what the network remembers at once.
  const Tokens found = model.generate({3, 4, 5}, 30, 7, 1);
  ASSERT_EQ(found.size(), 33u);
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(found[i], static_cast<std::int32_t>((i + 3) % 26)) << i;
  }
  EXPECT_LT(model.test({random_batch(text, 4, 16, 9, 0)}), 0.3);
}

TEST_P(GptTest, ResumesToTheSameBits) {
  const std::string folder = ::testing::TempDir();
  const Tokens text = alphabet();
  const auto advance = [&](Training& training, int count) {
    for (int i = 0; i < count; ++i) {
      const Batch batch = random_batch(text, 4, 16, 2, training.steps_so_far());
      training.step(batch.tokens, batch.next);
    }
  };
  const Training::Options options{.warm_up = 2, .steps = 8};
  cp::random::seed(3);
  Gpt whole(kSmall, 26, 16);
  Training in_one(whole, options);
  cp::random::seed(3);
  Gpt first(kSmall, 26, 16), second(kSmall, 26, 16);
  Training begun(first, options), resumed(second, options);
  advance(in_one, 8);
  advance(begun, 4);
  begun.save(folder);
  // What a program leaves that ends between the two files of a step does not count.
  std::ofstream(folder + "/model_5.npz") << "half of it";
  resumed.load(folder);
  EXPECT_EQ(resumed.steps_so_far(), 4);
  begun.save(folder);
  EXPECT_FALSE(std::filesystem::exists(folder + "/model_5.npz"));
  advance(resumed, 4);
  const auto expected = whole.parameters(), found = second.parameters();
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    cp::testing::expect_array_equal(found[i], expected[i]);
  }
}

constexpr int kRanks = 2, kSteps = 4, kShare = 2;
const Training::Options kPace{.rate = 5e-3, .warm_up = 100, .steps = 1000};

/// Threads draw from one stream, so that they take turns.
void make(std::optional<Gpt>& model) {
  static std::mutex one;
  const std::lock_guard turn(one);
  cp::random::seed(3);
  model.emplace(kSmall, 26, 16);
}

Batch part_of_batch(int step, int rank) {
  const Batch whole = random_batch(alphabet(), kRanks * kShare, 16, 2, step);
  const cp::slice part(rank * kShare, (rank + 1) * kShare);
  return {whole.tokens(part), whole.next(part)};
}

/// Adds up the gradients of the ranks' parts in the order of the ranks. Returns the losses of each.
std::vector<std::vector<float>> learn_alone(Gpt& model) {
  chainerxx::optimizers::AdamW optimizer({.beta2 = 0.95, .weight_decay = 0.1});
  optimizer.setup(model);
  optimizer.add_group("vectors", {"*/b", "*gamma", "*beta"}, {.decay = 0});
  optimizer.add_hook(chainerxx::GradientClipping(1));
  std::vector<std::vector<float>> losses(kRanks);
  for (int step = 0; step < kSteps; ++step) {
    std::vector<ndarray> sums;
    for (int rank = 0; rank < kRanks; ++rank) {
      const Batch batch = part_of_batch(step, rank);
      optimizer.zero_grads();
      const Variable loss = model.loss(batch.tokens, batch.next);
      loss.backward();
      losses[rank].push_back(loss.data().item<float>());
      const std::vector<ndarray> grads = model.gradients();
      for (std::size_t i = 0; i < grads.size(); ++i) {
        rank == 0 ? sums.push_back(grads[i].copy()) : void(sums[i] += grads[i]);
      }
    }
    const std::vector<ndarray> grads = model.gradients();
    for (std::size_t i = 0; i < grads.size(); ++i) grads[i].set(sums[i] * (1.0 / kRanks));
    optimizer.alpha = kPace.rate * (step + 1) / static_cast<double>(kPace.warm_up);
    optimizer.update();
  }
  return losses;
}

void expect_same_parameters(const Gpt& found, const Gpt& expected) {
  const auto a = found.parameters(), b = expected.parameters();
  for (std::size_t i = 0; i < a.size(); ++i) cp::testing::expect_array_equal(a[i], b[i]);
}

TEST(GptTogether, LearnsWhatOneProcessLearns) {
  std::optional<Gpt> alone;
  make(alone);
  const std::vector<std::vector<float>> expected = learn_alone(*alone);
  const std::string folder = ::testing::TempDir();
  cp::comm::run_threads(kRanks, [&](const cp::comm::Communicator& comm) {
    const int rank = comm.rank();
    std::optional<Gpt> first, second;
    make(first);
    make(second);
    Training::Options options = kPace;
    options.communicator = comm;
    Training begun(*first, options);
    options.shard_states = true;
    Training resumed(*second, options);
    const auto advance = [&](Training& training, int step) {
      const Batch batch = part_of_batch(step, rank);
      EXPECT_FLOAT_EQ(training.step(batch.tokens, batch.next).item<float>(), expected[rank][step]);
    };
    for (int step = 0; step < kSteps; ++step) {
      if (step == 2) {
        begun.save(folder);
        resumed.load(folder);
        EXPECT_EQ(resumed.steps_so_far(), 2);
      }
      advance(begun, step);
      if (step >= 2) advance(resumed, step);
    }
    expect_same_parameters(*first, *alone);
    // With states in parts the norm is added up in another order.
    const auto found = second->parameters(), wanted = alone->parameters();
    for (std::size_t i = 0; i < found.size(); ++i) {
      expect_allclose(found[i], wanted[i], 1e-5, 1e-6);
    }
  });
}

TEST_P(GptTest, LearnsInEveryPrecision) {
  const Tokens text = alphabet();
  for (const auto precision : {chainerxx::Precision::tf32, chainerxx::Precision::bfloat16,
                               chainerxx::Precision::float16}) {
    const chainerxx::PrecisionScope scope(precision);
    cp::random::seed(1);
    Gpt model(kSmall, 26, 16);
    Training training(model, {.rate = 5e-3, .warm_up = 5, .steps = 40});
    double last = 0;
    for (int i = 0; i < 40; ++i) {
      const Batch batch = random_batch(text, 8, 16, 2, i);
      last = training.step(batch.tokens, batch.next).astype(cp::float32).item<float>();
    }
    EXPECT_LT(last, 1.5) << name_of(precision);
  }
}

TEST(Size, IsThatOfGpt2) {
  EXPECT_EQ(size_of("774M").layers, 36);
  expect_error<examples::UsageError>([] { size_of("1B"); },
                                     "--size=1B: not one of tiny|124M|355M|774M");
}

}  // namespace
}  // namespace gpt
