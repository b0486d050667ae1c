// SPDX-License-Identifier: MIT
// Ranges and marks on the timelines of profilers (NVTX). They cost some nanoseconds without a
// profiler, and nothing happens in a build without CUDA.
//
//   cupyxx::cuda::nvtx::Range epoch("epoch 3");
#pragma once

#include <cstdint>
#include <string>

#include "cupyxx/export.h"

namespace cupyxx::cuda::nvtx {

/// Begins a range of this thread, in one of a few colours by number; -1 leaves it to the profiler.
/// Ranges nest; returns how deep this one is, counted from 0, or a negative number without a
/// profiler.
CUPYXX_API int RangePush(const std::string& message, int id_color = -1);
/// The same in a colour given as 0xAARRGGBB.
CUPYXX_API int RangePushC(const std::string& message, std::uint32_t color = 0);
/// Ends the latest range of this thread.
CUPYXX_API int RangePop();
/// Marks a moment.
CUPYXX_API void Mark(const std::string& message, int id_color = -1);
CUPYXX_API void MarkC(const std::string& message, std::uint32_t color = 0);

/// A range until the end of the scope.
class Range {
 public:
  explicit Range(const std::string& message, int id_color = -1) { RangePush(message, id_color); }
  ~Range() { RangePop(); }
  Range(const Range&) = delete;
  Range& operator=(const Range&) = delete;
};

}  // namespace cupyxx::cuda::nvtx
