// SPDX-License-Identifier: MIT
#include "examples/imagenet/vgg.h"

#include <string>
#include <utility>

namespace imagenet {
namespace {

namespace F = chainerxx::functions;
using chainerxx::Variable;

constexpr int kDepthsOfA[] = {1, 1, 2, 2, 2};
constexpr int kDepthsOfD[] = {2, 2, 3, 3, 3};
constexpr std::int64_t kWidths[] = {64, 128, 256, 512, 512};

}  // namespace

VGG::VGG(std::span<const int> depths, std::int64_t classes)
    : blocks_(add_blocks(depths)),
      fc6_(add("fc6", Linear(512 * 7 * 7, 4096, {.wscale = kReluScale}))),
      fc7_(add("fc7", Linear(4096, 4096, {.wscale = kReluScale}))),
      fc8_(add("fc8", Linear(4096, classes))) {}

std::vector<VGG::Block> VGG::add_blocks(std::span<const int> depths) {
  std::vector<Block> blocks;
  std::int64_t channels = 3;
  for (std::size_t i = 0; i < depths.size(); ++i) {
    Block block;
    for (int j = 1; j <= depths[i]; ++j) {
      const std::string name = "conv" + std::to_string(i + 1) + "_" + std::to_string(j);
      block.push_back(
          &add(name, Convolution2D(channels, kWidths[i], 3, {.pad = 1, .wscale = kReluScale})));
      channels = kWidths[i];
    }
    blocks.push_back(std::move(block));
  }
  return blocks;
}

Variable VGG::predict(const Variable& x) const {
  Variable h = x;
  for (const Block& block : blocks_) {
    for (const Convolution2D* convolution : block) h = convolution->relu(h);
    h = F::max_pooling_2d(h, 2);
  }
  return fc8_(hidden(fc7_, hidden(fc6_, h)));
}

VGGA::VGGA(std::int64_t classes) : VGG(kDepthsOfA, classes) {}
VGG16::VGG16(std::int64_t classes) : VGG(kDepthsOfD, classes) {}

}  // namespace imagenet
