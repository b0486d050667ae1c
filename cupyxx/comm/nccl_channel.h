// SPDX-License-Identifier: MIT
// One communicator's ranks as NCCL knows them, each with one CUDA device. Arrays are contiguous, on
// that device, and the calls are enqueued on its current stream.
#pragma once

#include <atomic>

#include "cupyxx/comm/host.h"
#include "cupyxx/comm/nccl_library.h"
#include "cupyxx/ndarray.h"

namespace cupyxx::comm::internal {

/// What a device array of a dtype is reduced as: NCCL lacks some of ours.
dtype nccl_reduced_dtype(dtype type);

class NcclChannel {
 public:
  /// All ranks call it, over the host's transport (null for a world of one). Throws Error where
  /// NCCL is missing or refuses; DeviceError, on every rank, where two ranks have the same device.
  NcclChannel(const host::Port* port, const CallNote& note, int device);
  /// Leaves NCCL's side as it is: the process may be ending. See close().
  ~NcclChannel();
  NcclChannel(const NcclChannel&) = delete;
  NcclChannel& operator=(const NcclChannel&) = delete;

  int device() const { return device_; }
  /// Waits for its work and gives its memory back. All ranks call it.
  void close();

  void all_reduce(const CallNote& note, const ndarray& from, const ndarray& to, Op op);
  void reduce(const CallNote& note, const ndarray& from, const ndarray& to, Op op, int root);
  void broadcast(const CallNote& note, const ndarray& from, const ndarray& to, int root);
  void all_gather(const CallNote& note, const ndarray& from, const ndarray& to);
  void reduce_scatter(const CallNote& note, const ndarray& from, const ndarray& to, Op op);
  /// Part i goes to rank i.
  void all_to_all(const CallNote& note, const ndarray& from, const ndarray& to);
  void gather(const CallNote& note, const ndarray& from, const ndarray& to, int root);
  void scatter(const CallNote& note, const ndarray& from, const ndarray& to, int root);
  void send(const CallNote& note, const ndarray& from, int peer);
  void recv(const CallNote& note, const ndarray& to, int peer);

  static void group_start(const CallNote& note);
  static void group_end(const CallNote& note);

 private:
  void open(const host::Port* port, const CallNote& note);
  void check_devices(const host::Port& port, const CallNote& note) const;
  /// Says that the current stream uses an array, and writes it.
  void* begin(std::initializer_list<const ndarray*> reads, const ndarray* written) const;
  void check(const CallNote& note, const char* function, int result) const;
  void finish(const CallNote& note, const char* function, void* stream, int result) const;
  void abort() noexcept;

  NcclLibrary& nccl_;
  int device_;
  int rank_ = 0;
  int size_ = 1;
  std::atomic<NcclComm> comm_{nullptr};
  Failure* failure_ = nullptr;
  int failure_key_ = 0;
};

}  // namespace cupyxx::comm::internal
