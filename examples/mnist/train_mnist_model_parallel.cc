// SPDX-License-Identifier: MIT
// Trains one network that is cut in two, each half on its device:
//   train_mnist_model_parallel --devices=cuda:0,cuda:1
#include <memory>

#include "examples/mnist/model_parallel.h"

int main(int argc, char** argv) {
  return mnist::train_in_parallel("train_mnist_model_parallel", {argv + 1, argv + argc},
                                  [](const mnist::ParallelOptions& options, std::int64_t pixels) {
                                    return std::make_unique<mnist::ModelParallel>(options, pixels);
                                  });
}
