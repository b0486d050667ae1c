// SPDX-License-Identifier: MIT
// Reading a snapshot of a training takes time and memory in proportion to what it holds.
#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <string>

#include "chainerxx/functions/connection/linear.h"
#include "chainerxx/optimizers/adam.h"
#include "cupyxx/creation.h"
#include "cupyxx/fuzz/reader_costs.h"
#include "examples/mnist/snapshot.h"

namespace cupyxx::fuzz {
namespace {

namespace F = chainerxx::functions;

// A model and what its optimizer keeps for it.
struct Training : chainerxx::FunctionSet {
  explicit Training(std::int64_t columns)
      : l1(add("l1",
               F::Linear(columns, 4, {.nobias = true, .initialW = zeros({4, columns}, float32)}))) {
    zero_grads();
    adam.setup(*this);
  }
  F::Linear& l1;
  chainerxx::optimizers::Adam adam;
};

const Kind kKinds[] = {
    {"snapshot",
     [](const std::string& path, std::int64_t bytes) {
       Training training(bytes / 64);
       training.adam.update();
       mnist::TrainingState state;
       state.position = 1;
       state.order = arange(bytes / 64);
       mnist::Options options;
       options.out = std::filesystem::path(path).parent_path();
       std::filesystem::rename(
           mnist::save_snapshot(options, bytes / 64, state, training, training.adam), path);
       return 0.0;
     },
     [](const std::string& path) {
       // Three arrays of four numbers a column, and its number among the images.
       const std::int64_t columns =
           static_cast<std::int64_t>(std::filesystem::file_size(path)) / 56 / 1024 * 1024;
       Training training(columns);
       mnist::Options options;
       options.resume = path;
       mnist::load_snapshot(options, columns, training, training.adam);
     },
     ".npz"},
};

TEST_P(ReaderCostsTest, AreLinear) { expect_linear(); }

INSTANTIATE_TEST_SUITE_P(, ReaderCostsTest, ::testing::ValuesIn(kKinds),
                         [](const auto& kind) { return std::string(kind.param.name); });

}  // namespace
}  // namespace cupyxx::fuzz
