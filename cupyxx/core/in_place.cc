// SPDX-License-Identifier: MIT
// Operations whose result replaces their first operand.
#include "cupyxx/core/arrays.h"
#include "cupyxx/math.h"
#include "cupyxx/ndarray.h"

namespace cupyxx {

const ndarray& ndarray::operator+=(const Operand& x) const {
  add(internal::place(*this), x, {.out = *this});
  return *this;
}
const ndarray& ndarray::operator-=(const Operand& x) const {
  subtract(internal::place(*this), x, {.out = *this});
  return *this;
}
const ndarray& ndarray::operator*=(const Operand& x) const {
  multiply(internal::place(*this), x, {.out = *this});
  return *this;
}
const ndarray& ndarray::operator/=(const Operand& x) const {
  true_divide(internal::place(*this), x, {.out = *this});
  return *this;
}
const ndarray& ndarray::operator%=(const Operand& x) const {
  remainder(internal::place(*this), x, {.out = *this});
  return *this;
}
const ndarray& ndarray::operator<<=(const Operand& x) const {
  left_shift(internal::place(*this), x, {.out = *this});
  return *this;
}
const ndarray& ndarray::operator>>=(const Operand& x) const {
  right_shift(internal::place(*this), x, {.out = *this});
  return *this;
}
const ndarray& ndarray::operator&=(const Operand& x) const {
  bitwise_and(internal::place(*this), x, {.out = *this});
  return *this;
}
const ndarray& ndarray::operator|=(const Operand& x) const {
  bitwise_or(internal::place(*this), x, {.out = *this});
  return *this;
}
const ndarray& ndarray::operator^=(const Operand& x) const {
  bitwise_xor(internal::place(*this), x, {.out = *this});
  return *this;
}
const ndarray& ndarray::ifloordiv(const Operand& x) const {
  floor_divide(internal::place(*this), x, {.out = *this});
  return *this;
}
const ndarray& ndarray::ipow(const Operand& x) const {
  power(internal::place(*this), x, {.out = *this});
  return *this;
}

}  // namespace cupyxx
