// SPDX-License-Identifier: MIT
#include "cupyxx/internal/gpu/elementwise/layout.h"

#include <gtest/gtest.h>

#include <vector>

#include "cupyxx/internal/collapse_axes.h"

namespace cupyxx::internal::gpu {
namespace {

using jit::ElementwiseLayout;
using jit::Form;

// A space over float32 operands, the first of which is the output; strides in elements.
struct Sample {
  std::int64_t shape[kMaxNdim] = {};
  std::int64_t strides[4][kMaxNdim] = {};
  ElementwiseSpace space;

  Sample(const std::vector<std::int64_t>& extents,
         const std::vector<std::vector<std::int64_t>>& in_elements) {
    space.shape = shape;
    space.strides = strides;
    space.ndim = static_cast<int>(extents.size());
    for (const std::int64_t extent : extents) space.size *= extent;
    for (std::size_t axis = 0; axis < extents.size(); ++axis) shape[axis] = extents[axis];
    for (const auto& row : in_elements) {
      for (std::size_t axis = 0; axis < row.size(); ++axis) {
        strides[space.operands][axis] = 4 * row[axis];
      }
      space.operand[space.operands] = {4096, 4, space.operands == 0, false};
      ++space.operands;
    }
  }
};

constexpr std::int64_t kMany = std::int64_t{1} << 24;

TEST(ElementwiseLayout, TakesVectorsWhereAllIsContiguous) {
  Sample s({kMany}, {{1}, {1}});
  EXPECT_EQ(choose_layout(s.space), ElementwiseLayout{});
  EXPECT_EQ(block_count(s.space, {}, 1024), std::uint64_t{kMany / 1024});
  Sample number({}, {{}, {}});
  EXPECT_EQ(choose_layout(number.space), ElementwiseLayout{});
}

TEST(ElementwiseLayout, OperandsThatLieAlikeAreOneRun) {
  const auto layout_of = [](Sample s) {
    s.space.shape = s.shape;
    s.space.strides = s.strides;
    s.space.ndim = collapse_axes(s.space.ndim, s.shape, s.strides, s.space.operands, false);
    EXPECT_EQ(s.space.ndim, 1);
    EXPECT_EQ(s.shape[0], s.space.size);
    return choose_layout(s.space);
  };
  // Images of 64 channels that lie channels last, and matrices in columns.
  const std::vector<std::int64_t> last = {64 * 56 * 56, 1, 64 * 56, 64}, columns = {1, 4096};
  EXPECT_EQ(layout_of(Sample({32, 64, 56, 56}, {last, last, last})), ElementwiseLayout{});
  EXPECT_EQ(layout_of(Sample({32, 64, 56, 56}, {last, last})), ElementwiseLayout{});
  EXPECT_EQ(layout_of(Sample({4096, 512}, {columns, columns, columns})), ElementwiseLayout{});
}

TEST(ElementwiseLayout, GathersLargeArraysThatBeginInsideAVector) {
  Sample large({kMany}, {{1}, {1}});
  large.space.operand[1].address += 4;
  EXPECT_EQ(choose_layout(large.space), (ElementwiseLayout{Form::flat, 2}));
  EXPECT_EQ(large.space.ndim, 2);  // one axis takes the programs of two
  EXPECT_EQ(large.shape[0], 1);
  EXPECT_EQ(large.strides[1][1], 4);
  Sample small({1000}, {{1}, {1}});
  small.space.operand[1].address += 4;
  EXPECT_EQ(choose_layout(small.space), ElementwiseLayout{});
  Sample result({kMany}, {{1}, {1}});
  result.space.operand[0].address += 4;
  EXPECT_EQ(choose_layout(result.space), (ElementwiseLayout{Form::strided, 2}));
}

TEST(ElementwiseLayout, BroadcastsIntoVectors) {
  Sample row({512, 512}, {{512, 1}, {512, 1}, {0, 1}});
  EXPECT_EQ(choose_layout(row.space), (ElementwiseLayout{Form::flat, 2}));
  Sample column({512, 512}, {{512, 1}, {512, 1}, {1, 0}});
  EXPECT_EQ(choose_layout(column.space), (ElementwiseLayout{Form::flat, 2}));
}

TEST(ElementwiseLayout, KnowsHowVectorsAreRead) {
  const auto specialized = [](Sample s) {
    s.space.shape = s.shape;
    s.space.strides = s.strides;
    ElementwiseLayout layout = choose_layout(s.space);
    specialize_layout(s.space, layout);
    return layout;
  };
  Sample s({512, 512}, {{512, 1}, {512, 1}, {0, 1}, {1, 0}});
  EXPECT_EQ(specialized(s), (ElementwiseLayout{Form::flat, 2, false, 0, true, 7, 8}));
  s.space.operand[2].address += 4;
  EXPECT_EQ(specialized(s), (ElementwiseLayout{Form::flat, 2, false, 0, true, 3, 8}));
  // Rows that begin inside a vector; a row that is not a number of vectors.
  EXPECT_EQ(specialized(Sample({64, 64}, {{64, 1}, {66, 1}, {0, 2}})),
            (ElementwiseLayout{Form::flat, 2, false, 0, true, 1, 0}));
  EXPECT_EQ(specialized(Sample({64, 63}, {{63, 1}, {0, 1}})), (ElementwiseLayout{Form::flat, 2}));
  EXPECT_EQ(specialized(Sample({64, 64}, {{64, 1}, {1, 64}})).form, Form::tiled);
}

TEST(ElementwiseLayout, StridedResultsAndMasksGoElementByElement) {
  Sample result({512, 512}, {{1024, 2}, {512, 1}});
  EXPECT_EQ(choose_layout(result.space), (ElementwiseLayout{Form::strided, 2}));
  Sample mask({512, 512}, {{512, 1}, {0, 1}, {512, 1}});
  mask.space.masked = true;
  EXPECT_EQ(choose_layout(mask.space), (ElementwiseLayout{Form::strided, 2}));
}

TEST(ElementwiseLayout, CountsIn64BitsFromTwoToThe31On) {
  Sample s({1 << 16, 1 << 15}, {{1 << 15, 1}, {0, 1}});
  EXPECT_EQ(choose_layout(s.space), (ElementwiseLayout{Form::flat, 2, true}));
  Sample less({(1 << 16) - 1, 1 << 15}, {{1 << 15, 1}, {0, 1}});
  EXPECT_EQ(choose_layout(less.space), (ElementwiseLayout{Form::flat, 2}));
}

TEST(ElementwiseLayout, TilesTransposedInputs) {
  Sample s({100, 200}, {{200, 1}, {1, 100}, {200, 1}});
  const ElementwiseLayout layout = choose_layout(s.space);
  EXPECT_EQ(layout, (ElementwiseLayout{Form::tiled, 2, false, 2}));
  EXPECT_EQ(block_count(s.space, layout, 0), 2u * 4u);  // tiles of 64 x 64
  EXPECT_EQ(axis_divider(s.space, layout, 0).divisor, 2u);
  EXPECT_EQ(axis_divider(s.space, layout, 1).divisor, 4u);
}

TEST(ElementwiseLayout, BringsTheOtherAxisOfATileBesideTheLast) {
  Sample s({40, 3, 50}, {{150, 50, 1}, {1, 2000, 40}});
  EXPECT_EQ(choose_layout(s.space), (ElementwiseLayout{Form::tiled, 3, false, 2}));
  EXPECT_EQ(s.shape[0], 3);
  EXPECT_EQ(s.shape[1], 40);
  EXPECT_EQ(s.strides[1][1], 4);
  EXPECT_EQ(s.strides[0][1], 600);
}

TEST(ElementwiseLayout, DoesNotTileWhatIsNarrowOrNumbered) {
  Sample narrow({4, 50000}, {{50000, 1}, {1, 4}});
  EXPECT_EQ(choose_layout(narrow.space).form, Form::flat);
  Sample numbered({100, 200}, {{200, 1}, {1, 100}});
  numbered.space.keep_order = true;
  EXPECT_EQ(choose_layout(numbered.space).form, Form::flat);
}

TEST(ElementwiseLayout, TilesOfCopiesFollowTheItemsize) {
  Sample s({1024, 1024}, {{1024, 1}, {1, 1024}});
  s.space.copies = true;
  const ElementwiseLayout layout = choose_layout(s.space);
  EXPECT_EQ(layout, (ElementwiseLayout{Form::tiled, 2, false, 2}));
  EXPECT_EQ(block_count(s.space, layout, 0), 16u * 16u);
}

TEST(ElementwiseLayout, LargeCopiesOfBytesTakeLargeTiles) {
  const auto is_large = [](std::int64_t rows, std::int64_t columns, std::int64_t row,
                           std::uintptr_t address, std::int64_t itemsize) {
    Sample s({rows, columns}, {{columns, 1}, {1, row}});
    for (auto& strides : s.strides) {
      for (std::int64_t& stride : strides) stride = stride / 4 * itemsize;
    }
    for (SpaceOperand& operand : s.space.operand) operand.itemsize = itemsize;
    s.space.operand[1].address = address;
    s.space.copies = true;
    const ElementwiseLayout layout = choose_layout(s.space);
    EXPECT_EQ(layout.form, Form::tiled);
    if (layout.large) {
      EXPECT_EQ(axis_divider(s.space, layout, 0).divisor, (rows + 127) / 128);
      EXPECT_EQ(axis_divider(s.space, layout, 1).divisor, (columns + 255) / 256);
    }
    return layout.large;
  };
  EXPECT_TRUE(is_large(4096, 4096, 4096, 4096, 1));
  EXPECT_TRUE(is_large(5000, 8000, 5040, 4096, 1));
  EXPECT_FALSE(is_large(4096, 4096, 4096, 4096, 2));
  EXPECT_FALSE(is_large(4096, 4096, 4096, 4100, 1));
  EXPECT_FALSE(is_large(4096, 4096, 4100, 4096, 1));
  EXPECT_FALSE(is_large(4096, 4090, 4096, 4096, 1));
  EXPECT_FALSE(is_large(2048, 2048, 2048, 4096, 1));
  EXPECT_FALSE(is_large(1 << 20, 512, 1 << 20, 4096, 1));
}

}  // namespace
}  // namespace cupyxx::internal::gpu
