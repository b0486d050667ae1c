// SPDX-License-Identifier: MIT
#include <iostream>

#include "typecheck/typecheck.h"

int main() {
  typecheck::TypeInfos in{{{2, 3}, cupyxx::float32}};
  try {
    typecheck::expect(in.size() == 1, in[0].ndim() == 3);
  } catch (const typecheck::InvalidType& error) {
    std::cout << error.what() << '\n';
  }
}
