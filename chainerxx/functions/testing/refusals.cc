// SPDX-License-Identifier: MIT
#include "chainerxx/functions/testing/refusals.h"

#include <gtest/gtest.h>

#include <exception>

#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "typecheck/invalid_type.h"

namespace chainerxx::testing {
namespace {

/// The most derived of our classes.
std::string kind_of(const std::exception& error) {
  const auto is = [&]<class E>(E*) { return dynamic_cast<const E*>(&error) != nullptr; };
#define CHAINERXX_KIND(Namespace, E) \
  if (is(static_cast<Namespace::E*>(nullptr))) return #E
  CHAINERXX_KIND(typecheck, InvalidType);
  CHAINERXX_KIND(cupyxx, AxisError);
  CHAINERXX_KIND(cupyxx, ShapeError);
  CHAINERXX_KIND(cupyxx, DeviceError);
  CHAINERXX_KIND(cupyxx, ValueError);
  CHAINERXX_KIND(cupyxx, IndexError);
  CHAINERXX_KIND(cupyxx, DtypeError);
  CHAINERXX_KIND(cupyxx, TypeError);
  CHAINERXX_KIND(cupyxx, MemoryError);
  CHAINERXX_KIND(cupyxx, OverflowError);
#undef CHAINERXX_KIND
  return "another error";
}

std::string text_of(const std::exception& error) {
  const std::string text = error.what();
  const std::size_t expect = text.find("Expect: ");
  return expect == std::string::npos ? text : text.substr(expect);
}

Variable root(const cupyxx::Shape& shape, cupyxx::dtype type) {
  return Variable(cupyxx::ones(shape, type), false);
}

}  // namespace

void expect_refusals(const std::vector<Refusal>& table) {
  for (const Refusal& refusal : table) {
    SCOPED_TRACE(refusal.name);
    try {
      refusal.call();
      ADD_FAILURE() << "nothing was thrown";
    } catch (const std::exception& error) {
      EXPECT_EQ(kind_of(error), refusal.kind);
      EXPECT_EQ(text_of(error), refusal.text);
    }
  }
}

Variable f16(const cupyxx::Shape& shape) { return root(shape, cupyxx::float16); }
Variable f32(const cupyxx::Shape& shape) { return root(shape, cupyxx::float32); }
Variable f64(const cupyxx::Shape& shape) { return root(shape, cupyxx::float64); }
Variable i32(const cupyxx::Shape& shape) {
  return Variable(cupyxx::zeros(shape, cupyxx::int32), false);
}

}  // namespace chainerxx::testing
