// SPDX-License-Identifier: MIT
// Everything of cupyxx: NumPy for C++ on CPU and NVIDIA GPUs.
//
//   #include "cupyxx/cupyxx.h"
//   namespace cp = cupyxx;
//   auto a = cp::arange(6).reshape({2, 3});
//   std::cout << a - a.mean(1, {.keepdims = true}) << "\n";
#pragma once

#include "cupyxx/array_module.h"
#include "cupyxx/creation.h"
#include "cupyxx/cuda/device.h"
#include "cupyxx/cuda/event.h"
#include "cupyxx/cuda/memory_pool.h"
#include "cupyxx/cuda/stream.h"
#include "cupyxx/decomposition.h"
#include "cupyxx/device.h"
#include "cupyxx/dtype.h"
#include "cupyxx/einsum.h"
#include "cupyxx/error.h"
#include "cupyxx/index.h"
#include "cupyxx/indexing.h"
#include "cupyxx/io.h"
#include "cupyxx/kernel.h"
#include "cupyxx/linalg.h"
#include "cupyxx/logic.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/matrices.h"
#include "cupyxx/ndarray.h"
#include "cupyxx/nested_list.h"
#include "cupyxx/picking.h"
#include "cupyxx/printing.h"
#include "cupyxx/random.h"
#include "cupyxx/rearranging.h"
#include "cupyxx/reduction.h"
#include "cupyxx/scalar.h"
#include "cupyxx/shape.h"
#include "cupyxx/sorting.h"
#include "cupyxx/statistics.h"
#include "cupyxx/tiling.h"
#include "cupyxx/type_functions.h"
#include "cupyxx/ufunc.h"
#include "cupyxx/version.h"
