// SPDX-License-Identifier: MIT
#include "conformance/network/judge.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

#include "cupyxx/dtype.h"

namespace conformance {
namespace {

double epsilon_of(cupyxx::dtype type) {
  if (type == cupyxx::float16) return 0x1p-10;
  return type == cupyxx::float32 ? 0x1p-23 : 0x1p-52;
}

bool same(double found, double expected, double bound) {
  if (std::isnan(expected)) return std::isnan(found);
  if (std::isinf(expected)) return found == expected;
  return std::abs(found - expected) <= bound;
}

}  // namespace

std::string judge(const NetworkCase& c, const std::string& key, const ndarray& found,
                  double slack) {
  std::ostringstream text;
  text.precision(9);
  const ndarray oracle = c.get(key);
  if (found.is_none()) return key + ": None";
  if (found.shape() != oracle.shape()) {
    text << key << ": shape " << found.shape() << " instead of " << oracle.shape();
    return text.str();
  }
  const bool is_number_of_steps = key.starts_with("extra_") && oracle.dtype() == cupyxx::float64;
  if (found.dtype() != oracle.dtype() && !is_number_of_steps) {
    text << key << ": dtype " << found.dtype().name() << " instead of " << oracle.dtype().name();
    return text.str();
  }
  const bool has_reference = c.has("ref64_" + key);
  const auto expected = c.get(has_reference ? "ref64_" + key : key).to_vector<double>();
  const auto values = found.to_vector<double>();
  // Steps of float32 are told in float64.
  const bool is_double = found.dtype() == cupyxx::float64 && c.oracle_error() == 0;
  const double epsilon = found.dtype() == cupyxx::float64 && !is_double
                             ? epsilon_of(cupyxx::float32)
                             : epsilon_of(found.dtype());
  double scale = 0;
  for (const double e : expected) {
    if (std::isfinite(e)) scale = std::max(scale, std::abs(e));
  }
  const double floor = slack * std::max(4 * c.oracle_error(), 8 * epsilon) * scale;
  const bool is_bound_to_infinity = !(c.has_tag("nonfinite") && found.device().is_cuda());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (!std::isfinite(expected[i]) && !is_bound_to_infinity) continue;
    const double relative = (is_double ? 1e-5 : 2e-4) * std::abs(expected[i]);
    const double bound = has_reference ? floor : std::max(floor, relative);
    if (same(values[i], expected[i], bound)) continue;
    text << key << ": element " << i << " is " << values[i] << " instead of " << expected[i]
         << "; they may be " << bound << " apart";
    return text.str();
  }
  return {};
}

}  // namespace conformance
