// SPDX-License-Identifier: MIT
// Reading IDX files takes memory in proportion to what is there, not to what a header promises.
#include <gtest/gtest.h>
#include <zlib.h>

#include <cstdint>
#include <string>

#include "chainerxx/datasets/idx_file.h"
#include "cupyxx/error.h"
#include "cupyxx/testing/fuzz/reader_costs.h"

namespace chainerxx::datasets {
namespace {

TEST(IdxCosts, AreLinear) {
  const std::string path = ::testing::TempDir() + "/idx_costs.gz";
  for (const bool is_whole : {true, false}) {
    cupyxx::fuzz::expect_linear_time([&](std::int64_t size) {
      const unsigned promised = is_whole ? static_cast<unsigned>(size) : 0xff000000;
      const std::string bytes(static_cast<std::size_t>(size), '\7');
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
      gzwrite(file, bytes.data(), static_cast<unsigned>(size));
      gzclose(file);
      const cupyxx::fuzz::Cost cost = cupyxx::fuzz::cost_of([&] {
        try {
          read_idx(path, 1);
        } catch (const cupyxx::IOError&) {
        }
      });
      EXPECT_LE(cost.bytes, 4.0 * static_cast<double>(size) + 2e6);
      return cost;
    });
  }
}

}  // namespace
}  // namespace chainerxx::datasets
