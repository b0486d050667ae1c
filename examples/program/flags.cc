// SPDX-License-Identifier: MIT
#include "examples/program/flags.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <iostream>
#include <limits>

#include "cupyxx/error.h"
#include "examples/program/errors.h"

namespace examples {
namespace {

constexpr std::string_view kDevices = "auto|cpu|cuda:N";

[[noreturn]] void fail(std::string_view flag, std::string_view value, const std::string& what) {
  throw UsageError(cupyxx::message("--", flag, "=", value, ": ", what));
}

template <class T>
T parse_number(const Flag& flag, std::string_view text, T smallest, T largest) {
  T number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc::invalid_argument || end != text.data() + text.size()) {
    fail(flag.name, text, "not a whole number");
  }
  if (error == std::errc::result_out_of_range || number < smallest || number > largest) {
    fail(flag.name, text, cupyxx::message("not between ", smallest, " and ", largest));
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

bool is_allowed(const Flag& flag, std::string_view text) {
  if (flag.value == kDevices) return text == "auto" || text == "cpu" || cuda_index(text) >= 0;
  return flag.value.find('|') == std::string_view::npos || is_choice(flag.value, text);
}

std::vector<cupyxx::Device> parse_devices(const Flag& flag, std::string_view text) {
  std::vector<cupyxx::Device> devices;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t comma = std::min(text.find(',', begin), text.size());
    const std::string name(text.substr(begin, comma - begin));
    try {
      devices.push_back(cupyxx::Device::parse(name));
    } catch (const cupyxx::Error&) {
      fail(flag.name, text, cupyxx::message("\"", name, "\" is neither cpu nor cuda:N"));
    }
    begin = comma + 1;
  }
  return devices;
}

void set(const Flag& flag, std::string_view text) {
  if (auto* const* number = std::get_if<std::int64_t*>(&flag.target)) {
    **number = parse_number<std::int64_t>(flag, text, flag.smallest, flag.largest);
  } else if (auto* const* seed = std::get_if<std::uint64_t*>(&flag.target)) {
    **seed = parse_number<std::uint64_t>(flag, text, 0, std::numeric_limits<std::uint64_t>::max());
  } else {
    if (text.empty()) throw UsageError(cupyxx::message("--", flag.name, " needs a value"));
    if (auto* const* devices = std::get_if<std::vector<cupyxx::Device>*>(&flag.target)) {
      **devices = parse_devices(flag, text);
      return;
    }
    if (!is_allowed(flag, text)) {
      fail(flag.name, text, cupyxx::message("not one of ", flag.value));
    }
    *std::get<std::string*>(flag.target) = text;
  }
}

std::string value_of(const Flag& flag) {
  if (const auto* text = std::get_if<std::string*>(&flag.target)) return **text;
  if (const auto* number = std::get_if<std::int64_t*>(&flag.target)) {
    return std::to_string(**number);
  }
  if (const auto* seed = std::get_if<std::uint64_t*>(&flag.target)) return std::to_string(**seed);
  std::string names;
  for (const cupyxx::Device device : *std::get<std::vector<cupyxx::Device>*>(flag.target)) {
    names += (names.empty() ? "" : ",") + device.name();
  }
  return names;
}

}  // namespace

Flag device_flag(std::string& target) {
  return {"device", &target, std::string(kDevices), "where to compute"};
}

Flag devices_flag(std::vector<cupyxx::Device>& target) {
  return {"devices", &target, "A,B", "where to compute: cpu or cuda:N each"};
}

std::string describe_flags(std::span<const Flag> flags) {
  std::string text;
  for (const Flag& flag : flags) {
    const std::string start = "--" + std::string(flag.name) + "=" + std::string(flag.value);
    const std::string value = value_of(flag);
    text += "  " + start +
            std::string(std::max<std::size_t>(34, start.size() + 1) - start.size(), ' ') +
            std::string(flag.doc) + (value.empty() ? "" : " (" + value + ")") + "\n";
  }
  return text;
}

bool parse_flags(std::span<const Flag> flags, std::span<const char* const> arguments) {
  bool help = false;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    std::string_view argument = arguments[i];
    if (argument == "--help" || argument == "-h") {
      help = true;
      continue;
    }
    if (!argument.starts_with("--")) {
      throw UsageError(cupyxx::message("unexpected argument '", argument, "'; see --help"));
    }
    argument.remove_prefix(2);
    const std::size_t equals = argument.find('=');
    const std::string_view name = argument.substr(0, equals);
    const auto flag = std::find_if(flags.begin(), flags.end(),
                                   [&](const Flag& known) { return known.name == name; });
    if (flag == flags.end()) {
      throw UsageError(cupyxx::message("unknown flag --", name, "; see --help"));
    }
    if (equals != std::string_view::npos) {
      set(*flag, argument.substr(equals + 1));
    } else if (i + 1 < arguments.size()) {
      set(*flag, arguments[++i]);
    } else {
      throw UsageError(cupyxx::message("--", name, " needs a value"));
    }
  }
  return help;
}

