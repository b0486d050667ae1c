// SPDX-License-Identifier: MIT
// Parts of arrays (View, Selection), the entries of index lists, and what operations take
// (Operand). The other half of ndarray.h.
#pragma once

#include <concepts>
#include <iterator>
#include <span>  // and disable_sized_range, for which <ranges> takes a twentieth of a user's time
#include <type_traits>
#include <utility>

#include "cupyxx/core/list_types.h"
#include "cupyxx/ndarray.h"

namespace cupyxx {

class Selection;
class View;

namespace internal {
/// What may stand behind `number +=`.
template <class T>
concept NumberSource = std::derived_from<T, ndarray> || std::is_same_v<T, Scalar>;
/// In what `number += element` computes.
template <class T>
using UpdateNumber = std::conditional_t<std::is_integral_v<T>, T, std::common_type_t<T, double>>;
}  // namespace internal

// The operators that change their left side, and what they do to one that has a name: an element
// becomes a value of its own first (element.cc).
#define CUPYXX_EACH_UPDATE(m)                                                          \
  m(operator+=) m(operator-=) m(operator*=) m(operator/=) m(operator%=) m(operator<<=) \
      m(operator>>=) m(operator&=) m(operator|=) m(operator^=) m(ifloordiv) m(ipow)
#define CUPYXX_UPDATE_OF_A_NAME(Class, name)   \
  const Class& name(const Operand& x) const& { \
    own_element();                             \
    ndarray::name(x);                          \
    return *this;                              \
  }

/// A part of an array, to which `a(0) = 1` and `a(0) += 1` write. It has all that ndarray has.
///
/// A part that has a name cannot be assigned again, `auto v = a(0); v = b;` does not compile; a
/// name that is to stand for one array after another is an ndarray.
///
/// On the host a single element that has a name, `auto t = a(1, 2);`, is a number as in NumPy, with
/// memory of its own: later changes of the array do not change it, `t += 1` changes it alone. (Only
/// `t(ellipsis) = x` still writes to the array.) On a GPU it is a view, as in CuPy.
class CUPYXX_API View : public ndarray {
 public:
  explicit View(ndarray a) : ndarray(std::move(a)) {}
  /// Shares the elements of a part; the copy of a single element is a number of its own.
  View(const View& other) : ndarray(another_name(other)) {}
  View(View&&) = default;
  ~View() = default;

  /// Writes `value`, broadcast and cast as by NumPy's setitem, into the viewed elements.
  const View& operator=(const Operand& value) const&&;
  const View& operator=(const View& value) const&&;
  /// Lists, read in the dtype of what they are written to: `a(0) = {1, 2, 3}`, `a(0) = vector`.
  /// Defined with creation.h.
  const View& operator=(std::initializer_list<internal::ListItem> list) const&&;
  template <internal::HostList R>
  const View& operator=(const R& values) const&&;
  // Of a name: `view(ellipsis) = x` writes the elements, and an `ndarray` is bound again by `= x`.
  View& operator=(const View& write_to_the_view_at_ellipsis) & = delete;
  template <class T>
  View& operator=(const T& write_to_the_view_at_ellipsis) & = delete;

  // Of a statement they write to the array, of a name, too, unless it is that of an element.
#define CUPYXX_VIEW_UPDATE(name)               \
  const View& name(const Operand& x) const&& { \
    make_place();                              \
    ndarray::name(x);                          \
    return *this;                              \
  }                                            \
  CUPYXX_UPDATE_OF_A_NAME(View, name)
  CUPYXX_EACH_UPDATE(CUPYXX_VIEW_UPDATE)
#undef CUPYXX_VIEW_UPDATE

 private:
  static ndarray another_name(const View& other);
  /// What follows writes to the array, not to a value.
  void make_place() const;
};

// `total += a(i)` with a C++ number: the element is added as a double to a floating number, and to
// an integer as one, which throws ValueError for a fraction. (A built-in operator would take the
// element as one of many types.)
#define CUPYXX_NUMBER_UPDATE(op)                                     \
  template <internal::ElementNumber T, internal::NumberSource Value> \
  T& operator op##=(T& number, const Value& value) {                 \
    const internal::UpdateNumber<T> x = value;                       \
    return number = static_cast<T>(number op x);                     \
  }
