// SPDX-License-Identifier: MIT
// Arguments for wild calls: arrays of any dtype, layout and rank, numbers from likely to absurd,
// options at random. Everything follows from one seed, so that a call can be made again: on
// another device, or alone.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "cupyxx/cupyxx.h"
#include "cupyxx/testing/wild/outcome.h"

namespace cupyxx::testing::wild {

/// What a row draws where a type does not say enough.
struct Path {
  std::string text;
};
struct Text {
  std::string text;
};
struct Sink {
  std::ostringstream stream;
};
struct Source {
  std::istringstream stream;
};
struct AnyUfunc {
  const ufunc* op;
};
/// An Operand can be neither copied nor kept.
struct Held {
  ndarray array;
  Scalar number;
  bool is_array = false;
};

class Draw {
 public:
  /// Files are made in `folder`.
  Draw(std::uint64_t seed, Device device, std::string folder);

  std::uint64_t bits();
  /// In [0, n).
  std::int64_t below(std::int64_t n) {
    return static_cast<std::int64_t>(bits() % static_cast<std::uint64_t>(n));
  }
  bool chance(double probability);

  ndarray array();
  /// What a routine takes: with it most calls succeed, without it few that have several arrays.
  /// `arrays` has a word for each: letters are extents, equal ones equal, a digit multiplies the
  /// next; `nc` is (n, c), `n4u` (n, 4 u), `*` the shape of the call; `nk#c` are integers below c,
  /// `nc?` truth values, all others floating numbers. `numbers` are the first integers. A plan is
  /// followed more often than not.
  void plan(std::string_view arrays, std::string_view numbers);
  /// The next array of the plan, or any.
  ndarray planned_array();
  /// Goes on to the next word of the plan, or stays at one for a list of arrays.
  void hold_plan(bool hold) { is_held_ = hold; }
  /// How many arrays the plan has left; any small number without a plan.
  std::int64_t planned_count();
  cupyxx::dtype type();
  Shape shape();
  std::int64_t integer();
  double real();
  Scalar number();
  std::string text();
  std::string path();
  std::string content();
  Axes axes();
  slice range();
  Index index();

  /// The array that the last array() gave may be changed by the call.
  void mark_target();
  /// Calls, and says what came out. `unchanged` says which arguments changed that must not.
  template <class F>
  Outcome call(F&& f) {
    take_snapshots();
    Outcome outcome = outcome_of(std::forward<F>(f), device_);
    check_arguments(outcome);
    return outcome;
  }
  /// The place among the drawn arguments that the call may change, or -1.
  int target = -1;
  bool verbose = false;
  /// Whether the results are not a function of the arguments.
  bool has_free_values = false;
  void begin_arguments() { place_ = -1; }
  void next_argument() { ++place_; }

 private:
  struct Drawn {
    ndarray view;
    ndarray memory;  // all that the view lies in
    std::string before;
    std::string form;
    bool target = false;
  };
  ndarray overlapping(const Drawn& other);
  Shape any_shape();
  /// Of any layout, on the device.
  ndarray laid_out(const Shape& shape, cupyxx::dtype type);
  std::int64_t extent(char letter);
  Shape planned_shape(std::string_view word);
  ndarray filled(cupyxx::dtype type, std::int64_t size);
  void take_snapshots();
  void check_arguments(Outcome& outcome) const;

