// SPDX-License-Identifier: MIT
#include "cupyxx/internal/gpu/elementwise_layout.h"

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

int operands_of(const ElementwiseWalk& walk) { return walk.operands - (walk.masked ? 1 : 0); }

template <class Test>
bool all_operands(const ElementwiseWalk& walk, Test test) {
  for (int k = 0; k < walk.operands; ++k) {
    if (!walk.operand[k].is_scalar && !test(k)) return false;
  }
  return true;
}

bool is_contiguous(const ElementwiseWalk& walk) {
  if (walk.ndim > 1) return false;
  return all_operands(walk, [&](int k) {
    return walk.ndim == 0 || walk.strides[k][0] == walk.operand[k].itemsize;
  });
}

// Elements of a 16-byte access of the widest operand: jit::vector_width().
std::int64_t vector_width(const ElementwiseWalk& walk) {
  std::int64_t widest = 1;
  for (int k = 0; k < operands_of(walk); ++k) {
    if (!walk.operand[k].is_scalar) widest = std::max(widest, walk.operand[k].itemsize);
  }
  return kVectorBytes / widest;
}

bool is_aligned(const ElementwiseWalk& walk, int k) {
  const auto bytes = static_cast<std::uintptr_t>(vector_width(walk) * walk.operand[k].itemsize);
  return walk.operand[k].address % bytes == 0;
}

// Whether the outputs are one aligned run in the order of the axes.
bool has_flat_outputs(const ElementwiseWalk& walk) {
  if (walk.masked || walk.ndim > kFlatRank) return false;
  return all_operands(walk, [&](int k) {
    if (!walk.operand[k].is_output) return true;
    std::int64_t run = walk.operand[k].itemsize;
    for (int axis = walk.ndim - 1; axis >= 0; --axis) {
      if (walk.strides[k][axis] != run) return false;
      run *= walk.shape[axis];
    }
    return is_aligned(walk, k);
  });
}

struct TileSides {
  int x, y;
};

TileSides sides_of(const ElementwiseWalk& walk, unsigned staged) {
  if (walk.copies) {
    const int size = static_cast<int>(walk.operand[0].itemsize);
    return {kernels::transpose_side_x(size), kernels::transpose_side_y(size)};
  }
  int widest = 1, all = 0;
  for (int k = 0; k < walk.operands; ++k) {
    if ((staged >> k & 1u) == 0) continue;
    const int size = static_cast<int>(walk.operand[k].itemsize);
    widest = std::max(widest, size);
    all += size;
  }
  const int side = jit::tile_side(widest, all);
  return {side, side};
}

// Tiles along the last axis and the one before it.
std::int64_t tiles(const ElementwiseWalk& walk, unsigned staged, int axis) {
  const TileSides sides = sides_of(walk, staged);
  const int side = axis == walk.ndim - 1 ? sides.x : sides.y;
  return (walk.shape[axis] + side - 1) / side;
}

std::int64_t tile_blocks(const ElementwiseWalk& walk, unsigned staged) {
  const int x = walk.ndim - 1, y = x - 1;
  return walk.size / walk.shape[x] / walk.shape[y] * tiles(walk, staged, x) *
         tiles(walk, staged, y);
}

void swap_axes(ElementwiseWalk& walk, int a, int b) {
  std::swap(walk.shape[a], walk.shape[b]);
  for (int k = 0; k < walk.operands; ++k) std::swap(walk.strides[k][a], walk.strides[k][b]);
}

// Whether input k is contiguous along axis y, and reading it along the last axis would use a small
// part of each sector.
bool is_transposed(const ElementwiseWalk& walk, int k, int y) {
  constexpr std::int64_t kSectorBytes = 32;
  const WalkedOperand& operand = walk.operand[k];
  const std::int64_t along_x = walk.strides[k][walk.ndim - 1];
  return !operand.is_output && !operand.is_scalar && walk.strides[k][y] == operand.itemsize &&
         (along_x >= kSectorBytes || along_x <= -kSectorBytes);
}

// Elements of 16 bytes fill the shared memory by twos, and copies move each as one aligned unit.
bool fits_tiles(const ElementwiseWalk& walk, unsigned staged) {
  constexpr std::int64_t kWide = 16;
  int wide = 0;
  bool is_aligned = true;
  for (int k = 0; k < walk.operands; ++k) {
    const WalkedOperand& operand = walk.operand[k];
    if (operand.itemsize != kWide) continue;
    wide += (staged >> k & 1u) != 0;
    is_aligned = is_aligned && operand.address % kWide == 0 &&
                 std::all_of(walk.strides[k], walk.strides[k] + walk.ndim,
                             [](std::int64_t stride) { return stride % kWide == 0; });
  }
  return wide <= 2 && (is_aligned || !walk.copies);
}

