// SPDX-License-Identifier: MIT
// The array: a handle that shares its elements when copied, as a Python name does.
//
//   auto a = cupyxx::arange(24).reshape({2, 3, 4});
//   a(cupyxx::ellipsis, -1) = 0;                       // writes through
//   cupyxx::ndarray row = a(0);                        // a view; `row = b` rebinds the name
#pragma once

#include <cstdint>
#include <iosfwd>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cupyxx/device.h"
#include "cupyxx/dtype.h"
#include "cupyxx/export.h"
#include "cupyxx/index.h"
#include "cupyxx/scalar.h"
#include "cupyxx/shape.h"

namespace cupyxx {

class Index;
class ndarray;
class NestedList;
class Selection;
class View;
struct AllOptions;
struct ArgOptions;
struct CumsumOptions;
struct MaxOptions;
struct MeanOptions;
struct PtpOptions;
struct SearchsortedOptions;
struct TakeOptions;
struct TraceOptions;
struct UfuncOptions;
struct SumOptions;
struct VarOptions;
class ufunc;

namespace internal {
struct Body;
struct Storage;
CUPYXX_API void retain(Body* body) noexcept;
CUPYXX_API void release(Body* body) noexcept;
[[noreturn]] CUPYXX_API void throw_complex_item(const Scalar& value);
}  // namespace internal

/// An entry of an index list: a basic one, or an array of integers or bool.
template <class T>
concept IndexEntry = std::constructible_from<Index, const T&>;
template <class T>
concept IndexList = std::convertible_to<const T&, std::span<const Index>>;

/// In which order elements lie in memory, or are read: rows first, columns first, columns first
/// only where the argument lies so, or as the argument lies. New arrays are in C order unless
/// asked.
enum class Order : char { C = 'C', F = 'F', A = 'A', K = 'K' };

/// Options of astype.
struct AstypeOptions {
  Order order = Order::C;
  Casting casting = Casting::unsafe;
  bool copy = true;  ///< false: return the array itself where nothing changes
};

/// How an array lies in memory.
struct Flags {
  bool c_contiguous;
  bool f_contiguous;
  bool owndata;
  bool writeable;

  /// The flag with NumPy's name or letter: "C_CONTIGUOUS" or "C", "F", "O", "W". Throws IndexError.
  CUPYXX_API bool operator[](std::string_view name) const;
};

/// What an operation takes: an array, or a C++ number.
class Operand;

/// A multi-dimensional array with run-time dtype and rank, on the host or on a CUDA device.
/// Copying the handle shares the array; `copy()` copies the elements. A default-constructed
/// ndarray is null and stands for None. Constness is that of the handle, not of the elements.
class CUPYXX_API ndarray {
 public:
  ndarray() = default;
  ndarray(const ndarray& other) noexcept : body_(other.body_) {
    if (body_ != nullptr) internal::retain(body_);
  }
  ndarray(ndarray&& other) noexcept : body_(std::exchange(other.body_, nullptr)) {}
  ndarray& operator=(const ndarray& other) & noexcept {
    ndarray copy(other);
    std::swap(body_, copy.body_);
    return *this;
  }
  ndarray& operator=(ndarray&& other) & noexcept {
    std::swap(body_, other.body_);
    return *this;
  }
  ~ndarray() {
    if (body_ != nullptr) internal::release(body_);
  }

  /// A new array with unset elements on the current device.
  explicit ndarray(const Shape& shape, cupyxx::dtype dtype = float64);
  /// An array over the memory of a C-contiguous one, from `offset` bytes on; C-contiguous, or with
  /// `strides` in bytes. Throws ValueError where an element would lie outside of that memory.
  ndarray(const Shape& shape, cupyxx::dtype dtype, const ndarray& memory,
          const Strides& strides = Strides(), std::int64_t offset = 0);

  /// Whether this handle is null (None).
  bool is_none() const { return body_ == nullptr; }

