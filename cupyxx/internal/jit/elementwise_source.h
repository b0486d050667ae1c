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
  cupyxx::dtype seen = {};  ///< as the body sees an input, where that differs from `type`
  bool is_read = false;     ///< an output whose old value the body may read; users' kernels only
};

/// An argument that the body of a user's kernel indexes itself.
struct RawOperand {
  std::string name;
  cupyxx::dtype type;
  bool is_output = false;
  int rank = 1;
  bool contiguous = true;
};

struct ElementwiseSource {
  std::string includes;  ///< #include lines
  std::string preamble;  ///< at namespace scope
  std::vector<ElementwiseOperand> operands;
  std::string body;     ///< sets the outputs from the inputs; sees `i`
  bool masked = false;  ///< a last input `_mask` of bool keeps outputs
  int rank = 0;         ///< axes of the strided form; 0: contiguous
  bool wide = false;    ///< 64-bit indices
  std::string entry = "kernel";

  // Users' kernels: the text's own names begin with an underscore, outputs are references, the body
  // sees `n` as well. They include "cupyxx/internal/kernels/user_kernel.h".
  bool user = false;
  std::vector<RawOperand> raws;
  std::string loop_prep;   ///< before the loop
  std::string after_loop;  ///< behind it
};

/// The C++ name of a dtype in device text: "float", "cupyxx::half".
const char* device_type(cupyxx::dtype type);
/// Elements that one thread handles with one access, and how many accesses; the launcher sizes the
/// grid by their product.
int vector_width(const ElementwiseSource& source);
int vectors_per_thread(const ElementwiseSource& source);
/// Elements per thread of the strided form.
inline constexpr int kStridedPerThread = 4;

/// The device type of a raw argument's variable.
std::string raw_type(const RawOperand& raw);

/// The text of a kernel named `source.entry`.
std::string write_elementwise(const ElementwiseSource& source);
/// The text of a user's kernel as a function for the host: `entry(const ck::HostArgs&, begin, end)`
/// runs over a range of elements. `rank` is the real one.
std::string write_elementwise_host(const ElementwiseSource& source);

}  // namespace cupyxx::internal::jit