CUPYXX_NUMBER_UPDATE(+)
CUPYXX_NUMBER_UPDATE(-)
CUPYXX_NUMBER_UPDATE(*)
CUPYXX_NUMBER_UPDATE(/)
#undef CUPYXX_NUMBER_UPDATE

// `found |= a(i) > 2` of a C++ bool, and of integers.
#define CUPYXX_BITS_UPDATE(op)                                                         \
  template <std::integral T, internal::NumberSource Value>                             \
  requires(!internal::Character<T>) T& operator op##=(T& number, const Value& value) { \
    const T x = value;                                                                 \
    return number = static_cast<T>(number op x);                                       \
  }
CUPYXX_BITS_UPDATE(|)
CUPYXX_BITS_UPDATE(&)
CUPYXX_BITS_UPDATE(^)
#undef CUPYXX_BITS_UPDATE

namespace internal {
template <class A>
concept ArrayArgument = std::derived_from<std::remove_cvref_t<A>, ndarray>;
/// A name, another name for a View that has none, nothing for a selection without one.
template <class A>
decltype(auto) changed(std::remove_reference_t<A>& a) {
  if constexpr (std::is_lvalue_reference_v<A>) {
    return (a);
  } else if constexpr (!std::derived_from<std::remove_const_t<A>, Selection>) {
    return std::remove_const_t<A>(std::as_const(a));
  }
}
}  // namespace internal

/// `++counts(i)`, `--a`: `+= 1` and `-= 1`; gives what has changed.
template <internal::ArrayArgument A>
decltype(auto) operator++(A&& a) {
  std::forward<A>(a) += 1;
  return internal::changed<A>(a);
}
template <internal::ArrayArgument A>
decltype(auto) operator--(A&& a) {
  std::forward<A>(a) -= 1;
  return internal::changed<A>(a);
}
/// `order(next(k)++) = i`: the same, and gives a copy of what was there before, of a selection
/// nothing.
template <internal::ArrayArgument A>
auto operator++(A&& a, int) {
  if constexpr (std::derived_from<A, Selection>) {
    std::forward<A>(a) += 1;
  } else {
    ndarray before = a.copy();
    std::forward<A>(a) += 1;
    return before;
  }
}
template <internal::ArrayArgument A>
auto operator--(A&& a, int) {
  if constexpr (std::derived_from<A, Selection>) {
    std::forward<A>(a) -= 1;
  } else {
    ndarray before = a.copy();
    std::forward<A>(a) -= 1;
    return before;
  }
}

// `"sum: " + a.sum()` would be a place in the text: print it by <<, or join it with a.sum().str().
template <class T, std::derived_from<ndarray> A>
requires std::convertible_to<const T&, std::string_view>
void operator+(const T& text, const A& write_str) = delete;
template <std::derived_from<ndarray> A, class T>
requires std::convertible_to<const T&, std::string_view>
void operator+(const A& write_str, const T& text) = delete;
template <class T, std::derived_from<ndarray> A>
requires std::convertible_to<const T&, std::string_view>
void operator-(const T& text, const A& write_str) = delete;

/// Exchanges which arrays two names stand for.
inline void swap(ndarray& x, ndarray& y) noexcept { std::swap<ndarray>(x, y); }
/// Exchanges the elements of two parts of arrays: `swap(a(0), a(1))`.
CUPYXX_API void swap(View&& x, View&& y);
void swap(View& write_the_parts_in_the_call, View& instead_of_their_names) = delete;