  // Attributes.
  Shape shape() const;
  /// Distances in bytes.
  Strides strides() const;
  cupyxx::dtype dtype() const;
  int ndim() const;
  /// Number of elements.
  std::int64_t size() const;
  std::int64_t itemsize() const { return dtype().itemsize(); }
  std::int64_t nbytes() const { return size() * itemsize(); }
  Device device() const;
  Flags flags() const;
  /// The transposed view.
  ndarray T() const;
  /// Whether both handles share one memory block (their elements need not overlap).
  bool shares_memory(const ndarray& other) const;
  /// All the memory under a view as a one-dimensional array of this dtype; null for an array that
  /// owns its memory.
  ndarray base() const;
  /// Counts the in-place changes of the memory under this array.
  std::uint64_t version() const;
  /// Gives the array another shape in place; throws ShapeError where that needs a copy.
  void set_shape(const Shape& shape);
  /// Makes the elements writeable or read-only through this handle and its copies.
  void set_writeable(bool writeable);
  /// Address of the first element, on the array's device. Does not synchronise.
  void* data() const;

  // Indexing.
  /// A view of a part: integers, slices, newaxis, ellipsis. Throws IndexError.
  template <BasicIndex... I>
  View operator()(const I&... index) const;
  /// A selection by a mask or an index array.
  Selection operator()(const ndarray& index) const;
  /// A selection by several entries of which at least one is an array: NumPy's advanced indexing.
  /// Arrays broadcast together, integers count as arrays beside them; their axes stand where the
  /// arrays stood, or in front where another entry stands between them.
  template <class... I>
  requires(sizeof...(I) > 1 && (IndexEntry<I> && ...) && !(BasicIndex<I> && ...)) Selection
  operator()(const I&... index) const;
  /// The view for an index list made at run time.
  View getitem(std::span<const internal::IndexItem> index) const;
  /// Python's `a[index] = value` for an index list made at run time.
  void setitem(std::span<const internal::IndexItem> index, const Operand& value) const;
  /// The same for lists with arrays; the selection of a list without arrays is the view.
  template <IndexList L>
  Selection getitem(const L& index) const;
  template <IndexList L>
  void setitem(const L& index, const Operand& value) const;
  /// Extent of the first axis; throws TypeError for a 0-d array.
  std::int64_t len() const;

  class Iterator;
  /// Iterates over the views along the first axis.
  Iterator begin() const;
  Iterator end() const;

  // Conversion.
  /// The elements as `dtype`; returns this array itself when nothing changes and `copy` is false.
  ndarray astype(cupyxx::dtype dtype, bool copy = true) const;
  /// The elements as `dtype`, in an order and by a casting rule; throws DtypeError where the rule
  /// forbids it.
  ndarray astype(cupyxx::dtype dtype, const AstypeOptions& options) const;
  /// A contiguous copy on the same device, in C order unless asked.
  ndarray copy() const;
  ndarray copy(Order order) const;
  /// The same bytes read as another dtype; throws ValueError where they do not divide.
  ndarray view(cupyxx::dtype dtype) const;
  ndarray view() const;
  /// The same elements with neighbouring axes merged where the strides allow.
  ndarray reduced_view() const;
  /// Sets every element.
  void fill(const Scalar& value) const;
  /// This array on `device`: itself when it is there, else a copy in C order, or in Fortran order
  /// where this array has that. Copies to the host synchronise the current stream.
  ndarray to(Device device) const;
  ndarray to_cpu() const { return to(Device::cpu()); }
  ndarray to_gpu(int index = 0) const { return to(Device::cuda(index)); }
  /// A copy on the host (CuPy's name for to_cpu). Synchronises.
  ndarray get() const { return to_cpu(); }
  /// Copies the elements of `source`, which may live elsewhere, into this array.
  void set(const ndarray& source) const;
  /// The only element as a C++ number; throws ValueError for other sizes, TypeError for a complex
  /// element as a real number. Synchronises.
  template <class T>
  T item() const;
  Scalar item() const;
  /// The elements in C order, converted to T. Synchronises.
  template <class T>
  std::vector<T> to_vector() const;
  /// The elements as nested lists, a 0-d array as a number (see nested_list.h). Synchronises.
  NestedList tolist() const;
  /// The elements in place; host arrays that are C-contiguous and of dtype T only.
  template <class T>
  std::span<T> span() const;
  /// Truth value of a one-element array; ValueError for larger ones, as in NumPy. Synchronises.
  explicit operator bool() const;

