// SPDX-License-Identifier: MIT
// Lists with designators are options and nothing else: g++ 12 drops the names of `{.keepdims =
// true}` and hands `true` to any constructor that is not a template, so that options became axes,
// shapes and indices. Every public routine is tried here, in every place, with a field of every
// struct of options and with fields that none has (`options_rows.inc`, whose rows
// tools/checks/options.sh compares with the headers).
#include "cupyxx/cupyxx.h"
#include "cupyxx/testing/dependent_values.h"

namespace cupyxx {
namespace {

using namespace testing;

template <class A>
Dependent<A, const Axes&> axes();
template <class A>
Dependent<A, Order> order();

template <class A>
struct Tag {};

// Whether one of some structs of options can be made from a list with designators.
#define ANY_OF(...) __VA_ARGS__
template <class... O>
struct Structs {};

#define ROW(OPTIONS, ...)                                       \
  static_assert(                                                \
      [] {                                                      \
        constexpr bool kCompiles = []<class A>(Tag<A>) {        \
          return requires { __VA_ARGS__; };                     \
        }(Tag<ndarray>{});                                      \
        return kCompiles == allowed(Structs<ANY_OF OPTIONS>{}); \
      }(),                                                      \
      #__VA_ARGS__);

#define FIELD(NAME, ...)                      \
  namespace in_##NAME {                       \
    template <class O, class A>               \
    constexpr bool has(Tag<A>) {              \
      return requires { O{__VA_ARGS__}; };    \
    }                                         \
    template <class... O>                     \
    constexpr bool allowed(Structs<O...>) {   \
      return (has<O>(Tag<ndarray>{}) || ...); \
    }                                         \
  }

// By a macro: clang-format drops an include that it has seen.
#define CUPYXX_ROWS "cupyxx/testing/options_rows.inc"

#define W \
  { .nonsense = num<A>() }
FIELD(nonsense_number, .nonsense = num<A>())
namespace in_nonsense_number {
#include CUPYXX_ROWS
}
#undef W

#define W \
  { .nonsense = flag<A>() }
FIELD(nonsense_flag, .nonsense = flag<A>())
namespace in_nonsense_flag {
#include CUPYXX_ROWS
}
#undef W

#define W \
  { .nonsense = arr<A>() }
FIELD(nonsense_array, .nonsense = arr<A>())
namespace in_nonsense_array {
#include CUPYXX_ROWS
}
#undef W

#define W \
  { .nonsense = axes<A>() }
FIELD(nonsense_axes, .nonsense = axes<A>())
namespace in_nonsense_axes {
#include CUPYXX_ROWS
}
#undef W

#define W \
  { .nonsense = extents<A>() }
FIELD(nonsense_shape, .nonsense = extents<A>())
namespace in_nonsense_shape {
#include CUPYXX_ROWS
}
#undef W

#define W \
  { .nonsense = numbers<A>() }
FIELD(nonsense_vector, .nonsense = numbers<A>())
namespace in_nonsense_vector {
#include CUPYXX_ROWS
}
#undef W

#define W \
  { .nonsense = num<A>(), .more = num<A>() }
FIELD(nonsense_numbers, .nonsense = num<A>(), .more = num<A>())
namespace in_nonsense_numbers {
#include CUPYXX_ROWS
}
#undef W

#define W \
  { .axis = num<A>() }
FIELD(axis, .axis = num<A>())
namespace in_axis {
#include CUPYXX_ROWS
}
#undef W

#define W \
  { .axes = num<A>() }
FIELD(axes, .axes = num<A>())
namespace in_axes {
#include CUPYXX_ROWS
}
#undef W

#define W \
  { .keepdims = flag<A>() }
FIELD(keepdims, .keepdims = flag<A>())
namespace in_keepdims {
#include CUPYXX_ROWS
}
#undef W

#define W \
  { .ddof = num<A>() }
FIELD(ddof, .ddof = num<A>())
namespace in_ddof {
#include CUPYXX_ROWS
}
#undef W

#define W \
  { .dtype = type<A>() }
FIELD(dtype, .dtype = type<A>())
namespace in_dtype {
#include CUPYXX_ROWS
}
#undef W

#define W \
  { .out = arr<A>() }
FIELD(out, .out = arr<A>())
namespace in_out {
#include CUPYXX_ROWS
}
#undef W

#define W \
  { .where = arr<A>() }
FIELD(where, .where = arr<A>())
namespace in_where {
#include CUPYXX_ROWS
}
#undef W

#define W \
  { .initial = num<A>() }
FIELD(initial, .initial = num<A>())
namespace in_initial {
#include CUPYXX_ROWS
}
#undef W

#define W \
  { .order = order<A>() }
FIELD(order, .order = order<A>())
namespace in_order {
#include CUPYXX_ROWS
}
#undef W

#define W \
  { .weights = arr<A>() }
FIELD(weights, .weights = arr<A>())
namespace in_weights {
#include CUPYXX_ROWS
}
#undef W

#define W \
  { .descending = flag<A>() }
FIELD(descending, .descending = flag<A>())
namespace in_descending {
#include CUPYXX_ROWS
}
#undef W

#define W \
  { .n = num<A>() }
FIELD(n, .n = num<A>())
namespace in_n {
#include CUPYXX_ROWS
}
#undef W

#define W \
  { .endpoint = flag<A>() }
FIELD(endpoint, .endpoint = flag<A>())
namespace in_endpoint {
#include CUPYXX_ROWS
}
#undef W

#define W \
  { .return_index = flag<A>() }
FIELD(return_index, .return_index = flag<A>())
namespace in_return_index {
#include CUPYXX_ROWS
}
#undef W

#define W \
  { .size = extents<A>() }
FIELD(size, .size = extents<A>())
namespace in_size {
#include CUPYXX_ROWS
}
#undef W

#define W \
  { .scale = real<A>() }
FIELD(scale, .scale = real<A>())
namespace in_scale {
#include CUPYXX_ROWS
}
#undef W

#define W \
  { .copy = flag<A>() }
FIELD(copy, .copy = flag<A>())
namespace in_copy {
#include CUPYXX_ROWS
}
#undef W

}  // namespace
}  // namespace cupyxx

int main() {}
