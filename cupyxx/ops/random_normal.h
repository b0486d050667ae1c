// SPDX-License-Identifier: MIT
// Device-safe. Standard normal and exponential numbers from the words of Philox.
#pragma once

#include "cupyxx/ops/philox.h"
#include "cupyxx/ops/random_math.h"

namespace cupyxx::random {

/// Uniform in (0, 1], fine near 0: what logarithms are taken of.
CUPYXX_FN float positive_uniform(unsigned word) {
  return m::fused(static_cast<float>(word), 0x1p-32f, 0x1p-33f);
}
CUPYXX_FN double positive_uniform(unsigned word0, unsigned word1) {
  return 1.0 - uniform_double(word0, word1);
}

// Box and Muller, 1958: a radius, and a direction in the right half of the plane with a sign.

/// Two independent normal numbers of mean `loc` and standard deviation `scale` from two words. The
/// absolute value of the first one, as a signed number, is the radius, its sign that of the
/// direction, which is the second word. Devices and the host agree within 4 ulp of the numbers less
/// `loc`.
CUPYXX_FN void normal_pair(unsigned word0, unsigned word1, float loc, float scale, float& first,
                           float& second) {
  const float radius = scale * m::fast_square_root(m::square_of_radius(static_cast<int>(word0)));
  constexpr float kPi = 3.14159265358979323846f;
  float cosine, sine;
  m::cos_sin(static_cast<float>(static_cast<int>(word1)) * (kPi * 0x1p-32f), cosine, sine);
  cosine = internal::bits_float(internal::float_bits(cosine) ^ (word0 & 0x80000000u));
  first = m::fused(radius, cosine, loc);
  second = m::fused(radius, sine, loc);
}

/// The same from four words.
CUPYXX_FN void normal_pair(const Words& words, double loc, double scale, double& first,
                           double& second) {
  const double u = positive_uniform(words.w[0], words.w[1]);
  const double radius = scale * m::square_root(m::minus_two_log(u));
  const unsigned long bits = join(words.w[2], words.w[3]);
  const double half_turns = m::bits_double((bits << 1) >> 12 | 0x3ff0000000000000ul) - 1.5;
  double cosine, sine;
  m::cos_sin_pi<true>(half_turns, cosine, sine);
  cosine = m::bits_double(m::double_bits(cosine) ^ (bits & 0x8000000000000000ul));
  first = m::fused(radius, cosine, loc);
  second = m::fused(radius, sine, loc);
}

/// Four normal numbers from a block.
CUPYXX_FN void normal_floats(const Words& words, float loc, float scale, float (&z)[4]) {
  normal_pair(words.w[0], words.w[1], loc, scale, z[0], z[1]);
  normal_pair(words.w[2], words.w[3], loc, scale, z[2], z[3]);
}
/// Two normal numbers from a block.
CUPYXX_FN void normal_doubles(const Words& words, double loc, double scale, double (&z)[2]) {
  normal_pair(words, loc, scale, z[0], z[1]);
}

/// Standard exponential numbers by inversion.
CUPYXX_FN float exponential_float(unsigned word) {
  return 0.5f * m::minus_two_log(positive_uniform(word));
}
CUPYXX_FN double exponential_double(unsigned word0, unsigned word1) {
  return 0.5 * m::minus_two_log(positive_uniform(word0, word1));
}

}  // namespace cupyxx::random
