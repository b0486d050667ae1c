// SPDX-License-Identifier: MIT
// Which streams exist. Memory remembers streams by handle, and a handle must not be used after its
// stream has gone.
#pragma once

#include <mutex>
#include <vector>

namespace cupyxx::internal::gpu {

/// Threads may share it; never destroyed.
class StreamRegistry {
 public:
  static StreamRegistry& instance();

  void add(int device, void* stream);
  void remove(int device, void* stream);

  /// While locked, no stream that alive() accepted is destroyed.
  std::unique_lock<std::mutex> lock() { return std::unique_lock(mutex_); }
  /// The default stream and streams of others are taken as alive. Only under the lock.
  bool alive(void* stream) const;
  /// The streams of a device and its default stream. Only under the lock.
  std::vector<void*> of_device(int device) const;

 private:
  struct Entry {
    int device;
    void* stream;
  };
  std::mutex mutex_;
  std::vector<Entry> live_;
  std::vector<void*> ended_;
};

}  // namespace cupyxx::internal::gpu
