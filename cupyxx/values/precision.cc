// SPDX-License-Identifier: MIT
#include "cupyxx/precision.h"

#include <array>
#include <utility>

#include "cupyxx/error.h"

namespace cupyxx {
namespace {

constexpr std::array<std::string_view, 4> kNames = {"float32", "tf32", "bfloat16", "float16"};

thread_local Precision t_compute = Precision::float32;

[[noreturn]] void throw_no_such(std::string_view what, const auto&... found) {
  throw ValueError(message(what, ": there is no such precision; ", found...,
                           " instead of float32, tf32, bfloat16 or float16"));
}

}  // namespace

std::string_view name_of(Precision precision) {
  return kNames[static_cast<std::size_t>(internal::known(precision, "name_of"))];
}

Precision precision_of(std::string_view name, std::string_view what) {
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (kNames[i] == name) return static_cast<Precision>(i);
  }
  throw_no_such(what, "'", name, "'");
}

Precision internal::known(Precision precision, std::string_view what) {
  const auto number = static_cast<unsigned>(precision);
  if (number >= kNames.size()) throw_no_such(what, "number ", number);
  return precision;
}

Precision compute_precision() { return t_compute; }

ComputeScope::ComputeScope(Precision precision)
    : previous_(std::exchange(t_compute, internal::known(precision, "ComputeScope"))) {}
ComputeScope::~ComputeScope() { t_compute = previous_; }

}  // namespace cupyxx
