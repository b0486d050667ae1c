// SPDX-License-Identifier: MIT
// The array: a handle that shares its elements when copied, as a Python name does.
//
//   auto a = cupyxx::arange(24).reshape({2, 3, 4});
//   a(cupyxx::ellipsis, -1) = 0;                       // writes through
//   cupyxx::ndarray row = a(0);                        // a view; `row = b` rebinds the name
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iosfwd>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cupyxx/core/declarations.h"
#include "cupyxx/core/entries.h"
#include "cupyxx/core/index.h"
#include "cupyxx/device.h"
#include "cupyxx/dtype.h"
#include "cupyxx/export.h"
#include "cupyxx/scalar.h"
#include "cupyxx/shape.h"
#include "cupyxx/values/order.h"

namespace cupyxx {

namespace internal {
struct Body;
struct Storage;
CUPYXX_API void retain(Body* body) noexcept;
CUPYXX_API void release(Body* body) noexcept;
/// Takes the elements of a pending selection, and looks after a named element; throws TypeError for
/// null.
CUPYXX_API void make_ready(Body* body);
}  // namespace internal

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
  /// The result of a function is not assigned to: `y.grad() = a` would change nothing. Elements are
  /// written by `a(ellipsis) = b`, the gradient of a variable is set by `y.set_grad(b)`.
  template <std::same_as<ndarray> A>
  void operator=(const A& write_at_ellipsis_or_set_grad_or_set_data) const& = delete;
  ~ndarray() {
    if (body_ != nullptr) internal::release(body_);
  }

  /// A new array with unset elements on the current device.
  template <internal::ShapeArgument S = Shape>
  explicit ndarray(const S& shape, cupyxx::dtype dtype = float64) : ndarray(unset(shape, dtype)) {}
  /// The chosen elements as an array; synchronises for a mask.
  ndarray(const Selection& selection);  // NOLINT(google-explicit-constructor)
  /// An array over the memory of a C-contiguous one, from `offset` bytes on; C-contiguous, or with
  /// `strides` in bytes. Throws ValueError where an element would lie outside of that memory.
  ndarray(const Shape& shape, cupyxx::dtype dtype, const ndarray& memory,
          const Strides& strides = Strides(), std::int64_t offset = 0);
  /// NumPy's fourth argument is the offset, ours the strides: `{strides}, offset`.
  template <std::integral I>
  ndarray(const Shape& shape, cupyxx::dtype dtype, const ndarray& memory, I offset) = delete;

  /// Whether this handle is null (None).
  bool is_none() const { return body_ == nullptr; }

  // Attributes. All throw TypeError for None.
  Shape shape() const;
  /// The extent of one axis, counted from the end where negative. Throws AxisError.
  std::int64_t shape(internal::Int axis) const;
  /// The extents of an array with N axes: `auto [height, width] = a.shape<2>();`. Throws
  /// ValueError for another rank.
  template <std::size_t N>
  std::array<std::int64_t, N> shape() const;
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
  /// The view with the last two axes exchanged. Throws ValueError for fewer than two.
  ndarray mT() const;
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
  /// Address of the first element, on the array's device. Does not synchronise. As nobody sees what
  /// is written there, selections of this memory are from now on taken at once.
  void* data() const;

