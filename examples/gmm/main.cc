// SPDX-License-Identifier: MIT
// A mixture of normal distributions, found by expectation and maximization, with arrays alone.
//   gmm --out=gmm.svg --device=cuda:0
#include <iostream>
#include <string>

#include "cupyxx/cupyxx.h"
#include "examples/program/flags.h"
#include "examples/program/picture.h"

namespace {

namespace cp = cupyxx;
using cp::newaxis, cp::slice;

struct Options {
  std::string device = "auto", out;
  std::int64_t points = 2000, steps = 50;
  std::uint64_t seed = 0;
};

/// Two normal distributions, of weights (2,), means and variances (2, 2): a row for each.
struct Mixture {
  cp::ndarray weights, means, variances;

  /// The logarithm of weight times density of points (n, 2) under each distribution, (n, 2).
  cp::ndarray log_joint(const cp::ndarray& x) const {
    const auto squares = cp::square(x(slice(), newaxis) - means) / variances;
    return cp::log(weights) - (cp::log(2 * cp::pi * variances) + squares).sum(-1) / 2;
  }
  cp::ndarray predict(const cp::ndarray& x) const { return log_joint(x).argmax(1); }
};

/// The mixture of which the points are most likely, and the mean log-likelihood of a point.
std::pair<Mixture, double> fit(const cp::ndarray& x, std::int64_t steps) {
  // It starts from the points furthest to the left and to the right.
  const auto first = x(slice(), 0);
  Mixture m = {cp::full({2}, 0.5),
               cp::stack({cp::ndarray(x(first.argmin())), cp::ndarray(x(first.argmax()))}),
               cp::ones({2, 2})};
  double likelihood = -cp::inf;
  for (std::int64_t step = 0; step < steps; ++step) {
    // Expectation: how much of each point belongs to each distribution, (n, 2).
    const auto joint = m.log_joint(x);
    const auto total = cp::special::logsumexp(joint, 1, {.keepdims = true});
    const auto shares = cp::exp(joint - total);
    // Maximization: moments of the points by their shares.
    const auto counts = shares.sum(0)(slice(), newaxis);
    m.weights = shares.mean(0);
    m.means = shares.T().dot(x) / counts;
    m.variances = shares.T().dot(cp::square(x)) / counts - cp::square(m.means) + 1e-6;
    const auto now = total.mean().item<double>();
    if (now - likelihood < 1e-9) break;
    likelihood = now;
  }
  return {m, likelihood};
}

int run(const Options& options) {
  const cp::DeviceScope device(examples::choose_device(options.device, cp::cuda::device_count()));
  examples::prepare_file("out", options.out);
  cp::random::seed(options.seed);
  const std::int64_t half = options.points / 2;
  const auto cloud = [&](std::int64_t n, double x, double y, double width) {
    return cp::random::normal({n, 2}) * cp::array({width, 1.0}) + cp::array({x, y});
  };
  const auto points =
      cp::concatenate({cloud(half, -2, 1, 1.0), cloud(options.points - half, 2, -1, 0.5)}, 0);
  const auto truth = cp::arange(options.points) >= half;

  const auto [mixture, likelihood] = fit(points, options.steps);
  const auto labels = mixture.predict(points);
  std::cout << "on " << cp::current_device().name() << ": log-likelihood of a point " << likelihood
            << "\nweights " << cp::array_str(mixture.weights, {.precision = 2}) << "\nmeans\n"
            << cp::array_str(mixture.means, {.precision = 2}) << "\nstandard deviations\n"
            << cp::array_str(cp::sqrt(mixture.variances), {.precision = 2})
            << "\nfound in the right cloud: " << (labels == truth).mean().item<double>() << "\n";
  if (!options.out.empty()) {
    examples::save_scatter(options.out, points, labels, mixture.means);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  Options o;
  const examples::CommandLine line = {
      "gmm",
      "finds two clouds of points by a mixture of normal distributions.",
      {examples::device_flag(o.device),
       {"points", &o.points, "N", "how many there are", 100'000'000, 4},
       {"steps", &o.steps, "N", "at most", 1'000'000},
       {"out", &o.out, "FILE", "gets a picture, SVG"},
       {"seed", &o.seed, "N", "of all random numbers"}},
      ""};
  return examples::run_program(line, argc, argv, [&] { return run(o); });
}
