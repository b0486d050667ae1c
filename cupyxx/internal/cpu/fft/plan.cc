// SPDX-License-Identifier: MIT
#include "cupyxx/internal/cpu/fft/plan.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace cupyxx::internal::cpu {

namespace {

constexpr std::int64_t kLargestRadix = 31;  // greater primes are convolved

// x -i.
template <class P>
complex<P> turned(complex<P> x) {
  return {x.im, -x.re};
}

template <class P>
void butterfly2(complex<P>* b) {
  const complex<P> x = b[0];
  b[0] = x + b[1];
  b[1] = x - b[1];
}

template <class P>
void butterfly3(complex<P>* b) {
  constexpr P kSine = static_cast<P>(0.86602540378443864676);
  const complex<P> sum = b[1] + b[2];
  const complex<P> middle = b[0] - P(0.5) * sum;
  const complex<P> side = kSine * turned(b[1] - b[2]);
  b[0] = b[0] + sum;
  b[1] = middle + side;
  b[2] = middle - side;
}

template <class P>
void butterfly4(complex<P>* b) {
  const complex<P> even = b[0] + b[2], odd = b[1] + b[3];
  const complex<P> difference = b[0] - b[2], side = turned(b[1] - b[3]);
  b[0] = even + odd;
  b[1] = difference + side;
  b[2] = even - odd;
  b[3] = difference - side;
}

template <class P>
void butterfly5(complex<P>* b) {
  constexpr P kCosine1 = static_cast<P>(0.30901699437494742410);
  constexpr P kCosine2 = static_cast<P>(-0.80901699437494742410);
  constexpr P kSine1 = static_cast<P>(0.95105651629515357212);
  constexpr P kSine2 = static_cast<P>(0.58778525229247312917);
  const complex<P> sum1 = b[1] + b[4], sum2 = b[2] + b[3];
  const complex<P> difference1 = turned(b[1] - b[4]), difference2 = turned(b[2] - b[3]);
  const complex<P> middle1 = b[0] + kCosine1 * sum1 + kCosine2 * sum2;
  const complex<P> middle2 = b[0] + kCosine2 * sum1 + kCosine1 * sum2;
  const complex<P> side1 = kSine1 * difference1 + kSine2 * difference2;
  const complex<P> side2 = kSine2 * difference1 - kSine1 * difference2;
  b[0] = b[0] + sum1 + sum2;
  b[1] = middle1 + side1;
  b[2] = middle2 + side2;
  b[3] = middle2 - side2;
  b[4] = middle1 - side1;
}

template <class P>
void butterfly_of(complex<P>* b, std::int64_t radix, const complex<P>* roots) {
  complex<P> result[kLargestRadix];
  for (std::int64_t j = 0; j < radix; ++j) {
    complex<P> sum = b[0];
    std::int64_t at = 0;
    for (std::int64_t k = 1; k < radix; ++k) {
      at += j;
      if (at >= radix) at -= radix;
      sum += b[k] * roots[at];
    }
    result[j] = sum;
  }
  std::copy_n(result, radix, b);
}

// One pass from x to y: butterflies over `kRadix` numbers at distances of length * stride.
template <int kRadix, class P, class Butterfly>
void pass(std::int64_t length, std::int64_t stride, const complex<P>* factors, const complex<P>* x,
          complex<P>* y, const Butterfly& butterfly) {
  for (std::int64_t p = 0; p < length; ++p) {
    const complex<P>* w = factors + p * (kRadix - 1);
    for (std::int64_t q = 0; q < stride; ++q) {
      complex<P> b[kRadix];
      for (int k = 0; k < kRadix; ++k) b[k] = x[q + stride * (p + k * length)];
      butterfly(b);
      complex<P>* out = y + q + stride * kRadix * p;
      out[0] = b[0];
      for (int j = 1; j < kRadix; ++j) out[stride * j] = b[j] * w[j - 1];
    }
  }
}

template <class P>
void pass_of(std::int64_t radix, std::int64_t length, std::int64_t stride,
             const complex<P>* factors, const complex<P>* roots, const complex<P>* x,
             complex<P>* y) {
  for (std::int64_t p = 0; p < length; ++p) {
    const complex<P>* w = factors + p * (radix - 1);
    for (std::int64_t q = 0; q < stride; ++q) {
      complex<P> b[kLargestRadix] = {};
      for (std::int64_t k = 0; k < radix; ++k) b[k] = x[q + stride * (p + k * length)];
      butterfly_of(b, radix, roots);
      complex<P>* out = y + q + stride * radix * p;
      out[0] = b[0];
      for (std::int64_t j = 1; j < radix; ++j) out[stride * j] = b[j] * w[j - 1];
    }
  }
}

template <class P>
complex<P> rounded(const complex<double>& z) {
  return {static_cast<P>(z.re), static_cast<P>(z.im)};
}

// The least product of 2, 3 and 5 that is not below n.
std::int64_t good_length(std::int64_t n) {
  std::int64_t best = 1;
  while (best < n) best *= 2;
  for (std::int64_t fives = 1; fives < best; fives *= 5) {
    for (std::int64_t threes = fives; threes < best; threes *= 3) {
      std::int64_t candidate = threes;
      while (candidate < n) candidate *= 2;
      best = std::min(best, candidate);
    }
  }
  return best;
}

}  // namespace