// Finds the axis along which inputs are contiguous, and brings it beside the last one.
bool tile(ElementwiseWalk& walk, ElementwiseLayout& layout) {
  if (walk.masked || walk.keep_order || walk.ndim < 2) return false;
  const int x = walk.ndim - 1;
  if (walk.shape[x] < kTileExtent) return false;
  const bool along_x = all_operands(walk, [&](int k) {
    return !walk.operand[k].is_output || walk.strides[k][x] == walk.operand[k].itemsize;
  });
  if (!along_x) return false;
  int y = -1;
  for (int axis = 0; axis < x && y < 0; ++axis) {
    if (walk.shape[axis] < kTileExtent) continue;
    for (int k = 0; k < walk.operands; ++k) {
      if (is_transposed(walk, k, axis)) y = axis;
    }
  }
  if (y < 0) return false;
  unsigned staged = 0;
  for (int k = 0; k < walk.operands; ++k) {
    if (is_transposed(walk, k, y)) staged |= 1u << k;
  }
  if (!fits_tiles(walk, staged)) return false;
  if (y != x - 1) swap_axes(walk, y, x - 1);
  if (tile_blocks(walk, staged) >= kLimit32) return false;
  layout = {Form::tiled, 0, false, staged};
  return true;
}

}  // namespace

ElementwiseLayout choose_layout(ElementwiseWalk& walk) {
  ElementwiseLayout layout;
  if (is_contiguous(walk)) {
    if (walk.masked || walk.ndim == 0 || walk.size < kManyElements ||
        all_operands(walk, [&](int k) { return is_aligned(walk, k); })) {
      return layout;
    }
  }
  if (!tile(walk, layout)) {
    layout.form = has_flat_outputs(walk) ? Form::flat : Form::strided;
    layout.wide = walk.size >= kLimit32;
  }
  layout.rank = walk.ndim <= 2           ? 2
                : walk.ndim <= kFlatRank ? walk.ndim
                : walk.ndim <= 8         ? 8
                                         : kMaxNdim;
  if (walk.ndim == 1 || (layout.form == Form::tiled && layout.rank != walk.ndim)) {
    // One axis takes the programs of two; those of many have the two of a tile last.
    const int shift = layout.rank - walk.ndim;
    for (int axis = layout.rank - 1; axis >= 0; --axis) {
      walk.shape[axis] = axis >= shift ? walk.shape[axis - shift] : 1;
      for (int k = 0; k < walk.operands; ++k) {
        walk.strides[k][axis] = axis >= shift ? walk.strides[k][axis - shift] : 0;
      }
    }
    walk.ndim = layout.rank;
  }
  return layout;
}

void specialize_layout(const ElementwiseWalk& walk, ElementwiseLayout& layout) {
  const int last = walk.ndim - 1;
  const std::int64_t width = vector_width(walk);
  if (layout.form != Form::flat || width == 1 || walk.shape[last] % width != 0) return;
  layout.whole = true;
  for (int k = 0; k < walk.operands; ++k) {
    const WalkedOperand& operand = walk.operand[k];
    if (operand.is_scalar) continue;
    const std::int64_t* strides = walk.strides[k];
    const bool rows_aligned = std::all_of(strides, strides + last, [&](std::int64_t stride) {
      return stride % (width * operand.itemsize) == 0;
    });
    if (strides[last] == 0) {
      layout.repeats |= 1u << k;
    } else if (strides[last] == operand.itemsize && rows_aligned && is_aligned(walk, k)) {
      layout.runs |= 1u << k;
    }
  }
}

std::uint64_t block_count(const ElementwiseWalk& walk, const ElementwiseLayout& layout,
                          std::uint32_t per_block) {
  if (layout.form != Form::tiled) {
    return (static_cast<std::uint64_t>(walk.size) + per_block - 1) / per_block;
  }
  return static_cast<std::uint64_t>(tile_blocks(walk, layout.staged));
}

kernels::Divider axis_divider(const ElementwiseWalk& walk, const ElementwiseLayout& layout,
                              int axis) {
  std::int64_t extent = axis < walk.ndim ? walk.shape[axis] : 1;
  if (layout.form == Form::tiled && axis >= walk.ndim - 2) {
    extent = tiles(walk, layout.staged, axis);
  }
  return make_divider(extent < kLimit32 ? extent : 1);
}

}  // namespace cupyxx::internal::gpu
