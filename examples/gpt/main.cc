// SPDX-License-Identifier: MIT
// Trains GPT-2 on a text and lets it write:
//   train_gpt --size=124M --vocabulary=8192 --device=cuda:0 --precision=bfloat16 --sample=200
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iomanip>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "cupyxx/cupyxx.h"
#include "examples/gpt/gpt.h"
#include "examples/gpt/text.h"
#include "examples/program/errors.h"
#include "examples/program/flags.h"
#include "examples/program/interrupt.h"
#include "examples/program/progress.h"
#include "examples/program/ranks.h"
#include "examples/program/text.h"

namespace gpt {
namespace {

namespace cp = cupyxx;

struct Options {
  std::string size = "tiny", data, precision = "float32", out = "result", resume;
  std::string shard_states = "no", shard_gradients = "no";
  examples::RankFlags ranks;
  std::string prompt = "In the beginning";
  std::int64_t vocabulary = 256, steps = 1000, batch = 16, length = 256, every = 50, save = 1000;
  std::int64_t sample = 0, rate = 600;
  std::uint64_t seed = 0;
};

std::vector<examples::Flag> flags_of(Options& o) {
  std::vector<examples::Flag> flags = {
      {"size", &o.size, "tiny|124M|355M|774M", "network"},
      {"data", &o.data, "FILE", "text; without it the Bible of Debian's bible-kjv-text"},
      {"vocabulary", &o.vocabulary, "N", "tokens: 256 bytes, and frequent pairs", 65'536, 256},
      {"precision", &o.precision, "float32|tf32|bfloat16|float16", "of products"},
      {"steps", &o.steps, "N", "updates in all", 1'000'000'000, 0},
      {"batch", &o.batch, "N", "windows of text in a step", 65'536},
      {"length", &o.length, "N", "tokens of a window", 1'000'000},
      {"rate", &o.rate, "N", "highest learning rate, in millionths", 1'000'000},
      {"every", &o.every, "N", "steps from line to line", 1'000'000},
      {"save", &o.save, "N", "steps from file to file", 1'000'000'000},
      {"out", &o.out, "FOLDER", "gets model_STEP.npz, optimizer_STEP.npz and the vocabulary"},
      {"resume", &o.resume, "FOLDER", "continues from such files"},
      {"sample", &o.sample, "N", "tokens to write at the end", 1'000'000, 0},
      {"prompt", &o.prompt, "TEXT", "what they follow"},
      {"shard_states", &o.shard_states, "no|yes", "of those that train together each keeps a part"},
      {"shard_gradients", &o.shard_gradients, "no|yes", "the same, and of the gradients"},
      {"seed", &o.seed, "N", "of all random numbers"}};
  const auto where = examples::rank_flags(o.ranks);
  flags.insert(flags.begin() + 3, where.begin(), where.end());
  return flags;
}

/// The first rank learns it and keeps it in a file, which the others read if they see it.
Vocabulary vocabulary_of(const std::string& text, const Options& options,
                         const examples::Ranks& ranks) {
  const std::string path = options.out + "/vocabulary.txt";
  if (!ranks.is_first()) {
    ranks.barrier();
    if (!std::filesystem::exists(path)) return Vocabulary::learn(text, options.vocabulary);
  }
  Vocabulary vocabulary = Vocabulary::learn(text, options.vocabulary, path);
  if (ranks.is_first()) ranks.barrier();
  return vocabulary;
}

/// This rank's part of a batch.
Batch part_of_batch(const Tokens& text, const Options& options, const examples::Ranks& ranks,
                    std::uint64_t seed, std::int64_t number) {
  const Batch whole = random_batch(text, options.batch, options.length, seed, number);
  const cp::slice part = ranks.part(options.batch);
  return {whole.tokens(part), whole.next(part)};
}

int train(const Options& options, const examples::Ranks& ranks) {
  ranks.check_batch("batch", options.batch);
  if (options.shard_states == "yes" && !ranks.communicator()) {
    throw examples::UsageError("--shard_states=yes: goes with --parallel");
  }
  if (options.shard_gradients == "yes" && !ranks.communicator()) {
    throw examples::UsageError("--shard_gradients=yes: goes with --parallel");
  }
  const cp::DeviceScope on_device(ranks.device());
  const chainerxx::PrecisionScope precision(cp::precision_of(options.precision, "--precision"));
  const Size size = size_of(options.size);
  if (ranks.is_first()) examples::prepare_folder(options.out);
  const std::string text = examples::read_text(options.data, {.flag = "data", .places = true});
  const Vocabulary vocabulary = vocabulary_of(text, options, ranks);
  const Tokens tokens = vocabulary.encode(text);
  const auto border = tokens.begin() + std::ssize(tokens) * 9 / 10;
  const Tokens known(tokens.begin(), border), unknown(border, tokens.end());

  std::optional<Gpt> model;
  {
    const auto turn = examples::Ranks::turn();
    cp::random::seed(options.seed);
    model.emplace(size, vocabulary.size(), options.length);
  }
  Training training(*model, {.rate = 1e-6 * static_cast<double>(options.rate),
                             .warm_up = std::min<std::int64_t>(200, options.steps / 10),
                             .steps = options.steps,
                             .communicator = ranks.communicator(),
                             .shard_states = options.shard_states == "yes",
                             .shard_gradients = options.shard_gradients == "yes"});
  if (!options.resume.empty()) training.load(options.resume);
  std::ostream& out = ranks.out();
  out << "training " << options.size << " on " << ranks.device().name() << ranks.others() << ": "
      << tokens.size() << " tokens, " << vocabulary.size() << " different" << std::endl;

  const examples::InterruptScope interrupt;
  double since = examples::steady_seconds();
  std::int64_t lately = 0;
  bool is_interrupted = false;
  while (training.steps_so_far() < options.steps) {
    is_interrupted = ranks.any(interrupt.requested());
    if (is_interrupted) break;
    const Batch batch = part_of_batch(known, options, ranks, options.seed, training.steps_so_far());
    const cp::ndarray loss = training.step(batch.tokens, batch.next);
    ++lately;
    const std::int64_t done = training.steps_so_far();
    if (done % options.every == 0 || done == options.steps) {
      // Waits for the device.
      const double value = ranks.mean(loss.astype(cp::float64).item<double>());
      const double now = examples::steady_seconds();
      const auto count = static_cast<double>(lately * options.batch * options.length);
      out << "step " << done << ": loss " << std::fixed << std::setprecision(4) << value << ", "
          << std::setprecision(0) << count / (now - since) << " tokens/s" << std::endl;
      since = now;
      lately = 0;
    }
    if (done % options.save == 0) training.save(options.out);
  }
  training.save(options.out);
  if (is_interrupted) {
    out << "interrupted after step " << training.steps_so_far()
        << "; the same flags go on with --resume=" << options.out << std::endl;
    return 130;  // as a shell reports SIGINT
  }
  std::vector<Batch> windows;
  for (std::int64_t i = 0; i < 8; ++i) {
    windows.push_back(part_of_batch(unknown, options, ranks, 1, i));
  }
  const double loss = ranks.mean(model->test(windows));
  out << "loss on the last tenth of the text " << std::setprecision(4) << std::fixed << loss
      << ", perplexity " << std::setprecision(2) << std::exp(loss) << std::endl;
  if (options.sample == 0 || !ranks.is_first()) return 0;
  const Tokens prompt = vocabulary.encode(options.prompt);
  out << vocabulary.decode(model->generate(prompt, options.sample, options.seed)) << std::endl;
  return 0;
}

}  // namespace
}  // namespace gpt

int main(int argc, char** argv) {
  gpt::Options options;
  const examples::CommandLine line = {"train_gpt", "trains GPT-2 on a text.",
                                      gpt::flags_of(options), ""};
  return examples::run_program(line, argc, argv, [&] {
    return examples::run_ranks(options.ranks,
                               [&](const auto& ranks) { return gpt::train(options, ranks); });
  });
}
