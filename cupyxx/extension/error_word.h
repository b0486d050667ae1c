// SPDX-License-Identifier: MIT
// How kernels say what is wrong in their data: they are given an error word and a number, and
// report() of "cupyxx/internal/kernels/error_word.h" in their text writes the first error there,
// which the next call that waits for the stream throws by the operation's name.
#pragma once

#include <cstdint>

namespace cupyxx::internal::kernels {
struct ErrorWord;
}

namespace cupyxx::extension {

using internal::kernels::ErrorWord;

/// The error word of the current stream of a CUDA device, for a kernel's arguments.
ErrorWord* error_word(int device);
/// The number of an operation's name, a string that lives for ever.
std::uint32_t operation_number(const char* name);

}  // namespace cupyxx::extension
