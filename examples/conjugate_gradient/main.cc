// SPDX-License-Identifier: MIT
// Solves A x = b for a symmetric, positive definite matrix by conjugate gradients, and compares
// with linalg::solve.
//   conjugate_gradient --size=4000 --device=cuda:0
#include <iomanip>
#include <iostream>
#include <string>

#include "cupyxx/cupyxx.h"
#include "examples/program/flags.h"

namespace {

namespace cp = cupyxx;

struct Options {
  std::string device = "auto";
  std::int64_t size = 500;
  std::uint64_t seed = 0;
};

/// A solution, and the steps that it took until the residual was `tolerance` times b, or never.
std::pair<cp::ndarray, int> solve(const cp::ndarray& A, const cp::ndarray& b, double tolerance) {
  auto x = cp::zeros_like(b);
  auto r = b - A.dot(x);
  auto p = r.copy();
  auto rr = r.dot(r);
  const double enough = tolerance * tolerance * b.dot(b).item<double>();
  int steps = 0;
  while (rr.item<double>() > enough && steps < 2 * b.size()) {  // waits for a device, once a step
    const auto Ap = A.dot(p);
    const auto alpha = rr / p.dot(Ap);
    x += alpha * p;
    r -= alpha * Ap;
    const auto next = r.dot(r);
    p = r + next / rr * p;
    rr = next;
    ++steps;
  }
  return {x, steps};
}

int run(const Options& options) {
  const cp::DeviceScope device(examples::choose_device(options.device, cp::cuda::device_count()));
  cp::random::seed(options.seed);
  const std::int64_t n = options.size;
  // A product B B^T is symmetric; n on the diagonal keeps its eigenvalues away from zero.
  const auto B = cp::random::normal({n, n});
  const auto A = B.dot(B.T()) + static_cast<double>(n) * cp::eye(n);
  const auto truth = cp::random::normal({n});
  const auto b = A.dot(truth);

  const auto [x, steps] = solve(A, b, 1e-10);
  const auto direct = cp::linalg::solve(A, b);
  const auto error = [&](const cp::ndarray& y) { return cp::abs(y - truth).max().item<double>(); };
  std::cout << n << " unknowns on " << cp::current_device().name() << "\n"
            << "conjugate gradients: " << steps << " steps, largest error " << std::scientific
            << std::setprecision(1) << error(x) << "\n"
            << "linalg::solve: largest error " << error(direct) << "\n";

  const cp::profiler::BenchmarkOptions few = {.n_repeat = 5, .n_warmup = 1};
  const auto cg = cp::profiler::benchmark([&] { solve(A, b, 1e-10); }, few);
  const auto lu = cp::profiler::benchmark([&] { cp::linalg::solve(A, b); }, few);
  std::cout << std::fixed << std::setprecision(2) << "median time: conjugate gradients "
            << cg.cpu.median() * 1e3 << " ms, linalg::solve " << lu.cpu.median() * 1e3 << " ms\n";
  return error(x) < 1e-6 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  Options o;
  const examples::CommandLine line = {"conjugate_gradient",
                                      "solves a system of linear equations.",
                                      {examples::device_flag(o.device),
                                       {"size", &o.size, "N", "unknowns", 50'000},
                                       {"seed", &o.seed, "N", "of all random numbers"}},
                                      ""};
  return examples::run_program(line, argc, argv, [&] { return run(o); });
}