  // Indexing.
  /// A view of a part: integers, slices, newaxis, ellipsis. Throws IndexError.
  template <BasicIndex... I>
  View operator()(const I&... index) const;
  /// The view at a tuple of integers, as ndindex gives it: `a(Shape{1, 2})` is `a(1, 2)`.
  View operator()(const Shape& index) const;
  /// A selection by a mask or an index array.
  Selection operator()(const ndarray& index) const;
  /// By numbers, `a({0, 2})` is NumPy's `a[[0, 2]]`, in nested lists, too, and by truth values.
  Selection operator()(std::initializer_list<internal::ListedIndex> index) const;
  template <std::same_as<bool> B>
  Selection operator()(std::initializer_list<B> mask) const;
  /// A tuple with an array per axis, as nonzero, where, ix_ and unravel_index give it:
  /// `a(nonzero(a))`, `a(where(a > 5)) = 0`.
  template <internal::ArrayPerAxis V>
  Selection operator()(const V& index) const;
  /// By lists along several axes: `a({0, 1}, {1, 2})` is NumPy's `a[[0, 1], [1, 2]]`; also masks.
  Selection operator()(const internal::Entry& first, const internal::Entry& second) const;
  Selection operator()(const internal::Entry& first, const internal::Entry& second,
                       const internal::Entry& third) const;
  Selection operator()(const internal::Entry& first, const internal::Entry& second,
                       const internal::Entry& third, const internal::Entry& fourth) const;
  /// A selection by several entries of which at least one is an array: NumPy's advanced indexing.
  /// Arrays broadcast together, integers count as arrays beside them; their axes stand where the
  /// arrays stood, or in front where another entry stands between them.
  template <class... I>
  requires((IndexEntry<I> && ...) && !(BasicIndex<I> && ...)) Selection operator()(
      const I&... index) const;
  /// The view for an index list made at run time.
  View getitem(std::span<const internal::IndexItem> index) const;
  // `a[i]` does not compile: parentheses index an array, a(i), a(i, j).
  template <class I>
  void operator[](const I& write_parentheses) const = delete;
  void operator[](std::initializer_list<std::int64_t> write_parentheses) const = delete;
  // Nor does `a(i > 0)` of a number i: it would be row 0 or 1, and is a mask without axes in NumPy.
  template <std::same_as<bool> B, class... I>
  void operator()(B a_mask_is_an_array, const I&... index) const = delete;
  template <internal::NoIndex F, class... I>
  void operator()(const F& an_index_is_an_integer_slice_or_array, const I&... index) const = delete;
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
  /// The elements as `dtype`, in order K; returns this array itself when nothing changes and `copy`
  /// is false.
  ndarray astype(cupyxx::dtype dtype, bool copy = true) const;
  /// The elements as `dtype`, in an order and by a casting rule; throws DtypeError where the rule
  /// forbids it.
  ndarray astype(cupyxx::dtype dtype, const AstypeOptions& options) const;
  /// As the dtype of a C++ type: `a.astype<float>()`.
  template <class T>
  ndarray astype(bool copy = true) const {
    return astype(dtype_of<T>(), copy);
  }
  /// A copy on the same device without gaps: in order K, that is, with the axes ordered in memory
  /// as here, unless another order is asked for. `copy(Order::C)` is contiguous.
  ndarray copy() const;
  ndarray copy(Choice<Order> order) const;
  template <std::same_as<CopyOptions> O = CopyOptions>
  ndarray copy(const O& options) const {
    return copy(options.order);
  }
  /// The same bytes read as another dtype; throws ValueError where they do not divide.
  ndarray view(cupyxx::dtype dtype) const;
  ndarray view() const;
  /// The same elements with neighbouring axes merged where the strides allow.
  ndarray reduced_view() const;
  /// The same of the elements read as another dtype, as view(dtype) reads them.
  ndarray reduced_view(cupyxx::dtype dtype) const;
  /// Sets every element.
  void fill(const Scalar& value) const;
  template <std::derived_from<ndarray> A>
  void fill(const A& value) const {
    fill(value.item());
  }
  /// This array on `device`: itself when it is there, else a copy in order K. Copies to the host
  /// synchronise the current stream.
  ndarray to(Device device) const;
  ndarray to_cpu() const { return to(Device::cpu()); }
  /// On the current CUDA device, or one that is named; throws ValueError for the host.
  ndarray to_gpu() const;
  ndarray to_gpu(internal::Int index) const { return to(Device::cuda(index)); }
  ndarray to_gpu(Device device) const;
  /// A copy on the host (CuPy's name for to_cpu). Synchronises.
  ndarray get() const { return to_cpu(); }
  /// The same, enqueued on a stream, which is waited for. Defined with array_memory.h.
  ndarray get(const cuda::Stream& stream) const;
  /// Copies the elements of `source`, which may live elsewhere, into this array.
  void set(const ndarray& source) const;
  /// The same on a stream. Defined with array_memory.h.
  void set(const ndarray& source, const cuda::Stream& stream) const;
  /// The only element as a C++ number; throws ValueError for other sizes, TypeError for a complex
  /// element as a real number. Synchronises.
  template <class T>
  T item() const;
  Scalar item() const;
  /// The same for the element at an index: `a.item<double>(0, 1)`.
  template <class T, std::integral... I>
  requires(sizeof...(I) > 0) T item(I... index)
  const;
  Scalar item(internal::Int64 i) const;
  Scalar item(internal::Int64 i, internal::Int64 j) const;
  Scalar item(internal::Int64 i, internal::Int64 j, internal::Int64 k) const;
  /// A single element as a number: `double s = a.sum();`, `names[a.argmax()]`, `for (double x :
  /// a)`. Exact: throws ValueError where T cannot hold the value (2.7 as int), and for several
  /// elements. Synchronises.
  template <internal::ElementNumber T>
  operator T() const {  // NOLINT(google-explicit-constructor)
    return item();
  }
  /// The same for an index of a C array, `const char* names[] = ..; names[a.argmax()]`, where g++
  /// does not try templates.
  operator long long() const { return item(); }  // NOLINT
  /// The same as the bound of a slice: `a(slice(0, n.argmax()))`.
  template <std::same_as<SliceBound> B>
  operator B() const {  // NOLINT(google-explicit-constructor)
    return B(static_cast<long long>(*this));
  }
  // `static_cast<int>(a)` cuts fractions off. No template: it would have the symbol of the above.
#define CUPYXX_CAST(type) \
  explicit operator type() const { return item<type>(); }
  CUPYXX_CAST(signed char)
  CUPYXX_CAST(unsigned char)
  CUPYXX_CAST(short)           // NOLINT(google-runtime-int)
  CUPYXX_CAST(unsigned short)  // NOLINT(google-runtime-int)
  CUPYXX_CAST(int)
  CUPYXX_CAST(unsigned)
  CUPYXX_CAST(long)                // NOLINT(google-runtime-int)
  CUPYXX_CAST(unsigned long)       // NOLINT(google-runtime-int)
  CUPYXX_CAST(unsigned long long)  // NOLINT(google-runtime-int)
  CUPYXX_CAST(float)
  CUPYXX_CAST(double)
  CUPYXX_CAST(long double)
  CUPYXX_CAST(char)
#undef CUPYXX_CAST
  template <internal::ComplexLike T>
  explicit operator T() const {
    return item<T>();
  }
  template <internal::Character T>
  operator T() const = delete;  // NOLINT(google-explicit-constructor)
  /// The truth value of a single element, `bool ok = all(x > 0);`; ValueError for several, as in
  /// NumPy. Synchronises.
  template <std::same_as<bool> B>
  operator B() const {  // NOLINT(google-explicit-constructor)
    return truth();
  }
  /// The elements of a 1-D array, `std::vector<double> v = a;`. Exact as a single number; throws
  /// ValueError for other ranks, too: to_vector() takes all. Synchronises.
  template <internal::ElementNumber T>
  operator std::vector<T>() const {  // NOLINT(google-explicit-constructor)
    check_line(dtype_of<T>());
    return to_vector<T>();
  }
  /// The elements in C order, converted to T. Synchronises.
  template <class T>
  std::vector<T> to_vector() const;
  /// The elements as nested lists, a 0-d array as a number (see nested_list.h). Synchronises.
  NestedList tolist() const;
  /// Those of a 1-D array as a vector of numbers; throws ValueError for other ranks.
  template <class T>
  std::vector<T> tolist() const;
  /// What printing gives. Synchronises.
  std::string str() const;
  /// The elements in place; host arrays that are C-contiguous and of dtype T only. Unless T is
  /// const, selections of this memory are from now on taken at once, as after data().
  template <class T>
  std::span<T> span() const&;
  /// Of an array without a name, `for (double x : (a * 2).span<double>())`: it keeps the memory.
  template <class T>
  auto span() const&&;
  /// A comparison with Python's None: whether the handle is null.
  friend bool operator==(const ndarray& a, std::nullptr_t) { return a.is_none(); }
  friend bool operator==(const ndarray& a, None) { return a.is_none(); }

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
  ndarray reshape(const Shape& shape, Choice<Order> order) const;
  /// `a.reshape(-1, 2)`, `a.reshape(a.max(), -1)`.
  template <internal::OneExtent I, internal::OneExtent... More>
  requires(sizeof...(More) > 0) ndarray reshape(I first, More... more)
  const { return reshape(Shape{internal::Int64(first), internal::Int64(more)...}); }
  template <class... E>
  requires(sizeof...(E) > 1 && (std::floating_point<E> || ...)) ndarray
      reshape(E... extents_are_integers)
  const = delete;
  ndarray transpose() const;
  ndarray transpose(const Shape& axes) const;
  template <internal::AxisNumber I, internal::AxisNumber... More>
  requires(sizeof...(More) > 0) ndarray transpose(I first, More... more)
  const { return transpose(Shape(first, more...)); }
  ndarray swapaxes(internal::Int axis1, internal::Int axis2) const;
  ndarray ravel(Choice<Order> order = Order::C) const;
  /// A 1-D copy.
  ndarray flatten(Choice<Order> order = Order::C) const;
  template <std::same_as<OrderOptions> O = OrderOptions>
  ndarray ravel(const O& options) const {
    return ravel(options.order);
  }
  template <std::same_as<OrderOptions> O = OrderOptions>
  ndarray flatten(const O& options) const {
    return flatten(options.order);
  }
  template <std::same_as<OrderOptions> O = OrderOptions>
  ndarray reshape(const Shape& shape, const O& options) const {
    return reshape(shape, options.order);
  }
  ndarray squeeze(const Axes& axes = {}) const;
  template <std::same_as<AxisOptions> O = AxisOptions>
  ndarray squeeze(O options) const {
    return squeeze(internal::take_axis(options.axis));
  }
  ndarray take(const ndarray& indices) const;
  ndarray take(const ArrayLike& indices) const;
  ndarray take(const ArrayLike& indices, internal::Int axis) const;
  template <internal::ExtentNumber I>
  ndarray take(I index) const;
  template <internal::ExtentNumber I>
  ndarray take(I index, internal::Int axis) const;
  template <internal::ExtentNumber I>
  ndarray take(I index, const Axes& axis, Choice<IndexMode> mode) const;
  template <internal::ExtentNumber I>
  ndarray take(I index, const TakeOptions& options) const;
  template <internal::ExtentNumber I>
  ndarray take(I index, internal::Int axis, const TakeOptions& options) const;
  template <internal::NoInteger F, class... More>
  ndarray take(F an_index_is_an_integer, const More&... more) const = delete;
  ndarray take(const ArrayLike& indices, const Axes& axis, Choice<IndexMode> mode) const;
  ndarray take(const ndarray& indices, internal::Int axis) const;
  ndarray take(const ArrayLike& indices, const TakeOptions& options) const;
  ndarray take(const ArrayLike& indices, internal::Int axis, const TakeOptions& options) const;
  ndarray diagonal(internal::Int offset = 0, internal::Int axis1 = 0,
                   internal::Int axis2 = 1) const;