  // Parts of complex elements.
  /// Views of the parts, which write through. A real array is its own real part; its imaginary part
  /// is a new read-only array of zeros.
  View real() const;
  View imag() const;
  /// The complex conjugate; of a real array a copy.
  ndarray conj() const;
  ndarray conjugate() const { return conj(); }

  // Shape manipulation: views where possible.
  ndarray reshape(const Shape& shape) const;
  ndarray reshape(const Shape& shape, Order order) const;
  ndarray transpose() const;
  ndarray transpose(const Shape& axes) const;
  ndarray swapaxes(int axis1, int axis2) const;
  ndarray ravel(Order order = Order::C) const;
  /// A 1-D copy.
  ndarray flatten(Order order = Order::C) const;
  ndarray squeeze(const Axes& axes = {}) const;
  ndarray take(const ndarray& indices) const;
  ndarray take(const ndarray& indices, int axis) const;
  ndarray take(const ndarray& indices, const TakeOptions& options) const;
  ndarray take(const ndarray& indices, int axis, const TakeOptions& options) const;
  ndarray diagonal(int offset = 0, int axis1 = 0, int axis2 = 1) const;

  // Calculation. Results of full reductions are 0-d arrays.
  ndarray sum(const Axes& axes = {}) const;
  ndarray sum(const Axes& axes, const SumOptions& options) const;
  ndarray prod(const Axes& axes = {}) const;
  ndarray prod(const Axes& axes, const SumOptions& options) const;
  ndarray mean(const Axes& axes = {}) const;
  ndarray mean(const Axes& axes, const MeanOptions& options) const;
  ndarray var(const Axes& axes = {}) const;
  ndarray var(const Axes& axes, const VarOptions& options) const;
  ndarray std(const Axes& axes = {}) const;
  ndarray std(const Axes& axes, const VarOptions& options) const;
  ndarray max(const Axes& axes = {}) const;
  ndarray max(const Axes& axes, const MaxOptions& options) const;
  ndarray min(const Axes& axes = {}) const;
  ndarray min(const Axes& axes, const MaxOptions& options) const;
  ndarray all(const Axes& axes = {}) const;
  ndarray all(const Axes& axes, const AllOptions& options) const;
  ndarray any(const Axes& axes = {}) const;
  ndarray any(const Axes& axes, const AllOptions& options) const;
  ndarray argmax(const Axes& axis = {}) const;
  ndarray argmax(const Axes& axis, const ArgOptions& options) const;
  ndarray argmin(const Axes& axis = {}) const;
  ndarray argmin(const Axes& axis, const ArgOptions& options) const;
  ndarray ptp(const Axes& axes = {}) const;
  ndarray ptp(const Axes& axes, const PtpOptions& options) const;
  ndarray cumsum(const Axes& axis = {}) const;
  ndarray cumsum(const Axes& axis, const CumsumOptions& options) const;
  ndarray cumprod(const Axes& axis = {}) const;
  ndarray cumprod(const Axes& axis, const CumsumOptions& options) const;
  ndarray clip(const Operand& min, const Operand& max) const;
  ndarray clip(const Operand& min, const Operand& max, const ndarray& out) const;
  ndarray clip(const Operand& min, const Operand& max, const UfuncOptions& options) const;
  /// Rounded to a number of decimals, halves to even.
  ndarray round(int decimals = 0) const;
  ndarray round(int decimals, const ndarray& out) const;
  ndarray dot(const ndarray& other) const;
  ndarray dot(const ndarray& other, const ndarray& out) const;
  ndarray trace(int offset = 0, int axis1 = 0, int axis2 = 1) const;
  ndarray trace(int offset, int axis1, int axis2, const TraceOptions& options) const;

  // Sorting and searching.
  /// Sorts the elements along an axis in place.
  void sort(int axis = -1) const;
  ndarray argsort(const Axes& axis = -1) const;
  /// The positions of the nonzero elements, an array per axis. Synchronises.
  std::vector<ndarray> nonzero() const;
  ndarray searchsorted(const Operand& v) const;
  ndarray searchsorted(const Operand& v, const SearchsortedOptions& options) const;

