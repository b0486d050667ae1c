// SPDX-License-Identifier: MIT
// Products and decompositions, for which cupyxx opens or links libraries of others, on one team of
// threads.
#include <fstream>
#include <iostream>
#include <set>
#include <string>

#include "cupyxx/cupyxx.h"

namespace cp = cupyxx;

int main() {
  const auto a = cp::random::normal({300, 300});
  const auto unit = cp::linalg::inv(a).dot(a);
  const bool inverse = cp::allclose(unit, cp::eye(300), {.atol = 1e-6});
  const auto b = a.astype(cp::float32);
  const bool product = cp::allclose(b.dot(b), a.dot(a), {.rtol = 1e-3, .atol = 1e-3});

  std::set<std::string> teams;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    const auto name = line.rfind('/');
    if (name == std::string::npos) continue;
    if (line.find("/libgomp") != std::string::npos || line.find("/libomp") != std::string::npos) {
      teams.insert(line.substr(name + 1));
    }
  }
  std::cout << "inverse " << inverse << ", product " << product << ", OpenMP libraries "
            << teams.size() << "\n";
  return inverse && product && teams.size() == 1 ? 0 : 1;
}
