// SPDX-License-Identifier: MIT
// How kernels say what is wrong in their data: they are given an error word and a number, and
// report() writes the first error there, which the next call that waits for the stream throws by
// the operation's name. Device-safe: a kernel's header includes it, and so does who launches.
//
//   struct Args { ...; cupyxx::extension::ErrorWord* error; unsigned operation; };
//   ...
//   if (id < 0 || id >= args.words) {
//     report(args.error, cupyxx::extension::kIndexOutOfRange, args.operation, id, args.words);
//   }
#pragma once

#include "cupyxx/internal/kernels/error_word.h"

namespace cupyxx::extension {

/// What a kernel found wrong, of one stream.
using internal::kernels::ErrorWord;
/// What may be wrong: kIndexOutOfRange becomes an IndexError, the others a ValueError.
using internal::kernels::ErrorCode;
/// An index or label outside of [0, bound).
using internal::kernels::kIndexOutOfRange;
/// A negative power of an integer.
using internal::kernels::kNegativePower;
/// A number that is infinite or NaN.
using internal::kernels::kNotFinite;

#ifndef __CUDACC__
/// The error word of the current stream of a CUDA device, for a kernel's arguments.
ErrorWord* error_word(int device);
/// The number of an operation's name, a string that lives for ever.
unsigned operation_number(const char* name);
#endif

}  // namespace cupyxx::extension
