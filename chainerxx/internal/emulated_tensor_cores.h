// SPDX-License-Identifier: MIT
// What attention_tiles.h asks of a device, run on the host for tests. Comes before that header.
// Copies are made as late as the device may make them: where their thread waits for them.
#pragma once

#include <cmath>
#include <cstring>
#include <map>
#include <vector>

#include "cupyxx/extension/testing/emulated_device.h"
#include "cupyxx/half.h"

namespace chainerxx::internal::kernels {

inline std::vector<char>& emulated_shared() {
  static std::vector<char> memory(228 << 10);
  return memory;
}
inline unsigned shared_base() { return 0; }
inline void sync_warp() { emulated::Block::current()->gather(0); }

struct EmulatedCopy {
  unsigned to;
  const void* from;
  unsigned size;
  bool is_there;
};
inline std::vector<EmulatedCopy>& emulated_copies() {
  static std::map<unsigned, std::vector<EmulatedCopy>> all;
  return all[threadIdx.x];
}
inline void copy_16(unsigned to, const void* from, bool is_there) {
  emulated_copies().push_back({to, from, 16, is_there});
}
inline void copy_4(unsigned to, const void* from, bool is_there) {
  emulated_copies().push_back({to, from, 4, is_there});
}
inline void wait_for_copies() {
  for (const EmulatedCopy& copy : emulated_copies()) {
    char* const to = &emulated_shared().at(copy.to);
    if (copy.is_there) {
      std::memcpy(to, copy.from, copy.size);
    } else {
      std::memset(to, 0, copy.size);
    }
  }
  emulated_copies().clear();
}

template <class T>
T from_shared(unsigned long address) {
  T value;
  std::memcpy(&value, &emulated_shared().at(address), sizeof value);
  return value;
}
inline unsigned lane() { return threadIdx.x % 32; }

inline void load_matrices(unsigned (&out)[4], unsigned address) {
  const unsigned long* rows = emulated::Block::current()->gather(address);
  for (unsigned m = 0; m < 4; ++m) {
    out[m] = from_shared<unsigned>(rows[8 * m + lane() / 4] + 4 * (lane() % 4));
  }
}
inline void load_matrices_transposed(unsigned (&out)[4], unsigned address) {
  const unsigned long* rows = emulated::Block::current()->gather(address);
  for (unsigned m = 0; m < 4; ++m) {
    const unsigned long* two = rows + 8 * m + 2 * (lane() % 4);
    const unsigned low = from_shared<unsigned short>(two[0] + 2 * (lane() / 4));
    const unsigned high = from_shared<unsigned short>(two[1] + 2 * (lane() / 4));
    out[m] = high << 16 | low;
  }
}
inline void load_floats(float (&out)[2], unsigned address) {
  out[0] = from_shared<float>(address);
  out[1] = from_shared<float>(address + 4);
}
inline unsigned load_word(unsigned address) { return from_shared<unsigned>(address); }
inline void store_word(unsigned address, unsigned word) {
  std::memcpy(&emulated_shared().at(address), &word, sizeof word);
}
inline void load_words(unsigned (&words)[4], unsigned address) {
  std::memcpy(words, &emulated_shared().at(address), sizeof words);
}
inline void store_words(unsigned address, const unsigned (&words)[4]) {
  std::memcpy(&emulated_shared().at(address), words, sizeof words);
}
inline void write_16(void* to, unsigned from) { std::memcpy(to, &emulated_shared().at(from), 16); }

template <class T>
float half_of(unsigned pair, unsigned upper) {
  T x;
  x.bits = static_cast<unsigned short>(pair >> 16 * upper);
  return static_cast<float>(x);
}
/// Element k of a product's 16 in one of the two registers that lanes have for it: a pair of 16
/// bits, or what products read of a float, 19 bits of 32.
template <class T>
float element_of(unsigned bits, unsigned k) {
  if constexpr (sizeof(T) == 2) {
    return half_of<T>(bits, k % 2);
  } else {
    return cupyxx::internal::bits_float(bits & 0xffffe000u);
  }
}
template <class T>
void multiply_add(float (&sums)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {
  constexpr unsigned kStep = 32 / sizeof(T), kPair = 4 / sizeof(T);
  struct Operands {
    unsigned a[4], b[2];
  } own{{a[0], a[1], a[2], a[3]}, {b0, b1}};
  emulated::Block& block = *emulated::Block::current();
  const unsigned long* all = block.gather(reinterpret_cast<unsigned long>(&own));
  for (unsigned e = 0; e < 4; ++e) {
    const unsigned row = lane() / 4 + 8 * (e / 2), column = 2 * (lane() % 4) + e % 2;
    for (unsigned k = 0; k < kStep; ++k) {
      const unsigned half = k / (kStep / 2), owner = k % (kStep / 2) / kPair;
      const auto& left = *reinterpret_cast<const Operands*>(all[row % 8 * 4 + owner]);
      const auto& right = *reinterpret_cast<const Operands*>(all[column * 4 + owner]);
      sums[e] += element_of<T>(left.a[row / 8 + 2 * half], k) * element_of<T>(right.b[half], k);
    }
  }
  block.gather(0);  // all have read what lies here
}
template <class T>
unsigned round_pair(float low, float high) {
  return static_cast<unsigned>(T(high).bits) << 16 | T(low).bits;
}
inline unsigned round_tf32(float x) {
  const unsigned bits = cupyxx::internal::float_bits(x);
  return x != x ? bits : (bits + 0x1000u) & 0xffffe000u;
}
inline float power_of_2(float x) { return std::exp2(x); }

}  // namespace chainerxx::internal::kernels
