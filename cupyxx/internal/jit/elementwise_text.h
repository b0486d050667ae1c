// SPDX-License-Identifier: MIT
// Pieces of text that the forms of an elementwise kernel have in common. Texts name their own
// variables `$x`; the `$` becomes nothing, or the underscore that keeps them apart from the names
// of a user's kernel. What the user wrote stands in for the marks.
#pragma once

#include <string>

#include "cupyxx/internal/jit/elementwise_source.h"

namespace cupyxx::internal::jit {

inline constexpr char kBodyMark = '\1';
inline constexpr char kPrepareMark = '\2';
inline constexpr char kFinishMark = '\3';

inline std::string number(std::size_t i) { return std::to_string(i); }

inline std::string type_of(const ElementwiseOperand& operand) { return device_type(operand.type); }

/// Whether an operand is read from memory, or written to it, at the place of an element.
inline bool has_place(const ElementwiseOperand& operand) {
  return operand.access != Access::scalar;
}
/// Whether a kernel loads the operand before the body runs.
inline bool is_loaded(const ElementwiseOperand& operand) {
  return has_place(operand) && (!operand.is_output || operand.is_read);
}

/// `T name = value;` for an input, before the body.
std::string declare(const ElementwiseOperand& operand, const std::string& value);
/// The line up to the parameter list's end and the opening brace, scalars, and what stands before
/// the loop of a user's kernel.
std::string open_kernel(const ElementwiseSource& source, const std::string& arguments);
/// What stands behind the loop.
std::string finish(const ElementwiseSource& source);
/// How a thread without another element leaves a loop.
std::string leave(const ElementwiseSource& source);

/// The body for element `i` with inputs from and outputs to `access(k)`, an lvalue text.
template <class AccessText>
std::string element(const ElementwiseSource& source, const std::string& indent, AccessText access) {
  std::string text;
  const std::size_t count = source.operands.size();
  if (source.masked) text += indent + "if (!" + access(count) + ") continue;\n";
  for (std::size_t k = 0; k < count; ++k) {
    const ElementwiseOperand& operand = source.operands[k];
    if (operand.is_output) {
      // A user's outputs are what they were before, until the body sets them.
      text += indent + type_of(operand) +
              (source.user ? "& " + operand.name + " = " + access(k) : " " + operand.name) + ";\n";
    } else if (has_place(operand)) {
      text += indent + declare(operand, access(k)) + "\n";
    }
  }
  if (source.user) return text + indent + "{\n" + kBodyMark + "\n" + indent + "}\n";
  text += indent + "{ " + kBodyMark + " }\n";
  for (std::size_t k = 0; k < count; ++k) {
    if (source.operands[k].is_output) {
      text += indent + access(k) + " = " + source.operands[k].name + ";\n";
    }
  }
  return text;
}

/// Elements per thread of the strided form.
int strided_per_thread(const ElementwiseSource& source);

// The forms; the marks are still in their texts.
std::string write_flat(const ElementwiseSource& source);
std::string write_strided(const ElementwiseSource& source);
std::string write_tiled(const ElementwiseSource& source);
std::string write_any(const ElementwiseSource& source);

}  // namespace cupyxx::internal::jit
