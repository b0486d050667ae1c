// SPDX-License-Identifier: MIT
// Parts and properties of complex arrays. NumPy's chapters "Handling complex numbers" and "Array
// type testing".
#pragma once

#include "cupyxx/ndarray.h"

namespace cupyxx {

/// A view of the real parts; of a real array itself.
CUPYXX_API ndarray real(const ndarray& a);
/// A view of the imaginary parts; of a real array new read-only zeros.
CUPYXX_API ndarray imag(const ndarray& a);
/// The angle of each element in radians, or in degrees; float64 for integers.
CUPYXX_API ndarray angle(const ndarray& a, bool deg = false);
/// The real parts where all imaginary ones are within `tol` of 0 (in units of the dtype's epsilon
/// for tol > 1), else `a` itself. Synchronises for complex arrays.
CUPYXX_API ndarray real_if_close(const ndarray& a, double tol = 100);

/// Where the imaginary part is not zero, and where it is.
CUPYXX_API ndarray iscomplex(const ndarray& a);
CUPYXX_API ndarray isreal(const ndarray& a);
/// Whether the dtype is complex; the elements do not matter.
CUPYXX_API bool iscomplexobj(const ndarray& a);
CUPYXX_API bool isrealobj(const ndarray& a);

}  // namespace cupyxx
