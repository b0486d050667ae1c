// SPDX-License-Identifier: MIT
// Reads a text letter by letter, learns to guess the next one, and writes on its own.
//   char_rnn --steps=3000 --units=512 --device=cuda:0
#include <algorithm>
#include <cmath>
#include <iomanip>
#include <iostream>
#include <string>
#include <vector>

#include "chainerxx/chainerxx.h"
#include "cupyxx/cupyxx.h"
#include "examples/char_rnn/network.h"
#include "examples/program/errors.h"
#include "examples/program/flags.h"
#include "examples/program/text.h"

namespace {

namespace cp = cupyxx;
namespace F = chainerxx::functions;
using chainerxx::Variable;
using char_rnn::Memory, char_rnn::Network;
using cp::slice;

struct Options {
  std::string text, device = "auto", start = "In the beginning";
  std::int64_t steps = 1000, units = 256, batchsize = 32, length = 50, letters = 400;
  std::uint64_t seed = 0;
};

/// What the network writes behind `start`: each byte is drawn by its probability.
std::string write(const Network& model, const std::string& start, std::int64_t letters,
                  std::int64_t units) {
  const chainerxx::NoGradScope no_graph;
  const cp::ndarray nothing = cp::zeros({1, units}, cp::float32);
  Memory memory = {nothing, nothing, nothing, nothing};
  std::string text = start;
  std::size_t read = 0;
  while (static_cast<std::int64_t>(text.size() - start.size()) < letters) {
    const std::vector<std::uint8_t> bytes(text.begin() + static_cast<std::ptrdiff_t>(read),
                                          text.end());
    read = text.size();
    const Variable y = model(cp::array(bytes).astype(cp::int32).reshape({-1, 1}), memory);
    const cp::ndarray p = cp::special::softmax(y.data()(-1).astype(cp::float64) / 0.8);
    text += static_cast<char>(cp::random::choice(256, {}, {.p = p}).item<int>());
  }
  return text;
}

int train(const Options& o) {
  const cp::DeviceScope device(examples::choose_device(o.device, cp::cuda::device_count()));
  const std::string text = examples::read_text(o.text);
  const auto rows = static_cast<std::int64_t>(text.size()) / o.batchsize;
  if (rows <= o.length + 1) {
    throw examples::UserError(cp::message("a text of ", text.size(),
                                          " letters is too short for --batchsize=", o.batchsize,
                                          " and --length=", o.length));
  }
  // The text in columns that are read side by side, (rows, n).
  const std::vector<std::uint8_t> bytes(text.begin(), text.begin() + rows * o.batchsize);
  const cp::ndarray columns = cp::array(bytes).reshape({o.batchsize, rows}).T().astype(cp::int32);

  cp::random::seed(o.seed);
  Network model(o.units);
  chainerxx::optimizers::Adam optimizer({.alpha = 2e-3});
  optimizer.setup(model);
  optimizer.add_hook(chainerxx::GradientClipping(5));
  std::cout << text.size() << " letters on " << cp::current_device().name() << std::fixed
            << std::setprecision(3) << std::endl;

  const cp::ndarray nothing = cp::zeros({o.batchsize, o.units}, cp::float32);
  Memory memory;
  cp::ndarray sum = cp::zeros({}, cp::float32);  // where the losses are: nothing waits for them
  const auto report = std::max<std::int64_t>(o.steps / 10, 1);
  std::int64_t at = rows;
  for (std::int64_t step = 1; step <= o.steps; ++step, at += o.length) {
    if (at + o.length >= rows) {  // from the start again, with an empty memory
      at = 0;
      memory = {nothing, nothing, nothing, nothing};
    }
    const Variable next(columns(slice(at + 1, at + 1 + o.length)).reshape({-1}));
    const Variable loss = optimizer.update([&] {
      return F::softmax_cross_entropy(model(columns(slice(at, at + o.length)), memory), next);
    });
    sum += loss.data();
    if (step % report != 0) continue;
    const double mean = sum.item<double>() / static_cast<double>(report);
    std::cout << "step " << step << ": " << mean / std::log(2) << " bits a letter" << std::endl;
    sum.fill(0);
  }
  std::cout << write(model, o.start, o.letters, o.units) << std::endl;
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  Options o;
  const examples::CommandLine line = {
      "char_rnn",
      "learns to write, letter by letter.",
      {{"text", &o.text, "FILE", "to learn from; without it the Bible of Debian's bible-kjv-text"},
       examples::device_flag(o.device),
       {"steps", &o.steps, "N", "updates", 100'000'000},
       {"units", &o.units, "N", "width of the layers", 65'536},
       {"batchsize", &o.batchsize, "N", "places of the text read at once", 1'000'000},
       {"length", &o.length, "N", "letters that gradients travel back", 1'000'000},
       {"start", &o.start, "TEXT", "what the network goes on from"},
       {"letters", &o.letters, "N", "to write in the end", 1'000'000},
       {"seed", &o.seed, "N", "of all random numbers"}},
      ""};
  return examples::run_program(line, argc, argv, [&] { return train(o); });
}
