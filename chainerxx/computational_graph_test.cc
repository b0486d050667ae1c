// SPDX-License-Identifier: MIT
#include "chainerxx/computational_graph.h"

#include <gtest/gtest.h>

#include "chainerxx/function.h"
#include "chainerxx/functions/math/elementary.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/testing/expect_error.h"

namespace chainerxx {
namespace {

namespace F = functions;

int count(const ComputationalGraph& graph, const std::string& label) {
  int n = 0;
  for (const auto& node : graph.nodes()) n += node.label == label;
  return n;
}

TEST(ComputationalGraph, HoldsWhatIsReachedBackward) {
  const Variable x(cupyxx::array({1.0f, 2.0f}));
  const Variable y = F::exp(x), z = F::log(x);
  const ComputationalGraph graph = build_computational_graph({y});
  EXPECT_EQ(graph.dump(),
            "digraph graphname {\n"
            "  rankdir=TB;\n"
            "  n0 [label=\"(2,), float32\", shape=oval];\n"
            "  n1 [label=\"exp\", shape=box];\n"
            "  n2 [label=\"(2,), float32\", shape=oval];\n"
            "  n2 -> n1;\n"
            "  n1 -> n0;\n"
            "}\n");
  EXPECT_EQ(build_computational_graph({y, z}).nodes().size(), 5u);
}

TEST(ComputationalGraph, SplitsBranchesWhenAskedTo) {
  const Variable x(cupyxx::array({1.0f, 2.0f}));
  const Variable y = F::exp(x) * F::log(x);
  const ComputationalGraph plain = build_computational_graph({y});
  EXPECT_EQ(plain.nodes().size(), 7u);
  EXPECT_EQ(plain.edges().size(), 7u);
  EXPECT_EQ(count(plain, "Split"), 0);
  // x -> Split -> two copies of x.
  const ComputationalGraph split = build_computational_graph({y}, false);
  EXPECT_EQ(split.nodes().size(), 10u);
  EXPECT_EQ(split.edges().size(), 10u);
  EXPECT_EQ(count(split, "Split"), 1);
}

TEST(ComputationalGraph, MeetsAVariableThatIsUsedTwiceByOneFunction) {
  const Variable x(cupyxx::array({1.0f}));
  const ComputationalGraph graph = build_computational_graph({x * x});
  EXPECT_EQ(graph.nodes().size(), 3u);
  EXPECT_EQ(graph.edges().size(), 3u);
}

TEST(ComputationalGraph, RefusesOtherFormats) {
  const Variable x(cupyxx::array({1.0f}));
  cupyxx::testing::expect_error<cupyxx::ValueError>(
      [&] { build_computational_graph({x}).dump("svg"); },
      "ComputationalGraph: unknown format 'svg'");
  cupyxx::testing::expect_error<cupyxx::TypeError>([] { build_computational_graph({Variable()}); },
                                                   "build_computational_graph: an output is None");
}

}  // namespace
}  // namespace chainerxx
