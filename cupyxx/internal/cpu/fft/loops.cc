// SPDX-License-Identifier: MIT
#include "cupyxx/internal/cpu/fft/loops.h"

#include <type_traits>

namespace cupyxx::internal::cpu {

// Code for one instruction set must not be shared with another by the linker.
namespace {

template <class P>
struct Number {
  P re, im;
};
template <class P>
Number<P> operator+(Number<P> x, Number<P> y) {
  return {x.re + y.re, x.im + y.im};
}
template <class P>
Number<P> operator-(Number<P> x, Number<P> y) {
  return {x.re - y.re, x.im - y.im};
}
template <class P>
Number<P> operator*(P x, Number<P> y) {
  return {x * y.re, x * y.im};
}
template <class P>
Number<P> operator*(Number<P> x, Number<P> y) {
  return {x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re};
}

// x -i.
template <class P>
Number<P> turned(Number<P> x) {
  return {x.im, -x.re};
}

template <class P>
struct Butterflies {
  using N = Number<P>;

  static void of(N (&b)[2]) {
    const N x = b[0];
    b[0] = x + b[1];
    b[1] = x - b[1];
  }

  static void of(N (&b)[3]) {
    constexpr P kSine = static_cast<P>(0.86602540378443864676);
    const N sum = b[1] + b[2];
    const N middle = b[0] - P(0.5) * sum;
    const N side = kSine * turned(b[1] - b[2]);
    b[0] = b[0] + sum;
    b[1] = middle + side;
    b[2] = middle - side;
  }

  static void of(N (&b)[4]) {
    const N even = b[0] + b[2], odd = b[1] + b[3];
    const N difference = b[0] - b[2], side = turned(b[1] - b[3]);
    b[0] = even + odd;
    b[1] = difference + side;
    b[2] = even - odd;
    b[3] = difference - side;
  }

  static void of(N (&b)[5]) {
    constexpr P kCosine1 = static_cast<P>(0.30901699437494742410);
    constexpr P kCosine2 = static_cast<P>(-0.80901699437494742410);
    constexpr P kSine1 = static_cast<P>(0.95105651629515357212);
    constexpr P kSine2 = static_cast<P>(0.58778525229247312917);
    const N sum1 = b[1] + b[4], sum2 = b[2] + b[3];
    const N difference1 = turned(b[1] - b[4]), difference2 = turned(b[2] - b[3]);
    const N middle1 = b[0] + kCosine1 * sum1 + kCosine2 * sum2;
    const N middle2 = b[0] + kCosine2 * sum1 + kCosine1 * sum2;
    const N side1 = kSine1 * difference1 + kSine2 * difference2;
    const N side2 = kSine2 * difference1 - kSine1 * difference2;
    b[0] = b[0] + sum1 + sum2;
    b[1] = middle1 + side1;
    b[2] = middle2 + side2;
    b[3] = middle2 - side2;
    b[4] = middle1 - side1;
  }

