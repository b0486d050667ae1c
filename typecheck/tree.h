// SPDX-License-Identifier: MIT
// Expressions whose form is known when they are compiled: `x.shape()[0] == y.shape()[0] * 4` is an
// object that evaluates in place, without allocating. Its text is made on failure, by converting to
// an Expr. Operators mean what they mean in Python; `//` is floordiv(a, b), `**` is pow(a, b).
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "cupyxx/dtype.h"
#include "cupyxx/shape.h"
#include "typecheck/expr.h"
#include "typecheck/internal/operation.h"
#include "typecheck/type_info.h"
#include "typecheck/value.h"

namespace typecheck {

/// The root of all compile-time expressions, here so that the operators of this namespace are
/// found.
struct TreeBase {};

namespace internal {

template <class T>
concept Tree = std::derived_from<std::remove_cvref_t<T>, TreeBase>;
template <class T>
concept Expression = Tree<T> || std::same_as<std::remove_cvref_t<T>, Expr>;
template <class T>
concept Integer = std::same_as<T, bool> || std::same_as<T, std::int64_t>;
template <class T>
concept Number = Integer<T> || std::same_as<T, double>;
template <class T>
concept Text = std::same_as<T, char> || std::same_as<T, std::string_view>;

/// A C++ value as one of the few types that expressions compute with.
template <class T>
constexpr auto normalize(const T& value) {
  if constexpr (std::same_as<T, bool> || std::same_as<T, char>) {
    return value;
  } else if constexpr (std::is_integral_v<T>) {
    return int64_of(value);
  } else if constexpr (std::is_floating_point_v<T>) {
    return static_cast<double>(value);
  } else if constexpr (std::is_convertible_v<const T&, std::string_view>) {
    return std::string_view(value);
  } else {
    return value;
  }
}
template <class T>
using Normal = decltype(normalize(std::declval<const T&>()));

template <class T>
concept Plain = !Expression<T> &&
                (std::is_arithmetic_v<T> || std::is_convertible_v<const T&, std::string_view> ||
                 std::same_as<T, cupyxx::dtype> || std::same_as<T, cupyxx::Shape>);
template <class A, class B>
concept Operands = (Expression<A> && (Expression<B> || Plain<B>)) || (Plain<A> && Expression<B>);

template <class A, class B>
concept Either = Expression<A> || Expression<B>;

constexpr std::string_view text_of(const char& c) { return {&c, 1}; }
constexpr std::string_view text_of(std::string_view s) { return s; }

template <BinaryOp op, class A, class B>
auto apply_to(const A& a, const B& b) {
  if constexpr (Integer<A> && Integer<B> && op != BinaryOp::truediv) {
    return apply(op, static_cast<std::int64_t>(a), static_cast<std::int64_t>(b));
  } else if constexpr (Number<A> && Number<B>) {
    return apply(op, static_cast<double>(a), static_cast<double>(b));
  } else {
    static_assert(op == BinaryOp::add && std::same_as<A, cupyxx::Shape> && std::same_as<A, B>,
                  "typecheck: these operands have no such operator");
    return concatenate(a, b);
  }
}

template <CompareOp op, class A, class B>
bool compare_with(const A& a, const B& b) {
  if constexpr (Integer<A> && Integer<B>) {
    return compare(op, static_cast<std::int64_t>(a), static_cast<std::int64_t>(b));
  } else if constexpr (Number<A> && Number<B>) {
    return compare(op, static_cast<double>(a), static_cast<double>(b));
  } else if constexpr (Text<A> && Text<B>) {
    return compare(op, text_of(a), text_of(b));
  } else if constexpr (std::same_as<A, cupyxx::dtype> || std::same_as<B, cupyxx::dtype>) {
    static_assert(op == CompareOp::eq || op == CompareOp::ne, "typecheck: dtypes have no order");
    bool equal;
    if constexpr (Text<A>) {
      equal = names(text_of(a), b);
    } else if constexpr (Text<B>) {
      equal = names(text_of(b), a);
    } else {
      equal = a == b;
    }
    return equal == (op == CompareOp::eq);
  } else {
    static_assert(std::same_as<A, cupyxx::Shape> && std::same_as<A, B>,
                  "typecheck: these values cannot be compared");
    return compare(op, a, b);
  }
}

// Attributes: the name, and how to get it.
struct ShapeOf {
  static constexpr const char* name = "shape";
  static const cupyxx::Shape& get(const TypeInfo& t) { return t.shape(); }
};
struct DtypeOf {
  static constexpr const char* name = "dtype";
  static cupyxx::dtype get(const TypeInfo& t) { return t.dtype(); }
};
struct NdimOf {
  static constexpr const char* name = "ndim";
  static std::int64_t get(const TypeInfo& t) { return t.ndim(); }
};
struct SizeOf {
  static constexpr const char* name = "size";
  static std::int64_t get(const TypeInfo& t) { return prod_of(t.shape()); }
};
struct KindOf {
  static constexpr const char* name = "kind";
  static char get(const cupyxx::dtype& t) { return kind_of(t); }
};
struct CharOf {
  static constexpr const char* name = "char";
  static char get(const cupyxx::dtype& t) { return t.char_code(); }
};
struct ItemsizeOf {
  static constexpr const char* name = "itemsize";
  static std::int64_t get(const cupyxx::dtype& t) { return t.itemsize(); }
};
struct NameOf {
  static constexpr const char* name = "name";
  static std::string_view get(const cupyxx::dtype& t) { return t.name(); }
};

// Functions of a tuple.
struct Sum {
  static constexpr const char* name = "sum";
  static std::int64_t get(const cupyxx::Shape& s) { return sum_of(s); }
};
struct Prod {
  static constexpr const char* name = "prod";
  static std::int64_t get(const cupyxx::Shape& s) { return prod_of(s); }
};
struct Len {
  static constexpr const char* name = "len";
  static std::int64_t get(const cupyxx::Shape& s) { return s.ndim(); }
};

template <class Attribute, class Of>
struct GetAttr;
template <class Of, class Key>
struct GetItem;
template <class Of>
struct GetSlice;

template <class Attribute, class Derived>
concept Has = requires(const Derived& d) {
  Attribute::get(d.eval());
};

/// What all compile-time expressions have.
template <class Derived>
struct Node : TreeBase {
  const Derived& self() const { return static_cast<const Derived&>(*this); }