/// One entry of an index list: an integer, slice, newaxis, ellipsis, or an array. Lists of numbers
/// and masks (std::vector<int>, std::vector<bool>) are copied to arrays on the host, and from there
/// to the device of what they index.
class CUPYXX_API Index {
 public:
  // Templates for the reason given at Shape.
  template <BasicIndex T>
  Index(const T& item) : item_(item) {}  // NOLINT(google-explicit-constructor)
  template <std::derived_from<ndarray> A>
  Index(const A& array) : item_(ellipsis), array_(array) {}  // NOLINT(google-explicit-constructor)
  template <internal::AxisNumbers V>
  requires(!std::same_as<V, Shape>) Index(const V& numbers)  // NOLINT(google-explicit-constructor)
      : Index() {
    std::vector<std::int64_t> list(numbers.begin(), numbers.end());
    set_list(list.data(), int64, list.size());
  }
  template <std::same_as<std::vector<bool>> V>
  Index(const V& mask)  // NOLINT(google-explicit-constructor)
      : Index() {
    std::vector<std::uint8_t> list(mask.begin(), mask.end());
    set_list(list.data(), bool_, list.size());
  }
  /// Lists in braces, nested or not. Throws ValueError for lists of several lengths.
  template <std::same_as<std::initializer_list<internal::ListedIndex>> L>
  explicit Index(L list) : Index() {
    set_nested(list);
  }

  bool is_array() const { return !array_.is_none(); }
  /// Brings a list to a device.
  void move_list_to(Device device);
  const ndarray& array() const { return array_; }
  const internal::IndexItem& item() const { return item_; }

 private:
  friend class ndarray;

  Index() : item_(ellipsis), is_list_(true) {}
  void set_list(const void* numbers, cupyxx::dtype type, std::size_t count);
  void set_nested(std::initializer_list<internal::ListedIndex> list);

  internal::IndexItem item_;
  ndarray array_;
  bool is_list_ = false;
};

namespace internal {
/// One of several entries, which may be a list in braces.
class Entry : public Index {
 public:
  template <IndexEntry T>
  Entry(const T& entry) : Index(entry) {}            // NOLINT(google-explicit-constructor)
  Entry(std::initializer_list<ListedIndex> numbers)  // NOLINT(google-explicit-constructor)
      : Index(numbers) {}
  template <std::same_as<bool> B>
  Entry(std::initializer_list<B> mask)  // NOLINT(google-explicit-constructor)
      : Index(std::vector<bool>(mask)) {}
};
}  // namespace internal

/// A part of an array chosen by arrays of integers or masks. It has all that ndarray has.
///
/// `a(mask) = 0` and `a(rows) += 1` write to the chosen elements, without a copy of them and
/// without synchronising. Where a place is chosen several times it gets the last of the values, and
/// += adds to it once (see ufunc::at). Integers that are out of range on a device are an IndexError
/// of the next call that synchronises; the other elements are written.
///
/// A selection that has a name, is passed or returned is a copy, as in NumPy: later changes of the
/// array or the index do not change it, and it does not write to the array. The copy is made when
/// it is first read, or when the array or an index is about to change; a mask synchronises for it.
class CUPYXX_API Selection : public ndarray {
 public:
  /// For an index without arrays, the view.
  Selection(const ndarray& base, std::vector<Index> index);
  Selection(const Selection&) = default;
  Selection(Selection&&) = default;
  ~Selection() = default;

  /// The chosen elements.
  ndarray get() const { return *this; }

  /// Writes `value`, broadcast and cast as by NumPy's setitem, to the chosen elements.
  const Selection& operator=(const Operand& value) const&&;
  const Selection& operator=(const Selection& value) const&&;
  /// Lists, as of a View.
  const Selection& operator=(std::initializer_list<internal::ListItem> list) const&&;
  template <internal::HostList R>
  const Selection& operator=(const R& values) const&&;
  Selection& operator=(const Selection&) & = delete;

  // Of a statement they change the chosen elements, each place once (see ufunc::at); of a name its
  // copy.
#define CUPYXX_SELECTION_UPDATE(name)              \
  const Selection& name(const Operand& x) const&&; \
  CUPYXX_UPDATE_OF_A_NAME(Selection, name)
  CUPYXX_EACH_UPDATE(CUPYXX_SELECTION_UPDATE)
#undef CUPYXX_SELECTION_UPDATE
#undef CUPYXX_UPDATE_OF_A_NAME
#undef CUPYXX_EACH_UPDATE

 private:
  /// What a statement writes to: the array that the elements are chosen of.
  ndarray target() const;
  const Selection& write(const Operand& value) const;
  const Selection& update(const ufunc& f, const Operand& x) const;
};

