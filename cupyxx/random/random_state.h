// SPDX-License-Identifier: MIT
// Streams of random numbers: where one stands, and everything that it draws.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cupyxx/random/param.h"

namespace cupyxx::cuda {
class Stream;
}

namespace cupyxx::random {

struct PhiloxState;

/// Generators. `counter` is our own Philox4x32-10: the same numbers on every device, any place of
/// the sequence at once. The others are cuRAND's, with its codes; the library is opened on first
/// use, and draws what CuPy draws from it: rand, randn, random_sample, uniform, normal,
/// standard_normal, lognormal, bytes and integers. Everything else comes from `counter`.
enum class Method : std::uint8_t {
  counter = 0,
  PSEUDO_DEFAULT = 100,
  XORWOW = 101,
  MRG32K3A = 121,
  MTGP32 = 141,
  MT19937 = 142,
  PHILOX4_32_10 = 161,
};
/// The generator of a name: "XORWOW", or as cuRAND writes it, "CURAND_RNG_PSEUDO_XORWOW". Throws
/// ValueError.
CUPYXX_API Method method(std::string_view name);
CUPYXX_API std::string_view name(Method method);

/// Where a stream of Method::counter stands: the next number depends on these two only.
struct State {
  std::uint64_t seed = 0;
  std::uint64_t offset = 0;  ///< in blocks of four 32-bit words

  /// As three numbers (uint64, on the host), for savez; and back. Throws ValueError.
  CUPYXX_API ndarray to_array() const;
  CUPYXX_API static State from_array(const ndarray& array);
  /// As 24 bytes; and back. Throws ValueError.
  CUPYXX_API std::string to_bytes() const;
  CUPYXX_API static State from_bytes(std::string_view bytes);

  friend bool operator==(const State&, const State&) = default;
};

/// A stream of random numbers. Threads may share one: each call takes its part of the sequence.
/// Copies continue from the same point; those of a generator of cuRAND share it.
///
/// `size` is the shape of the result; `{}` means that of the parameters together, a 0-d array for
/// numbers. Results are on the current device, or where array parameters are. Methods throw
/// ValueError for parameters outside of their range and negative extents, ShapeError for shapes
/// that do not broadcast to `size`, DtypeError for other dtypes than they say.
class CUPYXX_API RandomState {
 public:
  /// Seeds from the environment variable CHAINER_SEED, else from the system's entropy.
  RandomState();
  explicit RandomState(std::uint64_t seed, Method method = Method::counter);
  explicit RandomState(const State& state);
  RandomState(const RandomState& other);
  RandomState(RandomState&& other) noexcept;
  RandomState& operator=(const RandomState& other);
  RandomState& operator=(RandomState&& other) noexcept;
  ~RandomState();

  // State.
  void seed(std::uint64_t seed);
  /// Seeds as the default constructor does.
  void seed(None);
  std::uint64_t seed() const;
  std::uint64_t offset() const;
  Method method() const;
  /// Throws ValueError for a generator of cuRAND, which keeps its state to itself.
  State get_state() const;
  void set_state(const State& state);
  void set_state(std::uint64_t seed, std::uint64_t offset) { set_state(State{seed, offset}); }
  /// Skips blocks of four words, at once.
  void advance(std::uint64_t blocks);
  /// A stream 2^48 blocks further on for each jump: parts for as many processes.
  RandomState jumped(std::uint64_t jumps = 1) const;
  /// Streams with seeds drawn from this one, unrelated to it and to each other.
  std::vector<RandomState> split(int count);
  /// Draws on this stream of a device instead of the thread's current one.
  void set_stream(const cuda::Stream& stream);

  // Simple numbers. Uniform ones are multiples of 2^-24 (float32) or 2^-53 (float64) in [0, 1).
  ndarray rand(const Shape& size, const DrawOptions& options = {});
  ndarray randn(const Shape& size, const DrawOptions& options = {});
  ndarray random_sample(const Shape& size = {}, const DrawOptions& options = {});
  /// Integers of [low, high), or of [0, low) when `high` is `none`, of any integer dtype or bool,
  /// without bias. Throws ValueError for bounds beyond the dtype.
  ndarray randint(const Param& low, const Param& high, const Shape& size = {},
                  const DrawOptions& options = {});
  ndarray randint(const Param& low, None, const Shape& size = {}, const DrawOptions& options = {});
  /// Integers of [low, high], or of [1, low].
  ndarray random_integers(const Param& low, const Param& high, const Shape& size = {},
                          const DrawOptions& options = {});
  ndarray random_integers(const Param& low, None, const Shape& size = {},
                          const DrawOptions& options = {});
  /// Integers of [0, mx] (uint32, or uint64 where they need it).
  ndarray interval(std::uint64_t mx, const Shape& size = {});
  /// Random bytes.
  std::string bytes(std::int64_t length);

