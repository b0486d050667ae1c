// SPDX-License-Identifier: MIT
// Operations of one's own, equal to those of cupyxx: a struct becomes a ufunc with loops for each
// instruction set of the host, kernels for devices, broadcasting, casts, `out` and `where`. The
// struct stands in a header that the host's compiler and NVRTC read:
//
//   // softsign.h
//   #include "cupyxx/ops/prelude.h"
//   namespace mine {
//   struct Softsign : cupyxx::ops::OpBase {
//     static constexpr const char* name = "softsign";
//     static constexpr const char* doc = "x / (1 + |x|).";
//     using loops = cupyxx::ops::FloatLoops<cupyxx::ops::Same1>;
//     template <class T>
//     CUPYXX_FN static T apply(T x) {
//       return x / (1 + cupyxx::ops::m::fabs(x));
//     }
//   };
//   using Ops = cupyxx::ops::OpList<Softsign>;
//   }  // namespace mine
//
//   # BUILD.bazel
//   load("@cupyxx//cupyxx/extension:ops.bzl", "cupyxx_ops")
//   cupyxx_ops(name = "softsign", hdr = "softsign.h", ops = "mine::Ops")
//
//   // main.cc
//   constexpr cupyxx::extension::Ufunc<mine::Softsign> softsign;
//   std::cout << softsign(cupyxx::linspace(-2, 2, 5));
//
// Up to four operands and one result, or two operands and two results. The loops' types are chosen
// as NumPy chooses them. A program has up to 512 operations of its own.
#pragma once

#include <string_view>

#include "cupyxx/export.h"
#include "cupyxx/ufunc.h"

namespace cupyxx::extension {

/// The ufunc of an operation with so many operands and results; see cupyxx/ufunc.h.
template <class Op, int kInputs = 1, int kOutputs = 1>
using Ufunc = cupyxx::Ufunc<Op, kInputs, kOutputs>;

/// The header of an operation's struct by its path, "cupyxx/ops/exp_log.h".
CUPYXX_API std::string_view header_of(const ufunc& f);

/// The ufunc of an operation, whose types are known at run time: of `Ufunc<Op>`, or of one of
/// cupyxx's in cupyxx/ops.
template <class Op>
const ufunc& ufunc_of() {
  return internal::ufunc_of<Op>();
}

}  // namespace cupyxx::extension
