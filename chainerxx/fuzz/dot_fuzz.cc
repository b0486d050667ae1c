// SPDX-License-Identifier: MIT
// Drawings of graphs whose functions have hostile labels: the text holds as many statements as the
// graph has parts, and no label ends before its end. Each line of an input is a label.
#include "chainerxx/computational_graph.h"
#include "cupyxx/testing/fuzz/target.h"

namespace chainerxx::fuzz {
namespace {

using cupyxx::fuzz::fail;

/// The statements of a graph in DOT, counted as its grammar has them.
std::size_t count_statements(const std::string& text) {
  std::size_t statements = 0;
  bool is_quoted = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const auto c = static_cast<unsigned char>(text[at]);
    if (c == '\0' || (c < ' ' && is_quoted)) fail("dot: a control character");
    if (is_quoted && c == '\\') {
      ++at;
    } else if (c == '"') {
      is_quoted = !is_quoted;
    } else if (!is_quoted && c == ';') {
      ++statements;
    }
  }
  if (is_quoted) fail("dot: a label does not end");
  return statements;
}

void run(std::string_view bytes) {
  cupyxx::fuzz::Input input(bytes);
  std::vector<ComputationalGraph::Node> nodes;
  std::vector<ComputationalGraph::Edge> edges;
  for (int i = 0; i < 200 && !input.is_empty(); ++i) {
    nodes.push_back({std::string(input.until('\xff')), i % 2 == 0});
    if (i > 0) edges.emplace_back(i - 1, i);
  }
  const ComputationalGraph graph(nodes, edges);
  const std::string text = graph.dump();
  if (count_statements(text) != 1 + nodes.size() + edges.size()) {
    fail("dot: a label became a statement");
  }
  const std::string format(bytes.substr(0, 4));
  if (format != "svg" && format != "png" && format != "pdf" && format != "dot" &&
      cupyxx::fuzz::attempt([&] { graph.dump(format); })) {
    fail("dot: a drawing in an unknown format");
  }
}

const cupyxx::fuzz::Target dot("dot", &run);

}  // namespace
}  // namespace chainerxx::fuzz
