// SPDX-License-Identifier: MIT
// Device-safe. Discrete distributions: each draws one integer of its parameters p. Exact methods
// only; the comment of each says whose.
#pragma once

#include "cupyxx/ops/random_continuous.h"

namespace cupyxx::random::dist {

// Probabilities by C. Loader, "Fast and accurate computation of binomial probabilities", 2000:
// nothing cancels, however large the numbers.

/// ln(n!) less Stirling's formula, for n >= 1.
CUPYXX_CALLED double stirling_error(double n) {
  if (n < 16) {
    double factorial = 1;
    for (double i = 2; i <= n; i += 1) factorial *= i;
    return m::ln(factorial) - (n + 0.5) * m::ln(n) + n - 0.91893853320467274178;
  }
  const double n2 = 1.0 / (n * n);
  return (1.0 / 12 - (1.0 / 360 - (1.0 / 1260 - (1.0 / 1680 - n2 / 1188) * n2) * n2) * n2) / n;
}

/// x ln(x / mean) + mean - x.
CUPYXX_CALLED double deviance(double x, double mean) {
  const double difference = x - mean;
  if (m::magnitude(difference) >= 0.1 * (x + mean)) return x * m::ln(x / mean) - difference;
  const double v = difference / (x + mean), v2 = v * v;
  double sum = difference * v, term = 2.0 * x * v;
  for (int i = 3; i < 2001; i += 2) {
    term *= v2;
    const double next = sum + term / i;
    if (next == sum) break;
    sum = next;
  }
  return sum;
}

inline double log_poisson(double k, double mean) {
  if (k == 0) return -mean;
  return -stirling_error(k) - deviance(k, mean) - 0.5 * m::ln(6.28318530717958647693 * k);
}

CUPYXX_CALLED double log_binomial(double k, double n, double p) {
  if (k == 0) return n * m::log1p(-p);
  if (k == n) return n * m::ln(p);
  const double rest = n - k;
  return stirling_error(n) - stirling_error(k) - stirling_error(rest) - deviance(k, n * p) -
         deviance(rest, n * (1.0 - p)) + 0.5 * m::ln(n / (6.28318530717958647693 * k * rest));
}

/// Below a mean of 10 inversion, term after term; else PTRS (W. Hoermann, "The transformed
/// rejection method for generating Poisson random variables", 1993).
inline double poisson(Draws& d, double mean) {
  if (mean < 10) {
    const double u = d.uniform();
    double term = m::e_to(-mean), sum = term, k = 0;
    for (; u >= sum && k < 200; sum += term) {
      k += 1;
      term *= mean / k;
    }
    return k;
  }
  const double b = 0.931 + 2.53 * m::square_root(mean), a = -0.059 + 0.02483 * b;
  const double inverse_alpha = 1.1239 + 1.1328 / (b - 3.4), quick = 0.9277 - 3.6224 / (b - 2.0);
  for (;;) {
    const double u = d.open() - 0.5, v = d.open(), us = 0.5 - m::magnitude(u);
    const double k = m::floor((2.0 * a / us + b) * u + mean + 0.43);
    if (us >= 0.07 && v <= quick) return k;
    if (k < 0 || (us < 0.013 && v > us)) continue;
    if (m::ln(v * inverse_alpha / (a / (us * us) + b)) <= log_poisson(k, mean)) return k;
  }
}

/// Below n p = 10 inversion, term after term; else BTRS (W. Hoermann, "The generation of binomial
/// random variates", 1993). p is at most 1/2.
inline double binomial_below_half(Draws& d, double n, double p) {
  if (n * p < 10) {
    const double odds = p / (1.0 - p), u = d.uniform();
    double term = m::e_to(n * m::log1p(-p)), sum = term, k = 0;
    for (; u >= sum && k < n && k < 200; sum += term) {
      k += 1;
      term *= odds * (n - k + 1.0) / k;
    }
    return k;
  }
  const double deviation = m::square_root(n * p * (1.0 - p)), b = 1.15 + 2.53 * deviation;
  const double a = -0.0873 + 0.0248 * b + 0.01 * p, c = n * p + 0.5, quick = 0.92 - 4.2 / b;
  const double alpha = (2.83 + 5.1 / b) * deviation;
  const double at_mode = log_binomial(m::floor((n + 1.0) * p), n, p);
  for (;;) {
    const double u = d.open() - 0.5, v = d.open(), us = 0.5 - m::magnitude(u);
    const double k = m::floor((2.0 * a / us + b) * u + c);
    if (us >= 0.07 && v <= quick) return k;
    if (k < 0 || k > n) continue;
    if (m::ln(v * alpha / (a / (us * us) + b)) <= log_binomial(k, n, p) - at_mode) return k;
  }
}
inline double binomial(Draws& d, double n, double p) {
  if (n == 0 || p == 0) return 0;
  return p <= 0.5 ? binomial_below_half(d, n, p) : n - binomial_below_half(d, n, 1.0 - p);
}

struct Poisson {
  static constexpr const char* name = "poisson";
  static constexpr const char* parameters = "lam";
  static constexpr Check checks[] = {Check::mean_of_counts};
  static long draw(Draws& d, const double* p) { return m::to_long(poisson(d, p[0])); }
};

struct Binomial {
  static constexpr const char* name = "binomial";
  static constexpr const char* parameters = "n p";
  static constexpr Check checks[] = {Check::mean_of_counts, Check::probability};
  static long draw(Draws& d, const double* p) { return m::to_long(binomial(d, p[0], p[1])); }
};

struct Bernoulli {
  static constexpr const char* name = "bernoulli";
  static constexpr const char* parameters = "p";
  static constexpr Check checks[] = {Check::probability};
  static long draw(Draws& d, const double* p) { return d.uniform() < p[0] ? 1 : 0; }
};

/// A Poisson number whose mean has a gamma distribution.
struct NegativeBinomial {
  static constexpr const char* name = "negative_binomial";
  static constexpr const char* parameters = "n p";
  static constexpr Check checks[] = {Check::positive, Check::positive_probability};
  static long draw(Draws& d, const double* p) {
    const double mean = standard_gamma(d, p[0]) * ((1.0 - p[1]) / p[1]);
    // Of an endless mean no number is more likely than another: the largest stands for all.
    if (!(mean < 9.223372006484771e18)) return 9223372036854775807L;
    return m::to_long(poisson(d, mean));
  }
};

/// Inversion.
struct Geometric {
  static constexpr const char* name = "geometric";
  static constexpr const char* parameters = "p";
  static constexpr Check checks[] = {Check::positive_probability};
  static long draw(Draws& d, const double* p) {
    if (p[0] == 1) return 1;
    return m::to_long(1.0 + m::floor(d.exponential() / -m::log1p(-p[0])));
  }
};

/// L. Devroye, "Non-uniform random variate generation", 1986, X.6.1.
struct Zipf {
  static constexpr const char* name = "zipf";
  static constexpr const char* parameters = "a";
  static constexpr Check checks[] = {Check::above_one};
  static long draw(Draws& d, const double* p) {
    if (p[0] >= 1025) return 1;  // 2^(a - 1) overflows, and nothing else occurs
    const double a = p[0] - 1.0, b = m::power(2.0, a);
    // Near 1 hardly any number is within 64 bits: those alone are drawn, ln(2^63) being 43.668.
    const bool is_near = a < 0.001;
    const double within = is_near ? -m::expm1(-43.668272375276551 * a) : 0.0;
    for (;;) {
      const double e = is_near ? -m::log1p(-within * d.open()) : d.exponential();
      const double x = m::floor(m::e_to(e / a)), v = d.open();
      if (x >= 9223372036854775807.0) continue;
      const double t = m::power(1.0 + 1.0 / x, a);
      if (v * x * (t - 1.0) / (b - 1.0) <= t / b) return m::to_long(x);
    }
  }
};

/// A. W. Kemp, "Efficient generation of logarithmically distributed pseudo-random variables", 1981.
struct Logseries {
  static constexpr const char* name = "logseries";
  static constexpr const char* parameters = "p";
  static constexpr Check checks[] = {Check::below_one};
  static long draw(Draws& d, const double* p) {
    const double r = m::log1p(-p[0]), v = d.open();
    if (v >= p[0]) return 1;
    const double q = -m::expm1(r * d.open());
    if (v > q) return 1;
    if (v > q * q) return 2;
    return m::to_long(m::floor(1.0 + m::ln(v) / m::ln(q)));
  }
};

/// ln of the probability of k good ones in a sample, by three binomial probabilities (Loader).
inline double log_hypergeometric(double k, double good, double bad, double sample) {
  const double p = sample / (good + bad);
  return log_binomial(k, good, p) + log_binomial(sample - k, bad, p) -
         log_binomial(sample, good + bad, p);
}

/// Small samples one by one from the urn; else HRUA* (E. Stadlober, "The ratio of uniforms approach
/// for generating discrete random variates", 1990), for the smaller part of the urn and of the
/// sample.
struct Hypergeometric {
  static constexpr const char* name = "hypergeometric";
  static constexpr const char* parameters = "ngood nbad nsample";
  static constexpr Check checks[] = {Check::mean_of_counts, Check::mean_of_counts,
                                     Check::mean_of_counts};
  static CUPYXX_FN bool disordered(double* p) {
    if (p[2] <= p[0] + p[1]) return false;
    p[1] = p[0] + p[1];
    p[0] = p[2];
    return true;
  }
  static long draw(Draws& d, const double* p) {
    const double good = p[0], bad = p[1], all = good + bad, sample = p[2] < all ? p[2] : all;
    const double less = good < bad ? good : bad, part = 2 * sample < all ? sample : all - sample;
    double k = part < 10 ? from_urn(d, less, all, part) : by_ratio(d, less, all, part);
    if (good > bad) k = part - k;      // the other kind of the part
    if (part != sample) k = good - k;  // what the part leaves
    return m::to_long(k);
  }
  static double from_urn(Draws& d, double less, double all, double part) {
    double left = less;
    for (double i = 0; i < part; i += 1) left -= d.uniform() * (all - i) < left ? 1 : 0;
    return less - left;
  }
  static double by_ratio(Draws& d, double less, double all, double part) {
    const double p = less / all, more = all - less, centre = part * p + 0.5;
    const double variance = (all - part) * part * p * (1.0 - p) / (all - 1.0);
    const double c = m::square_root(variance + 0.5);
    const double h = 1.7155277699214135 * c + 0.8989161620588988;  // 2 (2/e)^.5, 3 - 2 (3/e)^.5
    const double at_mode =
        log_hypergeometric(m::floor((part + 1.0) * (less + 1.0) / (all + 2.0)), less, more, part);
    const double most = (part < less ? part : less) + 1.0, far = m::floor(centre + 16.0 * c);
    for (;;) {
      const double u = d.open(), x = centre + h * (d.uniform() - 0.5) / u;
      if (x < 0 || x >= (most < far ? most : far)) continue;
      const double k = m::floor(x), t = log_hypergeometric(k, less, more, part) - at_mode;
      if (u * (4.0 - u) - 3.0 <= t || 2.0 * m::ln(u) <= t) return k;
    }
  }
};

/// Integers of [low, high]; the parameters are their bits.
struct IntegersAt {
  static constexpr const char* name = "randint";
  static constexpr const char* parameters = "low high";
  static constexpr Check checks[] = {Check::any, Check::any};
  static CUPYXX_FN Range range(const double* p) {
    const unsigned long count = m::double_bits(p[1]) - m::double_bits(p[0]) + 1;
    return {count, count == 0 ? 0 : (0 - count) % count};
  }
  static long draw(Draws& d, const double* p) {
    return static_cast<long>(m::double_bits(p[0]) + d.below(range(p)));
  }
};
/// The same with the bits of a word of another generator first.
struct IntegersOfWords {
  static constexpr const char* name = "randint_of_words";
  static constexpr const char* parameters = "low high word";
  static constexpr Check checks[] = {Check::any, Check::any, Check::any};
  static long draw(Draws& d, const double* p) {
    const Range range = IntegersAt::range(p);
    unsigned long value;
    if (!range.take(m::double_bits(p[2]), value)) value = d.below(range);
    return static_cast<long>(m::double_bits(p[0]) + value);
  }
};

// ---- Rows: k numbers of one draw.

/// Counts of n trials over k categories, each binomial in what the ones before it left.
struct Multinomial {
  using type = long;
  static void draw(Draws& d, double n, const double* p, long k, long* row) {
    double left = n, mass = 1;
    for (long i = 0; i < k; ++i) row[i] = 0;
    for (long i = 0; i + 1 < k && left > 0; ++i) {
      const double share = mass > 0 ? p[i] / mass : 1.0;
      const double count = binomial(d, left, share < 1 ? share : 1.0);
      row[i] = m::to_long(count);
      left -= count;
      mass -= p[i];
    }
    if (k > 0) row[k - 1] = m::to_long(left);
  }
};

/// Gammas over their sum, by logarithms, so that small shapes do not vanish together.
struct Dirichlet {
  using type = double;
  static void draw(Draws& d, double, const double* alpha, long k, double* row) {
    double most = -1e308, sum = 0;
    for (long i = 0; i < k; ++i) {
      row[i] = log_gamma(d, alpha[i]);
      most = row[i] > most ? row[i] : most;
    }
    for (long i = 0; i < k; ++i) sum += row[i] = m::e_to(row[i] - most);
    for (long i = 0; i < k; ++i) row[i] /= sum;
  }
};

}  // namespace cupyxx::random::dist
