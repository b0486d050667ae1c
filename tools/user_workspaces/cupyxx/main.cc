// SPDX-License-Identifier: MIT
#include <iostream>

#include "cupyxx/cupyxx.h"

int main() {
  auto a = cupyxx::ones({2, 3});
  std::cout << a.sum().item<double>() << '\n';
}