  // Calculation. Results of full reductions are 0-d arrays. Options may stand alone, with the axis
  // by name: `a.mean({.axis = 1, .keepdims = true})`.
  ndarray sum(const Axes& axes = {}) const;
  ndarray sum(const Axes& axes, const SumOptions& options) const;
  template <std::same_as<SumOptions> O = SumOptions>
  ndarray sum(O options) const;
  ndarray prod(const Axes& axes = {}) const;
  ndarray prod(const Axes& axes, const SumOptions& options) const;
  template <std::same_as<SumOptions> O = SumOptions>
  ndarray prod(O options) const;
  ndarray mean(const Axes& axes = {}) const;
  ndarray mean(const Axes& axes, const MeanOptions& options) const;
  template <std::same_as<MeanOptions> O = MeanOptions>
  ndarray mean(O options) const;
  ndarray var(const Axes& axes = {}) const;
  ndarray var(const Axes& axes, const VarOptions& options) const;
  template <std::same_as<VarOptions> O = VarOptions>
  ndarray var(O options) const;
  ndarray std(const Axes& axes = {}) const;
  ndarray std(const Axes& axes, const VarOptions& options) const;
  template <std::same_as<VarOptions> O = VarOptions>
  ndarray std(O options) const;
  ndarray max(const Axes& axes = {}) const;
  ndarray max(const Axes& axes, const MaxOptions& options) const;
  template <std::same_as<MaxOptions> O = MaxOptions>
  ndarray max(O options) const;
  ndarray min(const Axes& axes = {}) const;
  ndarray min(const Axes& axes, const MaxOptions& options) const;
  template <std::same_as<MaxOptions> O = MaxOptions>
  ndarray min(O options) const;
  ndarray all(const Axes& axes = {}) const;
  ndarray all(const Axes& axes, const AllOptions& options) const;
  template <std::same_as<AllOptions> O = AllOptions>
  ndarray all(O options) const;
  ndarray any(const Axes& axes = {}) const;
  ndarray any(const Axes& axes, const AllOptions& options) const;
  template <std::same_as<AllOptions> O = AllOptions>
  ndarray any(O options) const;
  ndarray argmax(const Axes& axis = {}) const;
  ndarray argmax(const Axes& axis, const ArgOptions& options) const;
  template <std::same_as<ArgOptions> O = ArgOptions>
  ndarray argmax(O options) const;
  ndarray argmin(const Axes& axis = {}) const;
  ndarray argmin(const Axes& axis, const ArgOptions& options) const;
  template <std::same_as<ArgOptions> O = ArgOptions>
  ndarray argmin(O options) const;
  ndarray ptp(const Axes& axes = {}) const;
  ndarray ptp(const Axes& axes, const PtpOptions& options) const;
  template <std::same_as<PtpOptions> O = PtpOptions>
  ndarray ptp(O options) const;
  ndarray cumsum(const Axes& axis = {}) const;
  ndarray cumsum(const Axes& axis, const CumsumOptions& options) const;
  template <std::same_as<CumsumOptions> O = CumsumOptions>
  ndarray cumsum(O options) const;
  ndarray cumprod(const Axes& axis = {}) const;
  ndarray cumprod(const Axes& axis, const CumsumOptions& options) const;
  template <std::same_as<CumsumOptions> O = CumsumOptions>
  ndarray cumprod(O options) const;
  ndarray clip(const Operand& min) const;  // from below
  ndarray clip(const Operand& min, const Operand& max) const;
  ndarray clip(const Operand& min, const Operand& max, const ndarray& out) const;
  ndarray clip(const Operand& min, const Operand& max, const UfuncOptions& options) const;
  template <std::same_as<ClipOptions> O = ClipOptions>
  ndarray clip(const O& options) const;
  /// Rounded to a number of decimals, halves to even.
  ndarray round(internal::Int decimals = 0) const;
  ndarray round(internal::Int decimals, const ndarray& out) const;
  ndarray dot(const ndarray& other) const;
  ndarray dot(const ndarray& other, const ndarray& out) const;
  ndarray dot(const ArrayLike& other) const;
  template <internal::ElementNumber N>
  ndarray dot(N number) const;
  ndarray trace(internal::Int offset = 0, internal::Int axis1 = 0, internal::Int axis2 = 1) const;
  ndarray trace(internal::Int offset, internal::Int axis1, internal::Int axis2,
                const TraceOptions& options) const;