  // Continuous distributions (float16, float32, float64; uniform, normal and exponential also
  // bfloat16). The methods are named in ops/random_continuous.h.
  ndarray uniform(const Shape& size = {}, const UniformOptions& options = {});
  ndarray normal(const Shape& size = {}, const NormalOptions& options = {});
  ndarray standard_normal(const Shape& size = {}, const DrawOptions& options = {});
  ndarray lognormal(const Shape& size = {}, const LognormalOptions& options = {});
  ndarray exponential(const Shape& size = {}, const ScaleOptions& options = {});
  ndarray standard_exponential(const Shape& size = {}, const DrawOptions& options = {});
  ndarray gamma(const Param& shape, const Shape& size = {}, const ScaleOptions& options = {});
  ndarray standard_gamma(const Param& shape, const Shape& size = {},
                         const DrawOptions& options = {});
  ndarray beta(const Param& a, const Param& b, const Shape& size = {},
               const DrawOptions& options = {});
  ndarray chisquare(const Param& df, const Shape& size = {}, const DrawOptions& options = {});
  ndarray noncentral_chisquare(const Param& df, const Param& nonc, const Shape& size = {},
                               const DrawOptions& options = {});
  ndarray f(const Param& dfnum, const Param& dfden, const Shape& size = {},
            const DrawOptions& options = {});
  ndarray noncentral_f(const Param& dfnum, const Param& dfden, const Param& nonc,
                       const Shape& size = {}, const DrawOptions& options = {});
  ndarray standard_t(const Param& df, const Shape& size = {}, const DrawOptions& options = {});
  ndarray standard_cauchy(const Shape& size = {}, const DrawOptions& options = {});
  ndarray laplace(const Shape& size = {}, const NormalOptions& options = {});
  ndarray gumbel(const Shape& size = {}, const NormalOptions& options = {});
  ndarray logistic(const Shape& size = {}, const NormalOptions& options = {});
  ndarray rayleigh(const Shape& size = {}, const ScaleOptions& options = {});
  ndarray weibull(const Param& a, const Shape& size = {}, const DrawOptions& options = {});
  ndarray pareto(const Param& a, const Shape& size = {}, const DrawOptions& options = {});
  ndarray power(const Param& a, const Shape& size = {}, const DrawOptions& options = {});
  ndarray triangular(const Param& left, const Param& mode, const Param& right,
                     const Shape& size = {}, const DrawOptions& options = {});
  ndarray wald(const Param& mean, const Param& scale, const Shape& size = {},
               const DrawOptions& options = {});
  ndarray vonmises(const Param& mu, const Param& kappa, const Shape& size = {},
                   const DrawOptions& options = {});
  /// Vectors of k = alpha.size() numbers that sum to 1; the result has the shape (size..., k).
  ndarray dirichlet(const ndarray& alpha, const Shape& size = {});
  /// Normal vectors of a mean and a covariance, by Cholesky's factor. Throws LinAlgError unless the
  /// covariance is positive definite.
  ndarray multivariate_normal(const ndarray& mean, const ndarray& cov, const Shape& size = {});

  // Discrete distributions (any integer, bool or floating dtype; drawn as int64). The methods are
  // named in ops/random_discrete.h.
  ndarray poisson(const Param& lam = 1, const Shape& size = {}, const DrawOptions& options = {});
  ndarray binomial(const Param& n, const Param& p, const Shape& size = {},
                   const DrawOptions& options = {});
  /// 1 with probability p, else 0; bool_ unless a dtype is given.
  ndarray bernoulli(const Param& p, const Shape& size = {}, const DrawOptions& options = {});
  ndarray negative_binomial(const Param& n, const Param& p, const Shape& size = {},
                            const DrawOptions& options = {});
  ndarray geometric(const Param& p, const Shape& size = {}, const DrawOptions& options = {});
  ndarray zipf(const Param& a, const Shape& size = {}, const DrawOptions& options = {});
  ndarray logseries(const Param& p, const Shape& size = {}, const DrawOptions& options = {});
  ndarray hypergeometric(const Param& ngood, const Param& nbad, const Param& nsample,
                         const Shape& size = {}, const DrawOptions& options = {});
  /// Counts of n trials over pvals.size() categories; the last one takes the rest of the
  /// probability. The result has the shape (size..., k).
  ndarray multinomial(std::int64_t n, const ndarray& pvals, const Shape& size = {});

  // Orders. All permutations are equally likely: elements are sorted by random keys of 64 bits.
  /// 0 .. n - 1 (int64) in random order.
  ndarray permutation(std::int64_t n);
  /// A copy with the slices of an axis in random order.
  ndarray permutation(const ndarray& a, int axis = 0);
  /// The same in place.
  void shuffle(const ndarray& a, int axis = 0);
  /// Elements of 0 .. n - 1, or of an array's axis. Probabilities are looked at on the host.
  ndarray choice(std::int64_t n, const Shape& size = {}, const ChoiceOptions& options = {});
  ndarray choice(const ndarray& a, const Shape& size = {}, const ChoiceOptions& options = {});

  /// Takes blocks of the sequence, for the library's own files.
  PhiloxState reserve(std::uint64_t blocks);
  struct Impl;
  Impl& impl() { return *impl_; }

 private:
  std::shared_ptr<Impl> impl_;  // a graph that draws from it looks whether it is still there
};

}  // namespace cupyxx::random
