// SPDX-License-Identifier: MIT
// Evenly spaced numbers. NumPy's chapter "Numerical ranges". Included by creation.h.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>

#include "cupyxx/creation.h"
#include "cupyxx/ndarray.h"

namespace cupyxx {

namespace internal {
/// The number of samples that a call names; throws TypeError for both.
CUPYXX_API std::int64_t one_num(const char* operation, std::int64_t by_position,
                                const std::optional<std::int64_t>& by_name);
}  // namespace internal

/// [0, stop), [start, stop) or start, start + step, ... below stop. The dtype is the numbers' own.
CUPYXX_API ndarray arange(const Scalar& stop, cupyxx::dtype dtype = {});
template <std::same_as<char> C>  // `arange(3, 'f')` would end at 102
ndarray arange(const Scalar& stop, C write_float32) = delete;
template <std::convertible_to<std::string_view> T, class... More>
ndarray arange(const T& a_bound_is_a_number, const More&... more) = delete;
CUPYXX_API ndarray arange(const Scalar& start, const Scalar& stop, cupyxx::dtype dtype = {});
CUPYXX_API ndarray arange(const Scalar& start, const Scalar& stop, const Scalar& step,
                          cupyxx::dtype dtype = {});
template <std::same_as<DtypeOptions> O = DtypeOptions>
ndarray arange(const Scalar& stop, const O& options) {
  return arange(stop, options.dtype);
}
template <std::same_as<DtypeOptions> O = DtypeOptions>
ndarray arange(const Scalar& start, const Scalar& stop, const O& options) {
  return arange(start, stop, options.dtype);
}
template <std::same_as<DtypeOptions> O = DtypeOptions>
ndarray arange(const Scalar& start, const Scalar& stop, const Scalar& step, const O& options) {
  return arange(start, stop, step, options.dtype);
}
namespace internal {
inline Scalar number_of(const ndarray& a) { return a.item(); }
template <class T>
requires(!std::derived_from<T, ndarray>) const T& number_of(const T& other) { return other; }
}  // namespace internal
/// The same with a bound in an array, which is read: `arange(labels.max() + 1)`. Synchronises.
template <class... A>
requires(std::derived_from<A, ndarray> || ...) ndarray arange(const A&... arguments) {
  return arange(internal::number_of(arguments)...);
}

/// Options of linspace.
struct LinspaceOptions {
  std::optional<std::int64_t> num = {};  ///< 50 unless given
  bool endpoint = true;
  double* retstep = nullptr;  ///< receives the distance of two samples; NaN where there is none
  cupyxx::dtype dtype = {};
};
namespace internal {
CUPYXX_API ndarray linspace_between(double start, double stop, std::int64_t num,
                                    const LinspaceOptions& options);
/// A number that is no array: linspace between arrays is another routine.
template <class T>
concept RealNumber = std::is_arithmetic_v<T>;
}  // namespace internal
/// `num` evenly spaced numbers from start to stop.
template <internal::RealNumber A, internal::RealNumber B>
ndarray linspace(A start, B stop, internal::Int64 num = 50, cupyxx::dtype dtype = {}) {
  return internal::linspace_between(static_cast<double>(start), static_cast<double>(stop), num,
                                    {.dtype = dtype});
}
template <internal::RealNumber A, internal::RealNumber B,
          std::same_as<LinspaceOptions> O = LinspaceOptions>
ndarray linspace(A start, B stop, internal::Int64 num, const O& options) {
  return internal::linspace_between(static_cast<double>(start), static_cast<double>(stop),
                                    internal::one_num("linspace", num, options.num), options);
}
template <internal::RealNumber A, internal::RealNumber B,
          std::same_as<LinspaceOptions> O = LinspaceOptions>
ndarray linspace(A start, B stop, const O& options) {
  return internal::linspace_between(static_cast<double>(start), static_cast<double>(stop),
                                    options.num.value_or(50), options);
}
/// `endpoint` in its place, as in NumPy: `linspace(0, 1, 5, false)`.
template <internal::RealNumber A, internal::RealNumber B, std::same_as<bool> E>
ndarray linspace(A start, B stop, internal::Int64 num, E endpoint, cupyxx::dtype dtype = {}) {
  return internal::linspace_between(static_cast<double>(start), static_cast<double>(stop), num,
                                    {.endpoint = endpoint, .dtype = dtype});
}
/// Options of linspace between arrays.
struct LinspaceArrayOptions {
  std::optional<std::int64_t> num = {};
  bool endpoint = true;
  ndarray* retstep = nullptr;  ///< receives the distances of two samples
  cupyxx::dtype dtype = {};
  int axis = 0;  ///< along which the samples lie
};
/// The same between the elements of arrays, which broadcast.
CUPYXX_API ndarray linspace(const Operand& start, const Operand& stop, internal::Int64 num = 50,
                            const LinspaceArrayOptions& options = {});
CUPYXX_API ndarray linspace(const Operand& start, const Operand& stop, internal::Int64 num,
                            cupyxx::dtype dtype);
template <std::same_as<LinspaceArrayOptions> O = LinspaceArrayOptions>
ndarray linspace(const Operand& start, const Operand& stop, const O& options) {
  return linspace(start, stop, options.num.value_or(50), options);
}

/// Options of linspace that ask for the distance of two samples, too.
struct LinspaceStepOptions {
  std::optional<std::int64_t> num = {};  ///< 50 unless given
  bool endpoint = true;
  internal::NamedFlag retstep;
  cupyxx::dtype dtype = {};
};
/// `auto [x, dx] = linspace(0, 1, 5, {.retstep = true})`: `step` is NaN where there is none.
struct LinspaceStepResult {
  ndarray samples;
  double step;
};
template <internal::RealNumber A, internal::RealNumber B>
LinspaceStepResult linspace(A start, B stop, internal::Int64 num,
                            const LinspaceStepOptions& options) {
  LinspaceStepResult result;
  result.samples = linspace(start, stop, num,
                            LinspaceOptions{.num = options.num,
                                            .endpoint = options.endpoint,
                                            .retstep = &result.step,
                                            .dtype = options.dtype});
  return result;
}
template <internal::RealNumber A, internal::RealNumber B>
LinspaceStepResult linspace(A start, B stop, const LinspaceStepOptions& options) {
  return linspace(
      start, stop, options.num.value_or(50),
      LinspaceStepOptions{
          .endpoint = options.endpoint, .retstep = options.retstep, .dtype = options.dtype});
}

/// Options of logspace.
struct LogspaceOptions {
  std::optional<std::int64_t> num = {};
  bool endpoint = true;
  double base = 10;
  cupyxx::dtype dtype = {};
  int axis = 0;
};
/// Powers of a base, with evenly spaced exponents from start to stop.
CUPYXX_API ndarray logspace(const Operand& start, const Operand& stop, internal::Int64 num = 50,
                            cupyxx::dtype dtype = {});
namespace internal {
CUPYXX_API ndarray logspace_between(const Operand& start, const Operand& stop, std::int64_t num,
                                    const LogspaceOptions& options);
}  // namespace internal
template <std::same_as<LogspaceOptions> O = LogspaceOptions>
ndarray logspace(const Operand& start, const Operand& stop, internal::Int64 num, const O& options) {
  return internal::logspace_between(start, stop, internal::one_num("logspace", num, options.num),
                                    options);
}
template <std::same_as<LogspaceOptions> O = LogspaceOptions>
ndarray logspace(const Operand& start, const Operand& stop, const O& options) {
  return internal::logspace_between(start, stop, options.num.value_or(50), options);
}

/// `endpoint` and the base in their places, as in NumPy: `logspace(0, 3, 4, true, 2)`.
template <std::same_as<bool> B>
ndarray logspace(const Operand& start, const Operand& stop, internal::Int64 num, B endpoint,
                 double base = 10) {
  return internal::logspace_between(start, stop, num, {.endpoint = endpoint, .base = base});
}

/// Options of geomspace.
struct GeomspaceOptions {
  std::optional<std::int64_t> num = {};
  bool endpoint = true;
  cupyxx::dtype dtype = {};
  int axis = 0;
};
/// Numbers in one ratio from start to stop. Throws ValueError for zeros; synchronises for that.
CUPYXX_API ndarray geomspace(const Operand& start, const Operand& stop, internal::Int64 num = 50,
                             cupyxx::dtype dtype = {});
namespace internal {
CUPYXX_API ndarray geomspace_between(const Operand& start, const Operand& stop, std::int64_t num,
                                     const GeomspaceOptions& options);
}  // namespace internal
template <std::same_as<GeomspaceOptions> O = GeomspaceOptions>
ndarray geomspace(const Operand& start, const Operand& stop, internal::Int64 num,
                  const O& options) {
  return internal::geomspace_between(start, stop, internal::one_num("geomspace", num, options.num),
                                     options);
}
template <std::same_as<bool> B>
ndarray geomspace(const Operand& start, const Operand& stop, internal::Int64 num, B endpoint) {
  return internal::geomspace_between(start, stop, num, {.endpoint = endpoint});
}
template <std::same_as<GeomspaceOptions> O = GeomspaceOptions>
ndarray geomspace(const Operand& start, const Operand& stop, const O& options) {
  return internal::geomspace_between(start, stop, options.num.value_or(50), options);
}

}  // namespace cupyxx