  // Sorting and searching.
  /// Sorts the elements along an axis in place.
  void sort(internal::Int axis = -1) const;
  template <std::same_as<AxisOptions> O = AxisOptions>
  void sort(O options) const;
  ndarray argsort(const Axes& axis = -1) const;
  template <std::same_as<SortOptions> O = SortOptions>
  ndarray argsort(O options) const;
  /// The positions of the nonzero elements, an array per axis. Synchronises.
  Arrays nonzero() const;
  ndarray searchsorted(const Operand& v) const;
  ndarray searchsorted(const Operand& v, const SearchsortedOptions& options) const;
  template <std::convertible_to<std::string_view> S, std::derived_from<ndarray>... A>
  requires(sizeof...(A) <= 1) ndarray
      searchsorted(const Operand& v, const S& side, const A&... sorter)
  const;

  // Defined beside the routines of these names, in picking.h, tiling.h, io.h.
  void put(const ndarray& indices, const Operand& values) const;
  void put(const ArrayLike& indices, const Operand& values) const;
  void put(const ArrayLike& indices, const Operand& values, Choice<IndexMode> mode) const;
  template <internal::ExtentNumber I>
  void put(I index, const Operand& values) const;
  template <internal::ExtentNumber I>
  void put(I index, const Operand& values, Choice<IndexMode> mode) const;
  ndarray repeat(internal::Int64 repeats, const Axes& axis = {}) const;
  ndarray repeat(const ndarray& repeats, const Axes& axis = {}) const;
  ndarray repeat(const ArrayLike& repeats, const Axes& axis = {}) const;
  ndarray repeat(std::initializer_list<std::int64_t> repeats, const Axes& axis = {}) const;
  template <std::same_as<AxisOptions> O = AxisOptions>
  ndarray repeat(internal::Int64 repeats, O options) const {
    return repeat(repeats, internal::take_axis(options.axis));
  }
  template <std::same_as<AxisOptions> O = AxisOptions>
  ndarray repeat(const ndarray& repeats, O options) const;
  template <std::same_as<AxisOptions> O = AxisOptions>
  ndarray repeat(const ArrayLike& repeats, O options) const;
  ndarray choose(std::span<const ndarray> choices) const;
  ndarray choose(std::initializer_list<ndarray> choices) const;
  ndarray compress(const ndarray& condition, const Axes& axis = {}) const;
  ndarray compress(const ArrayLike& condition, const Axes& axis = {}) const;
  template <std::same_as<AxisOptions> O = AxisOptions>
  ndarray compress(const ndarray& condition, O options) const {
    return compress(condition, internal::take_axis(options.axis));
  }
  void tofile(const std::string& path, const std::string& sep = "") const;

