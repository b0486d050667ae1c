// SPDX-License-Identifier: MIT
// Modes of the thread under Chainer's names. What stands in a `with` there is an object here, whose
// scope ends where it does:
//
//   const chainerxx::using_config test("train", false);
//   const chainerxx::no_backprop_mode without_graph;
//   Variable y = model(x);
#pragma once

#include <optional>
#include <string_view>

#include "chainerxx/scope.h"
#include "cupyxx/export.h"

namespace chainerxx {

/// Functions applied in this scope leave no graph behind.
using no_backprop_mode = NoGradScope;

/// They do so again, within a no_backprop_mode.
class force_backprop_mode : public RecordScope {
 public:
  [[nodiscard("give it a name")]] force_backprop_mode() : RecordScope(true) {}
};

/// Sets a mode until the end of the scope: "train" as TrainScope, "enable_backprop" as RecordScope,
/// "debug" as DebugScope.
class CUPYXX_API using_config {
 public:
  /// Throws ValueError for another name.
  [[nodiscard("give it a name")]] using_config(std::string_view name, bool value);
  ~using_config();
  using_config(const using_config&) = delete;
  using_config& operator=(const using_config&) = delete;

 private:
  std::optional<TrainScope> train_;
  std::optional<RecordScope> record_;
  std::optional<DebugScope> debug_;
};

/// Modes of this thread as values: `chainerxx::config.train = false` holds until it is set again or
/// a scope around it ends, which puts back what was there before it.
struct Configuration {
  /// One of them.
  template <bool (*kGet)(), void (*kSet)(bool)>
  struct Mode {
    operator bool() const { return kGet(); }  // NOLINT(google-explicit-constructor)
    const Mode& operator=(bool value) const {
      kSet(value);
      return *this;
    }
    Mode() = default;
    Mode(const Mode&) = delete;
    const Mode& operator=(const Mode& other) const { return *this = static_cast<bool>(other); }
  };
  Mode<is_training, internal::set_training> train;
  Mode<is_recording, internal::set_recording> enable_backprop;
  Mode<is_debug, set_debug> debug;  ///< of all threads, as set_debug
};
/// Chainer's chainer.config.
inline constexpr Configuration config{};

}  // namespace chainerxx
