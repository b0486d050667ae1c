// SPDX-License-Identifier: MIT
// Work in two streams overlaps: copies to the device behind kernels, shown by events. On a machine
// without a device streams stand for the host, which does one thing after the other.
#include <algorithm>
#include <iomanip>
#include <iostream>
#include <string>
#include <vector>

#include "cupyxx/cupyxx.h"
#include "examples/program/flags.h"

namespace {

namespace cp = cupyxx;
namespace cuda = cp::cuda;

struct Options {
  std::string device = "auto";
  std::int64_t parts = 8, size = 1'000'000;
};

/// Some work for an array: the same on every device.
cp::ndarray work(cp::ndarray x) {
  for (int i = 0; i < 20; ++i) x = cp::sin(x) + cp::cos(x);
  return x.sum();
}

/// Milliseconds between two events around `f`, the least of five runs, and its result.
template <class F>
std::pair<float, std::vector<cp::ndarray>> timed(const F& f) {
  std::vector<cp::ndarray> results = f();  // kernels are loaded, memory is taken
  float least = 1e9f;
  for (int i = 0; i < 5; ++i) {
    const cuda::Event start, end;
    start.record();
    results = f();
    end.record();
    end.synchronize();
    least = std::min(least, cuda::get_elapsed_time(start, end));
  }
  return {least, std::move(results)};
}

int run(const Options& o) {
  const cp::Device device = examples::choose_device(o.device, cuda::device_count());
  // Pinned memory of the host: the device reads it without the processor's help.
  std::vector<cp::ndarray> parts;
  for (std::int64_t i = 0; i < o.parts; ++i) {
    parts.push_back(cp::empty_pinned({o.size}, cp::float32));
    parts.back().fill(0.1 * static_cast<double>(i));
  }
  const cp::DeviceScope scope(device);

  const auto one_by_one = [&] {
    std::vector<cp::ndarray> sums;
    for (const auto& part : parts) sums.push_back(work(part.to(device)));
    return sums;
  };
  // While one stream computes, the other one copies. An array remembers the streams that use it: it
  // may be freed, or used in a third stream, without more words.
  const auto in_two_streams = [&] {
    const cuda::Stream streams[2];
    const cuda::Stream home = cuda::get_current_stream();
    std::vector<cp::ndarray> sums;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const cuda::StreamScope in(streams[i % 2]);
      const cp::ndarray there = cp::empty({o.size}, cp::float32);
      cp::copy_async(there, parts[i], streams[i % 2]);
      sums.push_back(work(there));
    }
    for (const cuda::Stream& stream : streams) home.wait_stream(stream);
    return sums;
  };

  const auto [before, expected] = timed(one_by_one);
  const auto [after, sums] = timed(in_two_streams);
  bool same = true;
  for (std::size_t i = 0; i < sums.size(); ++i) same &= cp::array_equal(sums[i], expected[i]);
  std::cout << o.parts << " parts of " << o.size << " numbers on " << device.name() << std::fixed
            << std::setprecision(2) << "\none by one     " << before << " ms\nin two streams "
            << after << " ms\nthe results are " << (same ? "the same" : "different") << "\n";

  // An event is a mark in a stream: another stream, or the host, can wait for it.
  const cuda::Stream producer, consumer;
  const cuda::Event ready;
  cp::ndarray x, y;
  {
    const cuda::StreamScope in(producer);
    x = cp::arange(5.0) * 10;
    producer.record(ready);
  }
  consumer.wait_event(ready);
  {
    const cuda::StreamScope in(consumer);
    y = x + 1;
  }
  std::cout << "behind an event: " << y << "\n";  // printing waits
  return same ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  Options o;
  const examples::CommandLine line = {"streams",
                                      "copies and computes at the same time.",
                                      {examples::device_flag(o.device),
                                       {"parts", &o.parts, "N", "arrays to copy", 1000},
                                       {"size", &o.size, "N", "numbers in each", 1'000'000'000}},
                                      ""};
  return examples::run_program(line, argc, argv, [&] { return run(o); });
}
