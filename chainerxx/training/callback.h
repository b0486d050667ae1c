// SPDX-License-Identifier: MIT
// Functions given as arguments, without <functional>, which every file would pay for.
#pragma once

#include <concepts>
#include <memory>
#include <type_traits>
#include <utility>

namespace chainerxx::training {

template <class Signature>
class Callback;

/// Anything that can be called so: a function, a lambda, an object. Copies share what it keeps; a
/// default-constructed one is empty.
template <class R, class... Args>
class Callback<R(Args...)> {
 public:
  Callback() = default;
  template <class F>
  requires(!std::same_as<F, Callback> && std::is_invocable_r_v<R, F&, Args...>)
      Callback(F function)  // NOLINT(google-explicit-constructor)
      : body_(std::make_shared<Holder<F>>(std::move(function))) {}

  R operator()(Args... args) const { return body_->call(std::forward<Args>(args)...); }
  /// Whether there is something to call.
  explicit operator bool() const { return body_ != nullptr; }

 private:
  struct Body {
    virtual ~Body() = default;
    virtual R call(Args... args) = 0;
  };
  template <class F>
  struct Holder final : Body {
    explicit Holder(F f) : function(std::move(f)) {}
    R call(Args... args) override { return function(std::forward<Args>(args)...); }
    F function;
  };

  std::shared_ptr<Body> body_;
};

}  // namespace chainerxx::training
