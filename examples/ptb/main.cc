// SPDX-License-Identifier: MIT
// Trains a language model on text: words in, the next word out.
//   train_ptb --train=ptb.train.txt --valid=ptb.valid.txt --device=cuda:0
#include <charconv>
#include <cmath>
#include <iomanip>
#include <iostream>
#include <string>
#include <string_view>

#include "cupyxx/cupyxx.h"
#include "examples/ptb/corpus.h"
#include "examples/ptb/language_model.h"

namespace ptb {
namespace {

namespace cp = cupyxx;

constexpr const char* kUsage =
    "train_ptb trains a recurrent language model.\n\n"
    "  --train=FILE    text to learn from; without it a made-up language is learned\n"
    "  --valid=FILE    text to measure with (the training text)\n"
    "  --device=NAME   cpu or cuda:N (the first CUDA device, or the host)\n"
    "  --epochs=N      passes over the text (39)\n"
    "  --units=N       width of the layers (650)\n"
    "  --batchsize=N   columns of text read at once (20)\n"
    "  --length=N      words that gradients travel back (35)\n"
    "  --seed=N        of all random numbers (0)\n";

struct Flags {
  std::string train, valid, device;
  std::int64_t epochs = 39, units = 650, batchsize = 20, length = 35, seed = 0;
  bool help = false;
};

struct UsageError : UserError {
  using UserError::UserError;
};

void set(Flags& flags, std::string_view name, std::string_view value) {
  const std::string flag = "--" + std::string(name) + "=" + std::string(value);
  if (name == "train")
    flags.train = value;
  else if (name == "valid")
    flags.valid = value;
  else if (name == "device")
    flags.device = value;
  else {
    std::int64_t* const number = name == "epochs"      ? &flags.epochs
                                 : name == "units"     ? &flags.units
                                 : name == "batchsize" ? &flags.batchsize
                                 : name == "length"    ? &flags.length
                                 : name == "seed"      ? &flags.seed
                                                       : nullptr;
    if (number == nullptr) throw UsageError("unknown flag --" + std::string(name) + "; see --help");
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), *number);
    if (error != std::errc() || end != value.data() + value.size() ||
        *number < (name == "seed" ? 0 : 1)) {
      throw UsageError(flag + ": not a positive whole number");
    }
  }
}

Flags parse(int argc, char** argv) {
  Flags flags;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    const std::size_t equals = argument.find('=');
    if (argument == "--help") {
      flags.help = true;
    } else if (argument.starts_with("--") && equals != std::string_view::npos) {
      set(flags, argument.substr(2, equals - 2), argument.substr(equals + 1));
    } else {
      throw UsageError("'" + std::string(argument) + "' is not --flag=value; see --help");
    }
  }
  return flags;
}

cp::Device device_of(const std::string& name) {
  const int count = cp::cuda::device_count();
  if (name.empty()) return count > 0 ? cp::Device::cuda(0) : cp::Device::cpu();
  const cp::Device device = cp::Device::parse(name);
  if (device.is_cpu() || device.index < count) return device;
  throw UserError("there is no " + name + "; CUDA devices found: " + std::to_string(count));
}

int train(const Flags& flags) {
  const cp::Device device = device_of(flags.device);
  const cp::DeviceScope scope(device);
  Vocabulary vocabulary;
  const bool made_up = flags.train.empty();
  const auto words = vocabulary.encode(made_up ? made_up_text(2000, 1) : read_text(flags.train));
  const auto valid = !flags.valid.empty() ? vocabulary.encode(read_text(flags.valid))
                     : made_up            ? vocabulary.encode(made_up_text(200, 2))
                                          : words;
  const cp::ndarray text = in_columns(words, flags.batchsize);
  const cp::ndarray valid_text = in_columns(valid, 1);
  std::cout << "training on " << device.name() << ": " << words.size() << " words, "
            << vocabulary.size() << " different" << std::endl;

  cp::random::seed(static_cast<std::uint64_t>(flags.seed));
  LanguageModel model(vocabulary.size(), flags.units);
  TruncatedTraining training(model, {.length = flags.length});
  std::cout << std::fixed << std::setprecision(2);
  for (std::int64_t epoch = 1; epoch <= flags.epochs; ++epoch) {
    const double loss = training.pass(text);
    std::cout << "epoch " << epoch << ": perplexity " << std::exp(loss) << ", of the valid text "
              << perplexity(model, valid_text) << std::endl;
    if (epoch >= 6) training.set_lr(training.lr() / 1.2);
  }
  return 0;
}

}  // namespace
}  // namespace ptb

int main(int argc, char** argv) {
  try {
    const ptb::Flags flags = ptb::parse(argc, argv);
    if (!flags.help) return ptb::train(flags);
    std::cout << ptb::kUsage;
  } catch (const ptb::UsageError& error) {
    std::cerr << "train_ptb: " << error.what() << "\n";
    return 2;
  } catch (const std::exception& error) {
    std::cerr << "train_ptb: " << error.what() << "\n";
    return 1;
  }
}
