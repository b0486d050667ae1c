// SPDX-License-Identifier: MIT
#include "chainerxx/functions/connection/multi_head_attention.h"

#include <algorithm>
#include <string>

#include "chainerxx/functions/array/array.h"
#include "chainerxx/functions/connection/attention.h"
#include "chainerxx/functions/connection/rotary_embedding.h"
#include "chainerxx/internal/checked_extent.h"
#include "chainerxx/internal/same_shape.h"
#include "chainerxx/scope.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/indexing.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"

namespace chainerxx::functions {
namespace {

using cupyxx::Shape;

constexpr const char* kName = "MultiHeadAttention";

/// The size of a layer's input, once the number of heads divides it.
std::int64_t checked_units(std::int64_t units, std::int64_t heads,
                           const MultiHeadAttentionOptions& options) {
  const bool fits = units > 0 && heads > 0 && units % heads == 0;
  if (fits && (!options.rotary_base || units / heads % 2 == 0)) return units;
  throw cupyxx::ValueError(
      cupyxx::message(kName, ": the heads do not divide the units",
                      options.rotary_base ? ", evenly as rotary positions ask" : "", "; ", units,
                      " units and ", heads, " heads"));
}

/// Those of queries, keys and values together.
std::int64_t projected_units(std::int64_t units, std::int64_t heads,
                             const MultiHeadAttentionOptions& options) {
  return internal::times(kName, 3, checked_units(units, heads, options));
}

/// Some of the tokens (n, heads, tokens, depth), a view.
ndarray part(const ndarray& tokens, std::int64_t begin, std::int64_t end) {
  return tokens(cupyxx::ellipsis, cupyxx::slice(begin, end), cupyxx::slice());
}

/// Makes room for `length` tokens of which `used` are there.
void reserve(ndarray& tokens, const ndarray& like, std::int64_t used, std::int64_t length) {
  const Shape shape = like.shape();
  if (!tokens.is_none() && tokens.shape()[2] >= length) return;
  const auto room = std::max<std::int64_t>(2 * used, (length + 63) / 64 * 64);
  const ndarray wide = cupyxx::zeros({shape[0], shape[1], room, shape[3]}, like.dtype());
  if (used > 0) part(wide, 0, used).set(part(tokens, 0, used));
  tokens = wide;
}

/// Appends to keys or values; returns all so far.
ndarray append(ndarray& tokens, const ndarray& fresh, std::int64_t used) {
  const std::int64_t length = used + fresh.shape()[2];
  reserve(tokens, fresh, used, length);
  part(tokens, used, length).set(fresh);
  return part(tokens, 0, length);
}

/// Hides what follows, for the last `queries` of `keys` tokens.
ndarray causal_mask(std::int64_t queries, std::int64_t keys) {
  const ndarray places = cupyxx::arange(keys - queries, keys);
  return cupyxx::greater_equal(cupyxx::expand_dims(places, 1), cupyxx::arange(keys));
}

/// What the user has put into a cache must be what a call leaves there; an empty one may have
/// arrays of other tokens, which are given up.
void check_cache(KeyValueCache& cache, const ndarray& key) {
  const Shape shape = key.shape();
  if (cache.length < 0) {
    throw cupyxx::ValueError(
        cupyxx::message(kName, ": the length of the cache is negative; ", cache.length));
  }
  for (ndarray* tokens : {&cache.keys, &cache.values}) {
    if (tokens->is_none() && cache.length == 0) continue;
    const Shape found = tokens->is_none() ? Shape{0} : tokens->shape();
    const bool fits = found.ndim() == 4 && found[0] == shape[0] && found[1] == shape[1] &&
                      found[2] >= cache.length && found[3] == shape[3] &&
                      tokens->dtype() == key.dtype() && tokens->device() == key.device();
    if (fits) continue;
    if (cache.length != 0) {
      const char* const what = tokens == &cache.keys ? "keys " : "values ";
      throw cupyxx::ShapeError(
          cupyxx::message(kName, ": the cache is of other tokens; ", what,
                          tokens->is_none() ? std::string("None")
                                            : cupyxx::message(found, " ", tokens->dtype().name(),
                                                              " on ", tokens->device().name()),
                          " of ", cache.length, " tokens and ", shape, " ", key.dtype().name(),
                          " on ", key.device().name()));
    }
    *tokens = ndarray();
  }
}

}  // namespace

MultiHeadAttention::MultiHeadAttention(std::int64_t units, std::int64_t heads,
                                       const MultiHeadAttentionOptions& options)
    : projection(add("projection",
                     Linear(checked_units(units, heads, options),
                            projected_units(units, heads, options), {.nobias = options.nobias}))),
      output(add("output", Linear(units, units, {.nobias = options.nobias}))),
      units_(units),
      heads_(heads),
      options_(options) {}

Variable MultiHeadAttention::operator()(const Variable& x, const ndarray& mask,
                                        KeyValueCache* cache) {
  internal::refuse_none(kName, {&x});
  const Shape shape = x.shape();
  if (shape.ndim() != 3 || shape[2] != units_) {
    throw cupyxx::ShapeError(
        cupyxx::message(kName, ": x is not (n, length, ", units_, "); ", shape));
  }
  const std::int64_t n = shape[0], length = shape[1];
  const Variable qkv =
      reshape(projection(reshape(x, {n * length, units_})), {n, length, 3 * units_});
  AttentionOptions how{
      .mask = mask, .is_causal = options_.is_causal, .dropout_ratio = options_.dropout_ratio};
  const auto project = [&](const Variable& y) {
    return reshape(output(reshape(y, {n * length, units_})), shape);
  };
  if (cache == nullptr && !options_.rotary_base) {
    return project(self_attention(qkv, heads_, how));
  }

  const cupyxx::DeviceScope device(x.device());
  const Variable parts =
      transpose(reshape(qkv, {n, length, 3, heads_, units_ / heads_}), {2, 0, 3, 1, 4});
  Variable query = get_item(parts, {0}), key = get_item(parts, {1}), value = get_item(parts, {2});
  const std::int64_t before = cache == nullptr ? 0 : cache->length;
  if (options_.rotary_base) {
    const RotaryOptions rotary{.base = *options_.rotary_base, .offset = before};
    query = rotary_embedding(query, rotary);
    key = rotary_embedding(key, rotary);
  }
  if (cache != nullptr) {
    if (is_recording() && !qkv.volatile_()) {
      throw cupyxx::ValueError(
          cupyxx::message(kName, ": a cache is for generation, without a graph: in NoGradScope"));
    }
    check_cache(*cache, key.data());
    key = append(cache->keys, key.data(), before);  // constants
    value = append(cache->values, value.data(), before);
    cache->length = before + length;
    if (options_.is_causal && before > 0) {
      how.is_causal = false;
      if (length > 1) {
        const ndarray causal = causal_mask(length, before + length);
        how.mask = mask.is_none() ? causal : cupyxx::logical_and(mask, causal);
      }
    }
  }
  const Variable y = scaled_dot_product_attention(query, key, value, how);
  return project(reshape(transpose(y, {0, 2, 1, 3}), shape));
}

}  // namespace chainerxx::functions
