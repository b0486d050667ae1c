// SPDX-License-Identifier: MIT
// Error words without CUDA: names of operations, and texts.
#include <bit>
#include <cstring>
#include <mutex>
#include <string>
#include <vector>

#include "cupyxx/error.h"
#include "cupyxx/internal/gpu/error_words.h"
#include "cupyxx/internal/kernels/bad_parameter.h"
#include "cupyxx/internal/lapack_defect.h"
#include "cupyxx/scalar.h"

namespace cupyxx::internal::gpu {
namespace {

struct Names {
  std::mutex mutex;
  std::vector<const char*> all;
};

Names& names() {
  static Names& table = *new Names;
  return table;
}

std::string operation_name(std::uint32_t number) {
  Names& table = names();
  const std::lock_guard lock(table.mutex);
  return number < table.all.size() ? table.all[number] : "kernel";
}

}  // namespace

std::uint32_t operation_number(const char* name) {
  // Most often the same call site asks again.
  thread_local const char* last_name = nullptr;
  thread_local std::uint32_t last_number = 0;
  if (name == last_name) return last_number;
  Names& table = names();
  const std::lock_guard lock(table.mutex);
  std::uint32_t number = 0;
  while (number < table.all.size() && std::strcmp(table.all[number], name) != 0) ++number;
  if (number == table.all.size()) table.all.push_back(name);
  last_name = name;
  last_number = number;
  return number;
}

void throw_error_word(const ErrorWord& word) {
  const std::string operation = operation_name(word.operation);
  if (word.code == kernels::kBadParameter) {
    throw ValueError(message(operation, ": a parameter is outside of its range; ",
                             Scalar(std::bit_cast<double>(word.value))));
  }
  if (word.code == kernels::kBadOrder) {
    throw ValueError(message(operation, ": two parameters are in the wrong order; ",
                             Scalar(std::bit_cast<double>(word.value)), " and ",
                             Scalar(std::bit_cast<double>(word.bound))));
  }
  switch (static_cast<ErrorCode>(word.code)) {
    case ErrorCode::index_out_of_range:
      throw IndexError(
          message(operation, ": index ", word.value, " is out of bounds for size ", word.bound));
    case ErrorCode::negative_power:
      throw ValueError(message(operation, ": integers to negative integer powers are not allowed"));
    case ErrorCode::not_finite:
      throw ValueError(
          message(operation, ": the value is infinite or not a number; element ", word.value));
    case ErrorCode::none:
      break;
  }
  switch (const auto defect = static_cast<LapackDefect>(word.code)) {
    case LapackDefect::singular:
    case LapackDefect::not_positive_definite:
    case LapackDefect::not_convergent:
      throw linalg::LinAlgError(message(operation, ": ", describe(defect), "; info ", word.bound));
  }
  throw ValueError(message(operation, ": unknown error in device data; code ", word.code));
}

}  // namespace cupyxx::internal::gpu