  // In-place arithmetic writes to the elements; it also works on views.
  const ndarray& operator+=(const Operand& x) const;
  const ndarray& operator-=(const Operand& x) const;
  const ndarray& operator*=(const Operand& x) const;
  const ndarray& operator/=(const Operand& x) const;
  const ndarray& operator%=(const Operand& x) const;
  const ndarray& operator<<=(const Operand& x) const;
  const ndarray& operator>>=(const Operand& x) const;
  const ndarray& operator&=(const Operand& x) const;
  const ndarray& operator|=(const Operand& x) const;
  const ndarray& operator^=(const Operand& x) const;
  /// Python's `a //= x` and `a **= x`.
  const ndarray& ifloordiv(const Operand& x) const;
  const ndarray& ipow(const Operand& x) const;

  /// The shared body; for the library's own files.
  internal::Body* body() const { return body_; }
  /// Takes over one reference to `body`; for the library's own files.
  static ndarray adopt(internal::Body* body) noexcept {
    ndarray a;
    a.body_ = body;
    return a;
  }

 private:
  void check_span(cupyxx::dtype type) const;
  void copy_to_host(void* out, cupyxx::dtype type) const;

  internal::Body* body_ = nullptr;
};

/// Prints as NumPy's str().
CUPYXX_API std::ostream& operator<<(std::ostream& os, const ndarray& a);

/// A part of an array whose assignment writes through: `a(0) = 1`. Named views cannot be assigned
/// again (`auto v = a(0); v = b;` does not compile); bind to an ndarray to rebind a name.
class CUPYXX_API View : public ndarray {
 public:
  explicit View(ndarray a) : ndarray(std::move(a)) {}
  View(const View&) = default;
  View(View&&) = default;
  ~View() = default;

  /// Writes `value`, broadcast and cast as by NumPy's setitem, into the viewed elements.
  const View& operator=(const Operand& value) const&&;
  const View& operator=(const View& value) const&&;
  View& operator=(const View&) & = delete;
};

/// One entry of an index list: an integer, slice, newaxis, ellipsis, or an array.
class Index {
 public:
  template <BasicIndex T>
  Index(const T& item) : item_(item) {}  // NOLINT(google-explicit-constructor)
  Index(ndarray array)                   // NOLINT(google-explicit-constructor)
      : item_(ellipsis), array_(std::move(array)) {}

  bool is_array() const { return !array_.is_none(); }
  const ndarray& array() const { return array_; }
  const internal::IndexItem& item() const { return item_; }

 private:
  internal::IndexItem item_;
  ndarray array_;
};

/// A part of an array chosen by arrays of integers or masks. Converts to an ndarray (gathers; a
/// mask synchronises); assignment writes to the chosen elements, the last of several values for
/// one place, and does not synchronise: integers that are out of range on a device are an
/// IndexError of the next synchronising call, and the other elements are written.
class CUPYXX_API Selection {
 public:
  Selection(ndarray base, std::vector<Index> index)
      : base_(std::move(base)), index_(std::move(index)) {}
  Selection(const Selection&) = default;

  /// The chosen elements as a new array; for an index without arrays, the view.
  ndarray get() const;
  operator ndarray() const { return get(); }  // NOLINT(google-explicit-constructor)

  const Selection& operator=(const Operand& value) const;
  const Selection& operator=(const Selection& value) const;
  // A place that is chosen several times changes once; see ufunc::at.
  const Selection& operator+=(const Operand& x) const;
  const Selection& operator-=(const Operand& x) const;
  const Selection& operator*=(const Operand& x) const;
  const Selection& operator/=(const Operand& x) const;
  const Selection& operator%=(const Operand& x) const;
  const Selection& operator<<=(const Operand& x) const;
  const Selection& operator>>=(const Operand& x) const;
  const Selection& operator&=(const Operand& x) const;
  const Selection& operator|=(const Operand& x) const;
  const Selection& operator^=(const Operand& x) const;
  const Selection& ifloordiv(const Operand& x) const;
  const Selection& ipow(const Operand& x) const;

 private:
  const Selection& update(const ufunc& f, const Operand& x) const;

