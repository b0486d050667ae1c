// SPDX-License-Identifier: MIT
#include "chainerxx/computational_graph.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

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
  std::size_t seen = 0;  // of a temporary, which is gone when the loop begins
  for (const auto& node : build_computational_graph({y, z}).nodes()) seen += !node.label.empty();
  for (const auto& edge : build_computational_graph({y, z}).edges()) seen += edge.first >= 0;
  EXPECT_EQ(seen, 5 + build_computational_graph({y, z}).edges().size());
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

/// A program `dot` that is found before any other.
class ProgramDot {
 public:
  explicit ProgramDot(const std::string& script) : path_(std::getenv("PATH")) {
    const std::filesystem::path folder = std::filesystem::path(::testing::TempDir()) / "with_dot";
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
    if (!script.empty()) {
      std::ofstream(folder / "dot") << "#!/bin/sh\n" << script;
      std::filesystem::permissions(folder / "dot", std::filesystem::perms::owner_all);
    }
    // Without a script there is no other program either.
    ::setenv("PATH", (folder.string() + (script.empty() ? "" : ":" + path_)).c_str(), 1);
  }
  ~ProgramDot() { ::setenv("PATH", path_.c_str(), 1); }

 private:
  std::string path_;
};

TEST(ComputationalGraph, IsDrawnByGraphviz) {
  const Variable x(cupyxx::array({1.0f}));
  const ComputationalGraph graph = build_computational_graph({F::exp(x)});
  const ProgramDot dot("echo \"drawn by $1\"; cat");
  EXPECT_EQ(graph.dump("svg"), "drawn by -Tsvg\n" + graph.dump());
  EXPECT_EQ(graph.dump("png"), "drawn by -Tpng\n" + graph.dump());
}

TEST(ComputationalGraph, SaysWhenGraphvizIsMissingOrFails) {
  const Variable x(cupyxx::array({1.0f}));
  const ComputationalGraph graph = build_computational_graph({x});
  {
    const ProgramDot none("");
    cupyxx::testing::expect_error<cupyxx::IOError>(
        [&] { graph.dump("svg"); },
        "ComputationalGraph: the program dot cannot be run, which graphviz brings; No such file or "
        "directory");
  }
  const ProgramDot failing("echo 'no fonts' >&2; exit 3");
  cupyxx::testing::expect_error<cupyxx::IOError>([&] { graph.dump("pdf"); },
                                                 "ComputationalGraph: dot failed; no fonts\n");
}

TEST(ComputationalGraph, HostileLabelsStayLabels) {
  const ComputationalGraph graph({{"a\"]; x [\\", true}, {std::string("b\n\0\x1b", 4), false}},
                                 {{0, 1}});
  EXPECT_EQ(graph.dump(),
            "digraph graphname {\n  rankdir=TB;\n"
            "  n0 [label=\"a\\\"]; x [\\\\\", shape=box];\n"
            "  n1 [label=\"b\\n??\", shape=oval];\n"
            "  n0 -> n1;\n}\n");
}

TEST(ComputationalGraph, RefusesOtherFormats) {
  const Variable x(cupyxx::array({1.0f}));
  cupyxx::testing::expect_error<cupyxx::ValueError>(
      [&] { build_computational_graph({x}).dump("bmp"); },
      "ComputationalGraph: unknown format 'bmp'");
  cupyxx::testing::expect_error<cupyxx::TypeError>([] { build_computational_graph({Variable()}); },
                                                   "build_computational_graph: an output is None");
}

}  // namespace
}  // namespace chainerxx