/// An array, a number or a list of numbers in an argument list; `{}` and `none` are None, as the
/// null array is. Lists are `{1, 2.5}`, `{{1, 2}, {3, 4}}` and containers of numbers, and become
/// arrays on the device of the arrays beside them; `{5}` is the number 5. Refers to an array given
/// as lvalue or temporary for the length of the call only.
class Operand {
 public:
  Operand() : array_(&held_) {}
  // Templates for the reason given at Shape.
  template <std::same_as<None> N>
  Operand(N) : Operand() {}  // NOLINT(google-explicit-constructor)
  template <std::derived_from<ndarray> A>
  Operand(const A& a) : array_(&a) {}  // NOLINT(google-explicit-constructor)
  template <class T>
  requires(!std::derived_from<T, ndarray> && !std::same_as<T, Operand> &&
           std::convertible_to<const T&, Scalar>) Operand(const T& number)
      : scalar_(number) {}  // NOLINT(google-explicit-constructor)
  template <internal::ListNumber T, internal::ListNumber U, internal::ListNumber... More>
  Operand(T first, U second, More... more) : array_(&held_), is_list_(true) {  // NOLINT
    const Scalar list[] = {internal::listed(first), internal::listed(second),
                           internal::listed(more)...};
    held_ = internal::array_of(list, sizeof...(More) + 2);
  }
  template <internal::ListNumber... T, std::size_t... N>
  requires(sizeof...(N) > 1) Operand(const T (&... rows)[N])  // NOLINT
      : array_(&held_), is_list_(true) {
    held_ = internal::array_of_rows(rows...);
  }
  template <std::size_t... N>
  requires(sizeof...(N) > 1) Operand(const internal::ListedNumber (&... rows)[N])  // NOLINT
      : array_(&held_), is_list_(true) {
    held_ = internal::array_of_rows(rows...);
  }
  // One row. One of a single number is an array, as a ListedRow of it would be the number.
  template <class T = void>
  Operand(const internal::ListedRow& row)  // NOLINT(google-explicit-constructor)
      : held_(internal::array_of_row(row)), array_(&held_), is_list_(true) {}
  template <internal::ListNumber T>
  Operand(T (&&row)[1])  // NOLINT(google-explicit-constructor)
      : held_(internal::array_of_rows(row)), array_(&held_), is_list_(true) {}
  template <internal::HostNumbers R>
  Operand(const R& list)  // NOLINT(google-explicit-constructor)
      : held_(internal::array_of(std::data(list), dtype_of<internal::HostValue<R>>(),
                                 std::size(list))),
        array_(&held_),
        is_list_(true) {}
  Operand(const Operand&) = delete;
  Operand& operator=(const Operand&) = delete;

  bool is_none() const { return array_ != nullptr && array_->is_none(); }
  bool is_array() const { return array_ != nullptr; }
  const ndarray& array() const { return *array_; }
  const Scalar& scalar() const { return scalar_; }
  bool is_list() const { return is_list_; }
  /// Brings a list to a device.
  void move_list_to(Device device) const {
    if (is_list_) held_ = held_.to(device);
  }

 private:
  mutable ndarray held_;
  const ndarray* array_ = nullptr;
  Scalar scalar_;
  bool is_list_ = false;
};

namespace internal {
// See shape.h.
CUPYXX_API std::span<const ndarray> as_span(std::initializer_list<ndarray> list);
CUPYXX_API std::span<const Operand> as_span(std::initializer_list<Operand> list);
CUPYXX_API std::span<const Index> span_of(const Index& one);
}  // namespace internal

