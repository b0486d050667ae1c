// SPDX-License-Identifier: MIT
#include "chainerxx/golden_calls.h"

#include <algorithm>

namespace chainerxx::golden {
namespace {

namespace F = chainerxx::functions;

Variables max_pooling(Arguments& a) {
  return {F::max_pooling_2d(a.in["x"], a.size("ksize", {}),
                            {.stride = a.size("stride", {}),
                             .pad = a.size("pad", 0),
                             .cover_all = a.attrs.value("cover_all", true)})};
}

Variables average_pooling(Arguments& a) {
  return {F::average_pooling_2d(a.in["x"], a.size("ksize", {}),
                                {.stride = a.size("stride", {}), .pad = a.size("pad", 0)})};
}

Variables convolution(Arguments& a) {
  const F::ConvolutionOptions how = {.stride = a.size("stride", 1),
                                     .pad = a.size("pad", 0),
                                     .dilate = a.size("dilate", 1),
                                     .groups = a.attrs.value("groups", std::int64_t{1})};
  return {F::convolution_2d(a.in["x"], a.param["W"], a.bias(), how)};
}

Variables pyramid_pooling(Arguments& a) {
  return {F::spatial_pyramid_pooling_2d(a.in["x"], a.attrs["pyramid_height"])};
}

}  // namespace

Size2D Arguments::size(const char* name, const Size2D& otherwise) const {
  if (!attrs.contains(name) || attrs[name].is_null()) return otherwise;
  const Json& value = attrs[name];
  if (value.is_number()) return value.get<std::int64_t>();
  return {value[0].get<std::int64_t>(), value[1].get<std::int64_t>()};
}

Call find_call(const std::string& function) {
  static const std::map<std::string, Call> table = {
      {"average_pooling_2d", average_pooling},
      {"convolution_2d", convolution},
      {"max_pooling_2d", max_pooling},
      {"spatial_pyramid_pooling_2d", pyramid_pooling},
  };
  const auto found = table.find(function);
  return found != table.end() ? found->second : nullptr;
}

std::string field_key(const std::string& path) {
  std::string key = path;
  std::replace(key.begin(), key.end(), '/', '_');
  return key;
}

}  // namespace chainerxx::golden
