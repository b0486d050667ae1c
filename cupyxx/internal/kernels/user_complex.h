// SPDX-License-Identifier: MIT
// Device-safe. Complex numbers in users' kernels under CuPy's names: `conj(z)`, `abs(z)`, `exp(z)`,
// `pow(z, w)`. They are found where an argument is complex; the values are the operations' own.
#pragma once

#include "cupyxx/ops/complex_math.h"

namespace cupyxx {

template <class T>
CUPYXX_FN T real(const complex<T>& z) {
  return z.re;
}
template <class T>
CUPYXX_FN T imag(const complex<T>& z) {
  return z.im;
}
template <class T>
CUPYXX_FN complex<T> conj(const complex<T>& z) {
  return {z.re, -z.im};
}
/// |z|.
template <class T>
CUPYXX_FN T abs(const complex<T>& z) {
  return ops::m::hypot(z.re, z.im);
}
/// The angle of z.
template <class T>
CUPYXX_FN T arg(const complex<T>& z) {
  return ops::m::atan2(z.im, z.re);
}
/// |z| ** 2.
template <class T>
CUPYXX_FN T norm(const complex<T>& z) {
  return z.re * z.re + z.im * z.im;
}

#define CUPYXX_COMPLEX(name)                       \
  template <class T>                               \
  CUPYXX_FN complex<T> name(const complex<T>& z) { \
    return ops::m::name(z);                        \
  }
CUPYXX_COMPLEX(exp)
CUPYXX_COMPLEX(log)
CUPYXX_COMPLEX(log10)
CUPYXX_COMPLEX(sqrt)
CUPYXX_COMPLEX(sin)
CUPYXX_COMPLEX(cos)
CUPYXX_COMPLEX(tan)
CUPYXX_COMPLEX(asin)
CUPYXX_COMPLEX(acos)
CUPYXX_COMPLEX(atan)
CUPYXX_COMPLEX(sinh)
CUPYXX_COMPLEX(cosh)
CUPYXX_COMPLEX(tanh)
CUPYXX_COMPLEX(asinh)
CUPYXX_COMPLEX(acosh)
CUPYXX_COMPLEX(atanh)
#undef CUPYXX_COMPLEX

template <class T>
CUPYXX_FN complex<T> pow(const complex<T>& z, const complex<T>& w) {
  return ops::m::pow(z, w);
}
template <class T>
CUPYXX_FN complex<T> pow(const complex<T>& z, T w) {
  return ops::m::pow(z, complex<T>(w));
}
template <class T>
CUPYXX_FN complex<T> pow(const complex<T>& z, int w) {
  return ops::m::pow(z, complex<T>(static_cast<T>(w)));
}
template <class T>
CUPYXX_FN complex<T> pow(T z, const complex<T>& w) {
  return ops::m::pow(complex<T>(z), w);
}

}  // namespace cupyxx
