// SPDX-License-Identifier: MIT
// Expressions as trees built at run time: they evaluate themselves and print themselves with the
// parentheses of Python. Code that knows its conditions when it is compiled uses tree.h instead,
// whose expressions convert to these.
#pragma once

#include <iosfwd>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cupyxx/export.h"
#include "typecheck/value.h"

namespace typecheck {

class Expr;

namespace internal {

/// A node of a run-time tree.
struct CUPYXX_API ExprNode {
  explicit ExprNode(int the_priority) : priority(the_priority) {}
  ExprNode(const ExprNode&) = delete;
  ExprNode& operator=(const ExprNode&) = delete;
  virtual ~ExprNode();
  virtual Value eval() const = 0;
  virtual void print(std::string& out) const = 0;
  /// Throws InvalidType where the condition does not hold, TypeError where there is no condition.
  virtual void expect() const;

  const int priority;
  mutable int refs = 0;
};

}  // namespace internal

/// An expression; copies share the tree. It is not a truth value: `a == b && c` does not compile.
class CUPYXX_API Expr {
 public:
  /// Takes the node over.
  explicit Expr(const internal::ExprNode* node) noexcept : node_(node) { retain(); }
  Expr(const Expr& other) noexcept : node_(other.node_) { retain(); }
  Expr(Expr&& other) noexcept : node_(std::exchange(other.node_, nullptr)) {}
  Expr& operator=(Expr other) noexcept {
    std::swap(node_, other.node_);
    return *this;
  }
  ~Expr();

  /// A value that prints as itself.
  static Expr constant(Value value);
  /// A value that prints as a name.
  static Expr variable(Value value, std::string name);
  /// A call of sum, prod, len, min, max or abs; throws ValueError on evaluation of another name.
  static Expr call(std::string function, std::vector<Expr> args);
  /// `-x`, `+x`, `~x`; throws ValueError for another operator.
  static Expr unary(std::string_view op, const Expr& x);
  /// An arithmetic operator or a comparison, in Python's spelling; throws ValueError for another.
  static Expr binary(std::string_view op, const Expr& a, const Expr& b);

  /// `x.name`.
  Expr attr(std::string name) const;
  /// `x[key]`.
  Expr item(const Expr& key) const;
  Expr item(std::int64_t key) const { return item(constant(key)); }
  Expr item(const slice& key) const;

  /// The value; throws what Python would: IndexError, TypeError, ValueError.
  Value eval() const { return node_->eval(); }
  /// The text of the expression.
  std::string str() const;
  /// Throws InvalidType when the comparison does not hold, TypeError for any other expression.
  void expect() const { node_->expect(); }

  explicit operator bool() const = delete;

  const internal::ExprNode& node() const { return *node_; }

 private:
  void retain() const noexcept;

  const internal::ExprNode* node_;
};

/// Prints the expression.
CUPYXX_API std::ostream& operator<<(std::ostream& os, const Expr& e);

}  // namespace typecheck
