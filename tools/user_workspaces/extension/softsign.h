// SPDX-License-Identifier: MIT
// An operation of one's own.
#pragma once

#include "cupyxx/ops/prelude.h"

namespace mine {

struct Softsign : cupyxx::ops::OpBase {
  static constexpr const char* name = "softsign";
  static constexpr const char* doc = "x / (1 + |x|).";
  using loops = cupyxx::ops::FloatLoops<cupyxx::ops::Same1>;
  template <class T>
  CUPYXX_FN static T apply(T x) {
    return x / (1 + cupyxx::ops::m::fabs(x));
  }
};

using Ops = cupyxx::ops::OpList<Softsign>;

}  // namespace mine
