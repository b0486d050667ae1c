// SPDX-License-Identifier: MIT
// What is known of ranks that have failed. One for each rank; any thread may ask and tell.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <mutex>
#include <string>

#include "cupyxx/comm/call.h"

namespace cupyxx::comm::internal {

class Failure {
 public:
  /// Notes the first failure and calls what waits for it; later ones change nothing.
  void note(int world_rank, const std::string& why);
  bool is_noted() const { return is_noted_.load(std::memory_order_acquire); }
  /// Whether somebody was told by an exception.
  bool is_delivered() const { return is_delivered_.load(std::memory_order_acquire); }
  /// "rank 2 of the world has failed: WHY".
  std::string str() const;
  /// Throws Error, which names call and rank, when there is one.
  void check(const CallNote& note) const;

  /// Calls `f` when a rank fails, at once if one has; from any thread, at most once. Gives the key
  /// for `forget`, which waits for a call that is going on.
  int call_on_failure(std::function<void()> f);
  void forget(int key);

 private:
  mutable std::mutex mutex_;
  std::atomic<bool> is_noted_{false};
  mutable std::atomic<bool> is_delivered_{false};
  std::string text_;
  int next_key_ = 0;
  std::map<int, std::function<void()>> calls_;
};

}  // namespace cupyxx::comm::internal
