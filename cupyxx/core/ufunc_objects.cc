// SPDX-License-Identifier: MIT
// Calls of the public objects of operations. What is compiled here need not be in each user's file.
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "cupyxx/ufunc.h"

namespace cupyxx {

std::string_view UfuncAttributes::name() const { return f().name(); }
std::string_view UfuncAttributes::doc() const { return f().doc(); }
int UfuncAttributes::nin() const { return f().nin(); }
int UfuncAttributes::nout() const { return f().nout(); }
int UfuncAttributes::nargs() const { return f().nargs(); }
std::vector<std::string> UfuncAttributes::types() const { return f().types(); }

namespace internal {

ndarray TernaryUfunc::operator()(const Operand& x, const Operand& y, const Operand& z,
                                 const UfuncOptions& options) const {
  const Operand* const operands[] = {&x, &y, &z};
  return call_with(f(), operands, options);
}

ndarray QuaternaryUfunc::operator()(const Operand& x, const Operand& y, const Operand& z,
                                    const Operand& w, const UfuncOptions& options) const {
  const Operand* const operands[] = {&x, &y, &z, &w};
  return call_with(f(), operands, options);
}

ArrayTuple<2> UnaryPairUfunc::operator()(const Operand& x,
                                         const std::array<ndarray, 2>& out) const {
  return call1_2(f(), x, out, {});
}

ArrayTuple<2> UnaryPairUfunc::operator()(const Operand& x, const std::array<ndarray, 2>& out,
                                         const UfuncOptions& options) const {
  return call1_2(f(), x, out, options);
}

ArrayTuple<2> BinaryPairUfunc::operator()(const Operand& x, const Operand& y,
                                          const std::array<ndarray, 2>& out) const {
  return call2_2(f(), x, y, out, {});
}

ArrayTuple<2> BinaryPairUfunc::operator()(const Operand& x, const Operand& y,
                                          const std::array<ndarray, 2>& out,
                                          const UfuncOptions& options) const {
  return call2_2(f(), x, y, out, options);
}

}  // namespace internal

}  // namespace cupyxx
