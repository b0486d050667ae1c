// SPDX-License-Identifier: MIT
// What copies of a handle share: an object that goes with the last of them. <memory> and the
// instances of std::shared_ptr are a fifth of what a user's file waits for.
#pragma once

#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>

#include "cupyxx/export.h"

namespace cupyxx::internal {

struct Share;

/// Takes over an object, which `end` deletes; deleted as well when this throws std::bad_alloc.
CUPYXX_API Share* make_share(void* object, void (*end)(void* object));
CUPYXX_API void retain(Share* share) noexcept;
CUPYXX_API void release(Share* share) noexcept;

/// Something that points to a T and may own it.
template <class P, class T>
concept PointerTo = requires(const P& p) {
  { p.get() } -> std::convertible_to<T*>;
};

/// One of the owners of an object, or of none; threads may copy their own.
template <class T>
class Shared {
 public:
  Shared() = default;
  Shared(std::nullptr_t) {}  // NOLINT(google-explicit-constructor)
  /// Takes over an object made by `new`.
  explicit Shared(T* object) requires(!std::is_void_v<T>)
      : object_(object),
        share_(make_share(const_cast<std::remove_const_t<T>*>(object),
                          [](void* o) { delete static_cast<T*>(o); })) {}
  /// Keeps a smart pointer, whoever else shares it.
  template <PointerTo<T> P>
  requires(!std::same_as<P, Shared>) Shared(P owner)  // NOLINT(google-explicit-constructor)
      : object_(owner.get()) {
    if (object_ == nullptr) return;
    share_ = make_share(new P(std::move(owner)), [](void* o) { delete static_cast<P*>(o); });
  }
  Shared(const Shared& other) noexcept : object_(other.object_), share_(other.share_) {
    if (share_ != nullptr) retain(share_);
  }
  Shared(Shared&& other) noexcept
      : object_(std::exchange(other.object_, nullptr)),
        share_(std::exchange(other.share_, nullptr)) {}
  Shared& operator=(Shared other) noexcept {
    std::swap(object_, other.object_);
    std::swap(share_, other.share_);
    return *this;
  }
  ~Shared() {
    if (share_ != nullptr) release(share_);
  }

  T* get() const { return object_; }
  T* operator->() const { return object_; }
  std::add_lvalue_reference_t<T> operator*() const { return *object_; }
  explicit operator bool() const { return object_ != nullptr; }
  friend bool operator==(const Shared& a, std::nullptr_t) { return a.object_ == nullptr; }

 private:
  T* object_ = nullptr;
  Share* share_ = nullptr;
};

}  // namespace cupyxx::internal
