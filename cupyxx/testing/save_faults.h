// SPDX-License-Identifier: MIT
// What may happen to a save: no room on the disk, a limit of file sizes, a kill at any moment. In
// each case the file is the old one or the new one as a whole, and the process that was not killed
// lives and is told.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <ostream>
#include <string>

#include "cupyxx/creation.h"

namespace cupyxx::testing {

/// A save of one format, and what a test needs to know about it.
struct Save {
  std::string name;                               ///< "savez", as errors name it
  std::string ending;                             ///< ".npz"
  std::function<void(const std::string&)> first;  ///< writes the file that is there before
  std::function<void(const std::string&)> second;
  std::function<void(const std::string&)> load;  ///< throws for a damaged file
};

inline std::ostream& operator<<(std::ostream& os, const Save& save) { return os << save.name; }

/// The tests of each save that a library instantiates them with: CUPYXX_TEST_SAVES(saves()). Each
/// runs in an empty folder, on the host.
class SaveFaults : public ::testing::TestWithParam<Save> {
 public:
  SaveFaults();
  ~SaveFaults() override;

 protected:
  /// Kills the second save at each entry into the system and at each return from it.
  void expect_survives_kills(const Save& save);
  /// Allows files of 0, 1, 2, 4, ... bytes, up to one less than needed. A SIGXFSZ would kill.
  void expect_survives_size_limits(const Save& save);
  /// Saves to a disk with less and less room. In a child, whose mounts are its own.
  void expect_survives_full_disk(const Save& save);

 private:
  std::string path(const Save& save) const { return folder_ + "/" + save.name + save.ending; }

  std::string folder_;
  DeviceScope host_{Device::cpu()};
};

#define CUPYXX_TEST_SAVES(...)                                             \
  using cupyxx::testing::SaveFaults;                                       \
  INSTANTIATE_TEST_SUITE_P(, SaveFaults, ::testing::ValuesIn(__VA_ARGS__), \
                           [](const auto& save) { return save.param.name; })

}  // namespace cupyxx::testing
