// SPDX-License-Identifier: MIT
// Functions that remember their results.
//
//   const auto kernel = cupyxx::memoize([](int radix) {
//     return cupyxx::ElementwiseKernel("T x", "T y", text_for(radix), "radix");
//   });
//   kernel(3)(x);                                  // made once
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "cupyxx/device.h"
#include "cupyxx/export.h"

namespace cupyxx {

namespace internal {

/// Results that clear_memo() forgets.
class CUPYXX_API Memo {
 public:
  Memo();
  Memo(const Memo&) = delete;
  Memo& operator=(const Memo&) = delete;
  virtual ~Memo();
  virtual void clear() = 0;
};

/// The current device, as part of a key.
CUPYXX_API std::pair<int, int> memo_device();

// Texts are remembered as such, whatever they were given as.
template <class T>
struct MemoKeyOf {
  using type = std::decay_t<T>;
};
template <class T>
requires std::is_convertible_v<const T&, std::string_view>
struct MemoKeyOf<T> {
  using type = std::string;
};
template <class T>
using MemoKey = typename MemoKeyOf<std::decay_t<T>>::type;

template <class Signature>
struct SignatureOf;
template <class R, class... A>
struct SignatureOf<R (*)(A...)> {
  using type = R(A...);
};
template <class R, class... A>
struct SignatureOf<R (*)(A...) noexcept> {
  using type = R(A...);
};
template <class F, class R, class... A>
struct SignatureOf<R (F::*)(A...) const> {
  using type = R(A...);
};
template <class F, class R, class... A>
struct SignatureOf<R (F::*)(A...)> {
  using type = R(A...);
};

template <class Function>
struct CallSignature : SignatureOf<decltype(&Function::operator())> {};
template <class R, class... A>
struct CallSignature<R (*)(A...)> : SignatureOf<R (*)(A...)> {};

template <class Result, class... A>
class MemoTable final : public Memo {
 public:
  using Key = std::tuple<std::pair<int, int>, MemoKey<A>...>;

  // Remembers what `make` gives. It runs unlocked, since it may call memoized functions itself; of
  // two threads that make the same result, the first one's is kept.
  template <class Make>
  Result find(const Key& key, Make make) {
    {
      const std::lock_guard lock(mutex_);
      if (const auto known = results_.find(key); known != results_.end()) return known->second;
    }
    Result fresh = make();
    const std::lock_guard lock(mutex_);
    return results_.emplace(key, std::move(fresh)).first->second;
  }
  void clear() override {
    const std::lock_guard lock(mutex_);
    results_.clear();
  }

 private:
  std::mutex mutex_;
  std::map<Key, Result> results_;
};

}  // namespace internal

/// A function with a memory. Copies share it; threads may call one at the same time.
template <class Function, class Signature>
class Memoized;
template <class Function, class R, class... A>
class Memoized<Function, R(A...)> {
  using Result = std::decay_t<R>;
  using Table = internal::MemoTable<Result, A...>;

 public:
  Memoized(Function function, bool for_each_device)
      : function_(std::move(function)),
        for_each_device_(for_each_device),
        table_(std::make_shared<Table>()) {}

  /// The result for these arguments, computed when it is not known.
  Result operator()(A... arguments) const {
    const typename Table::Key key{for_each_device_ ? internal::memo_device() : std::pair(-1, -1),
                                  internal::MemoKey<A>(arguments)...};
    return table_->find(key, [&]() -> Result { return function_(arguments...); });
  }

 private:
  mutable Function function_;
  bool for_each_device_;
  std::shared_ptr<Table> table_;
};

/// Makes a function remember its results by its arguments, which must be comparable (`<`) values,
/// and by the current device too where `for_each_device` is set. The function is no template.
template <class Function>
Memoized<std::decay_t<Function>, typename internal::CallSignature<std::decay_t<Function>>::type>
memoize(Function&& function, bool for_each_device = false) {
  return {std::forward<Function>(function), for_each_device};
}

/// Forgets the results of all memoized functions. Kernels that somebody holds stay valid.
CUPYXX_API void clear_memo();

}  // namespace cupyxx