  ndarray base_;
  std::vector<Index> index_;
};

/// An array or a number in an argument list; `{}` and `none` are None, as the null array is. Refers
/// to an array given as lvalue or temporary for the length of the call only.
class Operand {
 public:
  Operand() : array_(&held_) {}
  Operand(None) : Operand() {}               // NOLINT(google-explicit-constructor)
  Operand(const ndarray& a) : array_(&a) {}  // NOLINT(google-explicit-constructor)
  Operand(const Scalar& s) : scalar_(s) {}   // NOLINT(google-explicit-constructor)
  template <class T>
  requires std::is_arithmetic_v<T> Operand(T value)
      : scalar_(value) {}                      // NOLINT(google-explicit-constructor)
  Operand(half value) : scalar_(value) {}      // NOLINT(google-explicit-constructor)
  Operand(bfloat16 value) : scalar_(value) {}  // NOLINT(google-explicit-constructor)
  template <class T>
  requires internal::ComplexLike<T> Operand(const T& value)
      : scalar_(value) {}      // NOLINT(google-explicit-constructor)
  Operand(const Selection& s)  // NOLINT(google-explicit-constructor)
      : held_(s.get()), array_(&held_) {}
  Operand(const Operand&) = delete;
  Operand& operator=(const Operand&) = delete;

  bool is_none() const { return array_ != nullptr && array_->is_none(); }
  bool is_array() const { return array_ != nullptr; }
  const ndarray& array() const { return *array_; }
  const Scalar& scalar() const { return scalar_; }

 private:
  ndarray held_;
  const ndarray* array_ = nullptr;
  Scalar scalar_;
};

/// Walks over the views along the first axis.
class ndarray::Iterator {
 public:
  Iterator(const ndarray* a, std::int64_t i) : array_(a), i_(i) {}
  View operator*() const { return (*array_)(i_); }
  Iterator& operator++() {
    ++i_;
    return *this;
  }
  friend bool operator==(const Iterator& x, const Iterator& y) { return x.i_ == y.i_; }

 private:
  const ndarray* array_;
  std::int64_t i_;
};

inline ndarray::Iterator ndarray::begin() const { return {this, 0}; }
inline ndarray::Iterator ndarray::end() const { return {this, len()}; }

template <BasicIndex... I>
View ndarray::operator()(const I&... index) const {
  const internal::IndexItem items[sizeof...(I) + 1] = {internal::IndexItem(index)..., ellipsis};
  return getitem(std::span(items, sizeof...(I)));
}

template <class... I>
requires(sizeof...(I) > 1 && (IndexEntry<I> && ...) &&
         !(BasicIndex<I> && ...)) Selection ndarray::operator()(const I&... index) const {
  const Index items[] = {Index(index)...};
  return getitem(std::span<const Index>(items));
}

template <IndexList L>
Selection ndarray::getitem(const L& index) const {
  const std::span<const Index> items(index);
  return {*this, std::vector<Index>(items.begin(), items.end())};
}

template <IndexList L>
void ndarray::setitem(const L& index, const Operand& value) const {
  getitem(index) = value;
}

template <class T>
T ndarray::item() const {
  const Scalar value = item();
  if constexpr (internal::ComplexLike<T>) {
    const complex<double> z = value.as_complex();
    using Part = typename T::value_type;
    return T(static_cast<Part>(z.re), static_cast<Part>(z.im));
  } else {
    if (value.kind() == Scalar::Kind::complex_floating) internal::throw_complex_item(value);
    return value.is_inexact() || std::is_floating_point_v<T> ? static_cast<T>(value.as_double())
                                                             : static_cast<T>(value.as_int64());
  }
}

template <class T>
std::vector<T> ndarray::to_vector() const {
  if constexpr (std::is_same_v<T, bool>) {
    const auto bytes = to_vector<std::uint8_t>();
    return std::vector<bool>(bytes.begin(), bytes.end());
  } else {
    std::vector<T> values(static_cast<std::size_t>(size()));
    copy_to_host(values.data(), dtype_of<T>());
    return values;
  }
}

template <class T>
std::span<T> ndarray::span() const {
  check_span(dtype_of<std::remove_const_t<T>>());
  return {static_cast<T*>(data()), static_cast<std::size_t>(size())};
}

}  // namespace cupyxx
