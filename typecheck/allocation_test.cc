// SPDX-License-Identifier: MIT
// A check that passes costs no allocation.
#include <gtest/gtest.h>

#include <cstdlib>
#include <new>

#include "typecheck/expect.h"

namespace {

long allocations = 0;

}  // namespace

[[gnu::noinline]] void* operator new(std::size_t size) {
  ++allocations;
  void* memory = std::malloc(size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace {

using cupyxx::float32;
using cupyxx::Shape;
using typecheck::slice;

TEST(Expect, AllocatesNothingWhenItPasses) {
  const long before = allocations;
  const typecheck::TypeInfo types[] = {{Shape{3, 2}, float32}, {Shape{3}, cupyxx::int32}};
  const typecheck::TypeInfos in(types);
  const auto x = in[0], t = in[1];
  const int units = 2;
  const typecheck::Variable area([](const Shape& s) { return s[0] * s[1]; },
                                 "a name that is too long for a small string");
  typecheck::expect(in.size() == 2, x.ndim() == 2, x.dtype() == float32, x.dtype().kind() == 'f',
                    x.dtype() == "float32", x.shape()[slice(1)] == t.shape(),
                    prod(x.shape()) - 1 == sum(x.shape()), floordiv(x.shape()[0] * 2, 4) % 2 == 1,
                    x.shape() == Shape{3, 2}, x.shape()[1] == typecheck::Variable(units, "units"),
                    area(x.shape()) == 6);
  EXPECT_EQ(allocations - before, 0);
}

TEST(Expect, AllocatesTheTextWhenItFails) {
  const typecheck::TypeInfo types[] = {{Shape{3, 2}, float32}};
  const typecheck::TypeInfos in(types);
  const long before = allocations;
  EXPECT_THROW(typecheck::expect(in[0].ndim() == 3), typecheck::InvalidType);
  EXPECT_GT(allocations - before, 0);
}

}  // namespace
