// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <map>

#include "cupyxx/cupyxx.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"
#include "examples/ptb/corpus.h"
#include "examples/ptb/language_model.h"

namespace ptb {
namespace {

namespace cp = cupyxx;
using chainerxx::Variable;
using cp::testing::expect_elements;
using cp::testing::expect_error;
using Words = std::vector<std::int32_t>;

class PtbTest : public cp::testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(PtbTest);

TEST_P(PtbTest, WordsAreNumberedAsTheyCome) {
  Vocabulary vocabulary;
  EXPECT_EQ(vocabulary.encode("a b a\n\n  c\tb"), (Words{0, 1, 0, 2, 3, 1, 2}));
  EXPECT_EQ(vocabulary.encode("c d\n"), (Words{3, 4, 2}));
  EXPECT_EQ(vocabulary.size(), 5);
  EXPECT_EQ(vocabulary.word(2), "<eos>");
  EXPECT_EQ(vocabulary.word(4), "d");
}

TEST_P(PtbTest, TheLastTwentiethIsCutOff) {
  Words words(41);
  words.back() = 7;
  EXPECT_EQ(cut_off_end(words), (Words{0, 7}));
  EXPECT_EQ(words.size(), 39);
}

TEST_P(PtbTest, TextIsReadInColumns) {
  expect_elements<std::int32_t>(in_columns({0, 1, 2, 3, 4, 5, 6}, 2), {3, 2}, {0, 3, 1, 4, 2, 5});
  expect_error<UserError>(
      [] {
        in_columns({0, 1, 2}, 2);
      },
      "a text of 3 words is too short for 2 columns; see --batchsize");
}

TEST_P(PtbTest, FilesWithoutWordsAreRefused) {
  const std::string path = ::testing::TempDir() + "/ptb_empty.txt";
  std::ofstream(path) << " \n";
  expect_error<UserError>([&] { read_text(path); }, path + ": holds no words");
  expect_error<UserError>([] { read_text("/nowhere/x"); }, "/nowhere/x: cannot be read");
}

/// Perplexity of guessing by how often a word occurs, whatever stood before it.
double perplexity_of_frequencies(const Words& words) {
  std::map<std::int32_t, double> counts;
  for (const std::int32_t word : words) counts[word] += 1;
  const auto n = static_cast<double>(words.size());
  double entropy = 0;
  for (const auto& [word, count] : counts) entropy -= count / n * std::log(count / n);
  return std::exp(entropy);
}

TEST_P(PtbTest, LearnsTheGrammarOfAMadeUpLanguage) {
  cp::random::seed(1);
  Vocabulary vocabulary;
  const Words words = vocabulary.encode(made_up_text(1000, 1));
  const cp::ndarray valid = in_columns(vocabulary.encode(made_up_text(50, 2)), 1);
  const cp::ndarray text = in_columns(words, 10);
  LanguageModel model(vocabulary.size(), 48);
  EXPECT_NEAR(perplexity(model, valid), static_cast<double>(vocabulary.size()), 2);
  TruncatedTraining training(model, {.length = 20});
  for (int i = 0; i < 4; ++i) training.pass(text);
  // Knowing the words' frequencies gives 10, knowing the grammar 2.5.
  EXPECT_GT(perplexity_of_frequencies(words), 8);
  EXPECT_LT(perplexity(model, valid), 3.2);
  // Sentences end with " ." and begin with "the".
  const auto end = valid(-1).item<std::int32_t>();
  const Words written = write(model, end, 200);
  ASSERT_EQ(written.size(), 200);
  const std::int32_t the = words.front();
  std::int64_t starts = written.front() == the, sentences = 1;
  for (std::size_t i = 0; i + 1 < written.size(); ++i) {
    if (written[i] != end) continue;
    ++sentences;
    starts += written[i + 1] == the;
  }
  EXPECT_GT(sentences, 10);
  EXPECT_GT(starts, 0.9 * static_cast<double>(sentences));
}

TEST_P(PtbTest, GradientsEndWhereTheGraphWasCut) {
  LanguageModel model(5, 4);
  LanguageModel::Memory memory = model.start(2);
  const Variable word(cp::array(std::vector<std::int32_t>{1, 2}));
  Variable loss;
  for (int i = 0; i < 3; ++i) {
    loss += chainerxx::functions::softmax_cross_entropy(model.read(word, memory), word);
  }
  EXPECT_NE(memory.h1.creator(), nullptr);
  loss.backward();
  loss.unchain_backward();
  for (const Variable& v : {memory.c1, memory.h1, memory.c2, memory.h2}) {
    EXPECT_EQ(v.creator(), nullptr);
  }
}

}  // namespace
}  // namespace ptb
