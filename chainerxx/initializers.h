// SPDX-License-Identifier: MIT
// Starting values of parameters: by name, as an object with its numbers, as an array or a number.
//
//   F::Linear a(784, 100, {.initialW = "HeNormal"});
//   F::Linear b(784, 100, {.initialW = initializers::Uniform(0.1), .initial_bias = 0.5});
//
// One of one's own:
//
//   struct Alternating final : initializers::Initializer {
//     void operator()(const ndarray& array) const override {
//       array.fill(1);
//       array(slice(none, none, 2)) = -1;
//     }
//   };
#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "chainerxx/variable.h"
#include "cupyxx/dtype.h"
#include "cupyxx/export.h"
#include "cupyxx/ndarray.h"
#include "cupyxx/shape.h"

namespace chainerxx::initializers {

/// How many inputs an output of a layer is made of, and how many outputs an input takes part in.
struct Fans {
  std::int64_t fan_in;
  std::int64_t fan_out;
};
/// Those of weights (out, in, ...): in and out times the elements of a window. Throws ValueError
/// for a shape of fewer than two axes.
CUPYXX_API Fans get_fans(const cupyxx::Shape& shape);

/// Fills arrays, in place. Random numbers are drawn from the random state of the array's device.
class CUPYXX_API Initializer {
 public:
  virtual ~Initializer();
  /// Sets all elements of a floating array.
  virtual void operator()(const ndarray& array) const = 0;
};

/// Normal numbers of mean 0 and deviation `scale`. Throws ValueError for a negative one, as all
/// that draw do.
class CUPYXX_API Normal final : public Initializer {
 public:
  explicit Normal(double scale = 0.05);
  void operator()(const ndarray& array) const override;

 private:
  double scale_;
};

/// Numbers between -scale and scale.
class CUPYXX_API Uniform final : public Initializer {
 public:
  explicit Uniform(double scale = 0.05);
  void operator()(const ndarray& array) const override;

 private:
  double scale_;
};

/// Normal numbers of deviation scale * sqrt(1 / fan_in) (LeCun et al., 1998).
class CUPYXX_API LeCunNormal final : public Initializer {
 public:
  explicit LeCunNormal(double scale = 1);
  void operator()(const ndarray& array) const override;

 private:
  double scale_;
};

/// Numbers between -s and s, where s = scale * sqrt(3 / fan_in).
class CUPYXX_API LeCunUniform final : public Initializer {
 public:
  explicit LeCunUniform(double scale = 1);
  void operator()(const ndarray& array) const override;

 private:
  double scale_;
};

/// Normal numbers of deviation scale * sqrt(2 / (fan_in + fan_out)) (Glorot and Bengio, 2010).
class CUPYXX_API GlorotNormal final : public Initializer {
 public:
  explicit GlorotNormal(double scale = 1);
  void operator()(const ndarray& array) const override;

 private:
  double scale_;
};

/// Numbers between -s and s, where s = scale * sqrt(6 / (fan_in + fan_out)).
class CUPYXX_API GlorotUniform final : public Initializer {
 public:
  explicit GlorotUniform(double scale = 1);
  void operator()(const ndarray& array) const override;

 private:
  double scale_;
};

/// What HeNormal and HeUniform divide by.
enum class FanOption : std::uint8_t {
  fan_in,  ///< keeps the size of what goes forward
  fan_out  ///< keeps that of gradients
};

/// Normal numbers of deviation scale * sqrt(2 / fan) (He et al., 2015): for layers with relu.
class CUPYXX_API HeNormal final : public Initializer {
 public:
  explicit HeNormal(double scale = 1, FanOption fan_option = FanOption::fan_in);
  void operator()(const ndarray& array) const override;

 private:
  double scale_;
  FanOption fan_;
};

/// Numbers between -s and s, where s = scale * sqrt(6 / fan).
class CUPYXX_API HeUniform final : public Initializer {
 public:
  explicit HeUniform(double scale = 1, FanOption fan_option = FanOption::fan_in);
  void operator()(const ndarray& array) const override;

 private:
  double scale_;
  FanOption fan_;
};

/// Which matrices Orthogonal makes.
enum class OrthogonalMode : std::uint8_t {
  automatic,   ///< any
  projection,  ///< no more rows than columns
  embedding,   ///< no fewer rows than columns
  basis        ///< square ones
};

/// Rows, or where there are more of them than elements in each, columns that are orthogonal to each
/// other and of length `scale` (Saxe et al., 2014). An array of more axes is a matrix of as many
/// rows as its first axis has; a single number becomes scale or -scale. The matrix is decomposed on
/// the array's device. Throws ValueError for a shape that the mode does not take, and for arrays
/// without elements.
class CUPYXX_API Orthogonal final : public Initializer {
 public:
  explicit Orthogonal(double scale = 1.1, OrthogonalMode mode = OrthogonalMode::automatic);
  void operator()(const ndarray& array) const override;