cupyxx::Device choose_device(const std::string& device, int cuda_devices) {
  if (device == "cpu" || (device == "auto" && cuda_devices == 0)) return cupyxx::Device::cpu();
  if (device == "auto") return cupyxx::Device::cuda(0);
  const int index = cuda_index(device);
  if (index < 0) fail("device", device, cupyxx::message("not one of ", kDevices));
  if (index >= cuda_devices) {
    const std::string found =
        cuda_devices == 0 ? "this machine has no CUDA device"
        : cuda_devices == 1
            ? "this machine has 1 CUDA device, cuda:0"
            : "this machine has " + std::to_string(cuda_devices) + " CUDA devices, from cuda:0 on";
    fail("device", device, cupyxx::message("no such device; ", found));
  }
  return cupyxx::Device::cuda(index);
}

void check_devices(std::span<const cupyxx::Device> devices, int cuda_devices) {
  for (const cupyxx::Device device : devices) {
    if (device.is_cpu() || device.index < cuda_devices) continue;
    throw UserError(cupyxx::message("there is no ", device.name(), "; CUDA devices found: ",
                                    cuda_devices, "; --devices=cpu,cpu runs anywhere"));
  }
}

void prepare_folder(const std::string& out) {
  std::error_code error;
  std::filesystem::create_directories(out, error);
  if (error)
    throw UserError(
        cupyxx::message("--out=", out, ": the folder cannot be made: ", error.message()));
  // access() asks about the real user and not about full or read-only file systems; a file tells.
  const std::string probe = out + "/.probe_" + std::to_string(getpid());
  std::FILE* file = std::fopen(probe.c_str(), "w");
  if (file == nullptr) {
    throw UserError(
        cupyxx::message("--out=", out, ": files cannot be written there: ", std::strerror(errno)));
  }
  std::fclose(file);
  std::filesystem::remove(probe, error);
}

void prepare_file(std::string_view flag, const std::string& path) {
  if (path.empty()) return;
  const auto fail = [&](int error) {
    throw UserError(cupyxx::message("--", flag, "=", path,
                                    ": the file cannot be written: ", std::strerror(error)));
  };
  struct stat status;
  const bool exists = ::stat(path.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) fail(EISDIR);
  if (exists && ::access(path.c_str(), W_OK) != 0) fail(errno);
  if (exists && !S_ISREG(status.st_mode)) return;  // a pipe: opening it would wait
  // Files are written beside their place and then moved there.
  const std::size_t slash = path.rfind('/');
  const std::string folder = slash == path.npos ? "." : path.substr(0, slash + 1);
  const std::string probe = folder + "/.probe_" + std::to_string(getpid());
  std::FILE* file = std::fopen(probe.c_str(), "w");
  if (file == nullptr) fail(errno);
  std::fclose(file);
  std::remove(probe.c_str());
}

std::string usage(const CommandLine& line) {
  return line.program + " " + line.summary + "\n\n" + describe_flags(line.flags) +
         (line.remark.empty() ? "" : "\n" + line.remark + "\n");
}

int run_program(const CommandLine& line, std::span<const char* const> arguments,
                const std::function<int()>& body) {
  try {
    const std::string help = usage(line);  // now: the targets still hold the defaults
    if (!parse_flags(line.flags, arguments)) return body();
    std::cout << help;
    return 0;
  } catch (const UsageError& error) {
    std::cerr << line.program << ": " << error.what() << "\n";
    return 2;
  } catch (const std::exception& error) {
    std::cerr << line.program << ": " << error.what() << "\n";
    return 1;
  }
}

int run_program(const CommandLine& line, int argc, char** argv, const std::function<int()>& body) {
  return run_program(line, {argv + 1, argv + argc}, body);
}

}  // namespace examples
