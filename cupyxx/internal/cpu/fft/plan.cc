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

namespace {

// Within an eighth of the circle the angle is small, and its sine and cosine are exact to an ulp:
// turns by quarters what `near(parts)` gives for an angle of so many parts of 4 n.
template <class Near>
complex<double> root_from_axis(std::int64_t k, std::int64_t n, const Near& near) {
  const std::int64_t eighth = 8 * k / n;
  const std::int64_t axis = (eighth + 1) / 2;      // the nearest quarter
  const std::int64_t distance = 4 * k - axis * n;  // from it, in parts of 4 n
  const complex<double> found = near(std::abs(distance));
  const double c = found.re, s = distance < 0 ? -found.im : found.im;
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

}  // namespace

complex<double> root_of_unity(std::int64_t k, std::int64_t n) {
  return root_from_axis(k, n, [n](std::int64_t parts) {
    const double angle =
        2 * std::numbers::pi * static_cast<double>(parts) / (4 * static_cast<double>(n));
    return complex<double>(std::cos(angle), std::sin(angle));
  });
}

RootsOfUnity::RootsOfUnity(std::int64_t n) : n_(n) {
  while ((std::int64_t{1} << 2 * shift_) < n / 2) ++shift_;
  const long double part = 2 * std::numbers::pi_v<long double> / (4 * static_cast<long double>(n));
  for (std::int64_t i = 0; i <= n / 2 >> shift_; ++i) {
    const long double angle = part * static_cast<long double>(i << shift_);
    const long double c = std::cos(angle), s = std::sin(angle);
    const complex<double> high(static_cast<double>(c), static_cast<double>(s));
    steps_.push_back({high, {static_cast<double>(c - high.re), static_cast<double>(s - high.im)}});
  }
  for (std::int64_t i = 0; i < std::int64_t{1} << shift_; ++i) {
    const long double angle = part * static_cast<long double>(i), half = std::sin(angle / 2);
    between_.emplace_back(static_cast<double>(-2 * half * half),
                          static_cast<double>(std::sin(angle)));
  }
}

complex<double> RootsOfUnity::operator()(std::int64_t k) const {
  return root_from_axis(k, n_, [this](std::int64_t parts) {
    const auto& [x, rest] = steps_[static_cast<std::size_t>(parts >> shift_)];
    const complex<double>& y =
        between_[static_cast<std::size_t>(parts & ((std::int64_t{1} << shift_) - 1))];
    return complex<double>(x.re + (rest.re + (x.re * y.re - x.im * y.im)),
                           x.im + (rest.im + (x.im * y.re + x.re * y.im)));
  });
}

template <class P>
const FftLoops<P>& fft_loops() {
  static const FftLoops<P>& loops = loops_of<P>(arch());
  return loops;
}

namespace {

// root(row, k) for each k < length, in blocks unless `whole`; it must be root(row, begin) *
// root(row, k
// - begin).
template <class P, class Root>
FftTurns<P> make_turns(std::int64_t rows, std::int64_t length, bool whole, const Root& root) {
  constexpr std::int64_t kLong = 8192;
  FftTurns<P> turns{length, whole || length <= kLong ? length : kTurnBlock, {}, {}, {}, {}};
  const auto add = [&](std::int64_t step, std::int64_t count, std::vector<P>& re,
                       std::vector<P>& im) {
    re.reserve(static_cast<std::size_t>(rows * count));
    im.reserve(re.capacity());
    for (std::int64_t row = 0; row < rows; ++row) {
      for (std::int64_t i = 0; i < count; ++i) {
        const complex<double> z = root(row, i * step);
        re.push_back(static_cast<P>(z.re));
        im.push_back(static_cast<P>(z.im));
      }
    }
  };
  add(1, turns.block, turns.re, turns.im);
  if (turns.blocks() > 1) add(turns.block, turns.blocks(), turns.base_re, turns.base_im);
  return turns;
}

}  // namespace

template <class P>
FftPlan<P>::FftPlan(std::int64_t n) : n_(n) {
  // A pass over a large radix takes a vector of butterflies at a time; a transform with fewer of
  // them is a convolution where it is alone.
  constexpr std::int64_t kSmallRadix = 31, kButterflies = 4;
  std::vector<std::int64_t> radices;
  const bool is_product = factorise(n, radices) == 1;
  const std::int64_t largest = radices.empty() ? 1 : radices.back();
  if (is_product) add_passes(radices);
  if (!is_product || (largest > kSmallRadix && n / largest < kButterflies)) make_convolution();
}

template <class P>
void FftPlan<P>::add_passes(const std::vector<std::int64_t>& radices) {
  scratch_ = n_;
  std::int64_t stride = 1;
  const RootsOfUnity roots(n_);
  for (const std::int64_t radix : radices) {
    const std::int64_t length = n_ / stride / radix;
    // Later passes have short rows, of which each number turns as many as lie side by side.
    FftPass<P> made{
        radix,
        length,
        stride,
        make_turns<P>(radix - 1, length, stride > 1,
                      [&](std::int64_t j, std::int64_t p) { return roots((j + 1) * p * stride); }),
        {},
        {}};
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
  scratch_ = std::max(scratch_, length + inner_->scratch_size());
  chirp_ = SplitVector<P>(n_);
  kernel_ = SplitVector<P>(length);
  const double scale = 1 / static_cast<double>(length);
  const RootsOfUnity roots(2 * n_);
  std::int64_t square = 0;  // k^2 modulo 2 n
  for (std::int64_t k = 0; k < n_; ++k) {
    const complex<double> root = roots(square);
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
Split<P> FftPlan<P>::convolve(Split<P> x, Split<P> scratch, std::int64_t lanes) const {
  const std::int64_t length = inner_->n_;
  const FftLoops<P>& loops = fft_loops<P>();
  loops.multiply(x, chirp_.data(), n_, lanes);
  const Split<P> y = scratch, rest = scratch + length * lanes;
  for (P* const part : {y.re, y.im}) {
    std::copy_n(part == y.re ? x.re : x.im, n_ * lanes, part);
    std::fill(part + n_ * lanes, part + length * lanes, P(0));
  }
  const Split<P> z = inner_->run(y, rest, lanes);
  loops.multiply(z, kernel_.data(), length, lanes);
  const Split<P> other = z.re == y.re ? rest : y;
  const Split<P> result = inner_->run(z.exchanged(), other.exchanged(), lanes).exchanged();
  loops.multiply(result, chirp_.data(), n_, lanes);
  return result;
}

template <class P>
std::int64_t FftPlan<P>::lanes_for(std::int64_t rows) const {
  constexpr std::int64_t kFew = 4;  // fewer lose more by the way to the lanes than vectors gain
  // Side by side they must stay in a cache, the first one where a transform alone is fast, too.
  const bool is_fast_alone = inner_ == nullptr && (passes_.empty() || passes_.back().radix <= 8);
  const std::int64_t bytes = is_fast_alone ? 96 << 10 : 256 << 10;
  std::int64_t lanes = std::min<std::int64_t>(rows, 64 / sizeof(P));
  const auto taken = 2 * static_cast<std::int64_t>(sizeof(P)) * (n_ + scratch_);
  while (lanes >= kFew && lanes * taken > bytes) lanes /= 2;
  return lanes >= kFew ? lanes : 1;
}

template <class P>
Split<P> FftPlan<P>::run(Split<P> x, Split<P> scratch, std::int64_t lanes) const {
  if (inner_ != nullptr && (lanes == 1 || passes_.empty())) return convolve(x, scratch, lanes);
  for (const FftPass<P>& step : passes_) {
    fft_loops<P>().pass(step, x, scratch, lanes);
    std::swap(x, scratch);
  }
  return x;
}

template <class P>
RealFftPlan<P>::RealFftPlan(std::int64_t n) : n_(n), plan_(paired() ? n / 2 : n) {
  if (!paired()) return;
  const RootsOfUnity roots(n);
  turns_ = make_turns<P>(1, n / 2, false, [&](std::int64_t, std::int64_t k) { return roots(k); });
}

template <class P>
void RealFftPlan<P>::run(const P* x, P scale, complex<P>* frequencies, Split<P> work,
                         Split<P> scratch, std::int64_t lanes) const {
  const FftLoops<P>& loops = fft_loops<P>();
  for (std::int64_t lane = 0; lane < lanes; ++lane) {
    const P* const row = x + lane * n_;
    const Split<P> to = work + lane;
    if (paired()) {
      loops.split(reinterpret_cast<const complex<P>*>(row), to, n_ / 2, lanes);
      continue;
    }
    for (std::int64_t k = 0; k < n_; ++k) {
      to.re[k * lanes] = row[k];
      to.im[k * lanes] = 0;
    }
  }
  const Split<P> result = plan_.run(work, scratch, lanes);
  const Split<P> free = result.re == work.re ? scratch : work;
  for (std::int64_t lane = 0; lane < lanes; ++lane) {
    complex<P>* const row = frequencies + lane * (n_ / 2 + 1);
    if (!paired()) {
      loops.join(result + lane, scale, row, n_ / 2 + 1, lanes);
      continue;
    }
    if (lanes > 1) loops.gather(result + lane, free, n_ / 2, lanes);
    loops.unpair(lanes > 1 ? free : result, turns_, scale, row, n_ / 2);
  }
}

template <class P>
void RealFftPlan<P>::run_inverse(const complex<P>* frequencies, P scale, P* x, Split<P> work,
                                 Split<P> scratch, std::int64_t lanes) const {
  const FftLoops<P>& loops = fft_loops<P>();
  for (std::int64_t lane = 0; lane < lanes; ++lane) {
    const complex<P>* const row = frequencies + lane * (n_ / 2 + 1);
    const Split<P> to = work + lane;
    if (paired()) {
      loops.pair(row, turns_, lanes > 1 ? scratch : work, n_ / 2);
      if (lanes > 1) loops.spread(scratch, to, n_ / 2, lanes);
      continue;
    }
    to.re[0] = row[0].re;
    to.im[0] = 0;
    for (std::int64_t k = 1; k <= n_ / 2; ++k) {
      to.re[k * lanes] = to.re[(n_ - k) * lanes] = row[k].re;
      to.im[k * lanes] = row[k].im;
      to.im[(n_ - k) * lanes] = -row[k].im;
    }
  }
  const Split<P> result = plan_.run(work.exchanged(), scratch.exchanged(), lanes).exchanged();
  for (std::int64_t lane = 0; lane < lanes; ++lane) {
    P* const row = x + lane * n_;
    const Split<P> from = result + lane;
    if (paired()) {
      loops.join(from, scale, reinterpret_cast<complex<P>*>(row), n_ / 2, lanes);
    } else {
      for (std::int64_t k = 0; k < n_; ++k) row[k] = scale * from.re[k * lanes];
    }
  }
}

template const FftLoops<float>& fft_loops<float>();
template const FftLoops<double>& fft_loops<double>();
template class FftPlan<float>;
template class FftPlan<double>;
template class RealFftPlan<float>;
template class RealFftPlan<double>;

}  // namespace cupyxx::internal::cpu
