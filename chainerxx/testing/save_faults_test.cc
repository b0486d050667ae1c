// SPDX-License-Identifier: MIT
// Full disks, limits of file sizes and kills while a training is saved.
#include "cupyxx/testing/save_faults.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "chainerxx/chainerxx.h"
#include "cupyxx/cupyxx.h"

namespace chainerxx {
namespace {

namespace F = chainerxx::functions;
using cupyxx::testing::Save;

struct Model : FunctionSet {
  explicit Model(float value) {
    l1.W.fill(value);
    l2.b.fill(value);
  }
  F::Linear& l1 = add("l1", F::Linear(40, 30));
  F::Linear& l2 = add("l2", F::Linear(30, 20));
};

template <class Write, class Load>
Save save_of(const char* name, const char* ending, Write write, Load load) {
  const auto with = [write](float value) {
    return [=](const std::string& path) {
      cupyxx::random::seed(1);
      Model model(value);
      optimizers::Adam optimizer;
      optimizer.setup(model);
      optimizer.fields()[0].array->fill(value);
      write(path, model, optimizer);
    };
  };
  return {name, ending, with(1), with(2), [=](const std::string& path) {
            Model model(0);
            optimizers::Adam optimizer;
            optimizer.setup(model);
            EXPECT_TRUE(load(path, model, optimizer).is_complete());
          }};
}

std::vector<Save> saves() {
  return {
      save_of(
          "savez", ".npz",
          [](const std::string& path, Model& model, Optimizer&) { save_npz(path, model); },
          [](const std::string& path, Model& model, Optimizer&) { return load_npz(path, model); }),
      save_of(
          "save_safetensors", ".safetensors",
          [](const std::string& path, Model&, Optimizer& optimizer) {
            save_safetensors(path, optimizer);
          },
          [](const std::string& path, Model&, Optimizer& optimizer) {
            return load_safetensors(path, optimizer);
          })};
}

CUPYXX_TEST_SAVES(saves());

}  // namespace
}  // namespace chainerxx
