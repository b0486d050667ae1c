// SPDX-License-Identifier: MIT
// The command line of an example. Parsed here and not by a flags library, so that every mistake
// becomes one line that names the flag and its value.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "cupyxx/device.h"

namespace examples {

/// A flag, and where its value goes; what stands there is the default.
struct Flag {
  std::string_view name;
  std::variant<std::string*, std::int64_t*, std::uint64_t*, std::vector<cupyxx::Device>*> target;
  std::string value;  ///< as --help shows it; words between bars are the allowed ones
  std::string_view doc;
  std::int64_t largest = 0;   ///< of an int64
  std::int64_t smallest = 1;  ///< of an int64
};

/// The flag --device, which takes auto, cpu and cuda:N.
Flag device_flag(std::string& target);

/// The flag --devices, which takes names of devices with commas between.
Flag devices_flag(std::vector<cupyxx::Device>& target);

/// Reads `--flag=value` and `--flag value`. Returns whether there is --help among them. Throws
/// UsageError for unknown flags and bad values.
bool parse_flags(std::span<const Flag> flags, std::span<const char* const> arguments);

/// A line for each flag with what stands in its target, for --help.
std::string describe_flags(std::span<const Flag> flags);

/// The device that --device names, on a machine with so many CUDA devices; "auto" is the first of
/// them, or the host. Throws UsageError for a device that does not exist.
cupyxx::Device choose_device(const std::string& device, int cuda_devices);

/// Throws UserError for one of --devices that does not exist on a machine with so many CUDA
/// devices.
void check_devices(std::span<const cupyxx::Device> devices, int cuda_devices);

/// Makes the folder of --out. Throws UserError when files cannot be written there: better now than
/// after the training.
void prepare_folder(const std::string& out);

/// Looks whether a file can be written at --flag=path, and leaves what lies there as it is. Throws
/// UserError when it cannot: better now than after the training. An empty path is no file.
void prepare_file(std::string_view flag, const std::string& path);

/// A program as its user meets it.
struct CommandLine {
  std::string program;  ///< its name, which stands before its messages
  std::string summary;  ///< what it does, as a sentence that begins with the name
  std::vector<Flag> flags;
  std::string remark;  ///< what --help says below the flags
};

/// The text of --help, with what stands in the targets of the flags as their defaults.
std::string usage(const CommandLine& line);

/// All that main() does: fills the targets of the flags and returns what `body` returns, or prints
/// the text of --help. The code is 2 after a UsageError and 1 after another exception, whose text
/// goes to standard error behind the program's name.
int run_program(const CommandLine& line, std::span<const char* const> arguments,
                const std::function<int()>& body);
/// The same with the arguments of main().
int run_program(const CommandLine& line, int argc, char** argv, const std::function<int()>& body);

}  // namespace examples
