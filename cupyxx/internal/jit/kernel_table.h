// SPDX-License-Identifier: MIT
// A hash table from keys to pointers that is read without a lock. Nothing is ever removed.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include "cupyxx/internal/jit/hash.h"

namespace cupyxx::internal::jit {

template <class T>
class KernelTable {
 public:
  KernelTable() { grow(64); }

  /// Null when the key is absent.
  T* find(const Hash128& key) const {
    const Slots& slots = *current_.load(std::memory_order_acquire);
    for (std::size_t at = key.low & slots.mask;; at = (at + 1) & slots.mask) {
      const Entry* entry = slots.entries[at].load(std::memory_order_acquire);
      if (!entry) return nullptr;
      if (entry->key == key) return entry->value;
    }
  }

  /// Adds a value, unless there is one; what is there then.
  T* insert(const Hash128& key, T* value) {
    const std::lock_guard lock(mutex_);
    if (T* present = find(key)) return present;
    if (2 * (entries_.size() + 1) > current_.load()->mask) grow(2 * (current_.load()->mask + 1));
    entries_.push_back(std::make_unique<Entry>(Entry{key, value}));
    place(*current_.load(), entries_.back().get());
    return value;
  }

 private:
  struct Entry {
    Hash128 key;
    T* value;
  };
  struct Slots {
    explicit Slots(std::size_t size) : mask(size - 1), entries(size) {}
    std::size_t mask;
    std::vector<std::atomic<const Entry*>> entries;
  };

  static void place(Slots& slots, const Entry* entry) {
    std::size_t at = entry->key.low & slots.mask;
    while (slots.entries[at].load(std::memory_order_relaxed)) at = (at + 1) & slots.mask;
    slots.entries[at].store(entry, std::memory_order_release);
  }

  // Readers may still be in the old slots, so those stay.
  void grow(std::size_t size) {
    slots_.push_back(std::make_unique<Slots>(size));
    for (const auto& entry : entries_) place(*slots_.back(), entry.get());
    current_.store(slots_.back().get(), std::memory_order_release);
  }

  std::mutex mutex_;
  std::vector<std::unique_ptr<Entry>> entries_;
  std::vector<std::unique_ptr<Slots>> slots_;
  std::atomic<Slots*> current_{nullptr};
};

}  // namespace cupyxx::internal::jit
