// SPDX-License-Identifier: MIT
#include "examples/imagenet/images.h"

#include <vector>

#include "cupyxx/cupyxx.h"
#include "examples/program/errors.h"

namespace imagenet {
namespace {

namespace cp = cupyxx;
using examples::UserError;

void check(bool fits, const std::string& file, const std::string& what) {
  if (!fits) throw UserError(cupyxx::message(file, ": ", what));
}

}  // namespace

Images open_images(const std::string& pixels, const std::string& labels, std::int64_t insize,
                   std::int64_t classes) {
  const cp::DeviceScope host(cp::Device::cpu());
  const cp::ndarray p = cp::load(pixels, {.mmap_mode = "r"});
  const cp::ndarray l = cp::load(labels);
  check(p.dtype() == cp::uint8 && p.ndim() == 4 && p.shape()[1] == 3, pixels,
        cp::message("pictures are (n, 3, h, w) uint8, not ", p.shape(), " ", p.dtype().name()));
  check(p.shape()[2] >= insize && p.shape()[3] >= insize, pixels,
        cp::message("pictures are ", p.shape(), ", the network takes ", insize, " x ", insize));
  check(l.ndim() == 1 && l.shape()[0] == p.shape()[0] && l.dtype().kind() == 'i', labels,
        cp::message("labels are as many integers as there are pictures, ", p.shape()[0], ", not ",
                    l.shape(), " ", l.dtype().name()));
  check(p.shape()[0] > 0, pixels, "there are no pictures");
  check(l.min().item<std::int64_t>() >= 0 && l.max().item<std::int64_t>() < classes, labels,
        cp::message("a label is not between 0 and ", classes - 1));
  return {p, l.astype(cp::int32)};
}

Images made_up_images(std::int64_t count, std::int64_t insize, std::int64_t classes) {
  const cp::DeviceScope host(cp::Device::cpu());
  const cp::ndarray labels = cp::random::randint(0, classes, {count}).astype(cp::int32);
  const cp::ndarray colours = cp::random::randint(0, 256, {classes, 3});
  const cp::ndarray noise = cp::random::randint(0, 128, {count, 3, insize + 8, insize + 8});
  const cp::ndarray behind = cp::take(colours, labels, 0).reshape({count, 3, 1, 1});
  return {((noise + behind) / 2).astype(cp::uint8), labels};
}

std::vector<Cut> random_cuts(const Images& images, std::int64_t count, std::int64_t insize,
                             cp::random::RandomState& random) {
  const cp::DeviceScope host(cp::Device::cpu());
  const cp::Shape size = images.pixels.shape();
  const auto draw = [&](std::int64_t end) {
    return random.randint(0, end, {count}).to_vector<std::int64_t>();
  };
  const auto top = draw(size[2] - insize + 1), left = draw(size[3] - insize + 1);
  const auto mirrored = draw(2);
  std::vector<Cut> cuts;
  for (std::int64_t i = 0; i < count; ++i) cuts.push_back({top[i], left[i], mirrored[i] != 0});
  return cuts;
}

Batch cut_out(const Images& images, const cp::ndarray& numbers, std::int64_t insize,
              std::span<const Cut> cuts) {
  const std::vector<std::int64_t> chosen = numbers.to_vector<std::int64_t>();
  const auto count = static_cast<std::int64_t>(chosen.size());
  const cp::Shape size = images.pixels.shape();
  const Cut middle{(size[2] - insize) / 2, (size[3] - insize) / 2};
  cp::ndarray pixels, labels;
  {
    const cp::DeviceScope host(cp::Device::cpu());
    pixels = cp::empty({count, 3, insize, insize}, cp::uint8);
    labels = cp::take(images.labels, cp::array(chosen), 0);
    for (std::int64_t i = 0; i < count; ++i) {
      const Cut& cut = cuts.empty() ? middle : cuts[i];
      const cp::ndarray picture =
          images.pixels(chosen[i], cp::slice(), cp::slice(cut.top, cut.top + insize),
                        cp::slice(cut.left, cut.left + insize));
      pixels(i) = cut.is_mirrored ? cp::flip(picture, 2) : picture;
    }
  }
  const cp::Device device = cp::current_device();
  return {pixels.to(device).astype(cp::float32) / 127.5f - 1, labels.to(device)};
}

}  // namespace imagenet
