// SPDX-License-Identifier: MIT
// Kernels of one's own: element by element, as a reduction, fused from operations, checked by the
// C++ compiler, and, on a device, with threads and shared memory.
#include <iostream>
#include <string>

#include "cupyxx/cupyxx.h"
#include "examples/program/flags.h"

namespace cp = cupyxx;

namespace {

/// What happens at each element; T is the dtype of the call. One kernel serves shapes that
/// broadcast, strides and dtypes, on devices and on the host.
void elementwise() {
  const cp::ElementwiseKernel squared_diff("T x, T y", "T z", "z = (x - y) * (x - y)",
                                           "squared_diff");
  const auto x = cp::arange(6).reshape({2, 3}).astype(cp::float32);
  std::cout << "squared_diff:\n" << squared_diff(x, cp::array({0.0f, 1.0f, 2.0f})) << "\n";
}

/// A raw argument is read at any place; i is the place of the thread, n how many there are.
void neighbours() {
  const cp::ElementwiseKernel smooth(
      "raw T x", "T y", "y = (x[i > 0 ? i - 1 : 0] + x[i] + x[i + 1 < n ? i + 1 : n - 1]) / 3",
      "smooth");
  const auto x = cp::array({0.0, 0.0, 9.0, 0.0, 0.0});
  std::cout << "smooth: " << smooth(x, cp::zeros_like(x)) << "\n";
}

/// A reduction: what is made of each element, how two become one, what is made of the last one, and
/// what to begin with.
void reduction() {
  const cp::ReductionKernel l2norm("T x", "T y", "x * x", "a + b", "y = sqrt(a)", "0", "l2norm");
  const auto x = cp::array({{3.0, 4.0}, {6.0, 8.0}});
  std::cout << "l2norm: " << l2norm(x) << ", of rows " << l2norm(x, {.axis = 1}) << "\n";
}

/// Operations of arrays in one pass over memory, and the plan that says so.
void fused() {
  const auto swish = cp::fuse([](auto x) { return x / (1 + cp::exp(-x)); }, "swish");
  const auto x = cp::linspace(-2, 2, 5);
  std::cout << "swish: " << cp::array_str(swish(x), {.precision = 3}) << "\n" << swish.plan(x);
}

/// Text that is known when the program is compiled is checked then: a misspelt name or a wrong
/// number of arguments does not compile.
void checked() {
  const auto axpy = cp::elementwise_kernel<"T a, T x, T y", "T z", "z = a * x + y">("axpy");
  std::cout << "axpy: " << axpy(2.0, cp::arange(3.0), cp::ones({3})) << "\n";
}

/// What is wrong in a text is said with the compiler's words.
void mistake() {
  const cp::ElementwiseKernel wrong("T x", "T y", "y = x + nonsense", "wrong");
  try {
    wrong(cp::arange(3.0));
  } catch (const cp::CompileError& error) {
    const std::string text = error.what();
    std::cout << "CompileError: " << text.substr(0, text.find('\n')) << "\n";
  }
}

/// CUDA C++ with a grid of its own: blocks sum 256 elements each in shared memory.
void raw() {
  const cp::RawKernel block_sums(R"(
      extern "C" __global__ void block_sums(const float* x, float* sums, int n) {
        __shared__ float part[256];
        const int i = blockIdx.x * 256 + threadIdx.x;
        part[threadIdx.x] = i < n ? x[i] : 0;
        __syncthreads();
        for (int half = 128; half > 0; half /= 2) {
          if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
          __syncthreads();
        }
        if (threadIdx.x == 0) sums[blockIdx.x] = part[0];
      })",
                                 "block_sums");
  if (!cp::current_device().is_cuda()) {
    std::cout << "block_sums: needs a device\n";
    return;
  }
  const auto x = cp::ones({1000}, cp::float32);
  const auto sums = cp::zeros({4}, cp::float32);
  block_sums(4, 256, x, sums, 1000);  // grid, block, arguments
  std::cout << "block_sums: " << sums << "\n";
}

}  // namespace

int main(int argc, char** argv) {
  std::string device = "cpu";
  return examples::run_program(
      {"custom_kernel", "shows kernels of one's own.", {examples::device_flag(device)}, ""}, argc,
      argv, [&] {
        const cp::DeviceScope scope(examples::choose_device(device, cp::cuda::device_count()));
        elementwise();
        neighbours();
        reduction();
        fused();
        checked();
        mistake();
        raw();
        return 0;
      });
}