  operator Expr() const { return self().to_expr(); }  // NOLINT(google-explicit-constructor)
  explicit operator bool() const = delete;
  /// The text of the expression.
  std::string str() const { return self().to_expr().str(); }

  // Templates: clang looks at constraints while Derived is still incomplete.
  template <class D = Derived>
  requires Has<ShapeOf, D>
  auto shape() const { return get<ShapeOf>(); }
  template <class D = Derived>
  requires Has<DtypeOf, D>
  auto dtype() const { return get<DtypeOf>(); }
  template <class D = Derived>
  requires Has<NdimOf, D>
  auto ndim() const { return get<NdimOf>(); }
  template <class D = Derived>
  requires Has<SizeOf, D>
  auto size() const { return get<SizeOf>(); }
  template <class D = Derived>
  requires Has<KindOf, D>
  auto kind() const { return get<KindOf>(); }
  template <class D = Derived>
  requires Has<CharOf, D>
  auto char_() const { return get<CharOf>(); }
  template <class D = Derived>
  requires Has<ItemsizeOf, D>
  auto itemsize() const { return get<ItemsizeOf>(); }
  template <class D = Derived>
  requires Has<NameOf, D>
  auto name() const { return get<NameOf>(); }

  /// An extent of a shape, counted from the end if negative; the key may be an expression.
  template <class Key>
  requires(Tree<Key> || std::integral<Key>) auto operator[](const Key& key) const;
  /// A part of a shape: `x.shape()[typecheck::slice(1, typecheck::none)]`; prints `x.shape[1:]`.
  template <class Slice>
  requires requires(const Slice& s) { s.start.given, s.stop.given, s.step.value; }
  auto operator[](const Slice& s) const {
    const auto bound = [](const auto& b) { return SliceBound(b.given, b.value); };
    return GetSlice<Derived>{{}, self(), slice(bound(s.start), bound(s.stop), bound(s.step))};
  }

 private:
  template <class Attribute>
  auto get() const {
    return GetAttr<Attribute, Derived>{{}, self()};
  }
};

template <class T>
struct Constant : Node<Constant<T>> {
  explicit Constant(const T& v) : value(v) {}
  const T& eval() const { return value; }
  Expr to_expr() const { return Expr::constant(value); }

  T value;
};

template <class Attribute, class Of>
struct GetAttr : Node<GetAttr<Attribute, Of>> {
  decltype(auto) eval() const { return Attribute::get(of.eval()); }
  Expr to_expr() const { return of.to_expr().attr(Attribute::name); }

  Of of;
};

template <class Of, class Key>
struct GetItem : Node<GetItem<Of, Key>> {
  std::int64_t eval() const {
    const cupyxx::Shape& shape = of.eval();
    return shape[static_cast<int>(check_index(key.eval(), "tuple", shape.ndim()))];
  }
  Expr to_expr() const { return of.to_expr().item(key.to_expr()); }

  Of of;
  Key key;
};

template <class Of>
struct GetSlice : Node<GetSlice<Of>> {
  cupyxx::Shape eval() const { return slice_of(of.eval(), key); }
  Expr to_expr() const { return of.to_expr().item(key); }

