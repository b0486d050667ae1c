// SPDX-License-Identifier: MIT
// What a class keeps its private half in: the only owner of an object whose type is known where the
// class is defined. std::unique_ptr costs a user's file five milliseconds for each such class.
#pragma once

#include <cstddef>
#include <utility>

namespace cupyxx::internal {

/// Owns one object made by `new`, or none. It is moved, never copied.
template <class T>
class Owned {
 public:
  Owned() = default;
  explicit Owned(T* object) noexcept : object_(object) {}
  Owned(Owned&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Owned& operator=(Owned&& other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Owned() {
    // NOLINTNEXTLINE(bugprone-sizeof-expression)
    static_assert(sizeof(T) > 0, "the class that keeps it ends where its type is known");
    delete object_;
  }

  T* get() const { return object_; }
  T* operator->() const { return object_; }
  T& operator*() const { return *object_; }
  friend bool operator==(const Owned& a, std::nullptr_t) { return a.object_ == nullptr; }

 private:
  T* object_ = nullptr;
};

}  // namespace cupyxx::internal
