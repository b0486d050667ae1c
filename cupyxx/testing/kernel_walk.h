// SPDX-License-Identifier: MIT
// Calls the public routines with the operands that programs have - contiguous, transposed, strided,
// broadcast, numbers - and notes which calls need a kernel that is not in the bundle. On a machine
// without a device it is linked with dry_cuda.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cupyxx/ndarray.h"

namespace cupyxx::testing {

/// Which calls looked for a program that the bundle does not have. One exists at a time.
class KernelWatch {
 public:
  KernelWatch();
  ~KernelWatch();
  KernelWatch(const KernelWatch&) = delete;
  KernelWatch& operator=(const KernelWatch&) = delete;

  /// Makes a call. A cupyxx::Error is noted too.
  void operator()(const std::string& name, const std::function<void()>& call);

  /// A line for each call that missed: its name and the programs.
  const std::string& missed() const { return missed_; }
  /// A line for each call that failed.
  const std::string& failed() const { return failed_; }
  int calls() const { return calls_; }

 private:
  std::string missed_, failed_;
  int calls_ = 0;
};

/// Arrays of one dtype in the layouts that decide about kernels. All are views or copies of small
/// positive numbers.
struct Operands {
  explicit Operands(cupyxx::dtype type);

  cupyxx::dtype type;
  ndarray plain;                         // (300, 40)
  ndarray large;                         // (3000, 100)
  ndarray line;                          // (1000)
  ndarray row, column;                   // (40), (300, 1)
  ndarray number;                        // ()
  ndarray transposed;                    // (300, 40), columns are contiguous
  ndarray every_second;                  // (300, 40), of every second column
  ndarray rows;                          // (300, 40), of every second row
  ndarray reversed;                      // (300, 40)
  ndarray cube, cube_turned;             // (6, 50, 40); axes in another order
  ndarray plane;                         // (50, 40)
  std::vector<ndarray> layouts() const;  // those of shape (300, 40), a cube turned, a line, ()
};

void walk_ufuncs(KernelWatch& watch, cupyxx::dtype type);
void walk_creation(KernelWatch& watch, cupyxx::dtype type);
void walk_manipulation(KernelWatch& watch, cupyxx::dtype type);
void walk_indexing(KernelWatch& watch, cupyxx::dtype type);
void walk_reductions(KernelWatch& watch, cupyxx::dtype type);
void walk_statistics(KernelWatch& watch, cupyxx::dtype type);
void walk_sorting(KernelWatch& watch, cupyxx::dtype type);
void walk_mathematics(KernelWatch& watch, cupyxx::dtype type);
void walk_linear_algebra(KernelWatch& watch, cupyxx::dtype type);
void walk_random(KernelWatch& watch);

/// All of them for float32, float64, int32, int64, and what bool arrays are used for.
void walk_everything(KernelWatch& watch);

}  // namespace cupyxx::testing