/// Walks over the views along the first axis, once: an input iterator. Keeps the array, so that
/// `std::find(m(0).begin(), m(0).end(), 2)` may be read when the view has gone.
class CUPYXX_API ndarray::Iterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = ndarray;
  using difference_type = std::ptrdiff_t;
  using pointer = View*;
  using reference = View&;

  Iterator() = default;
  Iterator(ndarray a, std::int64_t i) : array_(std::move(a)), i_(i) {}
  Iterator(const Iterator& other) : Iterator(other.array_, other.i_) {}
  Iterator& operator=(const Iterator& other) {  // NOLINT(bugprone-unhandled-self-assignment)
    array_ = other.array_;
    i_ = other.i_;
    return *this;
  }
  ~Iterator();
  /// Stays until the next one, so that `for (auto& row : a) row += 1;` compiles. A copy of an
  /// element, `for (auto x : v)`, is a number, and what was kept of one does not change any more.
  View& operator*() const;
  Iterator& operator++() {
    ++i_;
    return *this;
  }
  Iterator operator++(int) {
    Iterator old = *this;
    ++i_;
    return old;
  }
  friend bool operator==(const Iterator& x, const Iterator& y) { return x.i_ == y.i_; }
  /// `std::max_element(a.begin(), a.end()) - a.begin()`.
  friend difference_type operator-(const Iterator& x, const Iterator& y) { return x.i_ - y.i_; }
  /// `std::vector<double> rest(a.begin() + 1, a.end());`
  friend Iterator operator+(const Iterator& x, difference_type n) { return {x.array_, x.i_ + n}; }
  friend Iterator operator-(const Iterator& x, difference_type n) { return {x.array_, x.i_ - n}; }
  /// What lies between two of one array, as a view. Throws ValueError for iterators of several
  /// arrays.
  View upto(const Iterator& end) const;

 private:
  ndarray array_;
  std::int64_t i_ = 0;
  mutable View view_{ndarray()};
};

inline ndarray::Iterator ndarray::begin() const { return {*this, 0}; }
inline ndarray::Iterator ndarray::end() const { return {*this, len()}; }

namespace internal {
/// What std::sort and std::reverse do to what lies between two iterators.
CUPYXX_API void sort_between(const ndarray::Iterator& first, const ndarray::Iterator& last);
CUPYXX_API void reverse_between(const ndarray::Iterator& first, const ndarray::Iterator& last);
}  // namespace internal

template <BasicIndex... I>
View ndarray::operator()(const I&... index) const {
  const internal::IndexItem items[sizeof...(I) + 1] = {internal::IndexItem(index)..., ellipsis};
  return getitem(std::span<const internal::IndexItem>(items, sizeof...(I)));
}

template <class... I>
requires((IndexEntry<I> && ...) &&
         !(BasicIndex<I> && ...)) Selection ndarray::operator()(const I&... index) const {
  const Index items[] = {Index(index)...};
  return chosen(items, std::size(items));
}

template <internal::ArrayPerAxis V>
Selection ndarray::operator()(const V& index) const {
  const std::vector<Index> items(index.begin(), index.end());
  return chosen(items.data(), items.size());
}

template <std::same_as<bool> B>
Selection ndarray::operator()(std::initializer_list<B> mask) const {
  const Index items[] = {Index(std::vector<bool>(mask.begin(), mask.end()))};
  return chosen(items, 1);
}

template <IndexList L>
Selection ndarray::getitem(const L& index) const {
  const std::span<const Index> items(index);
  return chosen(items.data(), items.size());
}

template <IndexList L>
void ndarray::setitem(const L& index, const Operand& value) const {
  getitem(index) = value;
}

template <class T>
T ndarray::item() const {
  return item().to<T>();
}

template <class T, std::integral... I>
requires(sizeof...(I) > 0) T ndarray::item(I... index)
const {
  if constexpr (sizeof...(I) == 1) {
    return item(index...).template to<T>();
  } else {
    return (*this)(index...).template item<T>();
  }
}

template <std::size_t N>
std::array<std::int64_t, N> ndarray::shape() const {
  check_rank(static_cast<int>(N));
  std::array<std::int64_t, N> extents;
  for (std::size_t i = 0; i < N; ++i) extents[i] = shape(static_cast<int>(i));
  return extents;
}

template <class T>
std::vector<T> ndarray::to_vector() const {
  if constexpr (std::is_same_v<T, bool>) {
    const auto bytes = to_vector<std::uint8_t>();
    return std::vector<T>(bytes.begin(), bytes.end());
  } else {
    // A broadcast array has more elements than any vector.
    if (size() > static_cast<std::int64_t>(PTRDIFF_MAX / sizeof(T))) no_room(sizeof(T));
    try {
      std::vector<T> values(static_cast<std::size_t>(size()));
      copy_to_host(values.data(), dtype_of<T>());
      return values;
    } catch (const std::bad_alloc&) {
      no_room(sizeof(T));
    }
  }
}