  Of of;
  slice key;
};

template <class Function, class Of>
struct Apply : Node<Apply<Function, Of>> {
  decltype(auto) eval() const { return Function::get(of.eval()); }
  Expr to_expr() const { return Expr::call(Function::name, {of.to_expr()}); }

  Of of;
};

template <UnaryOp op, class A>
struct Unary : Node<Unary<op, A>> {
  auto eval() const {
    const auto& x = a.eval();
    if constexpr (std::same_as<std::remove_cvref_t<decltype(x)>, double>) {
      return apply(op, x);
    } else {
      return apply(op, static_cast<std::int64_t>(x));
    }
  }
  Expr to_expr() const { return Expr::unary(kUnary[static_cast<int>(op)].text, a.to_expr()); }

  A a;
};

template <BinaryOp op, class A, class B>
struct Binary : Node<Binary<op, A, B>> {
  auto eval() const { return apply_to<op>(a.eval(), b.eval()); }
  Expr to_expr() const { return Expr::binary(row(op).text, a.to_expr(), b.to_expr()); }

  A a;
  B b;
};

template <CompareOp op, class A, class B>
struct Comparison : Node<Comparison<op, A, B>> {
  bool eval() const { return compare_with<op>(a.eval(), b.eval()); }
  Expr to_expr() const { return Expr::binary(row(op).text, a.to_expr(), b.to_expr()); }

  A a;
  B b;
};

template <class T>
struct IsComparison : std::false_type {};
template <CompareOp op, class A, class B>
struct IsComparison<Comparison<op, A, B>> : std::true_type {};

template <class T>
auto wrap(const T& x) {
  if constexpr (Expression<T>) {
    return x;
  } else {
    return Constant<Normal<T>>(normalize(x));
  }
}
template <class T>
using Wrapped = decltype(wrap(std::declval<const T&>()));

/// An expression as a run-time tree.
inline Expr to_expr(const Expr& e) { return e; }
template <Tree T>
Expr to_expr(const T& tree) {
  return tree.to_expr();
}

template <UnaryOp op, class A>
auto unary(const A& a) {
  if constexpr (Tree<A>) {
    return Unary<op, A>{{}, a};
  } else {
    return Expr::unary(kUnary[static_cast<int>(op)].text, a);
  }
}

// A run-time tree on either side makes a run-time tree.
template <BinaryOp op, class A, class B>
auto binary(const A& a, const B& b) {
  if constexpr (Tree<Wrapped<A>> && Tree<Wrapped<B>>) {
    return Binary<op, Wrapped<A>, Wrapped<B>>{{}, wrap(a), wrap(b)};
  } else {
    return Expr::binary(row(op).text, to_expr(wrap(a)), to_expr(wrap(b)));
  }
}

/// The comparison that says the same of swapped operands.
constexpr CompareOp mirrored(CompareOp op) {
  constexpr CompareOp kMirrored[] = {CompareOp::eq, CompareOp::ne, CompareOp::gt,
                                     CompareOp::ge, CompareOp::lt, CompareOp::le};
  return kMirrored[static_cast<int>(op)];
}

template <CompareOp op, class A, class B>
auto comparison(const A& a, const B& b) {
  if constexpr (Plain<A>) {  // as Python reflects it
    return comparison<mirrored(op)>(b, a);
  } else if constexpr (Tree<Wrapped<A>> && Tree<Wrapped<B>>) {
    return Comparison<op, Wrapped<A>, Wrapped<B>>{{}, wrap(a), wrap(b)};
  } else {
    return Expr::binary(row(op).text, to_expr(wrap(a)), to_expr(wrap(b)));
  }
}

template <class Function, class A>
auto function(const A& a) {
  if constexpr (Tree<A>) {
    return Apply<Function, A>{{}, a};
  } else {
    return Expr::call(Function::name, {a});
  }
}

/// A call of a user's function: evaluates in place, prints as `name(arguments)`.
template <class Compute, class List>
struct Call : Node<Call<Compute, List>> {
  struct Run final : ExprNode {
    explicit Run(const Call& c)
        : ExprNode(kAtomPriority), compute(c.compute), name(c.name), args(c.list()) {}
    Value eval() const override { return compute(); }
    void print(std::string& out) const override {
      out += name + '(';
      for (std::size_t i = 0; i < args.size(); ++i) out += (i > 0 ? ", " : "") + args[i].str();
      out += ')';
    }

    Compute compute;
    std::string name;
    std::vector<Expr> args;
  };

  Call(const Compute& c, const List& l, std::string_view n) : compute(c), list(l), name(n) {}
  auto eval() const { return compute(); }
  Expr to_expr() const { return Expr(new Run(*this)); }

