// SPDX-License-Identifier: MIT
// Streams of random numbers: where one stands, and everything that it draws.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cupyxx/core/array_like.h"
#include "cupyxx/core/shared.h"
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
  explicit RandomState(None, Method method = Method::counter);
  explicit RandomState(internal::UInt64 seed, Method method = Method::counter);
  explicit RandomState(const State& state);
  RandomState(const RandomState& other);
  RandomState(RandomState&& other) noexcept;
  RandomState& operator=(const RandomState& other);
  RandomState& operator=(RandomState&& other) noexcept;
  ~RandomState();

  // State.
  void seed(internal::UInt64 seed);
  /// Seeds as the default constructor does.
  void seed(None);
  std::uint64_t seed() const;
  std::uint64_t offset() const;
  Method method() const;
  /// Throws ValueError for a generator of cuRAND, which keeps its state to itself.
  State get_state() const;
  void set_state(const State& state);
  void set_state(internal::UInt64 seed, internal::UInt64 offset) { set_state(State{seed, offset}); }
  /// Skips blocks of four words, at once.
  void advance(internal::UInt64 blocks);
  /// A stream 2^48 blocks further on for each jump: parts for as many processes.
  RandomState jumped(internal::UInt64 jumps = 1) const;
  /// Streams whose seeds are drawn from this one; they are independent of it and of each other.
  std::vector<RandomState> split(internal::Int count);
  /// Draws on this stream of a device instead of the thread's current one.
  void set_stream(const cuda::Stream& stream);

  // Simple numbers. Uniform ones are multiples of 2^-24 (float32) or 2^-53 (float64) in [0, 1).
  ndarray rand(const Shape& size = {}, const DrawOptions& options = {});
  ndarray randn(const Shape& size = {}, const DrawOptions& options = {});
  ndarray random_sample(const Shape& size = {}, const DrawOptions& options = {});
  /// Integers of [low, high), or of [0, low) when `high` is `none`, of any integer dtype or bool,
  /// without bias. Throws ValueError for bounds beyond the dtype.
  template <ParamArgument High>
  ndarray randint(const Param& low, const High& high, const Shape& size = {},
                  const DrawOptions& options = {}) {
    return randint_between(low, high, size, options);
  }
  ndarray randint(const Param& low, None, const Shape& size = {}, const DrawOptions& options = {}) {
    return randint_between(0, low, size, options);
  }
  template <ParamArgument High, std::same_as<SizedOptions> O = SizedOptions>
  ndarray randint(const Param& low, const High& high, const O& options) {
    return randint(low, high, options.size, options.rest());
  }
  template <std::same_as<SizedOptions> O = SizedOptions>
  ndarray randint(const Param& high, const O& options) {
    return randint(0, high, options.size, options.rest());
  }
  // NumPy's two lists are low and high; the second one would be the size.
  void randint(const internal::ListedRow& write_array_around_the_parameters,
               const internal::ListedRow&) = delete;
  void random_integers(const internal::ListedRow& write_array_around_the_parameters,
                       const internal::ListedRow&) = delete;
  ndarray randint(const Param& high) { return randint(0, high); }
  ndarray randint(const Param& high, const SizeList& size, const DrawOptions& options = {}) {
    return randint(0, high, size, options);
  }
  template <DtypeArgument D>
  ndarray randint(const Param& high, const SizeList& size, const D& dtype) {
    return randint(0, high, size, DrawOptions{.dtype = dtype});
  }
  template <class High, DtypeArgument D>
  ndarray randint(const Param& low, const High& high, const Shape& size, const D& dtype) {
    return randint(low, high, size, DrawOptions{.dtype = dtype});
  }
  /// Integers of [low, high], or of [1, low].
  template <ParamArgument High>
  ndarray random_integers(const Param& low, const High& high, const Shape& size = {},
                          const DrawOptions& options = {}) {
    return random_integers_between(low, high, size, options);
  }
  ndarray random_integers(const Param& low, None, const Shape& size = {},
                          const DrawOptions& options = {}) {
    return random_integers_between(1, low, size, options);
  }
  ndarray random_integers(const Param& high) { return random_integers(1, high); }
  ndarray random_integers(const Param& high, const SizeList& size,
                          const DrawOptions& options = {}) {
    return random_integers(1, high, size, options);
  }
  template <DtypeArgument D>
  ndarray random_integers(const Param& high, const SizeList& size, const D& dtype) {
    return random_integers(1, high, size, DrawOptions{.dtype = dtype});
  }
  template <class High, DtypeArgument D>
  ndarray random_integers(const Param& low, const High& high, const Shape& size, const D& dtype) {
    return random_integers(low, high, size, DrawOptions{.dtype = dtype});
  }
  /// Integers of [0, mx] (uint32, or uint64 where they need it).
  ndarray interval(internal::UInt64 mx, const Shape& size = {});
  /// Random bytes.
  std::string bytes(internal::Int64 length);

  // Continuous distributions (float16, float32, float64; uniform, normal and exponential also
  // bfloat16). The methods are named in ops/random_continuous.h.
  ndarray uniform(const SizeList& size = {}, const UniformOptions& options = {});
  ndarray normal(const SizeList& size = {}, const NormalOptions& options = {});
  CUPYXX_EACH_LOCATION_AND_SCALE(CUPYXX_PARAMETERS_ARE_ARRAYS);
  CUPYXX_EACH_WITH_A_LIST_ALONE(CUPYXX_LIST_ALONE_IS_REFUSED);
  template <std::same_as<NamedUniformOptions> O = NamedUniformOptions>
  ndarray uniform(const O& options) {
    return uniform(options.size, options.rest());
  }
  template <std::same_as<NamedNormalOptions> O = NamedNormalOptions>
  ndarray normal(const O& options) {
    return normal(options.size, options.rest());
  }
  ndarray standard_normal(const Shape& size = {}, const DrawOptions& options = {});
  ndarray lognormal(const SizeList& size = {}, const LognormalOptions& options = {});
  ndarray exponential(const SizeList& size = {}, const ScaleOptions& options = {});
  ndarray standard_exponential(const Shape& size = {}, const DrawOptions& options = {});
  ndarray gamma(const Param& shape, const SizeList& size = {}, const ScaleOptions& options = {});
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
  ndarray laplace(const SizeList& size = {}, const NormalOptions& options = {});
  ndarray gumbel(const SizeList& size = {}, const NormalOptions& options = {});
  ndarray logistic(const SizeList& size = {}, const NormalOptions& options = {});
  ndarray rayleigh(const SizeList& size = {}, const ScaleOptions& options = {});
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
  ndarray multinomial(internal::Int64 n, const ndarray& pvals, const Shape& size = {});

  // Orders. All permutations are equally likely: elements are sorted by random keys of 64 bits.
  /// 0 .. n - 1 (int64) in random order.
  ndarray permutation(internal::Int64 n);
  /// A copy with the slices of an axis in random order.
  ndarray permutation(const ndarray& a, internal::Int axis = 0);
  /// The same in place.
  void shuffle(const ndarray& a, internal::Int axis = 0);
  /// Elements of 0 .. n - 1, or of an array's axis. Probabilities are looked at on the host.
  ndarray choice(internal::Int64 n, const Shape& size = {}, const ChoiceOptions& options = {});
  ndarray choice(const ndarray& a, const Shape& size = {}, const ChoiceOptions& options = {});

  // NumPy's positional forms: parameters, then the size, then options or a dtype. A plain number
  // in front is the parameter that NumPy has there, never a size.
  template <ParamArgument P, OptionsOrDtype<DrawOptions> O = DrawOptions>
  ndarray uniform(const P& low, const Param& high = 1, const Shape& size = {},
                  const O& options = {}) {
    const DrawOptions how = options_with_dtype(options);
    return uniform(SizeList(size),
                   UniformOptions{.low = low, .high = high, .dtype = how.dtype, .out = how.out});
  }
  template <ParamArgument P, std::same_as<SizedOptions> O = SizedOptions>
  ndarray uniform(const P& low, const Param& high, const O& options) {
    return uniform(low, high, options.size, options.rest());
  }
  template <DtypeArgument D>
  ndarray uniform(const SizeList& size, const D& dtype) {
    return uniform(size, UniformOptions{.dtype = dtype});
  }
  template <ParamArgument P, OptionsOrDtype<DrawOptions> O = DrawOptions>
  ndarray normal(const P& loc, const Param& scale = 1, const Shape& size = {},
                 const O& options = {}) {
    const DrawOptions how = options_with_dtype(options);
    return normal(SizeList(size),
                  NormalOptions{.loc = loc, .scale = scale, .dtype = how.dtype, .out = how.out});
  }
  template <ParamArgument P, std::same_as<SizedOptions> O = SizedOptions>
  ndarray normal(const P& loc, const Param& scale, const O& options) {
    return normal(loc, scale, options.size, options.rest());
  }
  template <DtypeArgument D>
  ndarray normal(const SizeList& size, const D& dtype) {
    return normal(size, NormalOptions{.dtype = dtype});
  }
  template <ParamArgument P, OptionsOrDtype<DrawOptions> O = DrawOptions>
  ndarray lognormal(const P& mean, const Param& sigma = 1, const Shape& size = {},
                    const O& options = {}) {
    const DrawOptions how = options_with_dtype(options);
    return lognormal(
        SizeList(size),
        LognormalOptions{.mean = mean, .sigma = sigma, .dtype = how.dtype, .out = how.out});
  }
  template <DtypeArgument D>
  ndarray lognormal(const SizeList& size, const D& dtype) {
    return lognormal(size, LognormalOptions{.dtype = dtype});
  }
  template <ParamArgument P, OptionsOrDtype<DrawOptions> O = DrawOptions>
  ndarray laplace(const P& loc, const Param& scale = 1, const Shape& size = {},
                  const O& options = {}) {
    const DrawOptions how = options_with_dtype(options);
    return laplace(SizeList(size),
                   NormalOptions{.loc = loc, .scale = scale, .dtype = how.dtype, .out = how.out});
  }
  template <DtypeArgument D>
  ndarray laplace(const SizeList& size, const D& dtype) {
    return laplace(size, NormalOptions{.dtype = dtype});
  }
  template <ParamArgument P, OptionsOrDtype<DrawOptions> O = DrawOptions>
  ndarray gumbel(const P& loc, const Param& scale = 1, const Shape& size = {},
                 const O& options = {}) {
    const DrawOptions how = options_with_dtype(options);
    return gumbel(SizeList(size),
                  NormalOptions{.loc = loc, .scale = scale, .dtype = how.dtype, .out = how.out});
  }
  template <DtypeArgument D>
  ndarray gumbel(const SizeList& size, const D& dtype) {
    return gumbel(size, NormalOptions{.dtype = dtype});
  }
  template <ParamArgument P, OptionsOrDtype<DrawOptions> O = DrawOptions>
  ndarray logistic(const P& loc, const Param& scale = 1, const Shape& size = {},
                   const O& options = {}) {
    const DrawOptions how = options_with_dtype(options);
    return logistic(SizeList(size),
                    NormalOptions{.loc = loc, .scale = scale, .dtype = how.dtype, .out = how.out});
  }
  template <DtypeArgument D>
  ndarray logistic(const SizeList& size, const D& dtype) {
    return logistic(size, NormalOptions{.dtype = dtype});
  }
  template <ParamArgument P, OptionsOrDtype<DrawOptions> O = DrawOptions>
  ndarray exponential(const P& scale, const Shape& size = {}, const O& options = {}) {
    const DrawOptions how = options_with_dtype(options);
    return exponential(SizeList(size),
                       ScaleOptions{.scale = scale, .dtype = how.dtype, .out = how.out});
  }
  template <DtypeArgument D>
  ndarray exponential(const SizeList& size, const D& dtype) {
    return exponential(size, ScaleOptions{.dtype = dtype});
  }
  template <ParamArgument P, OptionsOrDtype<DrawOptions> O = DrawOptions>
  ndarray rayleigh(const P& scale, const Shape& size = {}, const O& options = {}) {
    const DrawOptions how = options_with_dtype(options);
    return rayleigh(SizeList(size),
                    ScaleOptions{.scale = scale, .dtype = how.dtype, .out = how.out});
  }
  template <DtypeArgument D>
  ndarray rayleigh(const SizeList& size, const D& dtype) {
    return rayleigh(size, ScaleOptions{.dtype = dtype});
  }
  template <ParamArgument P, OptionsOrDtype<DrawOptions> O = DrawOptions>
  ndarray gamma(const Param& shape, const P& scale, const Shape& size = {}, const O& options = {}) {
    const DrawOptions how = options_with_dtype(options);
    return gamma(shape, SizeList(size),
                 ScaleOptions{.scale = scale, .dtype = how.dtype, .out = how.out});
  }
  template <DtypeArgument D>
  ndarray gamma(const Param& shape, const SizeList& size, const D& dtype) {
    return gamma(shape, size, ScaleOptions{.dtype = dtype});
  }

  // Extents one by one.
  template <Extent... N>
  ndarray rand(N... extents) requires(sizeof...(N) > 0) {
    return rand(Shape({static_cast<std::int64_t>(extents)...}));
  }
  template <Extent... N>
  ndarray randn(N... extents) requires(sizeof...(N) > 0) {
    return randn(Shape({static_cast<std::int64_t>(extents)...}));
  }

  // The dtype in the place of options.
  template <DtypeArgument D>
  ndarray random_sample(const Shape& size, const D& dtype) {
    return random_sample(size, DrawOptions{.dtype = dtype});
  }
  template <DtypeArgument D>
  ndarray standard_normal(const Shape& size, const D& dtype) {
    return standard_normal(size, DrawOptions{.dtype = dtype});
  }
  template <DtypeArgument D>
  ndarray standard_exponential(const Shape& size, const D& dtype) {
    return standard_exponential(size, DrawOptions{.dtype = dtype});
  }
  template <DtypeArgument D>
  ndarray standard_cauchy(const Shape& size, const D& dtype) {
    return standard_cauchy(size, DrawOptions{.dtype = dtype});
  }
  template <DtypeArgument D>
  ndarray standard_gamma(const Param& shape, const Shape& size, const D& dtype) {
    return standard_gamma(shape, size, DrawOptions{.dtype = dtype});
  }
  template <DtypeArgument D>
  ndarray beta(const Param& a, const Param& b, const Shape& size, const D& dtype) {
    return beta(a, b, size, DrawOptions{.dtype = dtype});
  }
  template <DtypeArgument D>
  ndarray chisquare(const Param& df, const Shape& size, const D& dtype) {
    return chisquare(df, size, DrawOptions{.dtype = dtype});
  }
  template <DtypeArgument D>
  ndarray noncentral_chisquare(const Param& df, const Param& nonc, const Shape& size,
                               const D& dtype) {
    return noncentral_chisquare(df, nonc, size, DrawOptions{.dtype = dtype});
  }
  template <DtypeArgument D>
  ndarray f(const Param& dfnum, const Param& dfden, const Shape& size, const D& dtype) {
    return f(dfnum, dfden, size, DrawOptions{.dtype = dtype});
  }
  template <DtypeArgument D>
  ndarray noncentral_f(const Param& dfnum, const Param& dfden, const Param& nonc, const Shape& size,
                       const D& dtype) {
    return noncentral_f(dfnum, dfden, nonc, size, DrawOptions{.dtype = dtype});
  }
  template <DtypeArgument D>
  ndarray standard_t(const Param& df, const Shape& size, const D& dtype) {
    return standard_t(df, size, DrawOptions{.dtype = dtype});
  }
  template <DtypeArgument D>
  ndarray weibull(const Param& a, const Shape& size, const D& dtype) {
    return weibull(a, size, DrawOptions{.dtype = dtype});
  }
  template <DtypeArgument D>
  ndarray pareto(const Param& a, const Shape& size, const D& dtype) {
    return pareto(a, size, DrawOptions{.dtype = dtype});
  }
  template <DtypeArgument D>
  ndarray power(const Param& a, const Shape& size, const D& dtype) {
    return power(a, size, DrawOptions{.dtype = dtype});
  }
  template <DtypeArgument D>
  ndarray triangular(const Param& left, const Param& mode, const Param& right, const Shape& size,
                     const D& dtype) {
    return triangular(left, mode, right, size, DrawOptions{.dtype = dtype});
  }
  template <DtypeArgument D>
  ndarray wald(const Param& mean, const Param& scale, const Shape& size, const D& dtype) {
    return wald(mean, scale, size, DrawOptions{.dtype = dtype});
  }
  template <DtypeArgument D>
  ndarray vonmises(const Param& mu, const Param& kappa, const Shape& size, const D& dtype) {
    return vonmises(mu, kappa, size, DrawOptions{.dtype = dtype});
  }
  template <DtypeArgument D>
  ndarray poisson(const Param& lam, const Shape& size, const D& dtype) {
    return poisson(lam, size, DrawOptions{.dtype = dtype});
  }
  template <DtypeArgument D>
  ndarray binomial(const Param& n, const Param& p, const Shape& size, const D& dtype) {
    return binomial(n, p, size, DrawOptions{.dtype = dtype});
  }
  template <DtypeArgument D>
  ndarray bernoulli(const Param& p, const Shape& size, const D& dtype) {
    return bernoulli(p, size, DrawOptions{.dtype = dtype});
  }
  template <DtypeArgument D>
  ndarray negative_binomial(const Param& n, const Param& p, const Shape& size, const D& dtype) {
    return negative_binomial(n, p, size, DrawOptions{.dtype = dtype});
  }
  template <DtypeArgument D>
  ndarray geometric(const Param& p, const Shape& size, const D& dtype) {
    return geometric(p, size, DrawOptions{.dtype = dtype});
  }
  template <DtypeArgument D>
  ndarray zipf(const Param& a, const Shape& size, const D& dtype) {
    return zipf(a, size, DrawOptions{.dtype = dtype});
  }
  template <DtypeArgument D>
  ndarray logseries(const Param& p, const Shape& size, const D& dtype) {
    return logseries(p, size, DrawOptions{.dtype = dtype});
  }
  template <DtypeArgument D>
  ndarray hypergeometric(const Param& ngood, const Param& nbad, const Param& nsample,
                         const Shape& size, const D& dtype) {
    return hypergeometric(ngood, nbad, nsample, size, DrawOptions{.dtype = dtype});
  }
  template <DtypeArgument D>
  ndarray rand(const Shape& size, const D& dtype) {
    return rand(size, DrawOptions{.dtype = dtype});
  }
  template <DtypeArgument D>
  ndarray randn(const Shape& size, const D& dtype) {
    return randn(size, DrawOptions{.dtype = dtype});
  }

  // Of lists: choice({1, 2, 3}, 5), multinomial(20, {0.5, 0.5}), permutation({1, 4, 9}).
  ndarray multinomial(internal::Int64 n, const ArrayLike& pvals, const Shape& size = {}) {
    return multinomial(n, pvals.array(), size);
  }
  ndarray permutation(const ArrayLike& a) { return permutation(a.array()); }
  template <internal::ListNumber T>
  ndarray permutation(std::initializer_list<T> list) {
    return permutation(internal::list_beside(list, ndarray()));
  }
  template <internal::ListNumber T>
  ndarray choice(std::initializer_list<T> list, const Shape& size = {},
                 const ChoiceOptions& options = {}) {
    return choice(internal::list_beside(list, ndarray()), size, options);
  }
  ndarray choice(const ArrayLike& a, const Shape& size = {}, const ChoiceOptions& options = {}) {
    return choice(a.array(), size, options);
  }
  template <std::integral N, std::same_as<NamedChoiceOptions> O = NamedChoiceOptions>
  ndarray choice(N n, const O& options) {
    return choice(n, options.size, options.rest());
  }
  template <std::same_as<NamedChoiceOptions> O = NamedChoiceOptions>
  ndarray choice(const ArrayLike& a, const O& options) {
    return choice(a, options.size, options.rest());
  }
  template <internal::ExtentNumber N, std::same_as<bool> B>
  ndarray choice(N n, const Shape& size, B replace, const ArrayLike& p) {
    return choice(n, size, ChoiceOptions{.replace = replace, .p = p.array()});
  }
  template <std::same_as<bool> B>
  ndarray choice(const ArrayLike& a, const Shape& size, B replace, const ArrayLike& p) {
    return choice(a.beside(p), size, ChoiceOptions{.replace = replace, .p = p.beside(a)});
  }

  // NumPy's order: choice(a, size, replace, p).
  template <internal::ExtentNumber N, std::same_as<bool> B>
  ndarray choice(N n, const Shape& size, B replace, const ndarray& p = {}) {
    return choice(n, size, ChoiceOptions{.replace = replace, .p = p});
  }
  template <std::same_as<bool> B>
  ndarray choice(const ndarray& a, const Shape& size, B replace, const ndarray& p = {},
                 internal::Int axis = 0) {
    return choice(a, size, ChoiceOptions{.replace = replace, .p = p, .axis = axis});
  }
  template <std::floating_point T>
  ndarray choice(T n, const Shape& size = {}, const ChoiceOptions& options = {}) = delete;
  template <std::floating_point T>
  ndarray permutation(T n) = delete;

  /// Shuffles the elements of a vector, in place.
  template <class T>
  void shuffle(std::vector<T>& values) {
    std::vector<T> shuffled;
    shuffled.reserve(values.size());
    for (const auto k :
         permutation(static_cast<std::int64_t>(values.size())).to_vector<std::size_t>()) {
      shuffled.push_back(std::move(values[k]));
    }
    values = std::move(shuffled);
  }

  /// Takes blocks of the sequence, for the library's own files.
  PhiloxState reserve(std::uint64_t blocks);
  struct Impl;
  Impl& impl() { return *impl_; }

 private:
  /// Options, or those with the dtype that stands in their place.
  template <OptionsOrDtype<DrawOptions> O>
  static DrawOptions options_with_dtype(const O& options) {
    if constexpr (std::same_as<O, DrawOptions>) {
      return options;
    } else {
      return {.dtype = options};
    }
  }
  ndarray randint_between(const Param& low, const Param& high, const Shape& size,
                          const DrawOptions& options);
  ndarray random_integers_between(const Param& low, const Param& high, const Shape& size,
                                  const DrawOptions& options);

  internal::Shared<Impl> impl_;  // a graph that draws from it looks whether it is still there
};

}  // namespace cupyxx::random
