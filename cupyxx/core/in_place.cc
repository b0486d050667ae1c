// SPDX-License-Identifier: MIT
// Operations whose result replaces their first operand.
#include "cupyxx/core/body.h"
#include "cupyxx/math.h"
#include "cupyxx/ndarray.h"

namespace cupyxx {

namespace {

// A named element changes alone. Of `a(i) += x` a View has made a place before.
const ndarray& target(const ndarray& a) {
  if (a.handle() != nullptr) internal::own_element(a.handle());
  return a;
}

}  // namespace

const ndarray& ndarray::operator+=(const Operand& x) const {
  add(target(*this), x, {.out = *this});
  return *this;
}
const ndarray& ndarray::operator-=(const Operand& x) const {
  subtract(target(*this), x, {.out = *this});
  return *this;
}
const ndarray& ndarray::operator*=(const Operand& x) const {
  multiply(target(*this), x, {.out = *this});
  return *this;
}
const ndarray& ndarray::operator/=(const Operand& x) const {
  true_divide(target(*this), x, {.out = *this});
  return *this;
}
const ndarray& ndarray::operator%=(const Operand& x) const {
  remainder(target(*this), x, {.out = *this});
  return *this;
}
const ndarray& ndarray::operator<<=(const Operand& x) const {
  left_shift(target(*this), x, {.out = *this});
  return *this;
}
const ndarray& ndarray::operator>>=(const Operand& x) const {
  right_shift(target(*this), x, {.out = *this});
  return *this;
}
const ndarray& ndarray::operator&=(const Operand& x) const {
  bitwise_and(target(*this), x, {.out = *this});
  return *this;
}
const ndarray& ndarray::operator|=(const Operand& x) const {
  bitwise_or(target(*this), x, {.out = *this});
  return *this;
}
const ndarray& ndarray::operator^=(const Operand& x) const {
  bitwise_xor(target(*this), x, {.out = *this});
  return *this;
}
const ndarray& ndarray::ifloordiv(const Operand& x) const {
  floor_divide(target(*this), x, {.out = *this});
  return *this;
}
const ndarray& ndarray::ipow(const Operand& x) const {
  power(target(*this), x, {.out = *this});
  return *this;
}

}  // namespace cupyxx
