// SPDX-License-Identifier: MIT
#include "typecheck/expr.h"

#include <algorithm>
#include <ostream>

#include "cupyxx/error.h"
#include "typecheck/invalid_type.h"

namespace typecheck {

namespace internal {

namespace {

void print_in(std::string& out, const Expr& e, bool parentheses) {
  if (parentheses) out += '(';
  e.node().print(out);
  if (parentheses) out += ')';
}

// Printing, evaluating and freeing a tree take a frame of the stack for each level.
constexpr int kMostLevels = 1000;

/// A node above others.
struct Inner : ExprNode {
  template <class... Parts>
  explicit Inner(int the_priority, const Parts&... parts) : ExprNode(the_priority) {
    (grow(parts), ...);
  }

  int levels = 1;

 private:
  void grow(const Expr& part) {
    const auto* inner = dynamic_cast<const Inner*>(&part.node());
    levels = std::max(levels, 1 + (inner == nullptr ? 1 : inner->levels));
    if (levels > kMostLevels) {
      throw cupyxx::ValueError(
          cupyxx::message("typecheck: an expression of more than ", kMostLevels, " levels"));
    }
  }
  void grow(const std::vector<Expr>& parts) {
    for (const Expr& part : parts) grow(part);
  }
};

struct Constant final : ExprNode {
  explicit Constant(Value v) : ExprNode(kAtomPriority), value(std::move(v)) {}
  Value eval() const override { return value; }
  void print(std::string& out) const override { out += value.str(); }

  Value value;
};

struct Named final : ExprNode {
  Named(Value v, std::string n)
      : ExprNode(kAtomPriority), value(std::move(v)), name(std::move(n)) {}
  Value eval() const override { return value; }
  void print(std::string& out) const override { out += name; }

  Value value;
  std::string name;
};

struct GetAttr final : Inner {
  GetAttr(Expr o, std::string n) : Inner(kAtomPriority, o), of(std::move(o)), name(std::move(n)) {}
  Value eval() const override { return of.eval().attr(name); }
  void print(std::string& out) const override {
    print_in(out, of, of.node().priority < kAtomPriority);
    out += '.' + name;
  }

  Expr of;
  std::string name;
};

struct GetItem final : Inner {
  GetItem(Expr o, Expr k) : Inner(kAtomPriority, o, k), of(std::move(o)), key(std::move(k)) {}
  Value eval() const override { return of.eval().item(key.eval()); }
  void print(std::string& out) const override {
    print_in(out, of, of.node().priority < kAtomPriority);
    out += '[' + key.str() + ']';
  }

  Expr of;
  Expr key;
};

struct GetSlice final : Inner {
  GetSlice(Expr o, const slice& k) : Inner(kAtomPriority, o), of(std::move(o)), key(k) {}
  Value eval() const override { return of.eval().item(key); }
  void print(std::string& out) const override {
    const auto bound = [](const SliceBound& b) {
      return b.given ? std::to_string(b.value) : std::string();
    };
    print_in(out, of, of.node().priority < kAtomPriority);
    out += '[' + bound(key.start) + ':' + bound(key.stop);
    if (key.step.given) out += ':' + bound(key.step);
    out += ']';
  }

  Expr of;
  slice key;
};

struct Call final : Inner {
  Call(std::string f, std::vector<Expr> a)
      : Inner(kAtomPriority, a), function(std::move(f)), args(std::move(a)) {}
  Value eval() const override {
    std::vector<Value> values;
    for (const Expr& arg : args) values.push_back(arg.eval());
    return call(function, values);
  }
  void print(std::string& out) const override {
    out += function + '(';
    for (std::size_t i = 0; i < args.size(); ++i) out += (i > 0 ? ", " : "") + args[i].str();
    out += ')';
  }

  std::string function;
  std::vector<Expr> args;
};

struct Unary final : Inner {
  Unary(UnaryOp o, Expr e) : Inner(kUnaryPriority, e), op(o), x(std::move(e)) {}
  Value eval() const override { return apply(op, x.eval()); }
  void print(std::string& out) const override {
    out += kUnary[static_cast<int>(op)].text;
    print_in(out, x, x.node().priority < priority);
  }

