// SPDX-License-Identifier: MIT
// Wild calls by command:
//   bazel run --config=asan_ubsan --config=cpu //cupyxx/testing/wild:wild_calls -- --calls=500000
//   bazel run //chainerxx/testing/wild:wild_calls -- --calls=500000
//   wild_calls --device=cuda:0 --calls=200000       beside the host's results
//   wild_calls --device=cuda:0 --usual-values --no-strides      the same of chainerxx
// --only=NAME, --first=N, --calls=1 --verbose make one call again.
#include <algorithm>
#include <iostream>
#include <string>
#include <string_view>

#include "cupyxx/testing/wild/driver.h"
#include "cupyxx/testing/wild/settings.h"

// What AddressSanitizer takes as its options: memory that is refused is an exception here.
// NOLINTNEXTLINE(bugprone-reserved-identifier): its name
extern "C" __attribute__((visibility("default"))) const char* __asan_default_options() {
  return "allocator_may_return_null=1:max_allocation_size_mb=3000:detect_leaks=1";
}

int main(int argc, char** argv) {
  cupyxx::testing::wild::DriverOptions options;
  for (int i = 1; i < argc; ++i) {
    const std::string_view text = argv[i];
    const std::string value(text.substr(std::min(text.size(), text.find('=') + 1)));
    if (text.starts_with("--calls=")) {
      options.calls = std::stoll(value);
    } else if (text.starts_with("--first=")) {
      options.first = std::stoll(value);
    } else if (text.starts_with("--seed=")) {
      options.seed = std::stoull(value);
    } else if (text.starts_with("--seconds=")) {
      options.seconds_a_call = std::stoi(value);
    } else if (text.starts_with("--memory=")) {
      options.gibibytes = std::stoll(value);
    } else if (text.starts_with("--only=")) {
      options.only = value;
    } else if (text.starts_with("--device=")) {
      options.device = cupyxx::Device::parse(value);
    } else if (text == "--usual-values") {
      cupyxx::testing::wild::settings().usual_values = true;
    } else if (text == "--no-strides") {
      cupyxx::testing::wild::settings().strides = false;
    } else if (text == "--verbose") {
      options.verbose = true;
    } else {
      std::cerr
          << "usage: wild_calls [--calls=N] [--first=N] [--seed=N] [--only=NAME] [--device=cuda:0] "
             "[--seconds=N] [--memory=GIB] [--usual-values] [--no-strides] [--verbose]\n";
      return 2;
    }
  }
  const auto report = cupyxx::testing::wild::run(options);
  std::cout << report.calls << " wild calls of " << report.routines << " forms, " << report.returned
            << " returned, " << report.compared << " compared, " << report.finding_count
            << " findings\n";
  return report.finding_count == 0 ? 0 : 1;
}
