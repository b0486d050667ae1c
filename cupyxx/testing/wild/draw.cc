// SPDX-License-Identifier: MIT
#include "cupyxx/testing/wild/draw.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <iostream>
#include <limits>

#include "cupyxx/testing/wild/settings.h"

namespace cupyxx::testing::wild {
namespace {

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();

std::string bytes_of(const ndarray& memory) {
  const ndarray host = memory.to_cpu();
  const auto size = static_cast<std::size_t>(host.nbytes());
  return size == 0 ? std::string() : std::string(static_cast<const char*>(host.data()), size);
}

std::string form_of(const ndarray& a) {
  return a.is_none() ? "None" : a.shape().str() + a.strides().str() + std::string(a.dtype().name());
}

}  // namespace

Draw::Draw(std::uint64_t seed, Device device, std::string folder)
    : state_(seed), device_(device), folder_(std::move(folder)) {
  const int ndim = static_cast<int>(chance(0.03) ? below(33) : below(5));
  for (int i = 0; i < ndim; ++i) {
    shape_.push_back(ndim > 6 ? 1 + (chance(0.1) ? 1 : 0) : chance(0.06) ? 0 : 1 + below(5));
  }
  // Sometimes enough for several threads and blocks.
  if (ndim > 0 && ndim < 4 && chance(0.04)) {
    for (int i = 0; i < std::min(ndim, 2); ++i) shape_[i] = 100 + below(200);
  }
  type_ = type();
}

// Steele, Lea and Flood, Fast splittable pseudorandom number generators, 2014.
std::uint64_t Draw::bits() {
  std::uint64_t z = state_ += 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

bool Draw::chance(double probability) {
  return static_cast<double>(bits() >> 11) * 0x1p-53 < probability;
}

cupyxx::dtype Draw::type() {
  constexpr cupyxx::dtype kEveryday[] = {float32, float64, int64, int32, bool_};
  if (chance(0.5)) return kEveryday[below(5)];
  if (chance(0.1)) return {};
  const auto code = below(chance(0.05) ? cupyxx::dtype::kCount : cupyxx::dtype::kComputeCount);
  return static_cast<cupyxx::dtype::Code>(code);
}

std::int64_t Draw::extent(char letter) {
  const auto [place, is_new] = extents_.try_emplace(letter, 0);
  if (is_new) place->second = chance(0.04) ? 0 : chance(0.02) ? 64 + below(100) : 1 + below(5);
  return place->second;
}

void Draw::plan(std::string_view arrays, std::string_view numbers) {
  is_planned_ = chance(0.75);
  if (!is_planned_) return;
  std::istringstream text{std::string(arrays)};
  for (std::string word; text >> word;) words_.push_back(word);
  numbers_ = numbers;
  constexpr cupyxx::dtype kFloats[] = {float32, float32, float32, float64, float16, bfloat16_};
  if (chance(0.95)) type_ = kFloats[below(6)];
  // Axes and shapes among the arguments are those of the first array.
  if (words_.empty() || words_[0] == "*") return;
  shape_ = planned_shape(words_[0]);
}

Shape Draw::planned_shape(std::string_view word) {
  Shape shape;
  std::int64_t factor = 1;
  for (const char c : word.substr(0, word.find_first_of("#?"))) {
    if (c == '*') {
      return shape_;
    } else if (c >= '0' && c <= '9') {
      factor = c - '0';
    } else {
      shape.push_back(factor * extent(c));
      factor = 1;
    }
  }
  return shape;
}

std::int64_t Draw::planned_count() {
  return is_planned_ ? static_cast<std::int64_t>(words_.size()) : below(4);
}

ndarray Draw::planned_array() {
  if (!is_planned_ || words_.empty()) return array();
  const std::string word = words_.front();
  if (!is_held_) words_.erase(words_.begin());
  if (chance(0.03)) return array();
  cupyxx::dtype type = type_;
  const auto mark = word.find_first_of("#?");
  if (mark != word.npos) {
    type = word[mark] == '?' ? bool_ : chance(0.5) ? int32 : int64;
    if (word[mark] == '#') {
      const char letter = word[mark + 1];
      bound_ = letter >= '0' && letter <= '9' ? letter - '0' : extent(letter);
    }
  }
  if (chance(0.03)) type = this->type();
  const Shape shape = planned_shape(word);
  if (!arrays_.empty() && chance(0.06)) {
    const Drawn other = arrays_.back();
    if (!other.view.is_none() && other.view.shape() == shape) {
      bound_ = 0;
      return overlapping(other);
    }
  }
  const ndarray made = laid_out(shape, type == cupyxx::dtype() ? float64 : type);
  bound_ = 0;
  return made;
}

std::int64_t Draw::integer() {
  if (is_planned_ && !numbers_.empty()) {
    const char letter = numbers_.front();
    numbers_.erase(0, 1);
    if (chance(0.97)) return extent(letter);
  }
  if (chance(0.85)) return below(8) - 2;
  if (chance(0.6)) return below(60) - 10;
  constexpr std::int64_t kWild[] = {INT32_MIN,
                                    std::int64_t{1} << 44,
                                    std::int64_t{1} << 62,
                                    kMost,
                                    kLeast,
                                    -(std::int64_t{1} << 44),
                                    kMost - 1};  // none that memory would just hold
  return kWild[below(7)];
}

double Draw::real() {
  if (chance(0.7) || settings().usual_values) return static_cast<double>(below(33) - 8) / 4;
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  constexpr double kWild[] = {0.0,    -0.0,   1e30,    -1e30,     1e300,      -1e300, 1e-300,
                              0x1p62, 0x1p63, -0x1p63, kInfinity, -kInfinity, NAN,    0x1p44};
  return kWild[below(14)];
}

Scalar Draw::number() {
  const auto any = [&]() -> Scalar {
    switch (below(6)) {
      case 0:
        return chance(0.5);
      case 1:
      case 2:
        return integer();
      case 3:
        return std::complex<double>(real(), real());
      default:
        return real();
    }
  };
  const Scalar number = any();
  if (verbose) std::cerr << "  " << number << std::endl;
  return number;
}

// Extents between these and the wild ones would only fill memory.
Shape Draw::shape() {
  const Shape drawn = any_shape();
  if (verbose) std::cerr << "  " << drawn << std::endl;
  return drawn;
}

Shape Draw::any_shape() {
  if (chance(0.5)) return shape_;
  Shape shape;
  const std::int64_t ndim = chance(0.02) ? below(kMaxNdim + 1) : below(4);
  for (std::int64_t i = 0; i < ndim; ++i) {
    std::int64_t extent = ndim > 6 ? below(2) : below(6) - (chance(0.1) ? 1 : 0);
    if (chance(0.03)) {
      constexpr std::int64_t kWild[] = {std::int64_t{1} << 44, std::int64_t{1} << 62, kMost, kLeast,
                                        -(std::int64_t{1} << 31)};
      extent = kWild[below(5)];
    }
    shape.push_back(extent);
  }
  return shape;
}

std::string Draw::text() {
  constexpr const char* kTexts[] = {
      "",     "i",          "ij,jk->ik", "ii->i",   "ij->ji", "...i,i",   "ij,ij->", "i...->...",
      "ij->", "float32",    "auto",      "fd",      "sqrt",   "doane",    "stone",   "f",
      "fb",   "b",          "f4",        "<f4",     "linear", "\xff\xfe", "%n%s",    "{}",
      "a b",  ",",          "1 2 3",     "C",       "W",      "fro",      "name",    "->",
      "..",   "i,j,k->kji", "nan",       "0x1p9999"};
  if (chance(0.02)) return std::string(5000, 'i');
  return kTexts[below(static_cast<std::int64_t>(std::size(kTexts)))];
}

std::string Draw::path() {
  constexpr const char* kNames[] = {"a.npy",  "b.npy", "c.npz",   "d.txt",        "e.bin",
                                    "absent", ".",     "no/such", "f.safetensors"};
  return folder_ + "/" + kNames[below(9)];
}

std::string Draw::content() {
  constexpr const char* kContents[] = {"",         "1 2 3\n4 5 6\n", "1,2\n3,4\n",
                                       "a b\n",    "1e999 -1\n",     "# only\n",
                                       "1 2\n3\n", "\x93NUMPY\x01"};
  return kContents[below(8)];
}

Axes Draw::axes() {
  const auto one = [&] { return static_cast<int>(integer()); };
  switch (below(10)) {
    case 0:
      return {};
    case 1:
      return Axes::none();
    case 2:
      return std::vector<int>{one(), one()};
    case 3: {
      std::vector<int> some;
      for (int i = 0; i < shape_.ndim(); ++i) {
        if (chance(0.6)) some.push_back(i);
      }
      if (chance(0.5)) std::reverse(some.begin(), some.end());
      return some;
    }
    case 4:
      return one();
    default:
      return shape_.ndim() == 0 ? 0 : static_cast<int>(below(2 * shape_.ndim())) - shape_.ndim();
  }
}

slice Draw::range() {
  const auto bound = [&]() -> SliceBound {
    if (chance(0.4)) return {};
    return integer();
  };
  const SliceBound start = bound();
  const SliceBound stop = bound();
  return {start, stop, bound()};
}

Index Draw::index() {
  switch (below(7)) {
    case 0:
      return newaxis;
    case 1:
      return ellipsis;
    case 2:
    case 3:
      return range();
    case 4:
      return array();
    default:
      return integer();
  }
}

ndarray Draw::filled(cupyxx::dtype type, std::int64_t size) {
  // Half of the arrays hold nothing unusual, so that results can be compared.
  const bool tame = chance(0.6) || settings().usual_values;
  const bool small = chance(0.5);
  const DeviceScope host{Device()};
  if (type.itemsize() == 1 && type.is_floating()) return filled(uint8, size).view(type);
  const auto numbers = [&] {
    if (type.kind() == 'i' || type.kind() == 'u' || type.kind() == 'b') {
      std::vector<std::int64_t> values(static_cast<std::size_t>(size));
      if (bound_ > 0 && chance(0.9)) {
        const std::int64_t least = chance(0.2) ? -1 : 0;  // what does not count is -1
        for (auto& value : values) value = least + below(bound_ - least);
        return cupyxx::array(values).astype(type);
      }
      const bool is_signed = type.kind() == 'i';
      for (auto& value : values) {
        value = small ? below(4) : below(is_signed ? 14 : 10) - (is_signed ? 4 : 0);
        if (!tame && chance(0.1)) value = static_cast<std::int64_t>(bits());
        if (!tame && chance(0.1)) value = chance(0.5) ? kMost : kLeast;
      }
      return cupyxx::array(values).astype(type);
    }
    std::vector<double> values(static_cast<std::size_t>(size));
    for (auto& value : values) {
      value = small ? static_cast<double>(below(9) - 2) / 2
                    : static_cast<double>(below(4001) - 2000) / 256;
      if (!tame && chance(0.15)) value = real();
    }
    return cupyxx::array(values).astype(type);
  };
  if (type.kind() != 'c') return numbers();
  const cupyxx::dtype wide = type;
  type = wide == complex64 ? float32 : float64;
  size *= 2;
  return numbers().view(wide);
}

ndarray Draw::overlapping(const Drawn& other) {
  ndarray view = other.view;
  if (chance(0.4)) view = view.T();
  if (view.ndim() > 0 && chance(0.4)) view = flip(view, 0);
  if (view.ndim() > 0 && view.shape(0) > 1 && chance(0.4)) view = view(slice(1, {}));
  arrays_.push_back(
      {.view = view, .memory = other.memory, .before = {}, .form = {}, .target = place_ == target});
  return view;
}

ndarray Draw::array() {
  if (chance(0.01)) {
    arrays_.push_back(
        {.view = {}, .memory = {}, .before = {}, .form = {}, .target = place_ == target});
    return {};
  }
  cupyxx::dtype type = chance(0.6) ? type_ : this->type();
  if (type == cupyxx::dtype()) type = int64;

  // Now and then one that overlaps with another.
  if (!arrays_.empty() && chance(0.06)) {
    const Drawn other =
        arrays_[static_cast<std::size_t>(below(static_cast<std::int64_t>(arrays_.size())))];
    if (!other.view.is_none()) return overlapping(other);
  }

  Shape shape = shape_;
  if (chance(0.35)) {
    // What broadcasts with it, or with something else.
    shape = Shape();
    const int skipped = shape_.ndim() == 0 ? 0 : static_cast<int>(below(shape_.ndim() + 1));
    for (int i = skipped; i < shape_.ndim(); ++i) shape.push_back(chance(0.3) ? 1 : shape_[i]);
    if (chance(0.3)) {
      shape = Shape();
      for (std::int64_t i = below(4); i > 0; --i) shape.push_back(below(6));
    }
  } else if (chance(0.2) && shape.ndim() >= 2 && shape.back() < 10) {
    shape[shape.ndim() - 2] = shape.back();  // square matrices
  } else if (chance(0.03)) {
    // Extents whose product is 0, or of which one says nothing of the memory.
    shape = Shape(0, std::int64_t{1} << 44);
  }
  return laid_out(shape, type);
}

ndarray Draw::laid_out(const Shape& shape, cupyxx::dtype type) {
  std::int64_t count = 1;
  for (const std::int64_t extent : shape) count = extent == 0 || count == 0 ? 0 : count * extent;

  ndarray view;
  ndarray memory;
  if (count == 0 || chance(0.3)) {
    memory = count == 0 ? zeros(shape, type) : reshape(filled(type, count), shape);
    if (!device_.is_cpu()) memory = memory.to(device_);
    view = memory;
  } else {
    // Axes in any order, some backwards, with gaps, or without a stride.
    std::vector<int> order(static_cast<std::size_t>(shape.ndim()));
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int>(i);
    if (chance(0.6)) {
      for (std::size_t i = order.size(); i > 1; --i) {
        std::swap(order[i - 1],
                  order[static_cast<std::size_t>(below(static_cast<std::int64_t>(i)))]);
      }
    }
    Strides strides;
    for (int i = 0; i < shape.ndim(); ++i) strides.push_back(0);
    std::int64_t step = type.itemsize();
    std::int64_t offset = 0;
    std::int64_t last = 0;
    const bool dense = chance(0.5);
    for (auto axis = order.rbegin(); axis != order.rend(); ++axis) {
      if (!dense && chance(0.15)) continue;
      const std::int64_t gap = !dense && chance(0.25) ? 1 + below(2) : 1;
      const bool backwards = chance(0.2);
      const std::int64_t reach = (shape[*axis] - 1) * step * gap;
      strides[*axis] = backwards ? -step * gap : step * gap;
      if (backwards) offset += reach;
      last += reach;
      step = step * gap * shape[*axis];
    }
    const std::int64_t lead = chance(0.3) ? below(4) * type.itemsize() : 0;
    memory = filled(type, (last + lead) / type.itemsize() + 1);
    if (!device_.is_cpu()) memory = memory.to(device_);
    view = ndarray(shape, type, memory, strides, offset + lead);
  }
  if (chance(0.03)) {
    view = view.view();
    view.set_writeable(false);
  }
  arrays_.push_back(
      {.view = view, .memory = memory, .before = {}, .form = {}, .target = place_ == target});
  return view;
}

void Draw::mark_target() {
  if (!arrays_.empty()) arrays_.back().target = true;
}

void Draw::take_snapshots() {
  if (verbose) {
    for (const Drawn& one : arrays_) {
      std::cerr << "  " << form_of(one.view) << (one.target ? " (target)" : "") << std::endl;
      try {
        if (!one.view.is_none()) std::cerr << "  " << printed(one.view) << std::endl;
      } catch (const Error&) {  // not all dtypes are printed
      }
    }
  }
  for (Drawn& one : arrays_) {
    // Elements that share memory hold what was written last.
    for (int i = 0; one.target && !one.view.is_none() && i < one.view.ndim(); ++i) {
      has_free_values |= one.view.shape(i) > 1 && one.view.strides()[i] == 0;
    }
    one.form = form_of(one.view);
    if (!one.memory.is_none()) one.before = bytes_of(one.memory);
  }
}

// What failed has changed nothing; what worked has changed its targets and what overlaps them.
void Draw::check_arguments(Outcome& outcome) const {
  for (std::size_t i = 0; i < arrays_.size(); ++i) {
    const Drawn& one = arrays_[i];
    bool may_change = one.target;
    // A device says what is wrong in its arrays when it is waited for, and has written by then.
    const bool is_late = !device_.is_cpu();
    if (!one.memory.is_none() && (outcome.error.empty() || is_late)) {
      for (const Drawn& other : arrays_) {
        may_change = may_change || (other.target && !other.memory.is_none() &&
                                    other.memory.shares_memory(one.memory));
      }
    }
    if (may_change && (outcome.error.empty() || is_late)) continue;
    if (form_of(one.view) != one.form) {
      outcome.defect =
          "array " + std::to_string(i) + " became " + form_of(one.view) + " from " + one.form;
    }
    if (!one.memory.is_none() && bytes_of(one.memory) != one.before) {
      outcome.defect = "the elements of array " + std::to_string(i) + " " + one.form + " changed";
    }
  }
}

std::vector<ndarray> rows_of(const ndarray& a) {
  std::vector<ndarray> rows;
  for (const auto& row : a) rows.push_back(row);
  return rows;
}

std::string printed(const ndarray& a) {
  std::ostringstream text;
  text << a;
  return text.str();
}

std::vector<ndarray> called(const ufunc& op, const ndarray& a, const ndarray& b,
                            const UfuncOptions& options) {
  const Operand x(a);
  const Operand y(b);
  const Operand* const inputs[] = {&x, &y};
  const std::vector<ndarray> out(static_cast<std::size_t>(op.nout()));
  return op.call(std::span(inputs).first(static_cast<std::size_t>(op.nin())), out, options);
}

}  // namespace cupyxx::testing::wild
