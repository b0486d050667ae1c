// An operation and a kernel of one's own beside those of cupyxx, on every device there is.
#include <iostream>

#include "cupyxx/cupyxx.h"
#include "cupyxx/extension/op.h"
#include "extension/softsign.h"

namespace cp = cupyxx;

namespace mine {
/// Turns the order of the elements around, in place.
void mirror(const cp::ndarray& x);
/// Whether a device would have its kernel.
bool mirror_compiles();
}  // namespace mine

namespace {

constexpr cp::extension::Ufunc<mine::Softsign> softsign;

/// Whether a NaN is reported: by a device when it is waited for.
bool refuses(const cp::ndarray& x) {
  try {
    mine::mirror(x);
    (void)x.to_vector<double>();
  } catch (const cp::ValueError&) {
    return true;
  }
  return false;
}

bool works() {
  const cp::ndarray x = cp::linspace(-3, 3, 4);
  if (!cp::allclose(softsign(x), x / (1 + cp::abs(x)))) return false;
  const cp::ndarray y = softsign(x), before = y.copy();
  const cp::ndarray late = y(cp::slice(1, 3));
  mine::mirror(y);
  if (!cp::array_equal(y, cp::flip(before)) || !cp::array_equal(late, y(cp::slice(1, 3))))
    return false;
  return refuses(cp::full({3}, cp::nan));
}

}  // namespace

int main() {
  for (int gpu = -1; gpu < cp::cuda::device_count(); ++gpu) {
    const cp::DeviceScope scope(gpu < 0 ? cp::Device::cpu() : cp::Device::cuda(gpu));
    if (!works()) return 1;
  }
  if (!mine::mirror_compiles()) return 2;
  const cp::ndarray y = softsign(cp::linspace(-3, 3, 4));
  std::cout << y << "\n";
  mine::mirror(y);
  std::cout << y << "\n";
}
