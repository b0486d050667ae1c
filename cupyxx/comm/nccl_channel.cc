// SPDX-License-Identifier: MIT
#include "cupyxx/comm/nccl_channel.h"

#include <chrono>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "cupyxx/comm/machine.h"
#include "cupyxx/cuda/device.h"
#include "cupyxx/error.h"
#include "cupyxx/extension/cuda_call.h"
#include "cupyxx/extension/storage.h"

namespace cupyxx::comm::internal {
namespace {

constexpr int kBytes = kNcclUint8;

/// The number type of NCCL that adds up elements of a dtype, and how many there are of each.
struct Reduced {
  int type;
  std::size_t count;
};

Reduced reduced(const ndarray& a) {
  const auto count = static_cast<std::size_t>(a.size());
  switch (a.dtype().code()) {
    case dtype::Code::int8:
      return {kNcclInt8, count};
    case dtype::Code::bool_:
    case dtype::Code::uint8:
      return {kNcclUint8, count};
    case dtype::Code::int32:
      return {kNcclInt32, count};
    case dtype::Code::uint32:
      return {kNcclUint32, count};
    case dtype::Code::int64:
      return {kNcclInt64, count};
    case dtype::Code::uint64:
      return {kNcclUint64, count};
    case dtype::Code::float16:
      return {kNcclFloat16, count};
    case dtype::Code::float32:
      return {kNcclFloat32, count};
    case dtype::Code::float64:
      return {kNcclFloat64, count};
    case dtype::Code::bfloat16:
      return {kNcclBfloat16, count};
    case dtype::Code::complex64:
      return {kNcclFloat32, 2 * count};
    case dtype::Code::complex128:
      return {kNcclFloat64, 2 * count};
    default:
      return {kBytes, 0};
  }
}

int reduced_op(const CallNote& note, dtype type, Op op, int size) {
  if (type.is_bool()) {  // NumPy's: a sum is "or", a product "and"
    return op == Op::sum || op == Op::max ? kNcclMax : kNcclMin;
  }
  switch (op) {
    case Op::sum:
      return kNcclSum;
    case Op::prod:
      if (type.is_complex()) {
        throw DtypeError(message(note.str(), ": NCCL has no product of complex numbers"));
      }
      return kNcclProd;
    case Op::max:
      return kNcclMax;
    case Op::min:
      return kNcclMin;
    case Op::average:
      // NCCL's average over one rank (2.28) leaves out the end of some arrays.
      return size == 1 ? kNcclSum : kNcclAvg;
  }
  return kNcclSum;
}

std::size_t bytes_of(const ndarray& a) { return static_cast<std::size_t>(a.nbytes()); }

/// Calls that run as one; the first that fails counts.
class Joined {
 public:
  explicit Joined(const NcclLibrary& nccl) : nccl_(nccl), result_(nccl.group_start()) {}
  void add(int result) {
    if (result_ == kNcclSuccess) result_ = result;
  }
  int end() {
    add(nccl_.group_end());
    return result_;
  }

