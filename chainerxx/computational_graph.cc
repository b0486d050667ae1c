// SPDX-License-Identifier: MIT
#include "chainerxx/computational_graph.h"

#include <algorithm>
#include <map>

#include "chainerxx/function.h"
#include "chainerxx/internal/graphviz.h"
#include "cupyxx/error.h"

namespace chainerxx {
namespace {

using Node = ComputationalGraph::Node;
using Edge = ComputationalGraph::Edge;

/// Numbers nodes in the order in which they are met.
class Builder {
 public:
  void visit(const Variable& start) {
    std::vector<Variable> open;
    int number = 0;
    if (number_of(start, number)) open.push_back(start);
    while (!open.empty()) {
      const Variable v = open.back();
      open.pop_back();
      const Function* f = v.creator();
      if (f == nullptr) continue;
      const int target = variables_.at(v.node());
      const auto [place, is_new] = functions_.try_emplace(f, static_cast<int>(nodes_.size()));
      if (is_new) {
        nodes_.push_back({f->label(), true});
        for (const Variable& input : f->inputs()) {
          if (number_of(input, number)) open.push_back(input);
          edges_.emplace_back(number, place->second);
        }
      }
      edges_.emplace_back(place->second, target);
    }
  }

  /// Sends each variable with several arrows through a splitter.
  void split() {
    std::map<int, int> uses;
    for (const auto& [from, to] : edges_) uses[from] += !nodes_[index(from)].is_function;
    std::vector<Edge> edges;
    std::map<int, int> splitters;
    for (const auto& [from, to] : edges_) {
      if (uses[from] < 2) {
        edges.emplace_back(from, to);
        continue;
      }
      const auto [place, is_new] = splitters.try_emplace(from, static_cast<int>(nodes_.size()));
      if (is_new) {
        nodes_.push_back({"Split", true});
        edges.emplace_back(from, place->second);
      }
      const int copy = static_cast<int>(nodes_.size());
      nodes_.push_back({nodes_[index(from)].label, false});
      edges.emplace_back(place->second, copy);
      edges.emplace_back(copy, to);
    }
    edges_ = std::move(edges);
  }

  ComputationalGraph graph() && { return {std::move(nodes_), std::move(edges_)}; }

 private:
  static std::size_t index(int number) { return static_cast<std::size_t>(number); }

  /// Whether the variable is met for the first time.
  bool number_of(const Variable& v, int& number) {
    const auto [place, is_new] = variables_.try_emplace(v.node(), static_cast<int>(nodes_.size()));
    if (is_new) nodes_.push_back({v.label(), false});
    number = place->second;
    return is_new;
  }

  std::map<const internal::VariableNode*, int> variables_;
  std::map<const Function*, int> functions_;
  std::vector<Node> nodes_;
  std::vector<Edge> edges_;
};

/// A label in DOT's quotes, whatever it holds: graphviz shows a new line as one, and other control
/// characters, of which it reads some and stops at others, as '?'.
std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '\n') {
      out += "\\n";
    } else if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') {
      out += '?';
    } else {
      if (c == '"' || c == '\\') out += '\\';
      out += c;
    }
  }
  return out + "\"";
}

}  // namespace

std::string ComputationalGraph::dump(std::string_view format) const {
  const bool is_text = format == "dot";
  if (!is_text && format != "svg" && format != "png" && format != "pdf") {
    throw cupyxx::ValueError(cupyxx::message("ComputationalGraph: unknown format '", format, "'"));
  }
  std::string text = "digraph graphname {\n  rankdir=TB;\n";
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    text += "  n" + std::to_string(i) + " [label=" + quoted(nodes_[i].label) +
            ", shape=" + (nodes_[i].is_function ? "box" : "oval") + "];\n";
  }
  for (const auto& [from, to] : edges_) {
    text += "  n" + std::to_string(from) + " -> n" + std::to_string(to) + ";\n";
  }
  text += "}\n";
  return is_text ? text : internal::draw(text, std::string(format));
}

ComputationalGraph build_computational_graph(const std::vector<Variable>& outputs,
                                             bool remove_split) {
  Builder builder;
  for (const Variable& output : outputs) {
    if (output.is_none()) {
      throw cupyxx::TypeError("build_computational_graph: an output is None");
    }
    builder.visit(output);
  }
  if (!remove_split) builder.split();
  return std::move(builder).graph();
}

std::ostream& operator<<(std::ostream& os, const ComputationalGraph& graph) {
  return os << graph.dump();
}

}  // namespace chainerxx
