// SPDX-License-Identifier: MIT
#include "chainerxx/functions/loss/hierarchical_softmax.h"

#include <algorithm>
#include <utility>

#include "chainerxx/functions/loss/sampled_gradients.h"
#include "chainerxx/internal/initialize.h"
#include "chainerxx/internal/sampled_logistic.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/indexing.h"
#include "cupyxx/math.h"
#include "cupyxx/random.h"
#include "typecheck/expect.h"

namespace chainerxx::functions {
namespace {

struct Step {
  std::int32_t node;
  std::int32_t code;
};
using Path = std::vector<Step>;
constexpr std::int64_t kMostLeaves = std::int64_t{1} << 26;  // tables are as long as the largest

/// The paths to all leaves.
struct TreeWalk {
  std::int32_t nodes = 0;
  std::size_t depth = 0;
  std::vector<Path> paths{};  // by leaf; empty for numbers that are no leaf

  void walk(const Tree& tree, Path& path) {
    if (tree.is_leaf()) {
      add(tree.leaf(), path);
      return;
    }
    const std::int32_t node = nodes++;
    path.push_back({node, 1});
    walk(tree.left(), path);
    path.back() = {node, -1};
    walk(tree.right(), path);
    path.pop_back();
  }

  void add(std::int64_t leaf, const Path& path) {
    if (path.empty()) {
      throw cupyxx::ValueError(
          cupyxx::message("BinaryHierarchicalSoftmax: the tree is a leaf; ", leaf));
    }
    if (leaf < 0) {
      throw cupyxx::ValueError(
          cupyxx::message("BinaryHierarchicalSoftmax: a leaf is negative; ", leaf));
    }
    if (leaf >= kMostLeaves) {
      throw cupyxx::ValueError(cupyxx::message("BinaryHierarchicalSoftmax: a leaf is ", kMostLeaves,
                                               " or more; ", leaf));
    }
    const auto i = static_cast<std::size_t>(leaf);
    if (paths.size() <= i) paths.resize(i + 1);
    if (!paths[i].empty()) {
      throw cupyxx::ValueError(
          cupyxx::message("BinaryHierarchicalSoftmax: a leaf stands in the tree twice; ", leaf));
    }
    paths[i] = path;
    depth = std::max(depth, path.size());
  }
};

}  // namespace

BinaryHierarchicalSoftmax::BinaryHierarchicalSoftmax(std::int64_t in_size, const Tree& tree,
                                                     cupyxx::dtype dtype) {
  internal::check_sizes("BinaryHierarchicalSoftmax", {in_size});
  internal::check_floating("BinaryHierarchicalSoftmax", dtype);
  if (internal::skips_initialization()) return;
  TreeWalk walk;
  Path path;
  walk.walk(tree, path);
  std::vector<std::int32_t> nodes(walk.paths.size() * walk.depth), codes(nodes.size());
  for (std::size_t leaf = 0; leaf < walk.paths.size(); ++leaf) {
    for (std::size_t k = 0; k < walk.paths[leaf].size(); ++k) {
      nodes[leaf * walk.depth + k] = walk.paths[leaf][k].node;
      codes[leaf * walk.depth + k] = walk.paths[leaf][k].code;
    }
    // A number that is no leaf leads to a node that does not exist.
    if (walk.paths[leaf].empty()) nodes[leaf * walk.depth] = walk.nodes;
  }
  const cupyxx::Shape shape{static_cast<std::int64_t>(walk.paths.size()),
                            static_cast<std::int64_t>(walk.depth)};
  paths_ = cupyxx::array(nodes).reshape(shape);
  codes_ = cupyxx::array(codes).reshape(shape).astype(dtype);
  W = cupyxx::random::uniform({walk.nodes, in_size}, {.low = -1, .high = 1}).astype(dtype);
  gW = cupyxx::zeros_like(W);
}

std::vector<Field> BinaryHierarchicalSoftmax::fields() { return {{"W", &W, &gW, true}}; }

void BinaryHierarchicalSoftmax::move_to(cupyxx::Device device) {
  Function::move_to(device);
  paths_ = paths_.to(device);
  codes_ = codes_.to(device);
}

void BinaryHierarchicalSoftmax::check_type_forward(const typecheck::TypeInfos& in) const {
  typecheck::expect(in.size() == 2);
  const auto x = in[0], t = in[1];
  typecheck::expect(x.dtype() == W.dtype(), x.ndim() == 2, t.dtype().kind() == 'i', t.ndim() == 1,
                    x.shape()[0] == t.shape()[0],
                    x.shape()[1] == typecheck::Variable(W.shape()[1], "W.shape[1]"));
}

std::vector<ndarray> BinaryHierarchicalSoftmax::forward(ArraySpan in) {
  // A negative label must not count from the end.
  const ndarray t = in[1].astype(cupyxx::int64, false);
  const ndarray leaves = cupyxx::where(t < 0, paths_.shape()[0], t);
  internal::SampledLogistic state{in[0], W, cupyxx::take(paths_, leaves, 0),
                                  cupyxx::take(codes_, leaves, 0)};
  ndarray loss = state.loss();
  if (records()) {
    state_ = std::make_shared<internal::SampledLogistic>(std::move(state));
    saved_W_ = internal::SavedArray(W);
  }
  return {std::move(loss)};
}

std::vector<ndarray> BinaryHierarchicalSoftmax::backward(ArraySpan, ArraySpan gy) {
  saved_W_.get(*this);  // unchanged since forward
  return {state_->backward(gW, gy[0]), ndarray()};
}

std::vector<Variable> BinaryHierarchicalSoftmax::backward_variables(VariableSpan in,
                                                                    VariableSpan gy) {
  return internal::sampled_gradients(*state_, saved_W_.get(*this), gW, in[0], gy);
}

}  // namespace chainerxx::functions
