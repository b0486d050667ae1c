// SPDX-License-Identifier: MIT
#include "chainerxx/functions/pooling/spatial_pyramid_pooling_2d.h"

#include <vector>

#include "chainerxx/functions/array/array.h"
#include "chainerxx/internal/same_shape.h"
#include "cupyxx/error.h"
#include "typecheck/expect.h"

namespace chainerxx {
namespace {

constexpr int kMaxHeight = 20;

}  // namespace

namespace functions {

PyramidLevel pyramid_level(const Size2D& image, int level) {
  if (image.h < 1 || image.w < 1) {
    throw cupyxx::ValueError(
        cupyxx::message("spatial_pyramid_pooling_2d: the image is empty; ", image));
  }
  if (level < 0 || level >= kMaxHeight) {
    throw cupyxx::ValueError(cupyxx::message(
        "spatial_pyramid_pooling_2d: the level is outside of [0, ", kMaxHeight - 1, "]; ", level));
  }
  const std::int64_t bins = std::int64_t{1} << level;
  const auto window = [&](std::int64_t extent) { return (extent - 1) / bins + 1; };
  const auto padding = [&](std::int64_t extent) { return (bins - 1 - (extent - 1) % bins) / 2; };
  return {{window(image.h), window(image.w)}, {padding(image.h), padding(image.w)}};
}

}  // namespace functions

namespace internal {

Variable pool_pyramid(const Variable& x, int pyramid_height, PoolLevel pool, bool use_cudnn) {
  if (pyramid_height < 1 || pyramid_height > kMaxHeight) {
    throw cupyxx::ValueError(
        cupyxx::message("spatial_pyramid_pooling_2d: the pyramid's height is outside of [1, ",
                        kMaxHeight, "]; ", pyramid_height));
  }
  refuse_none("spatial_pyramid_pooling_2d", {&x});
  if (Function::type_check_enable) {
    const typecheck::TypeInfo types[] = {{x.shape(), x.dtype()}};
    const typecheck::TypeInfos in(types);
    typecheck::expect(in[0].dtype().kind() == 'f', in[0].ndim() == 4);
  }
  const cupyxx::Shape s = x.shape();
  std::vector<Variable> levels;
  for (int level = 0; level < pyramid_height; ++level) {
    const functions::PyramidLevel at = functions::pyramid_level({s[2], s[3]}, level);
    const Variable y = pool(x, at, use_cudnn);
    const cupyxx::Shape t = y.shape();
    levels.push_back(functions::reshape(y, {t[0], t[1] * t[2] * t[3], 1, 1}));
  }
  return functions::concat(levels);
}

}  // namespace internal
}  // namespace chainerxx