  static void of(N (&b)[8]) {
    constexpr P kHalfRoot = static_cast<P>(0.70710678118654752440);
    N even[4] = {b[0] + b[4], b[1] + b[5], b[2] + b[6], b[3] + b[7]};
    const N x = b[1] - b[5], y = b[3] - b[7];
    N odd[4] = {b[0] - b[4], kHalfRoot * (x + turned(x)), turned(b[2] - b[6]),
                kHalfRoot * (turned(y) - y)};
    of(even);
    of(odd);
    for (int k = 0; k < 4; ++k) {
      b[2 * k] = even[k];
      b[2 * k + 1] = odd[k];
    }
  }
};

// The butterfly over the numbers at distances `from` of x; its results, turned by w (but the
// first), go to y at distances `to`. Plain pointers: structures inside of a loop hinder its
// vectorisation.
template <int kRadix, class P, class Turn>
[[gnu::always_inline]] inline void combine(const P* xr, const P* xi, std::int64_t from, P* yr,
                                           P* yi, std::int64_t to, const Turn& w) {
  Number<P> b[kRadix];
#pragma GCC unroll 8
  for (int k = 0; k < kRadix; ++k) b[k] = {xr[k * from], xi[k * from]};
  Butterflies<P>::of(b);
  yr[0] = b[0].re;
  yi[0] = b[0].im;
#pragma GCC unroll 8
  for (int j = 1; j < kRadix; ++j) {
    const Number<P> result = b[j] * w(j - 1);
    yr[j * to] = result.re;
    yi[j * to] = result.im;
  }
}

// Calls body(begin, end, re, im, distance) for each block of the rows of `turns`, of which there
// are kRows; row j of the block's numbers starts at j * distance.
template <int kRows, class P, class Body>
void for_each_block(const FftTurns<P>& turns, const Body& body) {
  const P *re = turns.re.data(), *im = turns.im.data();
  const std::int64_t blocks = turns.blocks();
  if (blocks == 1) return body(0, turns.length, re, im, turns.length);
  P block_re[kRows * kTurnBlock], block_im[kRows * kTurnBlock];
  for (std::int64_t block = 0; block < blocks; ++block) {
    for (int j = 0; j < kRows; ++j) {
      const P base_re = turns.base_re.data()[j * blocks + block];
      const P base_im = turns.base_im.data()[j * blocks + block];
#pragma omp simd
      for (std::int64_t i = j * kTurnBlock; i < (j + 1) * kTurnBlock; ++i) {
        block_re[i] = base_re * re[i] - base_im * im[i];
        block_im[i] = base_re * im[i] + base_im * re[i];
      }
    }
    const std::int64_t begin = block * kTurnBlock, end = begin + kTurnBlock;
    body(begin, end < turns.length ? end : turns.length, block_re, block_im, kTurnBlock);
  }
}

template <class P>
Number<P> turn_at(const FftTurns<P>& turns, std::int64_t row, std::int64_t k) {
  const std::int64_t block = turns.block;
  if (block == turns.length) return {turns.re[row * block + k], turns.im[row * block + k]};
  const Number<P> w{turns.re[row * block + k % block], turns.im[row * block + k % block]};
  const std::int64_t base = row * turns.blocks() + k / block;
  return w * Number<P>{turns.base_re[base], turns.base_im[base]};
}

template <int kRadix, class P>
void pass(const FftPass<P>& step, Split<P> x, Split<P> y, std::int64_t lanes) {
  const std::int64_t length = step.length, stride = step.stride * lanes;
  if (stride == 1) {
    return for_each_block<kRadix - 1>(step.turns, [=](std::int64_t begin, std::int64_t end,
                                                      const P* re, const P* im,
                                                      std::int64_t distance) {
      const P *xr = x.re + begin, *xi = x.im + begin;
      P *yr = y.re + kRadix * begin, *yi = y.im + kRadix * begin;
#pragma omp simd
      for (std::int64_t p = 0; p < end - begin; ++p) {
        combine<kRadix>(xr + p, xi + p, length, yr + kRadix * p, yi + kRadix * p, 1, [=](int j) {
          return Number<P>{re[j * distance + p], im[j * distance + p]};
        });
      }
    });
  }
  const P *re = step.turns.re.data(), *im = step.turns.im.data();
  for (std::int64_t p = 0; p < length; ++p) {
    Number<P> w[kRadix];
    for (int j = 0; j < kRadix - 1; ++j) w[j] = {re[j * length + p], im[j * length + p]};
    const P *xr = x.re + stride * p, *xi = x.im + stride * p;
    P *yr = y.re + stride * kRadix * p, *yi = y.im + stride * kRadix * p;
#pragma omp simd
    for (std::int64_t q = 0; q < stride; ++q) {
      combine<kRadix>(xr + q, xi + q, stride * length, yr + q, yi + q, stride,
                      [&](int j) { return w[j]; });
    }
  }
}

// A pass over an odd radix: numbers k and radix - k are taken together, as their roots are
// conjugates of each other. Some butterflies at a time, side by side in lanes.
template <class P>
class OddPass {
 public:
  OddPass(const FftPass<P>& step, Split<P> x, Split<P> y, std::int64_t lanes)
      : step_(step),
        x_(x),
        y_(y),
        stride_(step.stride * lanes),
        half_(static_cast<int>(step.radix / 2)) {}

  void run() {
    const std::int64_t butterflies = step_.length * stride_;
    for (std::int64_t first = 0; first < butterflies; first += kLanes) {
      count_ = static_cast<int>(butterflies - first < kLanes ? butterflies - first : kLanes);
      load(first);
      combine_sums();
      for (int j = 1; j <= half_; ++j) combine_pair(j);
    }
  }

 private:
  static constexpr int kLanes = 64 / sizeof(P);
  static constexpr int kPairs = kLargestRadix / 2 + 1;

