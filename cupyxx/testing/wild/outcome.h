// SPDX-License-Identifier: MIT
// What came out of a wild call: arrays and texts, or the kind of the exception.
#pragma once

#include <exception>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

#include "cupyxx/cupyxx.h"

namespace cupyxx::testing::wild {

template <class T>
struct Fields;

struct Outcome {
  std::vector<ndarray> arrays;     ///< on the host, with the strides that they had
  std::vector<std::string> texts;  ///< forms of the arrays, and all that is no array
  std::string error;               ///< the kind of the exception, and its text behind ": "
  std::string defect;              ///< what must not happen: another exception, a changed argument
  std::string error_kind() const { return error.substr(0, error.find(": ")); }
};

/// Where two outcomes differ, empty where they do not. Numbers may differ by what the order of a
/// sum does; `values` false leaves them out.
/// `finite` leaves out what is infinite or NaN.
std::string difference(const Outcome& a, const Outcome& b, bool values, bool finite);

void add(Outcome& o, const ndarray& a);
void add_error(Outcome& o, const std::exception_ptr& error);

/// Takes the late errors of a device, which belong to the call that has failed.
void wait_quietly(Device device);

template <class T>
void add(Outcome& o, const T& value) {
  if constexpr (std::is_convertible_v<const T&, const ndarray&>) {
    add(o, static_cast<const ndarray&>(value));
  } else if constexpr (requires(T & v) { Fields<T>::each(v, [](auto&&...) {}); }) {
    Fields<T>::each(const_cast<T&>(value), [&](const auto& field, const char*) { add(o, field); });
  } else if constexpr (std::is_same_v<T, std::string>) {
    o.texts.push_back(value);
  } else if constexpr (requires { value.has_value(); }) {
    o.texts.emplace_back(value.has_value() ? "some" : "none");
    if (value.has_value()) add(o, *value);
  } else if constexpr (requires { value.first; }) {
    add(o, value.first);
    add(o, value.second);
  } else if constexpr (std::is_floating_point_v<T>) {
    add(o, array(Scalar(value)));
  } else if constexpr (requires { std::ostringstream() << value; }) {
    std::ostringstream text;
    text << value;
    o.texts.push_back(text.str());
  } else if constexpr (requires { value.size(), value.begin() != value.end(); }) {
    o.texts.push_back(std::to_string(value.size()));
    for (const auto& one : value) add(o, static_cast<const std::decay_t<decltype(one)>&>(one));
  }  // objects that say nothing: iterators, files
}

template <class F>
Outcome outcome_of(F&& f, Device device) {
  Outcome o;
  const DeviceScope scope(device);
  try {
    if constexpr (std::is_void_v<decltype(f())>) {
      f();
    } else {
      decltype(auto) result = f();
      add(o, static_cast<const std::remove_cvref_t<decltype(result)>&>(result));
    }
    if (device.is_cuda()) cuda::Device(device.index).synchronize();  // throws what is late
  } catch (...) {
    o = {};
    add_error(o, std::current_exception());
    wait_quietly(device);
  }
  return o;
}

}  // namespace cupyxx::testing::wild
