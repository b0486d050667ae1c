// SPDX-License-Identifier: MIT
#include "cupyxx/random.h"

#include <cstdlib>
#include <mutex>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/internal/random/default_stream.h"
#include "cupyxx/internal/random/fill.h"

namespace cupyxx::random {
namespace {

using internal::Distribution;
using internal::kernels::RandomArgs;

constexpr int kDevices = 65;  // the host and the CUDA devices

struct DefaultStream {
  std::mutex mutex;
  bool is_seeded = false;
  RandomState state{0};
};

std::uint64_t first_seed() {
  if (const char* text = std::getenv("CHAINER_SEED")) return std::strtoull(text, nullptr, 10);
  std::random_device entropy;
  return static_cast<std::uint64_t>(entropy()) << 32 | entropy();
}

DefaultStream& default_stream(Device device) {
  static auto* const streams = new DefaultStream[kDevices];  // lives for ever
  return streams[device.is_cpu() ? 0 : 1 + device.index];
}

/// Calls `use` with a device's default stream, locked.
template <class Use>
auto with_default(Device device, Use&& use) {
  DefaultStream& stream = default_stream(device);
  const std::lock_guard lock(stream.mutex);
  if (!std::exchange(stream.is_seeded, true)) stream.state.seed(first_seed());
  return use(stream.state);
}

/// Takes the words of a call from a stream.
PhiloxState take(RandomState& state, std::uint64_t blocks) {
  const PhiloxState here{state.seed(), state.offset()};
  state.set_state(here.seed, here.offset + blocks);
  return here;
}

void check_floating(const char* operation, dtype type) {
  if (type == float32 || type == float64) return;
  throw DtypeError(std::string(operation) + ": the dtype is neither float32 nor float64; " +
                   std::string(type.name()));
}

ndarray fill(RandomState& state, Distribution distribution, const Shape& shape, dtype type,
             RandomArgs args) {
  ndarray out = empty(shape, type);
  args.out = out.data();
  args.size = out.size();
  args.state = take(state, internal::blocks_for(distribution, type, args.size));
  internal::fill_random(distribution, out, args);
  return out;
}

}  // namespace

RandomState::RandomState() : seed_(first_seed()) {}
RandomState::RandomState(std::uint64_t seed) : seed_(seed) {}

void RandomState::seed(std::uint64_t seed) { set_state(seed, 0); }

void RandomState::set_state(std::uint64_t seed, std::uint64_t offset) {
  seed_ = seed;
  offset_ = offset;
}

ndarray RandomState::normal(const Shape& shape, const NormalOptions& options) {
  check_floating("normal", options.dtype);
  if (options.scale < 0) {
    throw ValueError("normal: the scale is negative; " + Scalar(options.scale).str());
  }
  RandomArgs args{};
  args.a = options.loc;
  args.b = options.scale;
  return fill(*this, Distribution::normal, shape, options.dtype, args);
}

ndarray RandomState::uniform(const Shape& shape, const UniformOptions& options) {
  check_floating("uniform", options.dtype);
  RandomArgs args{};
  args.a = options.low;
  args.b = options.high - options.low;
  return fill(*this, Distribution::uniform, shape, options.dtype, args);
}

ndarray RandomState::randint(std::int64_t low, std::int64_t high, const Shape& shape) {
  if (low >= high) {
    throw ValueError("randint: low is not below high; " + std::to_string(low) + " and " +
                     std::to_string(high));
  }
  RandomArgs args{};
  args.low = low;
  args.range = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
  return fill(*this, Distribution::integers, shape, int64, args);
}

// Fisher and Yates, on the host: each step needs the one before it.
ndarray RandomState::permutation(std::int64_t n) {
  if (n < 0) throw ValueError("permutation: the length is negative; " + std::to_string(n));
  std::vector<std::int64_t> values(static_cast<std::size_t>(n));
  for (std::int64_t i = 0; i < n; ++i) values[static_cast<std::size_t>(i)] = i;
  const PhiloxState state = take(*this, static_cast<std::uint64_t>(n + 1) / 2);
  Words words{};
  for (std::int64_t i = n - 1; i > 0; --i) {
    const std::int64_t step = n - 1 - i;
    if (step % 2 == 0) words = philox_block(state, static_cast<unsigned long>(step / 2));
    const std::int64_t half = 2 * (step % 2);
    const unsigned long j =
        uniform_below(static_cast<unsigned long>(i) + 1, words.w[half], words.w[half + 1]);
    std::swap(values[static_cast<std::size_t>(i)], values[j]);
  }
  return array(values);
}

void seed(std::uint64_t seed) {
  with_default(current_device(), [&](RandomState& state) { state.seed(seed); });
}

RandomState get_state() {
  return with_default(current_device(), [](RandomState& state) { return state; });
}

void set_state(const RandomState& state) {
  with_default(current_device(), [&](RandomState& own) { own = state; });
}

ndarray normal(const Shape& shape, const NormalOptions& options) {
  return with_default(current_device(),
                      [&](RandomState& state) { return state.normal(shape, options); });
}

ndarray uniform(const Shape& shape, const UniformOptions& options) {
  return with_default(current_device(),
                      [&](RandomState& state) { return state.uniform(shape, options); });
}

ndarray randint(std::int64_t low, std::int64_t high, const Shape& shape) {
  return with_default(current_device(),
                      [&](RandomState& state) { return state.randint(low, high, shape); });
}

ndarray permutation(std::int64_t n) {
  return with_default(current_device(), [&](RandomState& state) { return state.permutation(n); });
}

ndarray rand(const Shape& shape) { return uniform(shape); }
ndarray random_sample(const Shape& shape) { return uniform(shape); }
ndarray randn(const Shape& shape) { return normal(shape); }
ndarray standard_normal(const Shape& shape) { return normal(shape); }

}  // namespace cupyxx::random

namespace cupyxx::internal {

random::PhiloxState reserve_random(Device device, std::uint64_t blocks) {
  return random::with_default(
      device, [&](random::RandomState& state) { return random::take(state, blocks); });
}

}  // namespace cupyxx::internal
