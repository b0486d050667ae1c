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

/// How a kernel walks through its operands.
enum class Form : unsigned char {
  contiguous,  ///< vectors of all operands
  flat,        ///< vectors of contiguous outputs; inputs of any strides, ranks 2 to 4
  strided,     ///< any strides, element by element
  tiled,       ///< tiles of the two last axes; inputs that are contiguous along the last but one go
               ///< through shared memory
  any,         ///< any strides, stored types, numbers and masks: kernels/elementwise_any.h
};

struct ElementwiseLayout {
  Form form = Form::contiguous;
  int rank = 0;         ///< axes that the text can walk; contiguous: 0
  bool wide = false;    ///< 64-bit indices
  unsigned staged = 0;  ///< tiled: a bit for each operand that goes through shared memory
  // Of the flat form, where that is known: no vector leaves its row, so each of an operand is...
  bool whole = false;
  unsigned runs = 0;     ///< ...one access of 16 bytes
  unsigned repeats = 0;  ///< ...one element
  bool large = false;    ///< tiled copies of bytes: kernels::transpose_bytes_large
  friend bool operator==(const ElementwiseLayout&, const ElementwiseLayout&) = default;
};

struct ElementwiseSource {
  std::string includes;  ///< #include lines
  std::string preamble;  ///< at namespace scope
  std::vector<ElementwiseOperand> operands;
  std::string body;     ///< sets the outputs from the inputs; sees `i`
  bool masked = false;  ///< a last input `_mask` of bool keeps outputs; contiguous or strided
  ElementwiseLayout layout;
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
/// Elements that a thread reads or writes with one access of 16 bytes of the widest operand.
int vector_width(const ElementwiseSource& source);
/// Elements of a block; the launcher sizes the grid by it. Not of the tiled form.
int elements_per_block(const ElementwiseSource& source);
/// Rows and columns of a tile, for operands of these sizes in shared memory.
int tile_side(int widest, int bytes_of_all);

/// The device type of a raw argument's variable.
std::string raw_type(const RawOperand& raw);

/// The text of a kernel named `source.entry`.
std::string write_elementwise(const ElementwiseSource& source);
/// The text of a user's kernel as a function for the host: `entry(const ck::HostArgs&, begin, end)`
/// runs over a range of elements. The layout is contiguous or strided, with the real rank.
std::string write_elementwise_host(const ElementwiseSource& source);

}  // namespace cupyxx::internal::jit
