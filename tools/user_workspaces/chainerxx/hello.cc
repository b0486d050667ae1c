// SPDX-License-Identifier: MIT
#include <iostream>

#include "chainerxx/chainerxx.h"
#include "cupyxx/creation.h"
#include "cupyxx/printing.h"

int main() {
  chainerxx::Variable x(cupyxx::array({1.0f, 2.0f, 3.0f}));
  auto y = chainerxx::functions::sum(x * x);
  y.backward();
  std::cout << y.data() << ' ' << x.grad() << '\n';
}
