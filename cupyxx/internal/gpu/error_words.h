// SPDX-License-Identifier: MIT
// Errors that kernels found in their data, as exceptions.
#pragma once

#include "cupyxx/internal/gpu/runtime.h"

namespace cupyxx::internal::gpu {

/// Throws the error of a stream that has been waited for, or of any stream of a device, and forgets
/// it. IndexError or ValueError.
void throw_device_errors(int device, void* stream);
void throw_device_errors(int device);

/// The kernels on `stream` write into the word of `with`; until it is forgotten.
void share_error_word(int device, void* stream, void* with);
void forget_error_word(int device, void* stream);

/// Throws what a word says.
[[noreturn]] void throw_error_word(const ErrorWord& word);

}  // namespace cupyxx::internal::gpu
