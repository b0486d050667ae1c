// SPDX-License-Identifier: MIT
// Fourier transforms as the two backends receive them: in place along the last axis of a
// C-contiguous array (count, n) of complex64 or complex128, not empty, without any scaling.
#pragma once

#include "cupyxx/ndarray.h"

namespace cupyxx::internal {

namespace cpu {
void fft(const char* operation, const ndarray& a, bool inverse);
/// Between rows of n real numbers (count, n) and their frequencies (count, n / 2 + 1): C-contiguous
/// arrays of one precision, not empty. The direction's result is overwritten, nothing scaled.
void real_fft(const ndarray& numbers, const ndarray& frequencies, bool inverse);
}  // namespace cpu
namespace gpu {
/// Throws ValueError for lengths that cuFFT does not count.
void fft(const char* operation, const ndarray& a, bool inverse);
}  // namespace gpu

}  // namespace cupyxx::internal
