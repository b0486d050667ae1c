// An operation of one's own beside those of cupyxx, on every device there is.
#include <iostream>

#include "cupyxx/cupyxx.h"
#include "cupyxx/extension/op.h"
#include "extension/softsign.h"

namespace cp = cupyxx;

int main() {
  constexpr cp::extension::Ufunc<mine::Softsign> softsign;
  for (int gpu = -1; gpu < cp::cuda::device_count(); ++gpu) {
    const cp::DeviceScope scope(gpu < 0 ? cp::Device::cpu() : cp::Device::cuda(gpu));
    const cp::ndarray x = cp::linspace(-3, 3, 4);
    if (!cp::allclose(softsign(x), x / (1 + cp::abs(x)))) return 1;
    if (gpu < 0) std::cout << softsign(x) << "\n";
  }
}