complex<double> root_of_unity(std::int64_t k, std::int64_t n) {
  // Within an eighth of the circle the angle is small, and its sine and cosine are exact to an ulp.
  const std::int64_t eighth = 8 * k / n;
  const std::int64_t axis = (eighth + 1) / 2;      // the nearest quarter
  const std::int64_t distance = 4 * k - axis * n;  // from it, in parts of 4 n
  const double angle =
      2 * std::numbers::pi * static_cast<double>(std::abs(distance)) / (4 * static_cast<double>(n));
  const double c = std::cos(angle), s = distance < 0 ? -std::sin(angle) : std::sin(angle);
  switch (axis) {
    case 1:
      return {-s, -c};
    case 2:
      return {-c, s};
    case 3:
      return {s, c};
    default:
      return {c, -s};
  }
}

template <class P>
FftPlan<P>::FftPlan(std::int64_t n) : n_(n) {
  std::vector<std::int64_t> radices;
  std::int64_t rest = n;
  for (const std::int64_t radix : {4, 2, 3, 5}) {
    for (; rest % radix == 0; rest /= radix) radices.push_back(radix);
  }
  for (std::int64_t radix = 7; radix <= kLargestRadix; radix += 2) {
    for (; rest % radix == 0; rest /= radix) radices.push_back(radix);
  }
  rest == 1 ? add_passes(std::move(radices)) : make_convolution();
}

template <class P>
void FftPlan<P>::add_passes(std::vector<std::int64_t> radices) {
  scratch_ = n_;
  std::int64_t stride = 1;
  for (const std::int64_t radix : radices) {
    Pass made{radix, n_ / stride / radix, stride, {}, {}};
    made.factors.reserve(static_cast<std::size_t>(made.length * (radix - 1)));
    for (std::int64_t p = 0; p < made.length; ++p) {
      for (std::int64_t j = 1; j < radix; ++j) {
        made.factors.push_back(rounded<P>(root_of_unity(p * j, n_ / stride)));
      }
    }
    for (std::int64_t j = 0; j < radix && radix > 5; ++j) {
      made.roots.push_back(rounded<P>(root_of_unity(j, radix)));
    }
    passes_.push_back(std::move(made));
    stride *= radix;
  }
}

template <class P>
void FftPlan<P>::make_convolution() {
  const std::int64_t length = good_length(2 * n_ - 1);
  inner_ = std::make_unique<const FftPlan>(length);
  scratch_ = length + inner_->scratch_size();
  chirp_.resize(static_cast<std::size_t>(n_));
  std::int64_t square = 0;  // k^2 modulo 2 n
  for (std::int64_t k = 0; k < n_; ++k) {
    chirp_[static_cast<std::size_t>(k)] = rounded<P>(root_of_unity(square, 2 * n_));
    square = (square + 2 * k + 1) % (2 * n_);
  }
  kernel_.resize(static_cast<std::size_t>(length));
  const P scale = P(1) / static_cast<P>(length);
  for (std::int64_t k = 0; k < n_; ++k) {
    const complex<P> c = chirp_[static_cast<std::size_t>(k)];
    const complex<P> conjugate = {c.re * scale, -c.im * scale};
    kernel_[static_cast<std::size_t>(k)] = conjugate;
    if (k > 0) kernel_[static_cast<std::size_t>(length - k)] = conjugate;
  }
  std::vector<complex<P>> scratch(static_cast<std::size_t>(inner_->scratch_size()));
  inner_->run(kernel_.data(), scratch.data());
}

template <class P>
void FftPlan<P>::convolve(complex<P>* x, complex<P>* scratch) const {
  const std::int64_t length = inner_->n_;
  complex<P>* y = scratch;
  for (std::int64_t k = 0; k < n_; ++k) y[k] = x[k] * chirp_[static_cast<std::size_t>(k)];
  std::fill(y + n_, y + length, complex<P>(0));
  inner_->run(y, scratch + length);
  // The inverse is the forward transform with real and imaginary parts exchanged on both sides.
  for (std::int64_t k = 0; k < length; ++k) {
    const complex<P> z = y[k] * kernel_[static_cast<std::size_t>(k)];
    y[k] = {z.im, z.re};
  }
  inner_->run(y, scratch + length);
  for (std::int64_t k = 0; k < n_; ++k) {
    x[k] = complex<P>(y[k].im, y[k].re) * chirp_[static_cast<std::size_t>(k)];
  }
}

template <class P>
void FftPlan<P>::run(complex<P>* x, complex<P>* scratch) const {
  if (inner_ != nullptr) {
    convolve(x, scratch);
    return;
  }
  complex<P>* from = x;
  complex<P>* to = scratch;
  for (const Pass& step : passes_) {
    const complex<P>* w = step.factors.data();
    switch (step.radix) {
      case 2:
        pass<2>(step.length, step.stride, w, from, to, butterfly2<P>);
        break;
      case 3:
        pass<3>(step.length, step.stride, w, from, to, butterfly3<P>);
        break;
      case 4:
        pass<4>(step.length, step.stride, w, from, to, butterfly4<P>);
        break;
      case 5:
        pass<5>(step.length, step.stride, w, from, to, butterfly5<P>);
        break;
      default:
        pass_of(step.radix, step.length, step.stride, w, step.roots.data(), from, to);
    }
    std::swap(from, to);
  }
  if (from != x) std::copy_n(from, n_, x);
}

template class FftPlan<float>;
template class FftPlan<double>;

}  // namespace cupyxx::internal::cpu
