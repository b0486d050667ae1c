// SPDX-License-Identifier: MIT
// One text for the host and for devices: functions of arrays run where their arrays live, and say
// where that is only when they make arrays of their own.
//   generic_code            on the host, and on the first GPU if there is one
#include <iostream>
#include <vector>

#include "chainerxx/chainerxx.h"
#include "cupyxx/cupyxx.h"
#include "examples/program/flags.h"

namespace cp = cupyxx;
namespace F = chainerxx::functions;
using chainerxx::Variable;

namespace {

/// log(1 + exp(x)) without overflow. Nothing here knows a device.
cp::ndarray softplus(const cp::ndarray& x) {
  return cp::maximum(x, 0) + cp::log1p(cp::exp(-cp::abs(x)));
}

/// The labels (n,) as rows with one 1. It makes an array, which must lie where the labels are:
/// get_array_module gives the functions that do so.
cp::ndarray one_hot(const cp::ndarray& labels, std::int64_t classes) {
  const auto xp = cp::get_array_module(labels);
  const auto rows = xp.zeros({labels.size(), classes}, cp::float32);
  rows(xp.arange(0, labels.size()), labels) = 1;
  return rows;
}

/// The same for any dtype: a number in C++ takes the array's, so float32 stays float32.
cp::ndarray standardized(const cp::ndarray& x) { return (x - x.mean(0)) / (x.std(0) + 1e-8); }

/// A function of variables is generic without a word more; its gradient is, too.
Variable loss(const Variable& x, const Variable& t) { return F::mean(F::square(F::tanh(x) - t)); }

void show(cp::Device device) {
  const cp::DeviceScope scope(device);
  std::cout << "on " << device << "\n";
  for (const cp::dtype type : {cp::float32, cp::float64}) {
    const auto x = cp::array({{-1.0, 0.0}, {1.0, 100.0}}, type);
    std::cout << "softplus of " << type << ": " << softplus(x).ravel() << "\n"
              << "standardized: " << standardized(x).ravel() << "\n";
  }
  std::cout << "one_hot:\n" << one_hot(cp::array({2, 0}), 3) << "\n";
  const Variable x(cp::array({0.5f, -1.0f}));
  loss(x, cp::array({0.0f, 0.0f})).backward();
  std::cout << "gradient: " << cp::array_str(x.grad(), {.precision = 4}) << "\n";
}

int run() {
  std::vector<cp::Device> devices = {cp::Device::cpu()};
  if (cp::cuda::is_available()) devices.push_back(cp::Device::cuda(0));
  for (const cp::Device device : devices) show(device);
  // Where an array is, and moving it, are questions of their own.
  const auto x = cp::arange(3.0).to(devices.back());
  std::cout << "the best device holds " << asnumpy(softplus(x)) << "\n";
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return examples::run_program({"generic_code", "shows code for every device and dtype.", {}, ""},
                               argc, argv, run);
}
