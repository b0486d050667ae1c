// SPDX-License-Identifier: MIT
// Operations whose result replaces their first operand.
#include "cupyxx/math.h"
#include "cupyxx/ndarray.h"

namespace cupyxx {

const ndarray& ndarray::operator+=(const Operand& x) const {
  add(*this, x, {.out = *this});
  return *this;
}
const ndarray& ndarray::operator-=(const Operand& x) const {
  subtract(*this, x, {.out = *this});
  return *this;
}
const ndarray& ndarray::operator*=(const Operand& x) const {
  multiply(*this, x, {.out = *this});
  return *this;
}
const ndarray& ndarray::operator/=(const Operand& x) const {
  true_divide(*this, x, {.out = *this});
  return *this;
}
const ndarray& ndarray::operator%=(const Operand& x) const {
  remainder(*this, x, {.out = *this});
  return *this;
}
const ndarray& ndarray::operator<<=(const Operand& x) const {
  left_shift(*this, x, {.out = *this});
  return *this;
}
const ndarray& ndarray::operator>>=(const Operand& x) const {
  right_shift(*this, x, {.out = *this});
  return *this;
}
const ndarray& ndarray::operator&=(const Operand& x) const {
  bitwise_and(*this, x, {.out = *this});
  return *this;
}
const ndarray& ndarray::operator|=(const Operand& x) const {
  bitwise_or(*this, x, {.out = *this});
  return *this;
}
const ndarray& ndarray::operator^=(const Operand& x) const {
  bitwise_xor(*this, x, {.out = *this});
  return *this;
}
const ndarray& ndarray::ifloordiv(const Operand& x) const {
  floor_divide(*this, x, {.out = *this});
  return *this;
}
const ndarray& ndarray::ipow(const Operand& x) const {
  power(*this, x, {.out = *this});
  return *this;
}

}  // namespace cupyxx
