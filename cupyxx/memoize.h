// SPDX-License-Identifier: MIT
// Functions that remember their results. Included by kernel.h.
//
//   const auto kernel = cupyxx::memoize([](int radix) {
//     return cupyxx::ElementwiseKernel("T x", "T y", text_for(radix), "radix");
//   });
//   kernel(3)(x);                                  // made once
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "cupyxx/core/owned.h"
#include "cupyxx/core/shared.h"
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

 protected:
  /// Holds the results' lock for its life.
  class CUPYXX_API Lock {
   public:
    explicit Lock(Memo& memo);
    ~Lock();
    Lock(const Lock&) = delete;
    Lock& operator=(const Lock&) = delete;

   private:
    Memo& memo_;
  };

 private:
  struct Impl;
  Owned<Impl> impl_;
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
      const Lock lock(*this);
      const std::size_t at = place_of(key);
      if (at < entries_.size() && !(key < entries_[at]->first)) return entries_[at]->second;
    }
    auto fresh = Owned<Entry>(new Entry(key, make()));
    const Lock lock(*this);
    const std::size_t at = place_of(key);
    if (at == entries_.size() || key < entries_[at]->first) {
      entries_.insert(entries_.begin() + static_cast<std::ptrdiff_t>(at), std::move(fresh));
    }
    return entries_[at]->second;
  }
  void clear() override {
    const Lock lock(*this);
    entries_.clear();
  }

 private:
  using Entry = std::pair<const Key, Result>;

  // The first entry that is not below a key.
  std::size_t place_of(const Key& key) const {
    std::size_t begin = 0;
    for (std::size_t count = entries_.size(); count > 0;) {
      const std::size_t half = count / 2;
      if (entries_[begin + half]->first < key) {
        begin += half + 1;
        count -= half + 1;
      } else {
        count = half;
      }
    }
    return begin;
  }

  std::vector<Owned<Entry>> entries_;  // sorted
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
      : function_(std::move(function)), for_each_device_(for_each_device), table_(new Table()) {}

  /// The result for these arguments, computed when it is not known.
  Result operator()(A... arguments) const {
    const typename Table::Key key{for_each_device_ ? internal::memo_device() : std::pair(-1, -1),
                                  internal::MemoKey<A>(arguments)...};
    return table_->find(key, [&]() -> Result { return function_(arguments...); });
  }

 private:
  mutable Function function_;
  bool for_each_device_;
  internal::Shared<Table> table_;
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
