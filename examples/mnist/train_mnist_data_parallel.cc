// SPDX-License-Identifier: MIT
// Trains one network on several devices, each of which takes its share of every batch:
//   train_mnist_data_parallel --devices=cuda:0,cuda:1
#include <memory>

#include "examples/mnist/data_parallel.h"

int main(int argc, char** argv) {
  return mnist::train_in_parallel("train_mnist_data_parallel", {argv + 1, argv + argc},
                                  [](const mnist::ParallelOptions& options, std::int64_t pixels) {
                                    return std::make_unique<mnist::DataParallel>(options, pixels);
                                  });
}
