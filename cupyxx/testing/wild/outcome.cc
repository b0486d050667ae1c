// SPDX-License-Identifier: MIT
#include "cupyxx/testing/wild/outcome.h"

#include <cxxabi.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdlib>
#include <memory>
#include <typeinfo>

#include "cupyxx/testing/wild/settings.h"

namespace cupyxx::testing::wild {
namespace {

std::string name_of(const std::type_info& type) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(
      abi::__cxa_demangle(type.name(), nullptr, nullptr, &status), std::free);
  return text == nullptr ? type.name() : text.get();
}

// The largest finite magnitude.
double largest_of(const ndarray& a) {
  if (!a.dtype().is_floating() || a.dtype().itemsize() == 1) return 0;
  double largest = 0;
  for (const double x : a.astype(float64).to_vector<double>()) {
    if (std::isfinite(x)) largest = std::max(largest, std::fabs(x));
  }
  return largest;
}

// How many elements are further apart than sums in another order are: relative to the largest
// finite magnitude of either array, since small differences of large numbers are among results.
std::string values_apart(const ndarray& a, const ndarray& b, bool finite, double least) {
  const cupyxx::dtype type = a.dtype();
  if (type.itemsize() == 1 && type.is_floating()) {
    return values_apart(ascontiguousarray(a).view(uint8), ascontiguousarray(b).view(uint8), finite,
                        least);
  }
  if (!type.is_floating() && type.kind() != 'c') {
    const auto x = a.astype(int64).to_vector<std::int64_t>();
    const auto y = b.astype(int64).to_vector<std::int64_t>();
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (x[i] != y[i]) {
        return "element " + std::to_string(i) + ": " + std::to_string(x[i]) + " and " +
               std::to_string(y[i]);
      }
    }
    return {};
  }
  double bound = 1e-8;
  if (type == float32 || type == complex64) bound = 3e-4;
  if (type == float16) bound = 2e-2;
  if (type == bfloat16_) bound = 1e-1;
  const auto x = a.astype(complex128).to_vector<std::complex<double>>();
  const auto y = b.astype(complex128).to_vector<std::complex<double>>();
  double largest = least;
  for (const auto& list : {x, y}) {
    for (const auto& value : list) {
      if (std::isfinite(std::abs(value))) largest = std::max(largest, std::abs(value));
    }
  }
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (const auto& [p, q] :
         {std::pair(x[i].real(), y[i].real()), std::pair(x[i].imag(), y[i].imag())}) {
      if (finite && !(std::isfinite(p) && std::isfinite(q))) continue;
      const bool same =
          p == q || (std::isnan(p) && std::isnan(q)) ||
          (std::isfinite(p) && std::isfinite(q) && std::fabs(p - q) <= bound * largest);
      if (!same) {
        std::ostringstream text;
        text.precision(17);
        text << "element " << i << ": " << p << " and " << q;
        return text.str();
      }
    }
  }
  return {};
}

}  // namespace

Settings& settings() {
  static Settings kept;
  return kept;
}

void add(Outcome& o, const ndarray& a) {
  if (a.is_none()) {
    o.texts.emplace_back("None");
    return;
  }
  std::string strides;
  if (a.size() > 1 && settings().strides) {
    // The stride of an axis of one element says nothing.
    for (int i = 0; i < a.ndim(); ++i) {
      if (a.shape(i) != 1) strides += " " + std::to_string(a.strides()[i]);
    }
  }
  o.texts.push_back(std::string(a.dtype().name()) + a.shape().str() + strides);
  // Extents beside a zero stride can be endless; their elements are one. A copy, since what follows
  // may change the array.
  const ndarray kept = a.size() > 100'000'000 ? ndarray(Shape(0), a.dtype()) : a;
  o.arrays.push_back(kept.device().is_cpu() ? kept.copy() : kept.to_cpu());
}

void add_error(Outcome& o, const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const Error& e) {
    o.error = name_of(typeid(e)) + ": " + e.what();
  } catch (const std::exception& e) {
    o.error = name_of(typeid(e)) + ": " + e.what();
    o.defect = "a foreign exception, " + o.error;
  } catch (...) {
    o.error = "unknown: ";
    o.defect = "a foreign exception";
  }
}

void wait_quietly(Device device) {
  if (device.is_cpu()) return;
  try {
    cuda::Device(device.index).synchronize();
  } catch (const Error&) {
  }
}

std::string difference(const Outcome& a, const Outcome& b, bool values, bool finite) {
  if (a.error_kind() != b.error_kind()) {
    return "\"" + a.error + "\" and \"" + b.error + "\"";
  }
  if (a.texts.size() != b.texts.size()) return "another number of results";
  for (std::size_t i = 0; i < a.texts.size(); ++i) {
    if (a.texts[i] != b.texts[i])
      return a.texts[i].substr(0, 200) + " and " + b.texts[i].substr(0, 200);
  }
  // Gradients whose terms cancel are as far apart as the other numbers of the call let them be.
  double least = 1e-3;
  for (std::size_t i = 0; values && i < a.arrays.size(); ++i) {
    least = std::max(least, 1e-2 * largest_of(a.arrays[i]));
  }
  for (std::size_t i = 0; values && i < a.arrays.size(); ++i) {
    if (a.arrays[i].size() == 0) continue;
    const std::string apart = values_apart(a.arrays[i], b.arrays[i], finite, least);
    if (!apart.empty()) return "result " + std::to_string(i) + ", " + apart;
  }
  return {};
}

}  // namespace cupyxx::testing::wild
