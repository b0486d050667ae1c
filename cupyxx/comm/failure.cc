// SPDX-License-Identifier: MIT
#include "cupyxx/comm/failure.h"

#include <utility>

#include "cupyxx/error.h"

namespace cupyxx::comm::internal {

void Failure::note(int world_rank, const std::string& why) {
  const std::lock_guard lock(mutex_);
  if (is_noted()) return;
  text_ = message("rank ", world_rank, " of the world has failed: ", why);
  is_noted_.store(true, std::memory_order_release);
  for (const auto& [key, call] : calls_) call();
  calls_.clear();
}

std::string Failure::str() const {
  const std::lock_guard lock(mutex_);
  return text_;
}

void Failure::check(const CallNote& note) const {
  if (!is_noted()) return;
  is_delivered_.store(true, std::memory_order_release);
  throw Error(message(note.str(), ": ", str()));
}

int Failure::call_on_failure(std::function<void()> f) {
  const std::lock_guard lock(mutex_);
  const int key = next_key_++;
  if (is_noted()) {
    f();
  } else {
    calls_.emplace(key, std::move(f));
  }
  return key;
}

void Failure::forget(int key) {
  const std::lock_guard lock(mutex_);
  calls_.erase(key);
}

}  // namespace cupyxx::comm::internal
