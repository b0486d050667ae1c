// SPDX-License-Identifier: MIT
#include "cupyxx/internal/gpu/elementwise_layout.h"

#include <gtest/gtest.h>

#include <vector>

namespace cupyxx::internal::gpu {
namespace {

using jit::ElementwiseLayout;
using jit::Form;

// A walk over float32 operands, the first of which is the output; strides in elements.
struct Sample {
  std::int64_t shape[kMaxNdim] = {};
  std::int64_t strides[4][kMaxNdim] = {};
  ElementwiseWalk walk;

  Sample(const std::vector<std::int64_t>& extents,
         const std::vector<std::vector<std::int64_t>>& in_elements) {
    walk.shape = shape;
    walk.strides = strides;
    walk.ndim = static_cast<int>(extents.size());
    for (const std::int64_t extent : extents) walk.size *= extent;
    for (std::size_t axis = 0; axis < extents.size(); ++axis) shape[axis] = extents[axis];
    for (const auto& row : in_elements) {
      for (std::size_t axis = 0; axis < row.size(); ++axis) {
        strides[walk.operands][axis] = 4 * row[axis];
      }
      walk.operand[walk.operands] = {4096, 4, walk.operands == 0, false};
      ++walk.operands;
    }
  }
};

constexpr std::int64_t kMany = std::int64_t{1} << 24;

TEST(ElementwiseLayout, TakesVectorsWhereAllIsContiguous) {
  Sample s({kMany}, {{1}, {1}});
  EXPECT_EQ(choose_layout(s.walk), ElementwiseLayout{});
  EXPECT_EQ(block_count(s.walk, {}, 1024), std::uint64_t{kMany / 1024});
  Sample number({}, {{}, {}});
  EXPECT_EQ(choose_layout(number.walk), ElementwiseLayout{});
}

TEST(ElementwiseLayout, GathersLargeArraysThatBeginInsideAVector) {
  Sample large({kMany}, {{1}, {1}});
  large.walk.operand[1].address += 4;
  EXPECT_EQ(choose_layout(large.walk), (ElementwiseLayout{Form::flat, 2}));
  EXPECT_EQ(large.walk.ndim, 2);  // one axis takes the programs of two
  EXPECT_EQ(large.shape[0], 1);
  EXPECT_EQ(large.strides[1][1], 4);
  Sample small({1000}, {{1}, {1}});
  small.walk.operand[1].address += 4;
  EXPECT_EQ(choose_layout(small.walk), ElementwiseLayout{});
  Sample result({kMany}, {{1}, {1}});
  result.walk.operand[0].address += 4;
  EXPECT_EQ(choose_layout(result.walk), (ElementwiseLayout{Form::strided, 2}));
}

TEST(ElementwiseLayout, BroadcastsIntoVectors) {
  Sample row({512, 512}, {{512, 1}, {512, 1}, {0, 1}});
  EXPECT_EQ(choose_layout(row.walk), (ElementwiseLayout{Form::flat, 2}));
  Sample column({512, 512}, {{512, 1}, {512, 1}, {1, 0}});
  EXPECT_EQ(choose_layout(column.walk), (ElementwiseLayout{Form::flat, 2}));
}

TEST(ElementwiseLayout, KnowsHowVectorsAreRead) {
  const auto specialized = [](Sample s) {
    s.walk.shape = s.shape;
    s.walk.strides = s.strides;
    ElementwiseLayout layout = choose_layout(s.walk);
    specialize_layout(s.walk, layout);
    return layout;
  };
  Sample s({512, 512}, {{512, 1}, {512, 1}, {0, 1}, {1, 0}});
  EXPECT_EQ(specialized(s), (ElementwiseLayout{Form::flat, 2, false, 0, true, 7, 8}));
  s.walk.operand[2].address += 4;
  EXPECT_EQ(specialized(s), (ElementwiseLayout{Form::flat, 2, false, 0, true, 3, 8}));
  // Rows that begin inside a vector; a row that is not a number of vectors.
  EXPECT_EQ(specialized(Sample({64, 64}, {{64, 1}, {66, 1}, {0, 2}})),
            (ElementwiseLayout{Form::flat, 2, false, 0, true, 1, 0}));
  EXPECT_EQ(specialized(Sample({64, 63}, {{63, 1}, {0, 1}})), (ElementwiseLayout{Form::flat, 2}));
  EXPECT_EQ(specialized(Sample({64, 64}, {{64, 1}, {1, 64}})).form, Form::tiled);
}

TEST(ElementwiseLayout, StridedResultsAndMasksGoElementByElement) {
  Sample result({512, 512}, {{1024, 2}, {512, 1}});
  EXPECT_EQ(choose_layout(result.walk), (ElementwiseLayout{Form::strided, 2}));
  Sample mask({512, 512}, {{512, 1}, {0, 1}, {512, 1}});
  mask.walk.masked = true;
  EXPECT_EQ(choose_layout(mask.walk), (ElementwiseLayout{Form::strided, 2}));
}

TEST(ElementwiseLayout, CountsIn64BitsFromTwoToThe31On) {
  Sample s({1 << 16, 1 << 15}, {{1 << 15, 1}, {0, 1}});
  EXPECT_EQ(choose_layout(s.walk), (ElementwiseLayout{Form::flat, 2, true}));
  Sample less({(1 << 16) - 1, 1 << 15}, {{1 << 15, 1}, {0, 1}});
  EXPECT_EQ(choose_layout(less.walk), (ElementwiseLayout{Form::flat, 2}));
}

TEST(ElementwiseLayout, TilesTransposedInputs) {
  Sample s({100, 200}, {{200, 1}, {1, 100}, {200, 1}});
  const ElementwiseLayout layout = choose_layout(s.walk);
  EXPECT_EQ(layout, (ElementwiseLayout{Form::tiled, 2, false, 2}));
  EXPECT_EQ(block_count(s.walk, layout, 0), 2u * 4u);  // tiles of 64 x 64
  EXPECT_EQ(axis_divider(s.walk, layout, 0).divisor, 2u);
  EXPECT_EQ(axis_divider(s.walk, layout, 1).divisor, 4u);
}

TEST(ElementwiseLayout, BringsTheOtherAxisOfATileBesideTheLast) {
  Sample s({40, 3, 50}, {{150, 50, 1}, {1, 2000, 40}});
  EXPECT_EQ(choose_layout(s.walk), (ElementwiseLayout{Form::tiled, 3, false, 2}));
  EXPECT_EQ(s.shape[0], 3);
  EXPECT_EQ(s.shape[1], 40);
  EXPECT_EQ(s.strides[1][1], 4);
  EXPECT_EQ(s.strides[0][1], 600);
}

TEST(ElementwiseLayout, DoesNotTileWhatIsNarrowOrNumbered) {
  Sample narrow({4, 50000}, {{50000, 1}, {1, 4}});
  EXPECT_EQ(choose_layout(narrow.walk).form, Form::flat);
  Sample numbered({100, 200}, {{200, 1}, {1, 100}});
  numbered.walk.keep_order = true;
  EXPECT_EQ(choose_layout(numbered.walk).form, Form::flat);
}

TEST(ElementwiseLayout, TilesOfCopiesFollowTheItemsize) {
  Sample s({1024, 1024}, {{1024, 1}, {1, 1024}});
  s.walk.copies = true;
  const ElementwiseLayout layout = choose_layout(s.walk);
  EXPECT_EQ(layout, (ElementwiseLayout{Form::tiled, 2, false, 2}));
  EXPECT_EQ(block_count(s.walk, layout, 0), 16u * 16u);
}

}  // namespace
}  // namespace cupyxx::internal::gpu
