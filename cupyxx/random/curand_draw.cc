// SPDX-License-Identifier: MIT
#include "cupyxx/random/curand_draw.h"

#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/math.h"
#include "cupyxx/random/impl.h"

namespace cupyxx::random {
namespace {

std::shared_ptr<internal::Curand> curand_of(RandomState& state) {
  const std::lock_guard lock(state.impl().mutex);
  return state.impl().curand;
}

void check_dtype(const char* operation, dtype type) {
  if (type == float32 || type == float64) return;
  throw DtypeError(message(operation, ": cuRAND draws float32 and float64 only; ", type.name()));
}

}  // namespace

ndarray curand_uniform(RandomState& state, double low, double high, const Shape& size,
                       const DrawOptions& options) {
  const OwnStreamScope stream(state);
  const dtype type = result_dtype(options, float64);
  check_dtype("uniform", type);
  Output output("uniform", result_shape(size, options.out), type, type, options.out,
                current_device());
  const ndarray& a = output.array();
  curand_of(state)->uniform(a);
  subtract(1, a, {.out = a});  // cuRAND's are in (0, 1]
  if (high - low != 1) multiply(a, high - low, {.out = a});
  if (low != 0) add(a, low, {.out = a});
  return output.finish();
}

ndarray curand_normal(RandomState& state, double loc, double scale, const Shape& size,
                      const DrawOptions& options) {
  const OwnStreamScope stream(state);
  const dtype type = result_dtype(options, float64);
  check_dtype("normal", type);
  Output output("normal", result_shape(size, options.out), type, type, options.out,
                current_device());
  const ndarray& a = output.array();
  if (a.size() % 2 == 0) {
    curand_of(state)->normal(a, loc, scale);
    return output.finish();
  }
  const DeviceScope device(a.device());
  const ndarray even = empty({a.size() + 1}, type);
  curand_of(state)->normal(even, loc, scale);
  a.set(even(slice(0, a.size())).reshape(a.shape()));
  return output.finish();
}

ndarray curand_lognormal(RandomState& state, double mean, double sigma, const Shape& size,
                         const DrawOptions& options) {
  check_parameter("lognormal", "sigma", Check::not_negative, sigma);
  const ndarray a = curand_normal(state, mean, sigma, size, options);
  exp(a, {.out = a});
  return a;
}

ndarray curand_words(RandomState& state, const Shape& shape) {
  const OwnStreamScope stream(state);
  const ndarray words = empty({2 * shape.element_count()}, uint32);
  curand_of(state)->words(words);
  return words.view(float64).reshape(shape);
}

}  // namespace cupyxx::random
