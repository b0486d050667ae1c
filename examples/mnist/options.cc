// SPDX-License-Identifier: MIT
#include "examples/mnist/options.h"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <limits>
#include <string_view>
#include <variant>

#include "examples/mnist/errors.h"

namespace mnist {
namespace {

struct Flag {
  std::string_view name;
  std::variant<std::string Options::*, std::int64_t Options::*, std::uint64_t Options::*> member;
  std::string_view value;  // as --help shows it; words between bars are the allowed ones
  std::string_view doc;
  std::int64_t largest = 0;  // of an int64 flag, the smallest being 1
};

constexpr std::array kFlags = {
    Flag{"data", &Options::data, "FOLDER", "IDX files, compressed or not"},
    Flag{"device", &Options::device, "auto|cpu|cuda:N", "where to compute"},
    Flag{"epochs", &Options::epochs, "N", "passes over the training images", 1'000'000},
    Flag{"batchsize", &Options::batchsize, "N", "images in a step", 1'000'000},
    Flag{"units", &Options::units, "N", "width of the two hidden layers", 65'536},
    Flag{"optimizer", &Options::optimizer, "adam|sgd|momentum_sgd", "rule of the updates"},
    Flag{"out", &Options::out, "FOLDER", "gets the model, the picture and snapshots"},
    Flag{"resume", &Options::resume, "FILE", "continues from a snapshot"},
    Flag{"seed", &Options::seed, "N", "of all random numbers"},
};

[[noreturn]] void fail(std::string_view flag, std::string_view value, const std::string& what) {
  throw UsageError("--" + std::string(flag) + "=" + std::string(value) + ": " + what);
}

template <class T>
T parse_number(const Flag& flag, std::string_view text, T smallest, T largest) {
  T number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc::invalid_argument || end != text.data() + text.size()) {
    fail(flag.name, text, "not a whole number");
  }
  if (error == std::errc::result_out_of_range || number < smallest || number > largest) {
    fail(flag.name, text,
         "not between " + std::to_string(smallest) + " and " + std::to_string(largest));
  }
  return number;
}

bool is_choice(std::string_view choices, std::string_view text) {
  while (!choices.empty()) {
    const std::size_t bar = std::min(choices.find('|'), choices.size());
    if (choices.substr(0, bar) == text) return true;
    choices.remove_prefix(std::min(bar + 1, choices.size()));
  }
  return false;
}

/// The N of "cuda:N", or -1.
int cuda_index(std::string_view device) {
  if (device == "cuda") return 0;
  if (!device.starts_with("cuda:")) return -1;
  device.remove_prefix(5);
  int index = -1;
  const auto [end, error] = std::from_chars(device.data(), device.data() + device.size(), index);
  return error == std::errc() && end == device.data() + device.size() ? index : -1;
}

void set(Options& options, const Flag& flag, std::string_view text) {
  if (const auto* number = std::get_if<std::int64_t Options::*>(&flag.member)) {
    options.** number = parse_number<std::int64_t>(flag, text, 1, flag.largest);
  } else if (const auto* seed = std::get_if<std::uint64_t Options::*>(&flag.member)) {
    options.** seed =
        parse_number<std::uint64_t>(flag, text, 0, std::numeric_limits<std::uint64_t>::max());
  } else {
    if (text.empty()) throw UsageError("--" + std::string(flag.name) + " needs a value");
    const bool fits =
        flag.name == "device"
            ? text == "auto" || text == "cpu" || cuda_index(text) >= 0
            : flag.value.find('|') == std::string_view::npos || is_choice(flag.value, text);
    if (!fits) fail(flag.name, text, "not one of " + std::string(flag.value));
    options.*std::get<std::string Options::*>(flag.member) = text;
  }
}

std::string default_of(const Flag& flag) {
  const Options options;
  return std::visit(
      [&](auto member) -> std::string {
        if constexpr (std::is_same_v<decltype(member), std::string Options::*>) {
          return options.*member;
        } else {
          return std::to_string(options.*member);
        }
      },
      flag.member);
}

}  // namespace

std::string usage() {
  std::string text =
      "train_mnist trains a network of three layers on images of 28 x 28 pixels.\n\n";
  for (const Flag& flag : kFlags) {
    const std::string start = "--" + std::string(flag.name) + "=" + std::string(flag.value);
    const std::string value = default_of(flag);
    text += "  " + start + std::string(34 - start.size(), ' ') + std::string(flag.doc) +
            (value.empty() ? "" : " (" + value + ")") + "\n";
  }
  return text + "\nCtrl-C saves a snapshot, from which --resume continues to the same result.\n";
}

Options parse_options(std::span<const char* const> arguments) {
  Options options;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    std::string_view argument = arguments[i];
    if (argument == "--help" || argument == "-h") {
      options.help = true;
      continue;
    }
    if (!argument.starts_with("--")) {
      throw UsageError("unexpected argument '" + std::string(argument) + "'; see --help");
    }
    argument.remove_prefix(2);
    const std::size_t equals = argument.find('=');
    const std::string_view name = argument.substr(0, equals);
    const Flag* flag = nullptr;
    for (const Flag& candidate : kFlags) {
      if (candidate.name == name) flag = &candidate;
    }
    if (flag == nullptr) throw UsageError("unknown flag --" + std::string(name) + "; see --help");
    if (equals != std::string_view::npos) {
      set(options, *flag, argument.substr(equals + 1));
    } else if (i + 1 < arguments.size()) {
      set(options, *flag, arguments[++i]);
    } else {
      throw UsageError("--" + std::string(name) + " needs a value");
    }
  }
  return options;
}

cupyxx::Device choose_device(const std::string& device, int cuda_devices) {
  if (device == "cpu" || (device == "auto" && cuda_devices == 0)) return cupyxx::Device::cpu();
  if (device == "auto") return cupyxx::Device::cuda(0);
  const int index = cuda_index(device);
  if (index < 0) fail("device", device, "not one of auto|cpu|cuda:N");
  if (index >= cuda_devices) {
    const std::string found =
        cuda_devices == 0 ? "this machine has no CUDA device"
        : cuda_devices == 1
            ? "this machine has 1 CUDA device, cuda:0"
            : "this machine has " + std::to_string(cuda_devices) + " CUDA devices, from cuda:0 on";
    fail("device", device, "no such device; " + found);
  }
  return cupyxx::Device::cuda(index);
}

void prepare_folder(const std::string& out) {
  std::error_code error;
  std::filesystem::create_directories(out, error);
  if (error) throw UserError("--out=" + out + ": the folder cannot be made: " + error.message());
  // access() asks about the real user and not about full or read-only file systems; a file tells.
  const std::string probe = out + "/.train_mnist_" + std::to_string(getpid());
  std::FILE* file = std::fopen(probe.c_str(), "w");
  if (file == nullptr) {
    throw UserError("--out=" + out + ": files cannot be written there: " + std::strerror(errno));
  }
  std::fclose(file);
  std::filesystem::remove(probe, error);
}

}  // namespace mnist
