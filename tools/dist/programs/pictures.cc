// SPDX-License-Identifier: MIT
// Pictures of one's own: a folder whose folders are the classes, and batches for a network of it.
//   g++ pictures.cc $(pkg-config --cflags --libs chainerxx) -o pictures && ./pictures FOLDER
#include <iomanip>
#include <iostream>

#include "chainerxx/datasets/images/images.h"
#include "chainerxx/training/training.h"
#include "cupyxx/cupyxx.h"

namespace datasets = chainerxx::datasets;
using datasets::Example;

int main(int argc, char** argv) try {
  const std::string root = argc > 1 ? argv[1] : ".";
  const datasets::ImageFolder folder = datasets::list_image_folder(root);
  const datasets::LabeledImageDataset files(folder.images, {.root = root});
  for (std::int64_t i = 0; i < files.size(); ++i) {
    const Example one = files[i];
    std::cout << folder.images[i].first << ": a picture of " << folder.classes[one[1].item<int>()]
              << ", " << one[0].shape() << ", mean " << std::fixed << std::setprecision(3)
              << one[0].mean().item<double>() << "\n";
  }

  // Read, cut and mirrored by two threads while a network learns from the batch before.
  const datasets::TransformDataset examples(files, [](const Example& e) {
    return Example{datasets::random_flip(datasets::resize(e[0], 32, 32)) / 255, e[1]};
  });
  chainerxx::iterators::MultithreadIterator batches(
      examples, 64, {.repeat = false, .shuffle = false, .n_threads = 2});
  const auto arrays = chainerxx::concat_examples(batches.next());
  std::cout << "a batch: " << arrays[0].shape() << " " << arrays[0].dtype() << ", labels "
            << arrays[1] << "\n";
} catch (const std::exception& error) {
  std::cerr << "pictures: " << error.what() << "\n";
  return 1;
}