  /// In place, as in NumPy.
  void partition(internal::Int64 kth, internal::Int axis = -1) const;
  ndarray argpartition(internal::Int64 kth, const Axes& axis = -1) const;
  /// The elements as they lie in memory, in an order. Synchronises.
  std::vector<std::byte> tobytes(Choice<Order> order = Order::C) const;
  /// Gives the array another shape and size in place, with zeros behind the old elements. Throws
  /// ValueError while other handles or views share it.
  void resize(const Shape& shape);
  /// All elements in C order as a view. Throws ValueError where the strides have no such view.
  View flat() const;

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
  template <class T>
  void pow(const T& write_power_or_square_of_the_array) const = delete;

  /// The shared body; for the library's own files. Takes a pending selection; throws TypeError for
  /// None.
  internal::Body* body() const {
    if (!is_ready()) [[unlikely]] {
      internal::make_ready(body_);
    }
    return body_;
  }
  /// The same address as data(), for the library's own files, which announce their writes.
  void* elements() const;
  /// The body as it is: null for None, without elements for a pending selection.
  internal::Body* handle() const { return body_; }
  /// Takes over one reference to `body`; for the library's own files.
  static ndarray adopt(internal::Body* body) noexcept {
    ndarray a;
    a.body_ = body;
    return a;
  }

