// SPDX-License-Identifier: MIT
// Makes the run-time tables of a family of operations from its OpList. Included by one source file
// per family only.
#pragma once

#include "cupyxx/internal/make_op_info.h"
#include "cupyxx/ufunc.h"

namespace cupyxx::internal {

/// The run-time objects of one operation; `kHeader` and `kId` come from its family.
template <class Op>
struct Registered {
  static const OpInfo info;
  static const ufunc object;
};

template <class Op>
const ufunc& ufunc_of() {
  return Registered<Op>::object;
}

/// The operations of one family, in the list's order.
template <class List>
struct Family;
template <class... Op>
struct Family<ops::OpList<Op...>> {
  static const ufunc* const objects[];
  static const int count = sizeof...(Op);
  using Getter = const ufunc& (*)();
  static const Getter getters[];  // makes the compiler emit ufunc_of<Op>

  template <class One>
  static constexpr int index() {
    int i = 0;
    int found = -1;
    ((found = std::is_same_v<One, Op> ? i : found, ++i), ...);
    return found;
  }
};
template <class... Op>
const ufunc* const Family<ops::OpList<Op...>>::objects[] = {&Registered<Op>::object...};
template <class... Op>
[[gnu::used]] const typename Family<ops::OpList<Op...>>::Getter
    Family<ops::OpList<Op...>>::getters[] = {&ufunc_of<Op>...};

}  // namespace cupyxx::internal

/// Defines the run-time objects of a family. `first_id` leaves room for the family's growth.
#define CUPYXX_REGISTER_OPS(List, header, first_id)                                             \
  namespace cupyxx::internal {                                                                  \
  template <class Op>                                                                           \
  constexpr OpInfo Registered<Op>::info = make_op_info<Op>(header,                              \
                                                           first_id +                           \
                                                               Family<ops::List>::index<Op>()); \
  template <class Op>                                                                           \
  constinit const ufunc Registered<Op>::object{Registered<Op>::info};                           \
  template struct Family<ops::List>;                                                            \
  }
