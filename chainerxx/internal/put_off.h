// SPDX-License-Identifier: MIT
// Work that a function's backward leaves to the end of the walk which runs it.
#pragma once

#include <memory>

namespace chainerxx {
class Function;
}

namespace chainerxx::internal {

/// What is done before Variable::backward returns; not when it ends with an exception.
class PutOff {
 public:
  virtual ~PutOff() = default;
  virtual void run() = 0;
};

/// The place of what is put off, one for each walk, null at first. Null instead of a place unless
/// it is the walk that called f.backward, so that who calls it by hand finds all of it done; in
/// walks whose observers count what is final, in those of gradients of gradients, and in debug
/// mode, which looks at gradients behind each function.
std::unique_ptr<PutOff>* put_off_by(const Function& f);

/// A walk, which begins and ends with the object; walks within it have their own.
class PutOffScope {
 public:
  explicit PutOffScope(bool is_allowed);
  PutOffScope(const PutOffScope&) = delete;
  PutOffScope& operator=(const PutOffScope&) = delete;
  ~PutOffScope();

  /// Does what has been put off.
  void run() const {
    if (work_ != nullptr) work_->run();
  }
  /// Says which function this thread's innermost walk calls now; null: one that puts nothing off.
  static void set_running(const Function* f);

 private:
  friend std::unique_ptr<PutOff>* put_off_by(const Function& f);

  const Function* running_ = nullptr;
  std::unique_ptr<PutOff> work_{};
  PutOffScope* previous_;
};

}  // namespace chainerxx::internal
