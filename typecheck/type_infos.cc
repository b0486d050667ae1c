// SPDX-License-Identifier: MIT
#include "typecheck/type_infos.h"

namespace typecheck::internal {

namespace {

/// An input whose type is looked up when the tree is evaluated.
struct RunInput final : ExprNode {
  explicit RunInput(const Input& i)
      : ExprNode(kAtomPriority), types(i.types), index(i.index), text(i.text) {}
  Value eval() const override {
    const auto count = static_cast<std::int64_t>(types.items().size());
    return types.items()[static_cast<std::size_t>(check_index(index, text.c_str(), count))];
  }
  void print(std::string& out) const override { out += text + '[' + std::to_string(index) + ']'; }

  Value types;
  std::int64_t index;
  std::string text;
};

}  // namespace

Expr Input::to_expr() const { return Expr(new RunInput(*this)); }

Expr InputCount::to_expr() const { return Expr::variable(count, std::string(text) + ".size"); }

}  // namespace typecheck::internal