  Compute compute;
  List list;
  std::string_view name;
};

}  // namespace internal

/// A value with a name: `Variable(in_size, "in_size")` prints as `in_size`. Made of a function, it
/// wraps that: `Variable(f, "f")(x.shape())` calls `f` when the expression is evaluated. Refers to
/// the characters of the name.
template <class T>
struct Variable : internal::Node<Variable<T>> {
  Variable(const T& v, std::string_view n) : value(v), text(n) {}
  template <class U>
  Variable(const U& v, std::string_view n) : value(internal::normalize(v)), text(n) {}

  const T& eval() const { return value; }
  Expr to_expr() const { return Expr::variable(Value(value), std::string(text)); }

  template <class... Args>
  requires(internal::Expression<Args> || ...) auto operator()(const Args&... args) const {
    const auto compute = [f = value, ... a = internal::wrap(args)] {
      return internal::normalize(f(a.eval()...));
    };
    const auto list = [... a = internal::wrap(args)] {
      return std::vector<Expr>{internal::to_expr(a)...};
    };
    return internal::Call<decltype(compute), decltype(list)>(compute, list, text);
  }

  T value;
  std::string_view text;
};
template <class T>
Variable(const T&, std::string_view) -> Variable<internal::Normal<T>>;

namespace internal {

template <class Derived>
template <class Key>
requires(Tree<Key> || std::integral<Key>) auto Node<Derived>::operator[](const Key& key) const {
  return GetItem<Derived, Wrapped<Key>>{{}, self(), wrap(key)};
}

}  // namespace internal

// Comparisons: the conditions that `expect` takes.
#define TYPECHECK_COMPARISON(symbol, op)                        \
  template <class A, class B>                                   \
  requires internal::Operands<A, B>                             \
  auto operator symbol(const A& a, const B& b) {                \
    return internal::comparison<internal::CompareOp::op>(a, b); \
  }
TYPECHECK_COMPARISON(==, eq)
TYPECHECK_COMPARISON(!=, ne)
TYPECHECK_COMPARISON(<, lt)
TYPECHECK_COMPARISON(<=, le)
TYPECHECK_COMPARISON(>, gt)
TYPECHECK_COMPARISON(>=, ge)
#undef TYPECHECK_COMPARISON

// Arithmetic. Integers stay integers except under `/`, which divides as Python does.
#define TYPECHECK_BINARY(symbol, op) \
  template <class A, class B>        \
  requires internal::Operands<A, B>  \
  auto symbol(const A& a, const B& b) { return internal::binary<internal::BinaryOp::op>(a, b); }
TYPECHECK_BINARY(operator+, add)
TYPECHECK_BINARY(operator-, sub)
TYPECHECK_BINARY(operator*, mul)
TYPECHECK_BINARY(operator/, truediv)
TYPECHECK_BINARY(operator%, mod)
TYPECHECK_BINARY(operator<<, lshift)
TYPECHECK_BINARY(operator>>, rshift)
TYPECHECK_BINARY(operator&, and_)
TYPECHECK_BINARY(operator^, xor_)
TYPECHECK_BINARY(operator|, or_)
/// Python's `a // b`.
TYPECHECK_BINARY(floordiv, floordiv)
/// Prints `a ** b`. Evaluates to the remainder, as Chainer does, whose messages hold that value.
TYPECHECK_BINARY(pow, pow)
#undef TYPECHECK_BINARY

// Signs and the complement.
template <internal::Expression A>
auto operator-(const A& a) {
  return internal::unary<internal::UnaryOp::neg>(a);
}
template <internal::Expression A>
auto operator+(const A& a) {
  return internal::unary<internal::UnaryOp::pos>(a);
}
template <internal::Expression A>
auto operator~(const A& a) {
  return internal::unary<internal::UnaryOp::invert>(a);
}

/// The sum, the product and the number of the extents of a shape.
template <internal::Expression A>
auto sum(const A& a) {
  return internal::function<internal::Sum>(a);
}
template <internal::Expression A>
auto prod(const A& a) {
  return internal::function<internal::Prod>(a);
}
template <internal::Expression A>
auto len(const A& a) {
  return internal::function<internal::Len>(a);
}

// An expression is no truth value: give each condition to `expect` by itself.
template <class A, class B>
requires internal::Either<A, B>
void operator&&(const A& give_each_condition_to_expect, const B& b) = delete;
template <class A, class B>
requires internal::Either<A, B>
void operator||(const A& give_each_condition_to_expect, const B& b) = delete;
template <internal::Expression A>
void operator!(const A& write_the_comparison_the_other_way_round) = delete;

}  // namespace typecheck
