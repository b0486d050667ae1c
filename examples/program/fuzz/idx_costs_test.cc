// SPDX-License-Identifier: MIT
// Reading IDX files takes memory in proportion to what is there, not to what a header promises.
#include <gtest/gtest.h>
#include <zlib.h>

#include <string>

#include "cupyxx/testing/fuzz/reader_costs.h"
#include "examples/program/errors.h"
#include "examples/program/idx_file.h"

namespace examples {
namespace {

TEST(IdxCosts, AreLinear) {
  const std::string path = ::testing::TempDir() + "/idx_costs.gz";
  for (const bool is_whole : {true, false}) {
    double seconds[2] = {};
    for (const int factor : {1, 4}) {
      const unsigned size = static_cast<unsigned>(factor) << 22;
      const unsigned promised = is_whole ? size : 0xff000000;
      const std::string bytes(size, '\7');
      const unsigned char header[] = {0,
                                      0,
                                      8,
                                      1,
                                      static_cast<unsigned char>(promised >> 24),
                                      static_cast<unsigned char>(promised >> 16),
                                      static_cast<unsigned char>(promised >> 8),
                                      static_cast<unsigned char>(promised)};
      gzFile file = gzopen(path.c_str(), "wb");
      gzwrite(file, header, sizeof header);
      gzwrite(file, bytes.data(), size);
      gzclose(file);
      const cupyxx::fuzz::Cost cost = cupyxx::fuzz::cost_of([&] {
        try {
          read_idx(path, 1);
        } catch (const UserError&) {
        }
      });
      ASSERT_TRUE(cost.is_sound);
      EXPECT_LE(cost.bytes, 4.0 * size + 2e6);
      seconds[factor == 4] = cost.seconds;
    }
    EXPECT_LE(seconds[1], 8 * seconds[0] + 0.05);
  }
}

}  // namespace
}  // namespace examples