 private:
  const NcclLibrary& nccl_;
  int result_;
};

/// Begins NCCL's part on a thread of its own: it waits for the other ranks, and they may not come.
struct Opening {
  std::mutex mutex;
  std::condition_variable done;
  bool is_done = false;
  int result = 0;
  std::string why;
  NcclComm comm = nullptr;
};

}  // namespace

dtype nccl_reduced_dtype(dtype type) {
  switch (type.code()) {
    case dtype::Code::int16:
      return int32;
    case dtype::Code::uint16:
      return uint32;
    default:
      return type;
  }
}

NcclChannel::NcclChannel(const host::Port* port, const CallNote& note, int device)
    : nccl_(NcclLibrary::get()), device_(device) {
  if (port != nullptr) {
    rank_ = port->rank;
    size_ = port->size();
    check_devices(*port, note);
  }
  open(port, note);
  if (port == nullptr) return;
  failure_ = &port->transport.failure();
  failure_key_ = failure_->call_on_failure([this] { abort(); });
}

NcclChannel::~NcclChannel() {
  if (failure_ != nullptr) failure_->forget(failure_key_);
}

void NcclChannel::check_devices(const host::Port& port, const CallNote& note) const {
  struct Place {
    char machine[96];
    char bus[32];
  };
  Place mine{};
  const std::string machine = machine_name(), bus = cuda::Device(device_).pci_bus_id();
  machine.copy(mine.machine, sizeof mine.machine - 1);
  bus.copy(mine.bus, sizeof mine.bus - 1);
  std::vector<Place> all(static_cast<std::size_t>(size_));
  host::all_gather(port, &mine, all.data(), sizeof mine);
  for (int a = 0; a < size_; ++a) {
    for (int b = a + 1; b < size_; ++b) {
      const Place &one = all[static_cast<std::size_t>(a)], &two = all[static_cast<std::size_t>(b)];
      if (std::memcmp(&one, &two, sizeof one) != 0) continue;
      throw DeviceError(message(note.str(), ": each rank needs a GPU of its own; ranks ", a,
                                " and ", b, " use the same, ", std::string_view(one.bus)));
    }
  }
}

void NcclChannel::open(const host::Port* port, const CallNote& note) {
  NcclId id{};
  if (rank_ == 0) check(note, "ncclGetUniqueId", nccl_.get_unique_id(&id));
  if (port != nullptr) host::broadcast(*port, &id, sizeof id, 0);
  const auto opening = std::make_shared<Opening>();
  std::thread([opening, id, &nccl = nccl_, device = device_, size = size_, rank = rank_] {
    NcclComm comm = nullptr;
    int result = 0;
    std::string why;
    try {
      const extension::OnDevice on(device);
      result = nccl.comm_init_rank(&comm, size, id, rank);
      if (result != kNcclSuccess) why = nccl.get_error_string(result);
    } catch (const std::exception& error) {
      result = -1;
      why = error.what();
    }
    const std::lock_guard lock(opening->mutex);
    opening->is_done = true;
    opening->comm = comm;
    opening->result = result;
    opening->why = why;
    opening->done.notify_all();
  }).detach();

  const auto begin = std::chrono::steady_clock::now();
  std::unique_lock lock(opening->mutex);
  while (!opening->done.wait_for(lock, std::chrono::milliseconds(50),
                                 [&] { return opening->is_done; })) {
    if (port == nullptr) continue;
    port->transport.failure().check(note);
    const std::chrono::duration<double> waited = std::chrono::steady_clock::now() - begin;
    if (waited.count() > port->transport.timeout()) {
      throw Error(message(note.str(), ": ncclCommInitRank did not end within the time-out"));
    }
  }
  if (opening->result != kNcclSuccess) {
    throw CudaError(message(note.str(), ": ncclCommInitRank failed; ", opening->why));
  }
  comm_ = opening->comm;
}

void NcclChannel::close() {
  if (failure_ != nullptr) {
    failure_->forget(failure_key_);
    failure_ = nullptr;
  }
  if (NcclComm comm = comm_.exchange(nullptr)) {
    const extension::OnDevice on(device_);
    nccl_.comm_destroy(comm);
  }
}

void NcclChannel::abort() noexcept {
  if (NcclComm comm = comm_.exchange(nullptr)) nccl_.comm_abort(comm);
}

void NcclChannel::check(const CallNote& note, const char* function, int result) const {
  if (result == kNcclSuccess || result == kNcclInProgress) return;
  const NcclComm comm = comm_;
  throw CudaError(message(note.str(), ": ", function, " failed; ", nccl_.get_error_string(result),
                          ": ", nccl_.get_last_error(comm)));
}

void* NcclChannel::begin(std::initializer_list<const ndarray*> reads,
                         const ndarray* written) const {
  void* const stream = extension::current_stream(device_);
  for (const ndarray* read : reads) extension::note_use(*read, stream);
  if (written != nullptr) {
    extension::note_write(*written);
    extension::note_use(*written, stream);
  }
  return stream;
}

void NcclChannel::finish(const CallNote& note, const char* function, void* stream,
                         int result) const {
  if (failure_ != nullptr) failure_->check(note);
  check(note, function, result);
  extension::await_library(function, device_, stream);
}

void NcclChannel::all_reduce(const CallNote& note, const ndarray& from, const ndarray& to, Op op) {
  const int nccl_op = reduced_op(note, from.dtype(), op, size_);
  const extension::OnDevice on(device_);
  void* const stream = begin({&from}, &to);
  const auto [type, count] = reduced(from);
  finish(note, "ncclAllReduce", stream,
         nccl_.all_reduce(from.elements(), to.elements(), count, type, nccl_op, comm_, stream));
}

void NcclChannel::reduce(const CallNote& note, const ndarray& from, const ndarray& to, Op op,
                         int root) {
  const int nccl_op = reduced_op(note, from.dtype(), op, size_);
  const extension::OnDevice on(device_);
  const bool is_root = rank_ == root;
  void* const stream = begin({&from}, is_root ? &to : nullptr);
  const auto [type, count] = reduced(from);
  void* const target = is_root ? to.elements() : nullptr;
  finish(note, "ncclReduce", stream,
         nccl_.reduce(from.elements(), target, count, type, nccl_op, root, comm_, stream));
}

void NcclChannel::broadcast(const CallNote& note, const ndarray& from, const ndarray& to,
                            int root) {
  const extension::OnDevice on(device_);
  void* const stream = begin({&from}, rank_ == root ? nullptr : &to);
  finish(
      note, "ncclBroadcast", stream,
      nccl_.broadcast(from.elements(), to.elements(), bytes_of(from), kBytes, root, comm_, stream));
}

void NcclChannel::all_gather(const CallNote& note, const ndarray& from, const ndarray& to) {
  const extension::OnDevice on(device_);
  void* const stream = begin({&from}, &to);
  finish(note, "ncclAllGather", stream,
         nccl_.all_gather(from.elements(), to.elements(), bytes_of(from), kBytes, comm_, stream));
}

void NcclChannel::reduce_scatter(const CallNote& note, const ndarray& from, const ndarray& to,
                                 Op op) {
  const int nccl_op = reduced_op(note, from.dtype(), op, size_);
  const extension::OnDevice on(device_);
  void* const stream = begin({&from}, &to);
  const auto [type, count] = reduced(to);
  finish(note, "ncclReduceScatter", stream,
         nccl_.reduce_scatter(from.elements(), to.elements(), count, type, nccl_op, comm_, stream));
}

void NcclChannel::all_to_all(const CallNote& note, const ndarray& from, const ndarray& to) {
  const extension::OnDevice on(device_);
  void* const stream = begin({&from}, &to);
  const std::size_t nbytes = bytes_of(from) / static_cast<std::size_t>(size_);
  const auto* const source = static_cast<const char*>(from.elements());
  auto* const target = static_cast<char*>(to.elements());
  Joined calls(nccl_);
  for (int i = 0; i < size_; ++i) {
    const std::size_t at = static_cast<std::size_t>(i) * nbytes;
    calls.add(nccl_.send(source + at, nbytes, kBytes, i, comm_, stream));
    calls.add(nccl_.recv(target + at, nbytes, kBytes, i, comm_, stream));
  }
  finish(note, "ncclSend and ncclRecv", stream, calls.end());
}

void NcclChannel::gather(const CallNote& note, const ndarray& from, const ndarray& to, int root) {
  const extension::OnDevice on(device_);
  const bool is_root = rank_ == root;
  void* const stream = begin({&from}, is_root ? &to : nullptr);
  const std::size_t nbytes = bytes_of(from);
  Joined calls(nccl_);
  calls.add(nccl_.send(from.elements(), nbytes, kBytes, root, comm_, stream));
  for (int i = 0; is_root && i < size_; ++i) {
    auto* const target = static_cast<char*>(to.elements()) + static_cast<std::size_t>(i) * nbytes;
    calls.add(nccl_.recv(target, nbytes, kBytes, i, comm_, stream));
  }
  finish(note, "ncclSend and ncclRecv", stream, calls.end());
}

void NcclChannel::scatter(const CallNote& note, const ndarray& from, const ndarray& to, int root) {
  const extension::OnDevice on(device_);
  const bool is_root = rank_ == root;
  void* const stream = is_root ? begin({&from}, &to) : begin({}, &to);
  const std::size_t nbytes = bytes_of(to);
  Joined calls(nccl_);
  for (int i = 0; is_root && i < size_; ++i) {
    const auto* const source =
        static_cast<const char*>(from.elements()) + static_cast<std::size_t>(i) * nbytes;
    calls.add(nccl_.send(source, nbytes, kBytes, i, comm_, stream));
  }
  calls.add(nccl_.recv(to.elements(), nbytes, kBytes, root, comm_, stream));
  finish(note, "ncclSend and ncclRecv", stream, calls.end());
}

void NcclChannel::send(const CallNote& note, const ndarray& from, int peer) {
  const extension::OnDevice on(device_);
  void* const stream = begin({&from}, nullptr);
  finish(note, "ncclSend", stream,
         nccl_.send(from.elements(), bytes_of(from), kBytes, peer, comm_, stream));
}

void NcclChannel::recv(const CallNote& note, const ndarray& to, int peer) {
  const extension::OnDevice on(device_);
  void* const stream = begin({}, &to);
  finish(note, "ncclRecv", stream,
         nccl_.recv(to.elements(), bytes_of(to), kBytes, peer, comm_, stream));
}

void NcclChannel::group_start(const CallNote& note) {
  NcclLibrary& nccl = NcclLibrary::get();
  const int result = nccl.group_start();
  if (result == kNcclSuccess) return;
  throw CudaError(message(note.str(), ": ncclGroupStart failed; ", nccl.get_error_string(result)));
}

void NcclChannel::group_end(const CallNote& note) {
  NcclLibrary& nccl = NcclLibrary::get();
  const int result = nccl.group_end();
  if (result == kNcclSuccess) return;
  throw CudaError(message(note.str(), ": ncclGroupEnd failed; ", nccl.get_error_string(result)));
}

}  // namespace cupyxx::comm::internal
