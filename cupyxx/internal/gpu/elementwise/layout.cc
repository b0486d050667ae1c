// SPDX-License-Identifier: MIT
#include "cupyxx/internal/gpu/elementwise/layout.h"

#include <algorithm>
#include <utility>

#include "cupyxx/internal/gpu/divider.h"
#include "cupyxx/internal/kernels/transpose.h"

namespace cupyxx::internal::gpu {

namespace {

using jit::ElementwiseLayout;
using jit::Form;

constexpr std::int64_t kLimit32 = std::int64_t{1} << 31;
constexpr std::int64_t kVectorBytes = 16;
// From here on a program of its own is worth it for arrays that begin in the middle of a vector.
constexpr std::int64_t kManyElements = 1 << 20;
constexpr int kFlatRank = 4;
// Both sides of a tile should mostly be inside.
constexpr std::int64_t kTileExtent = 16;

int operands_of(const ElementwiseSpace& space) { return space.operands - (space.masked ? 1 : 0); }

template <class Test>
bool all_operands(const ElementwiseSpace& space, Test test) {
  for (int k = 0; k < space.operands; ++k) {
    if (!space.operand[k].is_scalar && !test(k)) return false;
  }
  return true;
}

bool is_contiguous(const ElementwiseSpace& space) {
  if (space.ndim > 1) return false;
  return all_operands(space, [&](int k) {
    return space.ndim == 0 || space.strides[k][0] == space.operand[k].itemsize;
  });
}

// Elements of a 16-byte access of the widest operand: jit::vector_width().
std::int64_t vector_width(const ElementwiseSpace& space) {
  std::int64_t widest = 1;
  for (int k = 0; k < operands_of(space); ++k) {
    if (!space.operand[k].is_scalar) widest = std::max(widest, space.operand[k].itemsize);
  }
  return kVectorBytes / widest;
}

bool is_aligned(const ElementwiseSpace& space, int k) {
  const auto bytes = static_cast<std::uintptr_t>(vector_width(space) * space.operand[k].itemsize);
  return space.operand[k].address % bytes == 0;
}

// Whether the outputs are one aligned run in the order of the axes.
bool has_flat_outputs(const ElementwiseSpace& space) {
  if (space.masked || space.ndim > kFlatRank) return false;
  return all_operands(space, [&](int k) {
    if (!space.operand[k].is_output) return true;
    std::int64_t run = space.operand[k].itemsize;
    for (int axis = space.ndim - 1; axis >= 0; --axis) {
      if (space.strides[k][axis] != run) return false;
      run *= space.shape[axis];
    }
    return is_aligned(space, k);
  });
}

struct TileSides {
  int x, y;
};

TileSides sides_of(const ElementwiseSpace& space, const ElementwiseLayout& layout) {
  if (layout.large) return {kernels::kLargeSideX, kernels::kLargeSideY};
  if (space.copies) {
    const int size = static_cast<int>(space.operand[0].itemsize);
    return {kernels::transpose_side_x(size), kernels::transpose_side_y(size)};
  }
  int widest = 1, all = 0;
  for (int k = 0; k < space.operands; ++k) {
    if ((layout.staged >> k & 1u) == 0) continue;
    const int size = static_cast<int>(space.operand[k].itemsize);
    widest = std::max(widest, size);
    all += size;
  }
  const int side = jit::tile_side(widest, all);
  return {side, side};
}

// Tiles along the last axis and the one before it.
std::int64_t tiles(const ElementwiseSpace& space, const ElementwiseLayout& layout, int axis) {
  const TileSides sides = sides_of(space, layout);
  const int side = axis == space.ndim - 1 ? sides.x : sides.y;
  return (space.shape[axis] + side - 1) / side;
}

std::int64_t tile_blocks(const ElementwiseSpace& space, const ElementwiseLayout& layout) {
  const int x = space.ndim - 1, y = x - 1;
  return space.size / space.shape[x] / space.shape[y] * tiles(space, layout, x) *
         tiles(space, layout, y);
}

// Whether bytes fill the device by large tiles, nearly all of them whole and aligned.
bool takes_large_tiles(const ElementwiseSpace& space) {
  constexpr std::int64_t kLargeSize = 1 << 24, kLargeExtent = 1024;
  const int x = space.ndim - 1;
  if (!space.copies || space.operand[0].itemsize != 1 || space.size < kLargeSize) return false;
  if (space.shape[x] < kLargeExtent || space.shape[x - 1] < kLargeExtent) return false;
  for (int k = 0; k < 2; ++k) {
    if (space.operand[k].address % kVectorBytes != 0) return false;
    for (int axis = 0; axis < space.ndim; ++axis) {
      const std::int64_t stride = space.strides[k][axis];
      const bool is_run = axis == (k == 0 ? x : x - 1);
      if (!is_run && stride % kVectorBytes != 0) return false;
    }
  }
  return true;
}

void swap_axes(ElementwiseSpace& space, int a, int b) {
  std::swap(space.shape[a], space.shape[b]);
  for (int k = 0; k < space.operands; ++k) std::swap(space.strides[k][a], space.strides[k][b]);
}

// Whether input k is contiguous along axis y, and reading it along the last axis would use a small
// part of each sector.
bool is_transposed(const ElementwiseSpace& space, int k, int y) {
  constexpr std::int64_t kSectorBytes = 32;
  const SpaceOperand& operand = space.operand[k];
  const std::int64_t along_x = space.strides[k][space.ndim - 1];
  return !operand.is_output && !operand.is_scalar && space.strides[k][y] == operand.itemsize &&
         (along_x >= kSectorBytes || along_x <= -kSectorBytes);
}

// Elements of 16 bytes fill the shared memory by twos, and copies move each as one aligned unit.
bool fits_tiles(const ElementwiseSpace& space, unsigned staged) {
  constexpr std::int64_t kWide = 16;
  int wide = 0;
  bool is_aligned = true;
  for (int k = 0; k < space.operands; ++k) {
    const SpaceOperand& operand = space.operand[k];
    if (operand.itemsize != kWide) continue;
    wide += (staged >> k & 1u) != 0;
    is_aligned = is_aligned && operand.address % kWide == 0 &&
                 std::all_of(space.strides[k], space.strides[k] + space.ndim,
                             [](std::int64_t stride) { return stride % kWide == 0; });
  }
  return wide <= 2 && (is_aligned || !space.copies);
}

// Finds the axis along which inputs are contiguous, and brings it beside the last one.
bool tile(ElementwiseSpace& space, ElementwiseLayout& layout) {
  if (space.masked || space.keep_order || space.ndim < 2) return false;
  const int x = space.ndim - 1;
  if (space.shape[x] < kTileExtent) return false;
  const bool along_x = all_operands(space, [&](int k) {
    return !space.operand[k].is_output || space.strides[k][x] == space.operand[k].itemsize;
  });
  if (!along_x) return false;
  int y = -1;
  for (int axis = 0; axis < x && y < 0; ++axis) {
    if (space.shape[axis] < kTileExtent) continue;
    for (int k = 0; k < space.operands; ++k) {
      if (is_transposed(space, k, axis)) y = axis;
    }
  }
  if (y < 0) return false;
  unsigned staged = 0;
  for (int k = 0; k < space.operands; ++k) {
    if (is_transposed(space, k, y)) staged |= 1u << k;
  }
  if (!fits_tiles(space, staged)) return false;
  if (y != x - 1) swap_axes(space, y, x - 1);
  ElementwiseLayout tiled{Form::tiled, 0, false, staged};
  tiled.large = takes_large_tiles(space);
  if (tile_blocks(space, tiled) >= kLimit32) return false;
  layout = tiled;
  return true;
}

}  // namespace

ElementwiseLayout choose_layout(ElementwiseSpace& space) {
  ElementwiseLayout layout;
  if (is_contiguous(space)) {
    if (space.masked || space.ndim == 0 || space.size < kManyElements ||
        all_operands(space, [&](int k) { return is_aligned(space, k); })) {
      return layout;
    }
  }
  if (!tile(space, layout)) {
    layout.form = has_flat_outputs(space) ? Form::flat : Form::strided;
    layout.wide = space.size >= kLimit32;
  }
  layout.rank = space.ndim <= 2           ? 2
                : space.ndim <= kFlatRank ? space.ndim
                : space.ndim <= 8         ? 8
                                          : kMaxNdim;
  if (space.ndim == 1 || (layout.form == Form::tiled && layout.rank != space.ndim)) {
    // One axis takes the programs of two; those of many have the two of a tile last.
    const int shift = layout.rank - space.ndim;
    for (int axis = layout.rank - 1; axis >= 0; --axis) {
      space.shape[axis] = axis >= shift ? space.shape[axis - shift] : 1;
      for (int k = 0; k < space.operands; ++k) {
        space.strides[k][axis] = axis >= shift ? space.strides[k][axis - shift] : 0;
      }
    }
    space.ndim = layout.rank;
  }
  return layout;
}

void specialize_layout(const ElementwiseSpace& space, ElementwiseLayout& layout) {
  const int last = space.ndim - 1;
  const std::int64_t width = vector_width(space);
  if (layout.form != Form::flat || width == 1 || space.shape[last] % width != 0) return;
  layout.whole = true;
  for (int k = 0; k < space.operands; ++k) {
    const SpaceOperand& operand = space.operand[k];
    if (operand.is_scalar) continue;
    const std::int64_t* strides = space.strides[k];
    const bool rows_aligned = std::all_of(strides, strides + last, [&](std::int64_t stride) {
      return stride % (width * operand.itemsize) == 0;
    });
    if (strides[last] == 0) {
      layout.repeats |= 1u << k;
    } else if (strides[last] == operand.itemsize && rows_aligned && is_aligned(space, k)) {
      layout.runs |= 1u << k;
    }
  }
}

std::uint64_t block_count(const ElementwiseSpace& space, const ElementwiseLayout& layout,
                          std::uint32_t per_block) {
  if (layout.form != Form::tiled) {
    return (static_cast<std::uint64_t>(space.size) + per_block - 1) / per_block;
  }
  return static_cast<std::uint64_t>(tile_blocks(space, layout));
}

kernels::Divider axis_divider(const ElementwiseSpace& space, const ElementwiseLayout& layout,
                              int axis) {
  std::int64_t extent = axis < space.ndim ? space.shape[axis] : 1;
  if (layout.form == Form::tiled && axis >= space.ndim - 2) {
    extent = tiles(space, layout, axis);
  }
  return make_divider(extent < kLimit32 ? extent : 1);
}

}  // namespace cupyxx::internal::gpu