 private:
  friend class Selection;
  friend class View;

  static ndarray unset(const Shape& shape, cupyxx::dtype dtype);

  bool is_ready() const {
    return body_ != nullptr &&
           // The first member of a body, internal::BodyState::ready.
           __atomic_load_n(reinterpret_cast<const std::uint8_t*>(body_), __ATOMIC_ACQUIRE) == 1;
  }
  /// Gives a named element memory of its own.
  void own_element() const;
  /// The selection by a list that holds arrays.
  Selection chosen(const Index* items, std::size_t count) const;
  /// The body; throws TypeError, naming the member, for None.
  internal::Body* body_of(const char* member) const;
  void* check_span(cupyxx::dtype type, bool writes) const;
  bool truth() const;
  void check_line(cupyxx::dtype type) const;
  void check_rank(int ndim) const;
  void copy_to_host(void* out, cupyxx::dtype type) const;
  /// Throws OutOfMemoryError for a vector of the elements.
  [[noreturn]] void no_room(std::size_t element_size) const;

  internal::Body* body_ = nullptr;
};

/// Prints as NumPy's str().
CUPYXX_API std::ostream& operator<<(std::ostream& os, const ndarray& a);

}  // namespace cupyxx

#include "cupyxx/core/no_printf.h"
#include "cupyxx/core/returned_arrays.h"
#include "cupyxx/core/selection.h"
