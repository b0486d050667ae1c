// SPDX-License-Identifier: MIT
#include "cupyxx/random/random_state.h"

#include <charconv>
#include <cstdlib>
#include <cstring>
#include <random>

#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/internal/gpu/capture.h"
#include "cupyxx/random/impl.h"

namespace cupyxx::random {
namespace {

struct MethodName {
  Method method;
  std::string_view name;
};
constexpr MethodName kMethods[] = {
    {Method::counter, "counter"},
    {Method::PSEUDO_DEFAULT, "PSEUDO_DEFAULT"},
    {Method::XORWOW, "XORWOW"},
    {Method::MRG32K3A, "MRG32K3A"},
    {Method::MTGP32, "MTGP32"},
    {Method::MT19937, "MT19937"},
    {Method::PHILOX4_32_10, "PHILOX4_32_10"},
};

// Marks saved states, and their version.
constexpr std::uint64_t kMark = 0x31786c6968705863u;

constexpr std::uint64_t kJump = std::uint64_t{1} << 48;

}  // namespace

Method method(std::string_view wanted) {
  for (const MethodName& known : kMethods) {
    for (const std::string_view prefix : {"", "CURAND_RNG_", "CURAND_RNG_PSEUDO_"}) {
      if (wanted == std::string(prefix) + std::string(known.name)) return known.method;
    }
  }
  throw ValueError(message("random: the method is unknown; ", wanted));
}

std::string_view name(Method wanted) {
  for (const MethodName& known : kMethods) {
    if (known.method == wanted) return known.name;
  }
  throw ValueError(message("random: the method is unknown; ", static_cast<int>(wanted)));
}

std::uint64_t first_seed() {
  if (const char* text = std::getenv("CHAINER_SEED"); text != nullptr && *text != '\0') {
    std::uint64_t seed = 0;
    const char* const end = text + std::strlen(text);
    const auto [rest, error] = std::from_chars(text, end, seed);
    if (error != std::errc() || rest != end) {
      throw ValueError(message("random: CHAINER_SEED is no number; ", text));
    }
    return seed;
  }
  std::random_device entropy;
  return static_cast<std::uint64_t>(entropy()) << 32 | entropy();
}

ndarray State::to_array() const {
  const DeviceScope host(Device::cpu());
  return array(std::vector<std::uint64_t>{kMark, seed, offset});
}

State State::from_array(const ndarray& a) {
  if (a.is_none() || a.dtype() != uint64 || a.shape() != Shape{3}) {
    throw ValueError("State: the array is not of uint64 and shape (3,)");
  }
  const auto values = a.to_vector<std::uint64_t>();
  if (values[0] != kMark) {
    throw ValueError(message("State: the array holds no state; it begins with ", values[0]));
  }
  return {values[1], values[2]};
}

std::string State::to_bytes() const {
  std::string bytes;
  for (const std::uint64_t value : {kMark, seed, offset}) {
    for (int i = 0; i < 8; ++i) bytes += static_cast<char>(value >> (8 * i));
  }
  return bytes;
}

State State::from_bytes(std::string_view bytes) {
  std::uint64_t values[3] = {};
  if (bytes.size() != sizeof(values)) {
    throw ValueError(message("State: a state has 24 bytes, not ", bytes.size()));
  }
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    values[i / 8] |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[i])) << i % 8 * 8;
  }
  if (values[0] != kMark) throw ValueError("State: the bytes hold no state");
  return {values[1], values[2]};
}

RandomState::RandomState() : RandomState(first_seed()) {}
RandomState::RandomState(None, Method method) : RandomState(first_seed(), method) {}
RandomState::RandomState(internal::UInt64 seed, Method method) : impl_(std::make_shared<Impl>()) {
  random::name(method);  // throws for a number that is no method
  impl_->method = method;
  impl_->restart({seed, 0});
}
RandomState::RandomState(const State& state) : RandomState(0) { impl_->state = state; }
RandomState::RandomState(const RandomState& other) : impl_(std::make_shared<Impl>()) {
  const std::lock_guard lock(other.impl_->mutex);
  impl_->copy(*other.impl_);
}
RandomState::RandomState(RandomState&& other) noexcept = default;
RandomState& RandomState::operator=(const RandomState& other) {
  if (this == &other) return *this;
  const std::scoped_lock lock(impl_->mutex, other.impl_->mutex);
  impl_->copy(*other.impl_);
  return *this;
}
RandomState& RandomState::operator=(RandomState&& other) noexcept = default;
RandomState::~RandomState() = default;

void RandomState::seed(internal::UInt64 seed) {
  const std::lock_guard lock(impl_->mutex);
  impl_->restart({seed, 0});
}
void RandomState::seed(None) { seed(first_seed()); }

std::uint64_t RandomState::seed() const {
  const std::lock_guard lock(impl_->mutex);
  return impl_->state.seed;
}
std::uint64_t RandomState::offset() const {
  const std::lock_guard lock(impl_->mutex);
  return impl_->state.offset;
}
Method RandomState::method() const {
  const std::lock_guard lock(impl_->mutex);
  return impl_->method;
}

State RandomState::get_state() const {
  const std::lock_guard lock(impl_->mutex);
  if (impl_->method != Method::counter) {
    throw ValueError(
        message("get_state: cuRAND keeps the state to itself; ", random::name(impl_->method)));
  }
  return impl_->state;
}

void RandomState::set_state(const State& state) {
  const std::lock_guard lock(impl_->mutex);
  if (impl_->method != Method::counter) {
    throw ValueError(
        message("set_state: cuRAND keeps the state to itself; ", random::name(impl_->method)));
  }
  impl_->state = state;
}

PhiloxState RandomState::reserve(std::uint64_t blocks) {
  const std::lock_guard lock(impl_->mutex);
  const PhiloxState here = impl_->take(blocks);
  if (internal::gpu::Capture* capture = internal::gpu::current_capture()) {
    // Each run of the graph takes the next part. A state that is gone by then was made in the
    // captured work, where each run would have made it again.
    capture->note_random(
        {here.seed, here.offset},
        [held = impl_->weak_from_this(), blocks, here]() -> internal::gpu::RandomPlace {
          const std::shared_ptr<Impl> impl = held.lock();
          if (impl == nullptr) return {here.seed, here.offset};
          const std::lock_guard guard(impl->mutex);
          const PhiloxState now = impl->take(blocks);
          return {now.seed, now.offset};
        });
  }
  return here;
}

void RandomState::advance(internal::UInt64 blocks) { reserve(blocks); }

RandomState RandomState::jumped(internal::UInt64 jumps) const {
  State state = get_state();
  state.offset += jumps * kJump;
  return RandomState(state);
}

std::vector<RandomState> RandomState::split(internal::Int count) {
  if (count < 0) throw ValueError(message("split: the count is negative; ", count));
  const PhiloxState here = reserve(static_cast<std::uint64_t>(count));
  std::vector<RandomState> children;
  for (int i = 0; i < count; ++i) {
    // A branch of the block's tree that no sampler enters.
    const Words words = philox_stream(here).block(static_cast<unsigned long>(i), 0, ~0u);
    children.emplace_back(join(words.w[0], words.w[1]));
  }
  return children;
}

void RandomState::set_stream(const cuda::Stream& stream) {
  const std::lock_guard lock(impl_->mutex);
  impl_->stream = std::make_shared<const cuda::Stream>(stream);
}

}  // namespace cupyxx::random
