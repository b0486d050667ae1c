// SPDX-License-Identifier: MIT

#include "cupyxx/core/arrays.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/math.h"
#include "cupyxx/random/draw.h"

namespace cupyxx::random {

using internal::Sample;

namespace {

bool on_host(const Param& param) { return !param.is_array() || param.array().device().is_cpu(); }

ndarray as_float64(const Param& param) {
  return param.is_array() ? param.array().astype(float64, false) : array(value_of(param));
}

}  // namespace

ndarray RandomState::poisson(const Param& lam, const Shape& size, const DrawOptions& options) {
  return draw_samples(*this, Sample::poisson, {&lam}, size, options, int64);
}
ndarray RandomState::binomial(const Param& n, const Param& p, const Shape& size,
                              const DrawOptions& options) {
  return draw_samples(*this, Sample::binomial, {&n, &p}, size, options, int64);
}
ndarray RandomState::bernoulli(const Param& p, const Shape& size, const DrawOptions& options) {
  return draw_samples(*this, Sample::bernoulli, {&p}, size, options, bool_);
}
ndarray RandomState::negative_binomial(const Param& n, const Param& p, const Shape& size,
                                       const DrawOptions& options) {
  return draw_samples(*this, Sample::negative_binomial, {&n, &p}, size, options, int64);
}
ndarray RandomState::geometric(const Param& p, const Shape& size, const DrawOptions& options) {
  return draw_samples(*this, Sample::geometric, {&p}, size, options, int64);
}
ndarray RandomState::zipf(const Param& a, const Shape& size, const DrawOptions& options) {
  return draw_samples(*this, Sample::zipf, {&a}, size, options, int64);
}
ndarray RandomState::logseries(const Param& p, const Shape& size, const DrawOptions& options) {
  return draw_samples(*this, Sample::logseries, {&p}, size, options, int64);
}

ndarray RandomState::hypergeometric(const Param& ngood, const Param& nbad, const Param& nsample,
                                    const Shape& size, const DrawOptions& options) {
  constexpr const char* kName = "hypergeometric";
  constexpr const char* kTooFew = "ngood + nbad < nsample";
  if (!ngood.is_array() && !nbad.is_array()) {
    const double all = value_of(ngood) + value_of(nbad);
    if (nsample.is_array()) {
      check_order(kName, nsample, all, true, kTooFew);
    } else if (all < value_of(nsample)) {
      throw ValueError(message(kName, ": ", kTooFew, "; ", ngood.number(), ", ", nbad.number(),
                               ", ", nsample.number()));
    }
  } else if (on_host(ngood) && on_host(nbad)) {
    const DeviceScope host(Device::cpu());
    const ndarray good = as_float64(ngood), bad = as_float64(nbad);
    broadcast_shapes(kName, good.shape(), bad.shape());
    check_order(kName, nsample, add(good, bad), true, kTooFew);
  }
  return draw_samples(*this, Sample::hypergeometric, {&ngood, &nbad, &nsample}, size, options,
                      int64);
}

namespace {

// Draws vectors: the rows of a matrix, in the shape (size..., k).
ndarray draw_rows(RandomState& state, const char* operation, internal::Rows kind, double n,
                  const ndarray& p, const Shape& size, dtype type) {
  const OwnStreamScope stream(state);
  Shape shape = size;
  shape.push_back(p.size());
  const ndarray out = internal::make_array(operation, shape, type, p.device());
  const ndarray values = internal::contiguous(p.astype(float64, false));
  internal::kernels::SampleRowsArgs args{};
  args.k = p.size();
  args.rows = size.element_count();
  args.n = n;
  args.p = static_cast<const double*>(values.elements());
  args.stream = philox_stream(state.reserve(static_cast<std::uint64_t>(args.rows)));
  internal::sample_rows(kind, out, values, args);
  return out;
}

void check_vector(const char* operation, const char* name, const ndarray& a) {
  internal::check_not_none(operation, a);
  if (a.ndim() == 1 && a.size() > 0) return;
  throw ValueError(message(operation, ": ", name, " is no vector; ", a.shape()));
}

}  // namespace

ndarray RandomState::multinomial(internal::Int64 n, const ndarray& pvals, const Shape& size) {
  check_vector("multinomial", "pvals", pvals);
  if (n < 0) throw ValueError(message("multinomial: n < 0; ", n));
  if (pvals.device().is_cpu()) {
    double sum = 0, last = 0;
    for (const double p : pvals.to_vector<double>()) {
      check_parameter("multinomial", "pvals", Check::probability, p);
      sum += last;
      last = p;
    }
    if (sum > 1 + 1e-12) {
      throw ValueError(message("multinomial: sum(pvals[:-1]) > 1.0; ", Scalar(sum)));
    }
  }
  return draw_rows(*this, "multinomial", internal::Rows::multinomial, static_cast<double>(n), pvals,
                   size, int64);
}

ndarray RandomState::dirichlet(const ndarray& alpha, const Shape& size) {
  check_vector("dirichlet", "alpha", alpha);
  if (alpha.device().is_cpu()) {
    for (const double a : alpha.to_vector<double>()) {
      check_parameter("dirichlet", "alpha", Check::positive, a);
    }
  }
  return draw_rows(*this, "dirichlet", internal::Rows::dirichlet, 0, alpha, size, float64);
}

}  // namespace cupyxx::random