 private:
  double scale_;
  OrthogonalMode mode_;
};

/// `scale` times the identity matrix. Throws ValueError for what is no square matrix.
class CUPYXX_API Identity final : public Initializer {
 public:
  explicit Identity(double scale = 1) : scale_(scale) {}
  void operator()(const ndarray& array) const override;

 private:
  double scale_;
};

/// One number, or an array that broadcasts. Throws ValueError for an array that does not, and
/// TypeError for None.
class CUPYXX_API Constant final : public Initializer {
 public:
  template <internal::Numeric T>
  explicit Constant(const T& fill_value) : value_(number(fill_value)) {}
  explicit Constant(const ndarray& fill_value);
  void operator()(const ndarray& array) const override;

 private:
  static ndarray number(const cupyxx::Scalar& value);

  ndarray value_;
};

/// Zeros.
class CUPYXX_API Zero final : public Initializer {
 public:
  void operator()(const ndarray& array) const override;
};

/// Ones.
class CUPYXX_API One final : public Initializer {
 public:
  void operator()(const ndarray& array) const override;
};

/// Not a number: for parameters that must be set before they are used.
class CUPYXX_API NaN final : public Initializer {
 public:
  void operator()(const ndarray& array) const override;
};

/// The windows of a deconvolution that interpolates linearly between pixels, times `scale`: for
/// weights (channels, channels, k, k), of which each channel goes to itself (Long et al., 2015).
/// Throws ValueError for another shape.
class CUPYXX_API UpsamplingDeconvFilter final : public Initializer {
 public:
  explicit UpsamplingDeconvFilter(double scale = 1) : scale_(scale) {}
  void operator()(const ndarray& array) const override;

 private:
  double scale_;
};

/// Where a parameter starts, as options of layers have it: an array, which is taken as it is, an
/// initializer, its name ("HeNormal", with its default numbers), or a number. The default leaves it
/// to the layer.
class CUPYXX_API Initial {
 public:
  Initial() = default;
  /// None: the layer's own.
  template <internal::NoneLike N>
  Initial(N) {}  // NOLINT(google-explicit-constructor)
  /// The array itself, which the layer then trains in place.
  template <internal::ArrayLike A>
  Initial(const A& array) : array_(array) {}  // NOLINT(google-explicit-constructor)
  /// The initializer of a name. Throws ValueError where there is none.
  Initial(const char* name);         // NOLINT(google-explicit-constructor)
  Initial(const std::string& name);  // NOLINT(google-explicit-constructor)
  /// A constant.
  template <internal::Numeric T>
  requires(!std::same_as<T, bool>) Initial(const T& value)  // NOLINT(google-explicit-constructor)
      : initializer_(std::make_shared<const Constant>(value)) {}
  /// A copy of the initializer.
  template <std::derived_from<Initializer> I>
  Initial(const I& initializer)  // NOLINT(google-explicit-constructor)
      : initializer_(std::make_shared<const I>(initializer)) {}

  /// Whether the layer decides.
  bool is_none() const { return array_.is_none() && initializer_ == nullptr; }
  /// The array that was given, or null.
  const ndarray& array() const { return array_; }
  /// What fills an array, or null.
  const Initializer* initializer() const { return initializer_.get(); }

 private:
  ndarray array_;
  std::shared_ptr<const Initializer> initializer_;
};

/// The initializer of a name, with its default numbers: "Normal", "Uniform", "LeCunNormal",
/// "LeCunUniform", "GlorotNormal", "GlorotUniform", "HeNormal", "HeUniform", "Orthogonal",
/// "Identity", "Zero", "One", "NaN", "UpsamplingDeconvFilter". Throws ValueError for another.
CUPYXX_API std::shared_ptr<const Initializer> by_name(std::string_view name);

/// A new array on the current device that an initializer has filled; of an array a copy in that
/// dtype. Throws ValueError for None, ShapeError for an array of another shape, DtypeError for a
/// dtype that is not floating.
CUPYXX_API ndarray generate_array(const Initial& initial, const cupyxx::Shape& shape,
                                  cupyxx::dtype dtype = cupyxx::float32);

}  // namespace chainerxx::initializers
