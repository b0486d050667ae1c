// SPDX-License-Identifier: MIT
#include "cupyxx/internal/cpu/fft/plan.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "cupyxx/internal/cpu/arch.h"

namespace cupyxx::internal::cpu {

namespace {

// The radices of n and what is left of it. Eights first: later passes have whole vectors side by
// side.
std::int64_t factorise(std::int64_t n, std::vector<std::int64_t>& radices) {
  int twos = 0;
  for (; n % 2 == 0; n /= 2) ++twos;
  // Fours take the place of a last eight that would leave a two.
  const int fours = twos % 3 == 2 ? 1 : twos % 3 == 1 && twos > 1 ? 2 : 0;
  radices.insert(radices.end(), static_cast<std::size_t>((twos - 2 * fours) / 3), 8);
  radices.insert(radices.end(), static_cast<std::size_t>(fours), 4);
  if (twos == 1) radices.push_back(2);
  for (std::int64_t radix = 3; radix <= kLargestRadix; radix += 2) {
    for (; n % radix == 0; n /= radix) radices.push_back(radix);
  }
  return n;
}

template <class P>
const FftLoops<P>& loops_of(Arch arch) {
  return with_arch(arch,
                   []<Arch kArch>() -> const FftLoops<P>& { return FftLoopsOf<P, kArch>::loops; });
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
const FftLoops<P>& fft_loops() {
  static const FftLoops<P>& loops = loops_of<P>(arch());
  return loops;
}

template <class P>
FftPlan<P>::FftPlan(std::int64_t n) : n_(n) {
  std::vector<std::int64_t> radices;
  factorise(n, radices) == 1 ? add_passes(radices) : make_convolution();
}

template <class P>
void FftPlan<P>::add_passes(const std::vector<std::int64_t>& radices) {
  scratch_ = n_;
  std::int64_t stride = 1;
  for (const std::int64_t radix : radices) {
    FftPass<P> made{radix, n_ / stride / radix, stride, {}, {}, {}, {}};
    for (std::int64_t j = 1; j < radix; ++j) {
      for (std::int64_t p = 0; p < made.length; ++p) {
        const complex<double> root = root_of_unity(p * j, n_ / stride);
        made.re.push_back(static_cast<P>(root.re));
        made.im.push_back(static_cast<P>(root.im));
      }
    }
    for (std::int64_t j = 0; j < radix; ++j) {
      const complex<double> root = root_of_unity(j, radix);
      made.cosines.push_back(static_cast<P>(root.re));
      made.sines.push_back(static_cast<P>(-root.im));
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
  chirp_ = SplitVector<P>(n_);
  kernel_ = SplitVector<P>(length);
  const double scale = 1 / static_cast<double>(length);
  std::int64_t square = 0;  // k^2 modulo 2 n
  for (std::int64_t k = 0; k < n_; ++k) {
    const complex<double> root = root_of_unity(square, 2 * n_);
    chirp_.set(k, root);
    const complex<double> conjugate = {root.re * scale, -root.im * scale};
    kernel_.set(k, conjugate);
    if (k > 0) kernel_.set(length - k, conjugate);
    square = (square + 2 * k + 1) % (2 * n_);
  }
  SplitVector<P> transformed = kernel_, scratch(inner_->scratch_size());
  const Split<P> result = inner_->run(transformed.data(), scratch.data());
  std::copy_n(result.re, length, kernel_.data().re);
  std::copy_n(result.im, length, kernel_.data().im);
}

template <class P>
Split<P> FftPlan<P>::convolve(Split<P> x, Split<P> scratch) const {
  const std::int64_t length = inner_->n_;
  const FftLoops<P>& loops = fft_loops<P>();
  loops.multiply(x, chirp_.data(), n_);
  const Split<P> y = scratch, rest = scratch + length;
  for (P* const part : {y.re, y.im}) {
    std::copy_n(part == y.re ? x.re : x.im, n_, part);
    std::fill(part + n_, part + length, P(0));
  }
  const Split<P> z = inner_->run(y, rest);
  loops.multiply(z, kernel_.data(), length);
  const Split<P> other = z.re == y.re ? rest : y;
  const Split<P> result = inner_->run(z.exchanged(), other.exchanged()).exchanged();
  loops.multiply(result, chirp_.data(), n_);
  return result;
}

template <class P>
Split<P> FftPlan<P>::run(Split<P> x, Split<P> scratch) const {
  if (inner_ != nullptr) return convolve(x, scratch);
  for (const FftPass<P>& step : passes_) {
    fft_loops<P>().pass(step, x, scratch);
    std::swap(x, scratch);
  }
  return x;
}

template <class P>
RealFftPlan<P>::RealFftPlan(std::int64_t n)
    : n_(n), plan_(paired() ? n / 2 : n), turns_(paired() ? n / 2 : 0) {
  for (std::int64_t k = 0; paired() && k < n / 2; ++k) {
    const complex<double> root = root_of_unity(k, n);
    turns_.set(k, {root.im, -root.re});
  }
}

template <class P>
void RealFftPlan<P>::run(const P* x, P scale, complex<P>* frequencies, Split<P> work,
                         Split<P> scratch) const {
  const FftLoops<P>& loops = fft_loops<P>();
  if (paired()) {
    loops.split(reinterpret_cast<const complex<P>*>(x), work, n_ / 2);
    loops.unpair(plan_.run(work, scratch), turns_.data(), scale, frequencies, n_ / 2);
  } else {
    std::copy_n(x, n_, work.re);
    std::fill_n(work.im, n_, P(0));
    loops.join(plan_.run(work, scratch), scale, frequencies, n_ / 2 + 1);
  }
}

template <class P>
void RealFftPlan<P>::run_inverse(const complex<P>* frequencies, P scale, P* x, Split<P> work,
                                 Split<P> scratch) const {
  const FftLoops<P>& loops = fft_loops<P>();
  if (paired()) {
    loops.pair(frequencies, turns_.data(), work, n_ / 2);
    const Split<P> result = plan_.run(work.exchanged(), scratch.exchanged()).exchanged();
    loops.join(result, scale, reinterpret_cast<complex<P>*>(x), n_ / 2);
    return;
  }
  work.re[0] = frequencies[0].re;
  work.im[0] = 0;
  for (std::int64_t k = 1; k <= n_ / 2; ++k) {
    work.re[k] = work.re[n_ - k] = frequencies[k].re;
    work.im[k] = frequencies[k].im;
    work.im[n_ - k] = -frequencies[k].im;
  }
  const Split<P> result = plan_.run(work.exchanged(), scratch.exchanged()).exchanged();
  std::transform(result.re, result.re + n_, x, [scale](P value) { return scale * value; });
}

template const FftLoops<float>& fft_loops<float>();
template const FftLoops<double>& fft_loops<double>();
template class FftPlan<float>;
template class FftPlan<double>;
template class RealFftPlan<float>;
template class RealFftPlan<double>;

}  // namespace cupyxx::internal::cpu
