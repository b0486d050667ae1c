// SPDX-License-Identifier: MIT
// Trains a language model on text: words in, the next word out.
//   train_ptb --train=ptb.train.txt --valid=ptb.valid.txt --device=cuda:0
#include <cmath>
#include <iomanip>
#include <iostream>
#include <string>
#include <vector>

#include "cupyxx/cupyxx.h"
#include "examples/program/flags.h"
#include "examples/ptb/corpus.h"
#include "examples/ptb/language_model.h"

namespace ptb {
namespace {

namespace cp = cupyxx;

struct Options {
  std::string train, valid, device = "auto";
  std::int64_t epochs = 39, units = 650, batchsize = 20, length = 35, words = 60;
  std::uint64_t seed = 0;
};

std::vector<examples::Flag> flags_of(Options& o) {
  return {
      {"train", &o.train, "FILE", "to learn from; without it the Bible of Debian's bible-kjv-text"},
      {"valid", &o.valid, "FILE", "to measure with; without it the last twentieth of the text"},
      examples::device_flag(o.device),
      {"epochs", &o.epochs, "N", "passes over the text", 1'000'000},
      {"units", &o.units, "N", "width of the layers", 65'536},
      {"batchsize", &o.batchsize, "N", "columns of text read at once", 1'000'000},
      {"length", &o.length, "N", "words that gradients travel back", 1'000'000},
      {"words", &o.words, "N", "to write in the end", 1'000'000},
      {"seed", &o.seed, "N", "of all random numbers"}};
}

int train(const Options& options) {
  const cp::Device device = examples::choose_device(options.device, cp::cuda::device_count());
  const cp::DeviceScope scope(device);
  Vocabulary vocabulary;
  auto words = vocabulary.encode(options.train.empty() ? bible() : read_text(options.train));
  const auto valid =
      options.valid.empty() ? cut_off_end(words) : vocabulary.encode(read_text(options.valid));
  const cp::ndarray text = in_columns(words, options.batchsize);
  const cp::ndarray valid_text = in_columns(valid, 1);
  std::cout << "training on " << device.name() << ": " << words.size() << " words, "
            << vocabulary.size() << " different" << std::endl;

  cp::random::seed(options.seed);
  LanguageModel model(vocabulary.size(), options.units);
  TruncatedTraining training(model, {.length = options.length});
  std::cout << std::fixed << std::setprecision(2);
  for (std::int64_t epoch = 1; epoch <= options.epochs; ++epoch) {
    const double loss = training.pass(text);
    std::cout << "epoch " << epoch << ": perplexity " << std::exp(loss) << ", of the valid text "
              << perplexity(model, valid_text) << std::endl;
    if (epoch >= 6) training.set_lr(training.lr() / 1.2);
  }
  // Behind the end of a line, which is what a text ends with.
  const std::int32_t end = valid.back();
  for (const std::int32_t word : write(model, end, options.words)) {
    std::cout << (word == end ? "\n" : vocabulary.word(word) + " ");
  }
  std::cout << std::endl;
  return 0;
}

}  // namespace
}  // namespace ptb

int main(int argc, char** argv) {
  ptb::Options options;
  const examples::CommandLine line = {"train_ptb", "trains a recurrent language model.",
                                      ptb::flags_of(options), ""};
  return examples::run_program(line, argc, argv, [&] { return ptb::train(options); });
}
