// SPDX-License-Identifier: MIT
#include <array>
#include <iostream>

#include "typecheck/typecheck.h"

int main() {
  const std::array types = {typecheck::TypeInfo({2, 3}, cupyxx::float32)};
  const typecheck::TypeInfos in(types);
  try {
    typecheck::expect(in.size() == 1, in[0].ndim() == 3);
  } catch (const typecheck::InvalidType& error) {
    std::cout << error.what() << '\n';
  }
}
