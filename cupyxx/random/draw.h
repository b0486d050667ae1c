// SPDX-License-Identifier: MIT
// How the chapters of this folder draw: parameters are checked and broadcast, the result is made,
// a part of the stream is taken.
#pragma once

#include <initializer_list>

#include "cupyxx/internal/random/fill.h"
#include "cupyxx/internal/random/sample.h"
#include "cupyxx/random/random_state.h"

namespace cupyxx::random {

/// What a call makes: an array for the numbers, which finish() brings to the dtype and place that
/// were asked for.
class Output {
 public:
  /// `drawn` is the dtype in which the numbers of `type` are drawn.
  Output(const char* operation, const Shape& shape, dtype type, dtype drawn, const ndarray& out,
         Device device);
  const ndarray& array() const { return array_; }
  ndarray finish();

 private:
  const char* operation_;
  dtype type_;
  ndarray out_;
  ndarray array_;
};

/// The dtype of a result: the one given, else that of `out`, else `usual`.
dtype result_dtype(const DrawOptions& options, dtype usual);
/// The shape of a result without array parameters.
Shape result_shape(const Shape& size, const ndarray& out);
/// Throws DtypeError unless it is one of float16, float32, float64 (bfloat16 with `narrow`).
void check_floating(const char* operation, dtype type, bool narrow);
/// Throws ValueError "operation: scale < 0; -1.0" unless a number is what a parameter has to be.
void check_parameter(const char* operation, std::string_view name, Check check, double value);
/// Throws ValueError "operation: complaint; an element" unless each element of `lower` is below
/// that of `upper`, or equal to it if that is allowed. Where one is on a device its kernel looks.
void check_order(const char* operation, const Param& lower, const Param& upper, bool or_equal,
                 std::string_view complaint);
/// A number as a parameter.
double value_of(const Param& param);

/// Draws with the same parameters for all elements.
ndarray draw_fill(RandomState& state, const char* operation, internal::Fill fill, const Shape& size,
                  const DrawOptions& options, const internal::kernels::RandomArgs& args);

/// Draws with parameters that broadcast.
ndarray draw_samples(RandomState& state, internal::Sample sample,
                     std::initializer_list<const Param*> params, const Shape& size,
                     const DrawOptions& options, dtype usual = float64);

/// Makes the state's own stream, if it has one, current.
class OwnStreamScope {
 public:
  explicit OwnStreamScope(RandomState& state);
  ~OwnStreamScope();
  OwnStreamScope(const OwnStreamScope&) = delete;
  OwnStreamScope& operator=(const OwnStreamScope&) = delete;

 private:
  int device_ = -1;
  void* previous_ = nullptr;
};

}  // namespace cupyxx::random
