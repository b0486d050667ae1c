// SPDX-License-Identifier: MIT
// Membership in a set on the host.
#pragma once

#include "cupyxx/ndarray.h"

namespace cupyxx::internal::cpu {

/// Whether each element of `x` equals one of `known`, or, with `invert`, none, to the bool array
/// `out`. 1-D C-contiguous arrays of one dtype: bool, an integer, float32 or float64. NaN equals
/// nothing.
struct MembershipCall {
  const ndarray* x;
  const ndarray* known;
  const ndarray* out;
  bool invert;
};
void find_members(const MembershipCall& call);

}  // namespace cupyxx::internal::cpu
