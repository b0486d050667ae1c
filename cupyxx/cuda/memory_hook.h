// SPDX-License-Identifier: MIT
// Watching allocations of arrays, on the host and on CUDA devices.
//
//   cuda::LineProfileHook profile;
//   {
//     cuda::MemoryHookScope scope(profile);
//     train();
//   }
//   profile.print_report(std::cout);
#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include "cupyxx/core/owned.h"
#include "cupyxx/device.h"
#include "cupyxx/export.h"

namespace cupyxx::cuda {

/// One allocation or its end.
struct MemoryHookEvent {
  cupyxx::Device device;
  std::size_t size = 0;       ///< bytes asked for; 0 when memory is freed
  std::size_t mem_size = 0;   ///< bytes of the block
  const void* ptr = nullptr;  ///< null before an allocation
};

/// Base of hooks: functions called around what the pools do. `alloc` is memory from the system,
/// `malloc` and `free` are blocks of the pool. An exception out of a function called before an
/// allocation prevents it; others are swallowed.
class CUPYXX_API MemoryHook {
 public:
  MemoryHook() = default;
  MemoryHook(const MemoryHook&) = delete;
  MemoryHook& operator=(const MemoryHook&) = delete;
  virtual ~MemoryHook();

  virtual void alloc_preprocess(const MemoryHookEvent&) {}
  virtual void alloc_postprocess(const MemoryHookEvent&) {}
  virtual void malloc_preprocess(const MemoryHookEvent&) {}
  virtual void malloc_postprocess(const MemoryHookEvent&) {}
  virtual void free_preprocess(const MemoryHookEvent&) {}
  virtual void free_postprocess(const MemoryHookEvent&) {}
};

/// Lets a hook watch this thread until the end of the scope. Several hooks are called in the order
/// of their scopes.
class CUPYXX_API MemoryHookScope {
 public:
  [[nodiscard("give it a name")]] explicit MemoryHookScope(MemoryHook& hook);
  ~MemoryHookScope();
  MemoryHookScope(const MemoryHookScope&) = delete;
  MemoryHookScope& operator=(const MemoryHookScope&) = delete;

 private:
  struct Listener;
  internal::Owned<Listener> listener_;
};

/// Prints a line for each allocation and free, when it has happened.
class CUPYXX_API DebugPrintHook : public MemoryHook {
 public:
  /// To std::cerr.
  DebugPrintHook();
  explicit DebugPrintHook(std::ostream& os) : os_(os) {}

  void alloc_postprocess(const MemoryHookEvent& event) override;
  void malloc_postprocess(const MemoryHookEvent& event) override;
  void free_postprocess(const MemoryHookEvent& event) override;

 private:
  std::ostream& os_;
};

/// Adds up the memory that each line of a program asks for.
class CUPYXX_API LineProfileHook : public MemoryHook {
 public:
  /// What one line has asked for.
  struct Line {
    std::string where;           ///< "train (train.cc:41)"; see print_report()
    std::uint64_t calls = 0;     ///< allocations
    std::uint64_t used = 0;      ///< bytes of the blocks
    std::uint64_t acquired = 0;  ///< bytes that came from the system for them
  };

  LineProfileHook();
  ~LineProfileHook() override;
  void alloc_postprocess(const MemoryHookEvent& event) override;
  void malloc_postprocess(const MemoryHookEvent& event) override;

  /// The lines, the greatest user first. A line is the first caller outside of these libraries; it
  /// has a file and a number where the program has debugging information and addr2line is
  /// installed.
  std::vector<Line> lines() const;
  /// A table of the lines and their sum.
  void print_report(std::ostream& os) const;

 private:
  struct Impl;
  internal::Owned<Impl> impl_;
};

/// Whether every live array is listed with its operation, shape and callers, for the text of
/// OutOfMemoryError. Costs about a microsecond an allocation. Returns what was set before; at the
/// start it is what CUPYXX_MEMORY_TRACK=1 says.
CUPYXX_API bool set_memory_tracking(bool on);
/// The tracked arrays of a device as text, the greatest holders first; empty without tracking.
CUPYXX_API std::string memory_holders(cupyxx::Device device);

}  // namespace cupyxx::cuda
