// SPDX-License-Identifier: MIT
// Fourier transforms as the two backends receive them: along the last axis of C-contiguous arrays
// of two axes, not empty.
#pragma once

#include "cupyxx/ndarray.h"

namespace cupyxx::internal {

namespace cpu {
/// Writes the transforms of the rows of `from`, times `scale`; `to` has the same shape and complex
/// dtype, and may be the same array.
void fft(const ndarray& from, const ndarray& to, bool inverse, double scale);
/// Between rows of n real numbers (count, n) and their first frequencies (count, n / 2 + 1), of the
/// same precision. The result comes last.
void rfft(const ndarray& numbers, const ndarray& frequencies, double scale);
void irfft(const ndarray& frequencies, const ndarray& numbers, double scale);
}  // namespace cpu
namespace gpu {
/// In place, for complex64 and complex128, without any scaling. Throws ValueError for lengths that
/// cuFFT does not count.
void fft(const char* operation, const ndarray& a, bool inverse);
}  // namespace gpu

}  // namespace cupyxx::internal
