// SPDX-License-Identifier: MIT
// A long training of a small network: the memory must stay flat, and two runs must give the same
// bits.
//   soak [--steps=N] [--device=cpu|cuda] [--captured] [--seed=N] [--twice]
// Prints ten lines with memory and loss, and a hash of all parameters and of the optimizer's
// states. Ends with 1 when memory has grown or two runs differ.
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include "chainerxx/chainerxx.h"
#include "cupyxx/cupyxx.h"

namespace {

namespace cp = cupyxx;
namespace F = chainerxx::functions;
using chainerxx::Variable;
using cp::ndarray;

struct Flags {
  std::int64_t steps = 1000000;
  std::uint64_t seed = 1;
  std::string device = "cpu";
  bool captured = false;
  bool twice = false;
};

/// A flag's value, where the argument is that flag.
const char* value_of(const char* argument, const char* flag) {
  const std::size_t length = std::strlen(flag);
  return std::strncmp(argument, flag, length) == 0 && argument[length] == '='
             ? argument + length + 1
             : nullptr;
}

bool parse(int argc, char** argv, Flags& flags) {
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (const char* steps = value_of(argv[i], "--steps")) {
      flags.steps = std::atoll(steps);
    } else if (const char* seed = value_of(argv[i], "--seed")) {
      flags.seed = std::strtoull(seed, nullptr, 10);
    } else if (const char* device = value_of(argv[i], "--device")) {
      flags.device = device;
    } else if (argument == "--captured") {
      flags.captured = true;
    } else if (argument == "--twice") {
      flags.twice = true;
    } else {
      return false;
    }
  }
  return flags.steps >= 10 && (flags.device == "cpu" || flags.device == "cuda");
}

struct Net : chainerxx::FunctionSet {
  F::Linear& l1 = add("l1", F::Linear(8, 16));
  F::BatchNormalization& bn = add("bn", F::BatchNormalization(16));
  F::Linear& l2 = add("l2", F::Linear(16, 4));
  Variable operator()(const Variable& x) { return l2(F::dropout(F::relu(bn(l1(x))), 0.1)); }
};

/// Bytes of this process that are in memory.
std::int64_t resident_bytes() {
  std::int64_t pages = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> pages >> resident;
  return resident * ::sysconf(_SC_PAGESIZE);
}

/// What must not grow.
struct Memory {
  std::int64_t resident = 0;
  std::uint64_t used = 0, total = 0;  // of the device's pool
  std::uint64_t host_total = 0;       // of the host's

  static Memory now(cp::Device device) {
    const cp::PoolStats pool = cp::pool_stats(device);
    return {resident_bytes(), pool.used, pool.total, cp::pool_stats(cp::Device::cpu()).total};
  }
};

/// FNV-1a over the bytes of arrays.
std::uint64_t hash_of(const std::vector<ndarray>& arrays) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const ndarray& a : arrays) {
    const ndarray host = cp::ascontiguousarray(a.to_cpu());
    const auto* bytes = static_cast<const unsigned char*>(host.data());
    for (std::int64_t i = 0; i < host.nbytes(); ++i) hash = (hash ^ bytes[i]) * 0x100000001b3u;
  }
  return hash;
}

/// Trains; returns the hash, and whether memory stayed flat.
std::uint64_t train(const Flags& flags, bool& is_flat) {
  constexpr int kBatches = 64;
  const cp::Device device = flags.device == "cpu" ? cp::Device::cpu() : cp::Device::cuda(0);
  const cp::DeviceScope scope(device);
  cp::random::seed(flags.seed);
  Net net;
  chainerxx::optimizers::Adam optimizer;
  optimizer.add_hook(chainerxx::WeightDecay(1e-4));
  optimizer.setup(net);
  std::vector<ndarray> images, labels;
  for (int i = 0; i < kBatches; ++i) {
    images.push_back(cp::random::uniform({8, 8}, {.dtype = cp::float32}));
    labels.push_back((cp::sum(images.back(), 1) * 2).astype(cp::int32) % 4);
  }
  const auto step = [&](const ndarray& x, const ndarray& t) {
    const Variable loss = F::softmax_cross_entropy(net(x), Variable(t));
    optimizer.zero_grads();
    loss.backward();
    optimizer.update();
    return loss.data();
  };
  auto captured = chainerxx::capture(step);

  // A twentieth, and at least a thousand steps, to warm up.
  const std::int64_t tenth = flags.steps / 10,
                     settled = std::max<std::int64_t>(flags.steps / 20, 1000);
  Memory before{};
  const auto start = std::chrono::steady_clock::now();
  ndarray loss;
  for (std::int64_t i = 1; i <= flags.steps; ++i) {
    const ndarray& x = images[static_cast<std::size_t>(i % kBatches)];
    const ndarray& t = labels[static_cast<std::size_t>(i % kBatches)];
    loss = flags.captured ? captured(x, t) : step(x, t);
    if (i == settled) {
      if (device.is_cuda()) cp::cuda::Device(0).synchronize();
      before = Memory::now(device);
    }
    if (i % tenth != 0) continue;
    const auto value = loss.item<float>();
    const Memory now = Memory::now(device);
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    std::printf(
        "%3lld %%  %9lld steps  %7.1f s  loss %.4f  resident %lld KiB  pool %llu used, %llu bytes "
        "in all\n",
        static_cast<long long>(i / tenth * 10), static_cast<long long>(i), seconds,
        static_cast<double>(value), static_cast<long long>(now.resident >> 10),
        static_cast<unsigned long long>(now.used), static_cast<unsigned long long>(now.total));
    std::fflush(stdout);
    if (i < settled) continue;
    // The process may take a MiB more for what is not ours; the pools nothing.
    if (now.total > before.total || now.host_total > before.host_total ||
        now.resident > before.resident + (1 << 20)) {
      std::printf(
          "memory has grown: resident %lld to %lld bytes, pool %llu to %llu, of the host %llu to "
          "%llu\n",
          static_cast<long long>(before.resident), static_cast<long long>(now.resident),
          static_cast<unsigned long long>(before.total), static_cast<unsigned long long>(now.total),
          static_cast<unsigned long long>(before.host_total),
          static_cast<unsigned long long>(now.host_total));
      is_flat = false;
    }
  }
  std::vector<ndarray> arrays = net.parameters();
  arrays.push_back(net.bn.avg_mean);
  for (const chainerxx::NamedField& field : optimizer.fields()) arrays.push_back(*field.array);
  return hash_of(arrays);
}

int soak(const Flags& flags) {
  bool is_flat = true;
  const std::uint64_t first = train(flags, is_flat);
  std::printf("bits %016llx after %lld steps on %s%s, seed %llu\n",
              static_cast<unsigned long long>(first), static_cast<long long>(flags.steps),
              flags.device.c_str(), flags.captured ? ", captured" : "",
              static_cast<unsigned long long>(flags.seed));
  if (flags.twice) {
    const std::uint64_t second = train(flags, is_flat);
    std::printf("bits %016llx of the second run: %s\n", static_cast<unsigned long long>(second),
                second == first ? "the same" : "DIFFERENT");
    if (second != first) return 1;
  }
  std::printf("%s\n", is_flat ? "memory is flat" : "memory has GROWN");
  return is_flat ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  Flags flags;
  if (!parse(argc, argv, flags)) {
    std::fprintf(stderr,
                 "usage: soak [--steps=N] [--device=cpu|cuda] [--captured] [--seed=N] [--twice]\n");
    return 2;
  }
  try {
    return soak(flags);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "soak: %s\n", error.what());
    return 1;
  }
}