  struct Lanes {
    P re[kLanes], im[kLanes];

    void add_scaled(P factor, const Lanes& x) {
#pragma omp simd
      for (int i = 0; i < kLanes; ++i) re[i] += factor * x.re[i];
#pragma omp simd
      for (int i = 0; i < kLanes; ++i) im[i] += factor * x.im[i];
    }
  };

  void load(std::int64_t first) {
    const std::int64_t distance = stride_ * step_.length;
    for (int i = 0; i < count_; ++i) {
      place_[i] = (first + i) / stride_;
      to_[i] = place_[i] * stride_ * step_.radix + (first + i) % stride_;
      sum_[0].re[i] = x_.re[first + i];
      sum_[0].im[i] = x_.im[first + i];
    }
    for (int k = 1; k <= half_; ++k) {
      const Split<P> a = x_ + (first + k * distance);
      const Split<P> b = x_ + (first + (step_.radix - k) * distance);
      for (int i = 0; i < count_; ++i) {
        sum_[k].re[i] = a.re[i] + b.re[i];
        sum_[k].im[i] = a.im[i] + b.im[i];
        difference_[k].re[i] = a.im[i] - b.im[i];  // turned by -i
        difference_[k].im[i] = b.re[i] - a.re[i];
      }
    }
  }

  void combine_sums() {
    Lanes total = sum_[0];
    for (int k = 1; k <= half_; ++k) total.add_scaled(1, sum_[k]);
    for (int i = 0; i < count_; ++i) {
      y_.re[to_[i]] = total.re[i];
      y_.im[to_[i]] = total.im[i];
    }
  }

  void combine_pair(int j) {
    Lanes middle = sum_[0], side = {};
    int root = 0;
    for (int k = 1; k <= half_; ++k) {
      root = (root + j) % static_cast<int>(step_.radix);
      middle.add_scaled(step_.cosines[static_cast<std::size_t>(root)], sum_[k]);
      side.add_scaled(step_.sines[static_cast<std::size_t>(root)], difference_[k]);
    }
    Lanes result = middle, mirrored = middle;
    result.add_scaled(1, side);
    mirrored.add_scaled(-1, side);
    store(j, result);
    store(static_cast<int>(step_.radix) - j, mirrored);
  }

  void store(int j, const Lanes& result) {
    const Split<P> y = y_ + stride_ * j;
    if (place_[0] == place_[count_ - 1]) {
      const Number<P> w = turn_at(step_.turns, j - 1, place_[0]);
      P *const re = y.re + to_[0], *const im = y.im + to_[0];
#pragma omp simd
      for (int i = 0; i < count_; ++i) {
        re[i] = result.re[i] * w.re - result.im[i] * w.im;
        im[i] = result.re[i] * w.im + result.im[i] * w.re;
      }
      return;
    }
    for (int i = 0; i < count_; ++i) {
      const Number<P> turned_result =
          Number<P>{result.re[i], result.im[i]} * turn_at(step_.turns, j - 1, place_[i]);
      y.re[to_[i]] = turned_result.re;
      y.im[to_[i]] = turned_result.im;
    }
  }

