// SPDX-License-Identifier: MIT
// Drawings of graphs of functions.
//
//   std::ofstream("graph.dot") << build_computational_graph({loss}).dump();
//   std::ofstream("graph.svg") << build_computational_graph({loss}).dump("svg");
#pragma once

#include <iosfwd>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "chainerxx/variable.h"
#include "cupyxx/export.h"

namespace chainerxx {

/// A part of a graph as names and arrows; holds none of its arrays.
class CUPYXX_API ComputationalGraph {
 public:
  struct Node {
    std::string label;  ///< shape and dtype of a variable, the function's own label
    bool is_function;
  };
  /// From node to node, by their numbers.
  using Edge = std::pair<int, int>;

  ComputationalGraph(std::vector<Node> nodes, std::vector<Edge> edges)
      : nodes_(std::move(nodes)), edges_(std::move(edges)) {}

  const std::vector<Node>& nodes() const& { return nodes_; }
  const std::vector<Edge>& edges() const& { return edges_; }
  /// By value of a temporary: `for (auto& node : build_computational_graph({loss}).nodes())`.
  std::vector<Node> nodes() && { return std::move(nodes_); }
  std::vector<Edge> edges() && { return std::move(edges_); }

  /// A drawing: variables are ovals, functions boxes. "dot" gives the text that graphviz reads;
  /// "svg", "png" and "pdf" are what its program `dot` makes of it: an IOError where that is not
  /// installed. Throws ValueError for another format.
  std::string dump(std::string_view format = "dot") const;

 private:
  std::vector<Node> nodes_;
  std::vector<Edge> edges_;
};

/// Prints dump().
CUPYXX_API std::ostream& operator<<(std::ostream& os, const ComputationalGraph& graph);

/// What can be reached backward from `outputs`. With `remove_split` off a variable that goes into
/// several places of that part goes through a splitter, and into each place as a variable of its
/// own.
CUPYXX_API ComputationalGraph build_computational_graph(const std::vector<Variable>& outputs,
                                                        bool remove_split = true);

/// Chainer's place of this name.
namespace computational_graph {
using chainerxx::build_computational_graph;
}  // namespace computational_graph

}  // namespace chainerxx
