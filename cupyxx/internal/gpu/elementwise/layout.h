// SPDX-License-Identifier: MIT
// Which form of kernel an elementwise launch takes, and its grid. Plain arithmetic, so that it is
// tested without a device; built-in operations and users' kernels come through here.
#pragma once

#include <cstdint>

#include "cupyxx/internal/jit/elementwise_source.h"
#include "cupyxx/internal/kernels/elementwise.h"
#include "cupyxx/shape.h"

namespace cupyxx::internal::gpu {

/// One operand as a launch sees it.
struct SpaceOperand {
  std::uintptr_t address = 0;
  std::int64_t itemsize = 1;
  bool is_output = false;
  bool is_scalar = false;  // passed by value
};

/// What a launch goes over: extents and each operand's strides, after axes have been merged.
/// Choosing a layout may exchange axes and add some of extent 1.
struct ElementwiseSpace {
  static constexpr int kMostOperands = 32;

  int operands = 0;
  int ndim = 0;
  std::int64_t size = 1;
  std::int64_t* shape = nullptr;
  std::int64_t (*strides)[kMaxNdim] = nullptr;  // bytes
  bool masked = false;                          // the last operand is a mask
  bool keep_order = false;                      // the body asks for the numbers of elements
  bool copies = false;  // one input of the output's dtype: tiles are those of kernels::transpose
  SpaceOperand operand[kMostOperands];
};

/// Chooses the form.
jit::ElementwiseLayout choose_layout(ElementwiseSpace& space);
/// For a kernel that is compiled for one call alone: adds to a flat layout, as choose_layout gave
/// it, whether each operand's vectors are 16 bytes in a row or one element.
void specialize_layout(const ElementwiseSpace& space, jit::ElementwiseLayout& layout);

/// The blocks of a launch; `per_block` is that of the kernel's source.
std::uint64_t block_count(const ElementwiseSpace& space, const jit::ElementwiseLayout& layout,
                          std::uint32_t per_block);

/// What the kernel divides by along an axis: its extent, or its number of tiles.
kernels::Divider axis_divider(const ElementwiseSpace& space, const jit::ElementwiseLayout& layout,
                              int axis);

}  // namespace cupyxx::internal::gpu
