// SPDX-License-Identifier: MIT
// A tour of cupyxx: NumPy for C++. Run it as `tour` or, on a machine with a GPU, as
// `tour --device=cuda:0`: the program and its output stay the same.
#include <iostream>
#include <string>

#include "cupyxx/cupyxx.h"
#include "examples/program/flags.h"

namespace cp = cupyxx;
using cp::ellipsis, cp::newaxis, cp::slice;

namespace {

void arrays() {
  // Arrays are made from ranges, lists or shapes. Shape and dtype are known at run time.
  const auto a = cp::arange(12).reshape({3, 4});
  const auto b = cp::array({{1.5, 2.0}, {3.0, 4.5}}, cp::float32);
  std::cout << "a =\n" << a << "\n";
  std::cout << "a has shape " << a.shape() << " and dtype " << a.dtype() << "\n";
  std::cout << "b =\n" << b << "\nb.dtype() = " << b.dtype() << "\n\n";

  // Indexing gives views: they share their elements with the array.
  std::cout << "a(1) = " << a(1) << "\n";
  std::cout << "a(-1, 2) = " << a(-1, 2) << "\n";
  std::cout << "a(slice(0, 2), slice(1, 3)) =\n" << a(slice(0, 2), slice(1, 3)) << "\n";
  std::cout << "a.T() =\n" << a.T() << "\n";
  auto c = a.copy();
  c(ellipsis, -1) = 0;     // writes through to c
  c(c > 8) = -1;           // a mask chooses elements
  cp::ndarray row = c(1);  // another name for a part of c
  row *= 10;
  std::cout << "c =\n" << c << "\n\n";
}

void broadcasting() {
  // Axes of extent 1 stretch; missing axes are put in front.
  const auto column = cp::arange(3)(slice(), newaxis);
  const auto row = cp::array({10, 20, 30, 40});
  std::cout << "column + row =\n" << column + row << "\n";
  std::cout << "row / 4 = " << row / 4 << "\n";
  std::cout << "row % 3 == 1 is " << (row % 3 == 1) << "\n";
  std::cout << "where(row > 25, row, 0) = " << cp::where(row > 25, row, 0) << "\n";
  // Numbers adapt to the array's dtype: float32 stays float32.
  const auto x = cp::linspace(0, 1, 5, {.dtype = cp::float32});
  std::cout << "sqrt(x) = " << cp::sqrt(x) << " (" << cp::sqrt(x).dtype() << ")\n\n";
}

void reductions() {
  const auto a = cp::arange(6).reshape({2, 3});
  std::cout << "a.sum() = " << a.sum() << "\n";
  std::cout << "a.sum(0) = " << a.sum(0) << "\n";
  std::cout << "a.max(1, {.keepdims = true}) =\n" << a.max(1, {.keepdims = true}) << "\n";
  const auto centred = a - a.mean(1, {.keepdims = true});
  std::cout << "centred =\n" << centred << "\n";
  std::cout << "its standard deviation: " << centred.std() << "\n";
  std::cout << "a times its transpose =\n" << cp::dot(a, a.T()) << "\n";
  const double total = a.sum().item<double>();  // to C++; waits for a GPU
  std::cout << "total / 4 = " << total / 4 << "\n\n";
}

void printing() {
  std::cout << cp::array_repr(cp::array({0.1, 1.0 / 3.0, 1000.0})) << "\n";
  std::cout << cp::array_repr(cp::zeros({2, 0}, cp::float32)) << "\n";
  std::cout << cp::arange(10000).reshape({100, 100}) << "\n";
  std::cout << cp::array({1e-9, 1.0}) << " " << cp::array({true, false}) << "\n";
}

void errors() {
  // Mistakes are exceptions that name the operation and the values.
  try {
    cp::dot(cp::ones({2, 3}), cp::ones({4, 5}));
  } catch (const cp::ShapeError& error) {
    std::cout << "ShapeError: " << error.what() << "\n";
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::string device = "cpu";
  return examples::run_program(
      {"tour", "shows what arrays do.", {examples::device_flag(device)}, ""}, argc, argv, [&] {
        const cp::DeviceScope scope(examples::choose_device(
            device, cp::cuda::device_count()));  // where the arrays below are made
        arrays();
        broadcasting();
        reductions();
        printing();
        errors();
        return 0;
      });
}
