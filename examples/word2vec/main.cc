// SPDX-License-Identifier: MIT
// Vectors for words, such that words of like use lie near each other (Mikolov et al., 2013).
//   word2vec --model=skipgram --loss=negative --epochs=10 --device=cuda:0
#include <algorithm>
#include <iomanip>
#include <iostream>
#include <string>
#include <vector>

#include "chainerxx/chainerxx.h"
#include "cupyxx/cupyxx.h"
#include "examples/program/errors.h"
#include "examples/program/flags.h"
#include "examples/program/text.h"
#include "examples/word2vec/corpus.h"
#include "examples/word2vec/network.h"

namespace {

namespace cp = cupyxx;
using cp::newaxis, cp::slice;
using word2vec::Corpus, word2vec::Network;

struct Options {
  std::string text, device = "auto", model = "skipgram", loss = "negative";
  std::string words = "king,david,water,seven,mountain";
  std::int64_t epochs = 5, units = 100, window = 4, batchsize = 1000, rare = 5;
  std::uint64_t seed = 0;
};

/// The words whose vectors have the smallest angles with that of `word`.
std::string nearest(const Network& model, const Corpus& corpus, const std::string& word) {
  const auto it = corpus.numbers.find(word);
  if (it == corpus.numbers.end()) return " not in the text";
  const cp::ndarray& W = model.embed.W;
  const cp::ndarray unit = W / cp::sqrt(cp::square(W).sum(1, {.keepdims = true}));
  const cp::ndarray cosines = unit.dot(cp::ndarray(unit(it->second)));
  std::string text;
  const auto order = cp::argsort(-cosines).to_vector<std::int64_t>();
  for (std::size_t i = 1; i <= 5 && i < order.size(); ++i) {
    text += " " + corpus.words[static_cast<std::size_t>(order[i])];
  }
  return text;
}

int train(const Options& o) {
  const cp::DeviceScope device(examples::choose_device(o.device, cp::cuda::device_count()));
  const Corpus corpus(examples::read_text(o.text), o.rare);
  const cp::ndarray text = cp::array(corpus.text_numbers);
  const std::int64_t places = text.size() - 2 * o.window;
  if (places < o.batchsize) {
    throw examples::UserError(cp::message(
        "a text of ", text.size(), " words that occur --rare=", o.rare,
        " times or more is too short for --batchsize=", o.batchsize, " and --window=", o.window));
  }
  std::cout << text.size() << " words, " << corpus.words.size() << " different, on "
            << cp::current_device().name() << std::fixed << std::setprecision(3) << std::endl;

  cp::random::seed(o.seed);
  Network model(
      {.units = o.units, .skipgram = o.model == "skipgram", .tree = o.loss == "hierarchical"},
      corpus.counts);
  chainerxx::optimizers::Adam optimizer({.alpha = 2e-3});
  optimizer.setup(model);
  // Where the words around a word stand, beside its own place.
  const cp::ndarray offsets =
      cp::concatenate({cp::arange(-o.window, 0), cp::arange(1, o.window + 1)}, 0);
  for (std::int64_t epoch = 1; epoch <= o.epochs; ++epoch) {
    const cp::ndarray order = cp::random::permutation(places) + o.window;
    cp::ndarray sum = cp::zeros({}, cp::float32);
    std::int64_t steps = 0;
    for (std::int64_t i = 0; i + o.batchsize <= places; i += o.batchsize, ++steps) {
      const cp::ndarray place = order(slice(i, i + o.batchsize));
      const cp::ndarray around = text(cp::ndarray(place(slice(), newaxis) + offsets));
      sum += optimizer.update([&] { return model(text(place), around); }).data();
    }
    std::cout << "epoch " << epoch << ": loss " << sum.item<double>() / static_cast<double>(steps)
              << std::endl;
  }
  for (std::size_t at = 0; at < o.words.size();) {
    const std::size_t end = std::min(o.words.find(',', at), o.words.size());
    const std::string word = o.words.substr(at, end - at);
    std::cout << word << ":" << nearest(model, corpus, word) << "\n";
    at = end + 1;
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  Options o;
  const examples::CommandLine line = {
      "word2vec",
      "learns vectors of words.",
      {{"text", &o.text, "FILE", "to learn from; without it the Bible of Debian's bible-kjv-text"},
       examples::device_flag(o.device),
       {"model", &o.model, "skipgram|cbow", "tells words by each neighbour, or by all together"},
       {"loss", &o.loss, "negative|hierarchical", "samples, or a tree of words"},
       {"words", &o.words, "WORDS", "whose neighbours to print, commas between"},
       {"epochs", &o.epochs, "N", "passes over the text", 1'000'000},
       {"units", &o.units, "N", "length of a vector", 65'536},
       {"window", &o.window, "N", "words on each side", 1000},
       {"batchsize", &o.batchsize, "N", "words in a step", 10'000'000},
       {"rare", &o.rare, "N", "words that occur less often are left out", 1'000'000},
       {"seed", &o.seed, "N", "of all random numbers"}},
      ""};
  return examples::run_program(line, argc, argv, [&] { return train(o); });
}
