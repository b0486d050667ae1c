// SPDX-License-Identifier: MIT
// The price of options by Black and Scholes: with arrays, with one fused pass, and with a kernel of
// one's own; then by simulation.
//   black_scholes --options=10000000 --device=cuda:0
#include <cmath>
#include <iomanip>
#include <iostream>
#include <string>

#include "cupyxx/cupyxx.h"
#include "examples/program/flags.h"

namespace {

namespace cp = cupyxx;

struct Options {
  std::string device = "auto";
  std::int64_t options = 1'000'000, paths = 1'000'000;
  std::uint64_t seed = 0;
};

constexpr double kRate = 0.02, kVolatility = 0.3;

/// The call options' prices; written once for arrays and for what stands for them in fuse().
const auto price = [](const auto& stock, const auto& strike, const auto& years) {
  const auto deviation = kVolatility * cp::sqrt(years);
  const auto d1 =
      (cp::log(stock / strike) + (kRate + kVolatility * kVolatility / 2) * years) / deviation;
  const auto d2 = d1 - deviation;
  const auto normal = [](const auto& x) {
    return 0.5 * cp::special::erfc(x * -0.7071067811865476);
  };
  return stock * normal(d1) - strike * cp::exp(-kRate * years) * normal(d2);
};

const cp::ElementwiseKernel price_kernel(
    "T stock, T strike, T years, float64 rate, float64 volatility", "T call", R"(
      const double deviation = volatility * sqrt((double)years);
      const double d1 = (log((double)stock / strike) + (rate + volatility * volatility / 2) * years) / deviation;
      const double d2 = d1 - deviation;
      call = stock * 0.5 * erfc(-d1 * 0.7071067811865476) -
             strike * exp(-rate * years) * 0.5 * erfc(-d2 * 0.7071067811865476);
    )",
    "black_scholes");

void report(const std::string& name, const cp::profiler::BenchmarkResult& result, std::int64_t n) {
  const double seconds = cp::current_device().is_cuda() ? result.gpu.median() : result.cpu.median();
  std::cout << std::setw(10) << name << std::setprecision(1) << std::setw(10) << seconds * 1e3
            << " ms" << std::setw(10) << static_cast<double>(n) / seconds / 1e6
            << " million prices/s\n";
}

int run(const Options& o) {
  const cp::DeviceScope device(examples::choose_device(o.device, cp::cuda::device_count()));
  cp::random::seed(o.seed);
  const auto draw = [&](double low, double high) {
    return cp::random::uniform({o.options}, {.low = low, .high = high});
  };
  const auto stock = draw(5, 30), strike = draw(1, 100), years = draw(0.25, 10);
  const auto fused =
      cp::fuse([](auto s, auto k, auto t) { return price(s, k, t); }, "black_scholes");

  const auto expected = price(stock, strike, years);
  const auto by_fuse = fused(stock, strike, years);
  const auto by_kernel = price_kernel(stock, strike, years, kRate, kVolatility);
  const auto difference = [&](const cp::ndarray& y) {
    return cp::abs(y - expected).max().item<double>();
  };
  std::cout << o.options << " options on " << cp::current_device().name() << std::scientific
            << std::setprecision(1) << "\nlargest difference from arrays: fused "
            << difference(by_fuse) << ", kernel " << difference(by_kernel) << "\n"
            << std::fixed;
  const cp::profiler::BenchmarkOptions few = {.n_repeat = 20, .n_warmup = 2, .max_duration = 1};
  report("arrays", cp::profiler::benchmark([&] { price(stock, strike, years); }, few), o.options);
  report("fused", cp::profiler::benchmark([&] { fused(stock, strike, years); }, few), o.options);
  report(
      "kernel",
      cp::profiler::benchmark([&] { price_kernel(stock, strike, years, kRate, kVolatility); }, few),
      o.options);

  // One of them by simulation: what the stock costs on the last day of many possible futures.
  const double s = 20, k = 18, t = 1;
  const auto z = cp::random::normal({o.paths});
  const auto last = s * cp::exp((kRate - kVolatility * kVolatility / 2) * t + kVolatility * z);
  const auto gain = cp::exp(cp::array(-kRate * t)) * cp::maximum(last - k, 0);
  const double error = gain.std().item<double>() / std::sqrt(static_cast<double>(o.paths));
  std::cout << std::setprecision(3) << "an option by formula "
            << price(cp::array(s), cp::array(k), cp::array(t)).item<double>() << ", by simulation "
            << gain.mean().item<double>() << " +/- " << error << "\n";
  return difference(by_kernel) < 1e-10 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  Options o;
  const examples::CommandLine line = {
      "black_scholes",
      "prices options.",
      {examples::device_flag(o.device),
       {"options", &o.options, "N", "how many", 1'000'000'000},
       {"paths", &o.paths, "N", "futures to simulate", 1'000'000'000},
       {"seed", &o.seed, "N", "of all random numbers"}},
      ""};
  return examples::run_program(line, argc, argv, [&] { return run(o); });
}
