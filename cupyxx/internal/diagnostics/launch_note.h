// SPDX-License-Identifier: MIT
// What the launches of a thread are for, for CUPYXX_DEBUG=sync: operation, shapes and dtypes of the
// call that the user made. Costs a load and a branch otherwise.
//
//   const auto note = LaunchNote([&] { return describe_call(op.name, inputs); });
#pragma once

#include <atomic>
#include <string>
#include <utility>

namespace cupyxx::internal {

namespace launch_detail {
inline constexpr int kUnread = -1;
extern std::atomic<int> awaited;
int read_awaited();
}  // namespace launch_detail

/// Whether each launch is awaited and checked: CUPYXX_DEBUG holds "sync".
inline bool launches_are_awaited() {
  const int now = launch_detail::awaited.load(std::memory_order_relaxed);
  return (now == launch_detail::kUnread ? launch_detail::read_awaited() : now) != 0;
}

/// A note of this thread, until its end; notes nest.
class LaunchNoteBase {
 public:
  LaunchNoteBase(const LaunchNoteBase&) = delete;
  LaunchNoteBase& operator=(const LaunchNoteBase&) = delete;

 protected:
  explicit LaunchNoteBase(std::string (*text)(const LaunchNoteBase&)) : text_(text) {}
  ~LaunchNoteBase() {
    if (entered_) [[unlikely]] {
      leave();
    }
  }
  void enter();

 private:
  void leave();

  std::string (*text_)(const LaunchNoteBase&);
  bool entered_ = false;
  const LaunchNoteBase* outer_ = nullptr;
  friend std::string launch_notes();
};

template <class Describe>
class LaunchNote final : public LaunchNoteBase {
 public:
  explicit LaunchNote(Describe describe) : LaunchNoteBase(text), describe_(std::move(describe)) {
    if (launches_are_awaited()) [[unlikely]] {
      enter();
    }
  }

 private:
  static std::string text(const LaunchNoteBase& note) {
    return static_cast<const LaunchNote&>(note).describe_();
  }

  Describe describe_;
};

/// The notes of this thread, the user's call first: "std((3, 4) float32), sum((3, 4) float32)".
std::string launch_notes();

/// Switches awaiting on or off; returns what it was. For tests.
bool await_launches(bool on);

}  // namespace cupyxx::internal