  std::uint64_t state_;
  Device device_;
  std::string folder_;
  Shape shape_;         // that most arrays of the call have
  cupyxx::dtype type_;  // and their dtype
  std::vector<Drawn> arrays_;
  int place_ = -1;
  bool is_planned_ = false;
  bool is_held_ = false;
  std::vector<std::string> words_;  // of the plan that are left
  std::string numbers_;
  std::map<char, std::int64_t> extents_;
  std::int64_t bound_ = 0;  // of the integers that are drawn now, 0 for none
};

/// The fields of a struct: made by tools/wild_rows.py.
template <class T>
struct Fields {};

template <class T>
concept HasFields = requires(T& o) {
  Fields<T>::each(o, [](auto&&...) {});
};

template <class T>
struct Make;

/// Whether a field of this name is written to.
inline bool is_target(std::string_view name) {
  return name == "out" || name == "row_sums" || name == "pre_activation" ||
         name == "running_mean" || name == "running_var";
}

// A field keeps its default more often than not.
template <class T>
void maybe(Draw& d, T& field) {
  if (!d.chance(0.3)) return;
  if constexpr (std::is_same_v<T, std::initializer_list<std::string_view>>) {
    static const std::initializer_list<std::string_view> kLists[] = {{}, {"C"}, {"F", "W"}, {"X"}};
    field = kLists[d.below(4)];
  } else if constexpr (requires { field = Make<T>::from(d); }) {
    field = Make<T>::from(d);
  } else {
    static_assert(sizeof(T) == 0, "a field that nothing draws: see cupyxx/testing/wild/draw.h");
  }
}

template <class T>
requires std::is_enum_v<T>
struct Make<T> {
  static T from(Draw& d) {
    using Number = std::underlying_type_t<T>;
    if constexpr (std::is_same_v<T, Order>) {
      constexpr Order kOrders[] = {Order::C, Order::F, Order::A, Order::K};
      return kOrders[d.below(4)];
    }
    return static_cast<T>(static_cast<Number>(d.below(d.chance(0.02) ? 100 : 3)));
  }
};
template <class E>
struct Make<Choice<E>> {
  static Choice<E> from(Draw& d) { return Make<E>::from(d); }
};
template <HasFields T>
struct Make<T> {
  static T from(Draw& d) {
    T options{};
    if (d.chance(0.3)) return options;
    Fields<T>::each(options, [&](auto& field, const char* name) {
      using Field = std::remove_reference_t<decltype(field)>;
      maybe(d, field);
      if constexpr (std::is_same_v<Field, ndarray>) {
        if (!field.is_none() && is_target(name)) d.mark_target();
      }
    });
    // What a mask leaves out has no value.
    if constexpr (requires { options.where, options.out; }) {
      if (!options.where.is_none() && options.out.is_none()) d.has_free_values = true;
    }
    return options;
  }
};
template <class T>
struct Make<std::vector<T>> {
  static std::vector<T> from(Draw& d) {
    std::vector<T> list;
    const auto count = d.chance(0.02) ? 40 : d.below(4);
    for (std::int64_t i = 0; i < count; ++i) list.push_back(Make<T>::from(d));
    return list;
  }
};
template <class T>
struct Make<std::optional<T>> {
  static std::optional<T> from(Draw& d) {
    if (d.chance(0.3)) return {};
    return Make<T>::from(d);
  }
};
template <class T, std::size_t kCount>
struct Make<std::array<T, kCount>> {
  static std::array<T, kCount> from(Draw& d) {
    std::array<T, kCount> list{};
    for (T& one : list) one = Make<T>::from(d);
    return list;
  }
};
template <class A, class B>
struct Make<std::pair<A, B>> {
  static std::pair<A, B> from(Draw& d) {
    A first = Make<A>::from(d);
    return {std::move(first), Make<B>::from(d)};
  }
};
template <class K, class V>
struct Make<std::map<K, V>> {
  static std::map<K, V> from(Draw& d) {
    std::map<K, V> all;
    for (std::int64_t i = d.below(3); i > 0; --i) {
      K key = Make<K>::from(d);
      all[std::move(key)] = Make<V>::from(d);
    }
    return all;
  }
};

#define CUPYXX_WILD_MAKE(TYPE, ...)                        \
  template <>                                              \
  struct Make<TYPE> {                                      \
    static TYPE from([[maybe_unused]] Draw& d) __VA_ARGS__ \
  }

CUPYXX_WILD_MAKE(ndarray, { return d.array(); });
CUPYXX_WILD_MAKE(bool, { return d.chance(0.5); });
CUPYXX_WILD_MAKE(char, { return "LUCFlu\0x"[d.below(8)]; });
CUPYXX_WILD_MAKE(int, {
  const std::int64_t n = d.integer();
  return n > INT32_MAX ? INT32_MAX : n < INT32_MIN ? INT32_MIN : static_cast<int>(n);
});
CUPYXX_WILD_MAKE(std::int64_t, { return d.integer(); });
CUPYXX_WILD_MAKE(std::uint64_t, { return static_cast<std::uint64_t>(d.integer()); });
CUPYXX_WILD_MAKE(double, { return d.real(); });
CUPYXX_WILD_MAKE(Scalar, { return d.number(); });
CUPYXX_WILD_MAKE(cupyxx::dtype, { return d.type(); });
CUPYXX_WILD_MAKE(Shape, { return d.shape(); });
CUPYXX_WILD_MAKE(Axes, { return d.axes(); });
CUPYXX_WILD_MAKE(slice, { return d.range(); });
CUPYXX_WILD_MAKE(Index, { return d.index(); });
CUPYXX_WILD_MAKE(std::string, { return d.text(); });
CUPYXX_WILD_MAKE(std::string_view, {
  constexpr const char* kModes[] = {"r", "r+", "w+", "c", "", "x"};
  return kModes[d.below(6)];
});
CUPYXX_WILD_MAKE(Path, { return {d.path()}; });
CUPYXX_WILD_MAKE(Text, { return {d.text()}; });
CUPYXX_WILD_MAKE(Sink, { return {}; });
CUPYXX_WILD_MAKE(None, { return {}; });
CUPYXX_WILD_MAKE(Source, { return {std::istringstream(d.content())}; });
CUPYXX_WILD_MAKE(AnyUfunc, {
  const auto all = all_ufuncs();
  return {all[static_cast<std::size_t>(d.below(static_cast<std::int64_t>(all.size())))]};
});
CUPYXX_WILD_MAKE(Held, {
  if (d.chance(0.7)) return {d.array(), {}, true};
  return {{}, d.number(), false};
});
CUPYXX_WILD_MAKE(random::Param, {
  if (d.chance(0.4)) return d.array();
  return d.number();
});
CUPYXX_WILD_MAKE(ArrayValue, {
  if (d.chance(0.5)) return d.array();
  return d.real();
});
// Labels of einsum.
CUPYXX_WILD_MAKE(std::initializer_list<int>, {
  static const std::initializer_list<int> kLists[] = {{}, {0}, {1, 0}, {0, 1}, {2, 0, 1}, {0, 60}};
  return kLists[d.below(6)];
});
CUPYXX_WILD_MAKE(ArrayOption, { return d.array(); });
CUPYXX_WILD_MAKE(MaskOption, { return d.array(); });
CUPYXX_WILD_MAKE(BinRangeOption, { return {d.real(), d.real()}; });
CUPYXX_WILD_MAKE(fft::NormArgument, {
  if (d.chance(0.3)) return none;
  constexpr const char* kNames[] = {"backward", "ortho", "forward"};  // others throw here
  return kNames[d.below(3)];
});
CUPYXX_WILD_MAKE(BinCounts, {
  if (d.chance(0.5)) return Make<int>::from(d);
  return {Make<int>::from(d), Make<int>::from(d)};
});
CUPYXX_WILD_MAKE(BinRanges, {
  if (d.chance(0.2)) return none;
  return {BinRange(d.real(), d.real()), BinRange(d.real(), d.real())};
});
template <class T>
struct Make<internal::OneOrMore<T>> {
  static internal::OneOrMore<T> from(Draw& d) { return Make<std::vector<T>>::from(d); }
};
CUPYXX_WILD_MAKE(PadLength, {
  if (d.chance(0.5)) return d.integer();
  return {d.integer(), d.integer()};
});
CUPYXX_WILD_MAKE(random::NamedChoiceOptions, {
  random::NamedChoiceOptions options;
  maybe(d, options.size);
  maybe(d, options.replace);
  maybe(d, options.p);
  maybe(d, options.axis);
  return options;
});
CUPYXX_WILD_MAKE(random::SizedOptions, {
  random::SizedOptions options;
  maybe(d, options.size);
  maybe(d, options.dtype);
  maybe(d, options.out);
  if (!options.out.is_none()) d.mark_target();
  return options;
});
CUPYXX_WILD_MAKE(OptionalShape, {
  if (d.chance(0.3)) return {};
  return d.shape();
});
CUPYXX_WILD_MAKE(HistogramBins, {
  if (d.chance(0.3)) return d.integer();
  if (d.chance(0.3)) return d.text();
  return d.array();
});
CUPYXX_WILD_MAKE(TensordotAxes, {
  if (d.chance(0.5)) return static_cast<int>(d.below(5)) - 1;
  return {d.axes(), d.axes()};
});
CUPYXX_WILD_MAKE(random::SizeList, { return d.shape(); });
CUPYXX_WILD_MAKE(Sections, {
  if (d.chance(0.5)) return d.integer();
  return Make<std::vector<std::int64_t>>::from(d);
});
CUPYXX_WILD_MAKE(internal::ListedRow, { return internal::ListedRow(d.real(), d.real()); });
CUPYXX_WILD_MAKE(PadWidth, {
  if (d.chance(0.5)) return d.integer();
  return Make<std::vector<std::array<std::int64_t, 2>>>::from(d);
});
CUPYXX_WILD_MAKE(PadValues, {
  if (d.chance(0.5)) return d.number();
  return Make<std::vector<std::array<Scalar, 2>>>::from(d);
});
CUPYXX_WILD_MAKE(linalg::Order, {
  constexpr const char* kNames[] = {"fro", "nuc", "", "max"};
  if (d.chance(0.3)) return kNames[d.below(4)];
  if (d.chance(0.3)) return {};
  return d.real();
});
CUPYXX_WILD_MAKE(DtypeKindArgument, { return d.type(); });

/// As `cupyxx::Operand`, which cannot be kept.
template <class T>
struct Kept {
  using Type = T;
};
template <>
struct Kept<Operand> {
  using Type = Held;
};

template <class... T>
std::tuple<typename Kept<T>::Type...> drawn(Draw& d) {
  d.begin_arguments();
  return std::tuple<typename Kept<T>::Type...>{
      (d.next_argument(), Make<typename Kept<T>::Type>::from(d))...};
}

template <class T>
T& pass(T& value) {
  return value;
}
inline Operand pass(Held& value) {
  if (value.is_array) return Operand(value.array);
  return Operand(value.number);
}
inline const std::string& pass(Path& value) { return value.text; }
inline const std::string& pass(Text& value) { return value.text; }
inline std::ostream& pass(Sink& value) { return value.stream; }
inline std::istream& pass(Source& value) { return value.stream; }
inline const ufunc& pass(AnyUfunc& value) { return *value.op; }

// What operators and classes make, as values.
std::vector<ndarray> rows_of(const ndarray& a);
std::string printed(const ndarray& a);
std::vector<ndarray> called(const ufunc& op, const ndarray& a, const ndarray& b,
                            const UfuncOptions& options);

}  // namespace cupyxx::testing::wild
