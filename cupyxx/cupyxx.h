// SPDX-License-Identifier: MIT
// Everything of cupyxx: NumPy for C++ on CPU and NVIDIA GPUs.
//
//   #include "cupyxx/cupyxx.h"
//   namespace cp = cupyxx;
//   auto a = cp::arange(6).reshape({2, 3});
//   std::cout << a - a.mean(1, {.keepdims = true}) << "\n";
#pragma once

// An older standard ends here with one line: a missing file stops the compiler, #error does not.
#if __cplusplus < 202002L
#include "cupyxx needs C++20: compile with -std=c++20"
#endif

// What others build on comes first, so that messages of the compiler name few files.
// clang-format off
#include "cupyxx/dtype.h"
#include "cupyxx/shape.h"
#include "cupyxx/scalar.h"
#include "cupyxx/ndarray.h"
#include "cupyxx/creation.h"
#include "cupyxx/ufunc.h"
#include "cupyxx/math.h"
#include "cupyxx/reduction.h"
#include "cupyxx/linalg.h"
// clang-format on

#include "cupyxx/array_api.h"
#include "cupyxx/complex.h"
#include "cupyxx/constants.h"
#include "cupyxx/cuda/allocator.h"
#include "cupyxx/cuda/device.h"
#include "cupyxx/cuda/event.h"
#include "cupyxx/cuda/graph.h"
#include "cupyxx/cuda/memory.h"
#include "cupyxx/cuda/memory_hook.h"
#include "cupyxx/cuda/memory_pool.h"
#include "cupyxx/cuda/stream.h"
#include "cupyxx/device.h"
#include "cupyxx/diagnostics.h"
#include "cupyxx/error.h"
#include "cupyxx/fft.h"
#include "cupyxx/functional.h"
#include "cupyxx/fuse.h"
#include "cupyxx/indexing.h"
#include "cupyxx/interop.h"
#include "cupyxx/io.h"
#include "cupyxx/kernel.h"
#include "cupyxx/literal_kernel.h"
#include "cupyxx/logic.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/polynomials.h"
#include "cupyxx/precision.h"
#include "cupyxx/printing.h"
#include "cupyxx/random.h"
#include "cupyxx/sets.h"
#include "cupyxx/sorting.h"
#include "cupyxx/special.h"
#include "cupyxx/statistics.h"
#include "cupyxx/type_functions.h"
#include "cupyxx/version.h"