  const FftPass<P>& step_;
  const Split<P> x_, y_;
  const std::int64_t stride_;
  const int half_;
  int count_ = 0;                            // of the lanes in use
  std::int64_t place_[kLanes], to_[kLanes];  // p of a lane, and where its first result goes
  Lanes sum_[kPairs] = {}, difference_[kPairs] = {};
};

template <class P>
void run_pass(const FftPass<P>& step, Split<P> x, Split<P> y, std::int64_t lanes) {
  switch (step.radix) {
    case 2:
      return pass<2>(step, x, y, lanes);
    case 3:
      return pass<3>(step, x, y, lanes);
    case 4:
      return pass<4>(step, x, y, lanes);
    case 5:
      return pass<5>(step, x, y, lanes);
    case 8:
      return pass<8>(step, x, y, lanes);
    default:
      return OddPass<P>(step, x, y, lanes).run();
  }
}

// One lane alone lies in a row, which the compiler must see to use vectors.
template <class Body>
[[gnu::always_inline]] inline void with_lanes(std::int64_t lanes, const Body& body) {
  lanes == 1 ? body(std::integral_constant<std::int64_t, 1>()) : body(lanes);
}

template <class P>
void split(const complex<P>* x, Split<P> to, std::int64_t n, std::int64_t lanes) {
  with_lanes(lanes, [=](auto step) {
#pragma omp simd
    for (std::int64_t i = 0; i < n; ++i) {
      to.re[i * step] = x[i].re;
      to.im[i * step] = x[i].im;
    }
  });
}

template <class P>
void join(Split<P> x, P scale, complex<P>* to, std::int64_t n, std::int64_t lanes) {
  with_lanes(lanes, [=](auto step) {
#pragma omp simd
    for (std::int64_t i = 0; i < n; ++i) {
      to[i].re = scale * x.re[i * step];
      to[i].im = scale * x.im[i * step];
    }
  });
}

template <class P>
void spread(Split<const P> x, Split<P> to, std::int64_t n, std::int64_t lanes) {
  for (std::int64_t i = 0; i < n; ++i) {
    to.re[i * lanes] = x.re[i];
    to.im[i * lanes] = x.im[i];
  }
}

template <class P>
void gather(Split<const P> x, Split<P> to, std::int64_t n, std::int64_t lanes) {
  for (std::int64_t i = 0; i < n; ++i) {
    to.re[i] = x.re[i * lanes];
    to.im[i] = x.im[i * lanes];
  }
}

template <class P>
void multiply(Split<P> x, Split<const P> y, std::int64_t n, std::int64_t lanes) {
  const auto product = [](P* re, P* im, Number<P> factor) {
    const Number<P> value = Number<P>{*re, *im} * factor;
    *re = value.re;
    *im = value.im;
  };
  if (lanes == 1) {
#pragma omp simd
    for (std::int64_t i = 0; i < n; ++i) product(x.re + i, x.im + i, {y.re[i], y.im[i]});
    return;
  }
  for (std::int64_t i = 0; i < n; ++i) {
    const Number<P> factor{y.re[i], y.im[i]};
    P *const re = x.re + i * lanes, *const im = x.im + i * lanes;
#pragma omp simd
    for (std::int64_t q = 0; q < lanes; ++q) product(re + q, im + q, factor);
  }
}

template <class P>
void unpair(Split<P> z, const FftTurns<P>& turns, P scale, complex<P>* to, std::int64_t n) {
  const P half_scale = P(0.5) * scale;
  for_each_block<1>(
      turns, [=](std::int64_t begin, std::int64_t end, const P* re, const P* im, std::int64_t) {
#pragma omp simd
        for (std::int64_t k = begin == 0 ? 1 : begin; k < end; ++k) {
          const Number<P> x{z.re[k], z.im[k]}, conjugate{z.re[n - k], -z.im[n - k]};
          const Number<P> turn{re[k - begin], im[k - begin]};
          const Number<P> result = half_scale * ((x + conjugate) + turn * turned(x - conjugate));
          to[k].re = result.re;
          to[k].im = result.im;
        }
      });
  to[0] = {scale * (z.re[0] + z.im[0]), 0};
  to[n] = {scale * (z.re[0] - z.im[0]), 0};
}

template <class P>
void pair(const complex<P>* x, const FftTurns<P>& turns, Split<P> to, std::int64_t n) {
  for_each_block<1>(
      turns, [=](std::int64_t begin, std::int64_t end, const P* re, const P* im, std::int64_t) {
#pragma omp simd
        for (std::int64_t k = begin == 0 ? 1 : begin; k < end; ++k) {
          const Number<P> a{x[k].re, x[k].im}, conjugate{x[n - k].re, -x[n - k].im};
          const Number<P> turn{re[k - begin], -im[k - begin]};
          const Number<P> result = (a + conjugate) - turn * turned(a - conjugate);
          to.re[k] = result.re;
          to.im[k] = result.im;
        }
      });
  // The ends belong to real numbers; their imaginary parts do not count.
  to.re[0] = x[0].re + x[n].re;
  to.im[0] = x[0].re - x[n].re;
}

template <class P>
constexpr FftLoops<P> kLoops = {split<P>,    join<P>,     spread<P>, gather<P>,
                                multiply<P>, run_pass<P>, unpair<P>, pair<P>};

}  // namespace

template <>
const FftLoops<float> FftLoopsOf<float, Arch::CUPYXX_ARCH>::loops = kLoops<float>;
template <>
const FftLoops<double> FftLoopsOf<double, Arch::CUPYXX_ARCH>::loops = kLoops<double>;

}  // namespace cupyxx::internal::cpu
