// SPDX-License-Identifier: MIT
#include <iostream>

#include "cupyxx/creation.h"
#include "cupyxx/math.h"
#include "gradcheck/gradcheck.h"

int main() {
  auto x = cupyxx::array({1.0, 2.0, 3.0});
  auto gy = cupyxx::ones({3});
  auto gx = gradcheck::numerical_grad([&] { return x * x; }, {x}, {gy});
  gradcheck::assert_allclose(gx[0], 2 * x);
  std::cout << "the gradient of x * x is 2 * x\n";
}
