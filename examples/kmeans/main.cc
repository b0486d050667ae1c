// SPDX-License-Identifier: MIT
// Finds groups of points: k-means with arrays alone.
//   kmeans --clusters=5 --out=kmeans.svg --device=cuda:0
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
  std::int64_t points = 5000, clusters = 5, steps = 100, tries = 10;
  std::uint64_t seed = 0;
};

/// Points around `clusters` random places, (n, 2).
cp::ndarray make_points(std::int64_t n, std::int64_t clusters) {
  const auto places = cp::random::uniform({clusters, 2}, {.low = -5, .high = 5});
  return places(cp::random::randint(0, clusters, {n})) + cp::random::normal({n, 2}, {.scale = 0.7});
}

/// The squares of the distances of points (n, 2) from centres (k, 2), as (n, k).
cp::ndarray squared_distances(const cp::ndarray& points, const cp::ndarray& centres) {
  return cp::square(points(slice(), newaxis) - centres).sum(-1);
}

struct Fit {
  cp::ndarray centres, labels;
  int steps;
  double error;  ///< the mean squared distance of a point from its centre
};

/// The first centres lie far from each other: each is drawn by its distance from those before it
/// (k-means++).
cp::ndarray first_centres(const cp::ndarray& points, std::int64_t clusters) {
  cp::ndarray all = points(cp::random::randint(0, points.shape(0), {1}));
  while (all.shape(0) < clusters) {
    const auto far = squared_distances(points, all).min(1);
    const auto next = cp::random::choice(points.shape(0), {1}, {.p = far / far.sum()});
    all = cp::concatenate({all, points(next)}, 0);
  }
  return all;
}

Fit fit(const cp::ndarray& points, std::int64_t clusters, std::int64_t max_steps) {
  auto centres = first_centres(points, clusters);
  cp::ndarray labels = cp::full({points.shape(0)}, -1);
  for (int step = 1;; ++step) {
    auto nearest = squared_distances(points, centres).argmin(1);
    if (cp::array_equal(nearest, labels) || step > max_steps) {
      const auto error = squared_distances(points, centres).min(1).mean().item<double>();
      return {centres, labels, step - 1, error};
    }
    labels = nearest;
    // Which point belongs to which centre, (k, n): a product with the points sums each group.
    auto members = (labels == cp::arange(clusters)(slice(), newaxis)).astype(cp::float64);
    centres = members.dot(points) / cp::maximum(members.sum(1, {.keepdims = true}), 1);
  }
}

int run(const Options& options) {
  const cp::DeviceScope device(examples::choose_device(options.device, cp::cuda::device_count()));
  examples::prepare_file("out", options.out);
  cp::random::seed(options.seed);
  const auto points = make_points(options.points, options.clusters);
  // Where it ends depends on where it begins: the best of several tries counts.
  Fit found = fit(points, options.clusters, options.steps);
  for (std::int64_t i = 1; i < options.tries; ++i) {
    if (Fit next = fit(points, options.clusters, options.steps); next.error < found.error)
      found = next;
  }
  std::cout << options.points << " points in " << options.clusters << " groups on "
            << cp::current_device().name() << ", " << found.steps << " steps\n"
            << "centres:\n"
            << cp::array_str(found.centres, {.precision = 2}) << "\n"
            << "members: " << cp::bincount(found.labels) << "\n"
            << "mean squared distance from the centre: " << found.error << "\n";
  if (!options.out.empty()) {
    examples::save_scatter(options.out, points, found.labels, found.centres);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  Options o;
  const examples::CommandLine line = {
      "kmeans",
      "finds groups of points.",
      {examples::device_flag(o.device),
       {"points", &o.points, "N", "how many there are", 100'000'000},
       {"clusters", &o.clusters, "N", "groups to make and to find", 1000},
       {"steps", &o.steps, "N", "at most, of a try", 1'000'000},
       {"tries", &o.tries, "N", "from other first centres", 1000},
       {"out", &o.out, "FILE", "gets a picture, SVG"},
       {"seed", &o.seed, "N", "of all random numbers"}},
      ""};
  return examples::run_program(line, argc, argv, [&] { return run(o); });
}