  UnaryOp op;
  Expr x;
};

struct Binary final : Inner {
  Binary(BinaryOp o, Expr l, Expr r)
      : Inner(row(o).priority, l, r), op(o), a(std::move(l)), b(std::move(r)) {}
  Value eval() const override { return apply(op, a.eval(), b.eval()); }
  void print(std::string& out) const override {
    const bool right = row(op).right_associative;
    const int left_priority = a.node().priority;
    const int right_priority = b.node().priority;
    print_in(out, a, left_priority < priority || (right && left_priority == priority));
    out += std::string(" ") + row(op).text + ' ';
    print_in(out, b, right_priority < priority || (!right && right_priority == priority));
  }

  BinaryOp op;
  Expr a;
  Expr b;
};

struct Comparison final : Inner {
  Comparison(CompareOp o, Expr l, Expr r)
      : Inner(kComparePriority, l, r), op(o), a(std::move(l)), b(std::move(r)) {}
  Value eval() const override { return compare(op, a.eval(), b.eval()); }
  void print(std::string& out) const override {
    print_in(out, a, a.node().priority <= priority);  // Python would read a chain
    out += std::string(" ") + row(op).text + ' ';
    print_in(out, b, b.node().priority <= priority);
  }
  void expect() const override {
    const Value left = a.eval();
    const Value right = b.eval();
    if (compare(op, left, right)) return;
    std::string text;
    print(text);
    throw InvalidType(text, cupyxx::message(left, ' ', row(op).negated, ' ', right));
  }

  CompareOp op;
  Expr a;
  Expr b;
};

template <class Rows>
int find(const Rows& rows, std::string_view text) {
  int i = 0;
  for (const auto& candidate : rows) {
    if (candidate.text == text) return i;
    ++i;
  }
  return -1;
}

[[noreturn]] void throw_unknown_operator(std::string_view op) {
  throw cupyxx::ValueError(cupyxx::message("typecheck: not a known operator; '", op, "'"));
}

}  // namespace

ExprNode::~ExprNode() = default;

void ExprNode::expect() const {
  std::string text;
  print(text);
  throw cupyxx::TypeError(cupyxx::message("typecheck: only comparisons can be expected; ", text));
}

}  // namespace internal

// The counts are atomic: an expression may be kept and printed by another thread.
void Expr::retain() const noexcept {
  if (node_ != nullptr) __atomic_fetch_add(&node_->refs, 1, __ATOMIC_RELAXED);
}

Expr::~Expr() {
  if (node_ != nullptr && __atomic_sub_fetch(&node_->refs, 1, __ATOMIC_ACQ_REL) == 0) delete node_;
}

Expr Expr::constant(Value value) { return Expr(new internal::Constant(std::move(value))); }

Expr Expr::variable(Value value, std::string name) {
  return Expr(new internal::Named(std::move(value), std::move(name)));
}

Expr Expr::call(std::string function, std::vector<Expr> args) {
  return Expr(new internal::Call(std::move(function), std::move(args)));
}

Expr Expr::unary(std::string_view op, const Expr& x) {
  const int found = internal::find(internal::kUnary, op);
  if (found < 0) internal::throw_unknown_operator(op);
  return Expr(new internal::Unary(static_cast<internal::UnaryOp>(found), x));
}

Expr Expr::binary(std::string_view op, const Expr& a, const Expr& b) {
  const int arithmetic = internal::find(internal::kBinary, op);
  if (arithmetic >= 0) {
    return Expr(new internal::Binary(static_cast<internal::BinaryOp>(arithmetic), a, b));
  }
  const int comparison = internal::find(internal::kCompare, op);
  if (comparison < 0) internal::throw_unknown_operator(op);
  return Expr(new internal::Comparison(static_cast<internal::CompareOp>(comparison), a, b));
}

Expr Expr::attr(std::string name) const {
  return Expr(new internal::GetAttr(*this, std::move(name)));
}

Expr Expr::item(const Expr& key) const { return Expr(new internal::GetItem(*this, key)); }

Expr Expr::item(const slice& key) const { return Expr(new internal::GetSlice(*this, key)); }

std::string Expr::str() const {
  std::string out;
  node_->print(out);
  return out;
}

std::ostream& operator<<(std::ostream& os, const Expr& e) { return os << e.str(); }

}  // namespace typecheck
