// SPDX-License-Identifier: MIT
#include "chainerxx/serializers.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "chainerxx/chainerxx.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/io.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace chainerxx {
namespace {

namespace F = chainerxx::functions;
using cupyxx::testing::expect_array_equal;
using cupyxx::testing::expect_error;
using Names = std::vector<std::string>;

struct Model : FunctionSet {
  F::Linear& l1 = add("l1", F::Linear(3, 2));
  F::Linear& l2 = add("l2", F::Linear(2, 2));
};

class SerializersTest : public cupyxx::testing::DeviceTest {
 protected:
  std::string path(const std::string& name) const {
    return ::testing::TempDir() + "/chainerxx_" + (device().is_cpu() ? "cpu" : "cuda") + "_" +
           name + ".npz";
  }
};
CUPYXX_TEST_ON_DEVICES(SerializersTest);

TEST_P(SerializersTest, ModelsComeBack) {
  Model model, other;
  save_npz(path("model"), model);
  const LoadReport report = load_npz(path("model"), other);
  EXPECT_TRUE(report.is_complete());
  expect_array_equal(other.l1.W, model.l1.W);
  expect_array_equal(other.l2.b, model.l2.b);
  EXPECT_EQ(other.l1.W.device(), device());
  EXPECT_EQ(cupyxx::load_npz(path("model")).files(), Names({"l1/W", "l1/b", "l2/W", "l2/b"}));
}

TEST_P(SerializersTest, SafetensorsHoldTheSame) {
  const std::string file = path("safe") + ".safetensors";
  Model model, other;
  save_safetensors(file, model);
  EXPECT_TRUE(load_safetensors(file, other).is_complete());
  expect_array_equal(other.l1.W, model.l1.W);
  EXPECT_EQ(other.l1.W.device(), device());

  optimizers::Adam optimizer, resumed;
  optimizer.setup(model);
  resumed.setup(other);
  model.l1.gW.fill(1);
  optimizer.update();
  save_safetensors(file, optimizer);
  load_safetensors(file, resumed);
  EXPECT_EQ(resumed.t(), 1);
  expect_array_equal(*resumed.fields()[0].array, *optimizer.fields()[0].array);
  const std::string what = "load_safetensors: " + file + " does not match; missing l1/W, ";
  try {
    load_safetensors(file, model);
    FAIL() << "loaded";
  } catch (const cupyxx::ValueError& error) {
    EXPECT_TRUE(std::string(error.what()).starts_with(what)) << error.what();
  }
}

TEST_P(SerializersTest, OptimizersContinueWhereTheyStopped) {
  Model model;
  optimizers::Adam optimizer;
  optimizer.setup(model);
  model.l1.gW.fill(1);
  optimizer.update();
  optimizer.update();
  save_npz(path("model"), model);
  save_npz(path("adam"), optimizer);

  Model again;
  optimizers::Adam resumed;
  resumed.setup(again);
  load_npz(path("model"), again);
  load_npz(path("adam"), resumed);
  EXPECT_EQ(resumed.t(), 2);
  again.l1.gW.fill(1);
  optimizer.update();
  resumed.update();
  expect_array_equal(again.l1.W, model.l1.W);
  EXPECT_EQ(resumed.fields()[0].name, "l1/W/m");
}

TEST_P(SerializersTest, NamesWithoutAnEndingComeBack) {
  const std::string stem = path("stem").substr(0, path("stem").size() - 4);
  Model model, other;
  optimizers::Adam optimizer, resumed;
  optimizer.setup(model);
  resumed.setup(other);
  model.l1.gW.fill(1);
  optimizer.update();
  save_npz(stem, model);
  EXPECT_TRUE(load_npz(stem, other).is_complete());
  expect_array_equal(other.l1.W, model.l1.W);
  save_npz(stem, optimizer);
  load_npz(stem, resumed);
  EXPECT_EQ(resumed.t(), 1);
  expect_error<cupyxx::IOError>([&] { load_npz(stem + "_absent", other); },
                                stem + "_absent: cannot");
}

TEST_P(SerializersTest, OptimizersOfChainerAreRead) {
  Model model;
  optimizers::Adam optimizer;
  optimizer.setup(model);
  cupyxx::NamedArrays arrays{{"t", cupyxx::array(7)}, {"epoch", cupyxx::array(2)}};
  for (const NamedField& field : optimizer.fields()) {
    arrays.emplace_back(field.name, cupyxx::ones_like(*field.array));
  }
  for (const char* name : {"l1/W/t", "l1/b/t", "l2/W/t", "l2/b/t"}) {
    arrays.emplace_back(name, cupyxx::array(7));
  }
  cupyxx::savez(path("chainer"), arrays);
  EXPECT_TRUE(load_npz(path("chainer"), optimizer).is_complete());
  EXPECT_EQ(optimizer.t(), 7);
  expect_array_equal(*optimizer.fields()[1].array, cupyxx::ones_like(*optimizer.fields()[1].array));
  arrays.emplace_back("l1/W/other", cupyxx::array(7));
  cupyxx::savez(path("chainer"), arrays);
  expect_error<cupyxx::ValueError>([&] { load_npz(path("chainer"), optimizer); },
                                   "does not match; unexpected l1/W/other");
}

// One more update of such a count would be NaN in every parameter.
TEST_P(SerializersTest, CountsOfUpdatesHaveBounds) {
  Model model;
  optimizers::Adam optimizer;
  optimizer.setup(model);
  model.l1.gW.fill(1);
  optimizer.update();
  const ndarray before = optimizer.fields()[0].array->copy();
  for (const std::int64_t t : {std::int64_t{-1}, INT64_MAX, INT64_MIN}) {
    cupyxx::NamedArrays arrays;
    for (const NamedField& field : optimizer.fields()) {
      arrays.emplace_back(field.name, cupyxx::full_like(*field.array, 7));
    }
    arrays.emplace_back("t", cupyxx::array(cupyxx::Scalar(t), cupyxx::int64));
    cupyxx::savez(path("counts"), arrays);
    expect_error<cupyxx::ValueError>(
        [&] { load_npz(path("counts"), optimizer); },
        "Optimizer.set_t: the number of updates must be from 0 to 2**53; " + std::to_string(t));
    EXPECT_EQ(optimizer.t(), 1);
    expect_array_equal(*optimizer.fields()[0].array, before);
  }
}

TEST_P(SerializersTest, StrictLoadsReportEverythingAndChangeNothing) {
  Model model;
  const ndarray before = model.l1.W.copy();
  cupyxx::savez(path("odd"), {{"l1/W", cupyxx::ones({3, 2}, cupyxx::float32)},
                              {"l1/b", cupyxx::ones({2}, cupyxx::float32)},
                              {"l2/W", cupyxx::ones({2, 2}, cupyxx::float32)},
                              {"l9/W", cupyxx::ones({2, 2}, cupyxx::float32)}});
  expect_error<cupyxx::ValueError>(
      [&] { load_npz(path("odd"), model); },
      "does not match; missing l2/b; unexpected l9/W; misshaped l1/W (3, 2) float32 instead of "
      "(2, 3) float32");
  expect_array_equal(model.l1.W, before);
  const LoadReport report = load_npz(path("odd"), model, {.strict = false});
  EXPECT_EQ(report.missing, Names({"l2/b"}));
  EXPECT_EQ(report.unexpected, Names({"l9/W"}));
  EXPECT_EQ(report.misshaped.size(), 1u);
  expect_array_equal(model.l1.W, before);
  EXPECT_EQ(model.l2.W(1, 1).item<float>(), 1);
}

TEST_P(SerializersTest, DtypesAreConvertedWithinTheirKind) {
  Model model;
  cupyxx::savez(path("wide"), {{"l1/W", cupyxx::full({2, 3}, 0.5)},
                               {"l1/b", cupyxx::full({2}, 1.5)},
                               {"l2/W", cupyxx::full({2, 2}, 2.5)},
                               {"l2/b", cupyxx::full({2}, 3.5)}});
  load_npz(path("wide"), model);
  EXPECT_EQ(model.l1.W.dtype(), cupyxx::float32);
  EXPECT_EQ(model.l2.b(0).item<float>(), 3.5f);
}

TEST_P(SerializersTest, DamagedFilesChangeNothing) {
  Model model;
  save_npz(path("cut"), model);
  const ndarray before = model.l1.W.copy();
  model.l1.W.fill(5);
  const auto size = std::filesystem::file_size(path("cut"));
  std::filesystem::resize_file(path("cut"), size / 2);
  EXPECT_THROW(load_npz(path("cut"), model), cupyxx::IOError);
  EXPECT_EQ(model.l1.W(0, 0).item<float>(), 5);
  EXPECT_THROW(load_npz(path("absent"), model), cupyxx::IOError);
}

TEST_P(SerializersTest, FailedSavesLeaveTheOldFile) {
  Model model;
  EXPECT_THROW(save_npz("/nonexistent/folder/model.npz", model), cupyxx::IOError);
}

TEST_P(SerializersTest, OneLayerIsSavedByItself) {
  Model model;
  functions::Linear other(model.l1.W.shape()[1], model.l1.W.shape()[0]),
      waiting(cupyxx::none, model.l1.W.shape()[0]);
  save_npz(path("layer"), model.l1);
  EXPECT_TRUE(load_npz(path("layer"), other).is_complete());
  expect_array_equal(other.W, model.l1.W);
  EXPECT_TRUE(load_npz(path("layer"), waiting).is_complete());
  expect_array_equal(waiting.W, model.l1.W);
  other.W.fill(7);
  save_safetensors(path("layer"), other);
  EXPECT_TRUE(load_safetensors(path("layer"), model.l1).is_complete());
  EXPECT_EQ(model.l1.W(0, 0), 7);
  save_npz(path("layer"), model);
  expect_error<cupyxx::ValueError>([&] { load_npz(path("layer"), other); },
                                   "does not match; missing W, b; unexpected l1/W");
}

}  // namespace
}  // namespace chainerxx
