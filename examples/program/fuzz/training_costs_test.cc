// SPDX-License-Identifier: MIT
// Reading a snapshot of a training takes time and memory in proportion to what it holds.
#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <string>

#include "chainerxx/functions/connection/linear.h"
#include "chainerxx/optimizers/adam.h"
#include "cupyxx/creation.h"
#include "cupyxx/testing/fuzz/reader_costs.h"
#include "examples/program/snapshot.h"

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

examples::TrainingSettings settings_of(std::int64_t images) {
  return {.program = "train", .flags = {}, .data = "", .images = images};
}

const Kind kKinds[] = {
    {"snapshot",
     [](const std::string& path, std::int64_t bytes) {
       const std::int64_t images = bytes / 64;
       Training training(images);
       training.adam.update();
       examples::TrainingState state;
       state.position = 1;
       state.order = arange(images);
       examples::save_snapshot(path, settings_of(images), state, training, training.adam);
       return 0.0;
     },
     [](const std::string& path) {
       // Three arrays of four numbers a column, and its number among the images.
       const std::int64_t columns =
           static_cast<std::int64_t>(std::filesystem::file_size(path)) / 56 / 1024 * 1024;
       Training training(columns);
       examples::load_snapshot(path, settings_of(columns), 1, training, training.adam);
     },
     ".npz"},
};

TEST_P(ReaderCostsTest, AreLinear) { expect_linear(); }

INSTANTIATE_TEST_SUITE_P(, ReaderCostsTest, ::testing::ValuesIn(kKinds),
                         [](const auto& kind) { return std::string(kind.param.name); });

}  // namespace
}  // namespace cupyxx::fuzz
