// SPDX-License-Identifier: MIT
// Writes the source of elementwise kernels: the loop around a body, for one layout. Built-in
// operations and users' kernels come through here.
#pragma once

#include <string>
#include <vector>

#include "cupyxx/dtype.h"

namespace cupyxx::internal::jit {

/// How an operand is read or written.
enum class Access : unsigned char {
  contiguous,  ///< element i of a contiguous array
  strided,     ///< by strides
  scalar,      ///< one value for all elements, passed by value
};

/// One operand of a kernel; outputs stand before inputs.
struct ElementwiseOperand {
  std::string name;    ///< the variable that the body sees
  cupyxx::dtype type;  ///< as stored
  bool is_output = false;
  Access access = Access::contiguous;
};

struct ElementwiseSource {
  std::string includes;  ///< #include lines
  std::string preamble;  ///< at namespace scope
  std::vector<ElementwiseOperand> operands;
  std::string body;     ///< sets the outputs from the inputs; sees `i`
  bool masked = false;  ///< a last input `_mask` of bool keeps outputs
  int rank = 0;         ///< axes of the strided form; 0: contiguous
  bool wide = false;    ///< 64-bit indices
};

/// The C++ name of a dtype in device text: "float", "cupyxx::half".
const char* device_type(cupyxx::dtype type);
/// Elements that one thread handles with one access, and how many accesses; the launcher sizes the
/// grid by their product.
int vector_width(const ElementwiseSource& source);
int vectors_per_thread(const ElementwiseSource& source);
/// Elements per thread of the strided form.
inline constexpr int kStridedPerThread = 4;

/// The text of a kernel named `kernel`.
std::string write_elementwise(const ElementwiseSource& source);

}  // namespace cupyxx::internal::jit