namespace internal {
/// The elements of an array that has no other owner; as a std::span it refers to them only.
template <class T>
class HeldSpan : public std::span<T> {
 public:
  HeldSpan(std::span<T> elements, ndarray array)
      : std::span<T>(elements), array_(std::move(array)) {}

 private:
  ndarray array_;
};
}  // namespace internal

template <class T>
auto ndarray::span() const&& {
  return internal::HeldSpan<T>(span<T>(), *this);
}

template <class T>
std::span<T> ndarray::span() const& {
  return {static_cast<T*>(check_span(dtype_of<std::remove_const_t<T>>(), !std::is_const_v<T>)),
          static_cast<std::size_t>(size())};
}

template <class T>
std::vector<T> ndarray::tolist() const {
  check_line(dtype_of<T>());
  return to_vector<T>();
}

}  // namespace cupyxx

// Loops over the first axis have len() steps, and size() counts elements: std::ranges::distance(m)
// and std::views::take(m, n) must not take the one for the other.
template <std::derived_from<cupyxx::ndarray> A>
inline constexpr bool std::ranges::disable_sized_range<A> = true;

// Algorithms of the standard library that write to the elements of arrays. Their templates keep an
// element, or a row, as a value of its own while they write over it, which no part of an array is:
// what is here is right, and what is deleted says what to write.
// NOLINTBEGIN(cert-dcl58-cpp,performance-unnecessary-value-param): as the library's are.
namespace std {
/// NumPy's order, in place: NaN last. Throws ValueError for more than one axis.
inline void sort(cupyxx::ndarray::Iterator first, cupyxx::ndarray::Iterator last) {
  cupyxx::internal::sort_between(first, last);
}
inline void stable_sort(cupyxx::ndarray::Iterator first, cupyxx::ndarray::Iterator last) {
  cupyxx::internal::sort_between(first, last);
}
inline void reverse(cupyxx::ndarray::Iterator first, cupyxx::ndarray::Iterator last) {
  cupyxx::internal::reverse_between(first, last);
}
template <class Compare>
void sort(cupyxx::ndarray::Iterator write_take_of_an_argsort, cupyxx::ndarray::Iterator last,
          Compare compare) = delete;
template <class Compare>
void stable_sort(cupyxx::ndarray::Iterator write_take_of_an_argsort, cupyxx::ndarray::Iterator last,
                 Compare compare) = delete;
template <class Generator>
void shuffle(cupyxx::ndarray::Iterator write_random_shuffle_of_the_array,
             cupyxx::ndarray::Iterator last, Generator&& generator) = delete;
void nth_element(cupyxx::ndarray::Iterator write_partition_of_the_array,
                 cupyxx::ndarray::Iterator nth, cupyxx::ndarray::Iterator last) = delete;
template <class Compare>
void nth_element(cupyxx::ndarray::Iterator write_take_of_an_argpartition,
                 cupyxx::ndarray::Iterator nth, cupyxx::ndarray::Iterator last,
                 Compare compare) = delete;
void partial_sort(cupyxx::ndarray::Iterator write_sort_of_the_array,
                  cupyxx::ndarray::Iterator middle, cupyxx::ndarray::Iterator last) = delete;
template <class Predicate>
void partition(cupyxx::ndarray::Iterator write_a_mask_and_concatenate,
               cupyxx::ndarray::Iterator last, Predicate predicate) = delete;
void next_permutation(cupyxx::ndarray::Iterator write_to_vector_and_permute_that,
                      cupyxx::ndarray::Iterator last) = delete;
void rotate(cupyxx::ndarray::Iterator write_roll_of_the_array, cupyxx::ndarray::Iterator middle,
            cupyxx::ndarray::Iterator last) = delete;
// Exchanges the elements of two parts of arrays: `std::swap(a(0), a(1))`.
using cupyxx::swap;
}  // namespace std
// NOLINTEND(cert-dcl58-cpp,performance-unnecessary-value-param)
