// SPDX-License-Identifier: MIT
// Communication between processes, or threads, that compute together. The library is
// //cupyxx/comm; cupyxx.h leaves it out.
//
//   int main() {
//     return cupyxx::comm::run([](const cupyxx::comm::Communicator& comm) {
//       auto x = cupyxx::full({2, 3}, comm.rank());
//       auto sum = comm.all_reduce(x);                    // on every rank
//       comm.all_reduce(x, {.op = cupyxx::comm::Op::average, .out = x});
//     });
//   }
//
//   mpirun -n 4 program                                   // one of these starts it
//   CUPYXX_COMM_ADDRESS=host:port CUPYXX_COMM_RANK=2 CUPYXX_COMM_SIZE=4 program
//   run_threads(4, f)                                     // threads of one process
//
// Without any of these a process is a world of one. Arrays on CUDA devices go through NCCL on the
// array's current stream; arrays on the host through MPI, or through TCP or memory where there is
// none. Both libraries are opened when they are first needed.
//
// All ranks of a communicator make the same calls in the same order, with arrays of the same shape
// and dtype. What differs is an error on every rank: for arrays on the host always, for arrays on
// devices as `DeviceChecks` says.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cupyxx/device.h"
#include "cupyxx/export.h"
#include "cupyxx/ndarray.h"

namespace cupyxx::comm {

namespace internal {
class CommunicatorState;
class World;
}  // namespace internal

/// How elements of several ranks become one. On the host they are combined in the order of the
/// ranks, with float16 and bfloat16 as float32 and rounded once: the result has the same bits every
/// time. `average` is the sum divided by the number of ranks, in the same pass: for floating and
/// complex dtypes (DtypeError for others), on the host divided once and then rounded. On devices it
/// is NCCL's, which multiplies each rank's elements by 1 / size() before it adds them up: no sum of
/// float16 overflows, but what is below 6e-5 loses bits. `max` and `min` are for real dtypes;
/// float8 is moved but not combined.
enum class Op : std::uint8_t { sum, prod, max, min, average };

/// Which calls with arrays on devices compare shapes and dtypes between the ranks first, which
/// costs a round between the hosts. Where they are not compared, a difference may hang.
enum class DeviceChecks : std::uint8_t {
  first,   ///< the first 64 of a communicator
  always,  ///< all of them
  never,
};

/// Options of all_reduce and reduce_scatter.
struct AllReduceOptions {
  Op op = Op::sum;
  /// Receives the result. May be the argument of all_reduce, and this rank's part of that of
  /// reduce_scatter, x(slice(rank * n, (rank + 1) * n)): then there is no copy.
  ndarray out = {};
};
/// Options of reduce.
struct RootReduceOptions {
  Op op = Op::sum;
  int root = 0;
  ndarray out = {};  ///< at the root
};
/// Options of broadcast.
struct BroadcastOptions {
  int root = 0;
};
/// Options of gather and scatter.
struct RootOptions {
  int root = 0;
  ndarray out = {};
};
/// Options of all_gather and all_to_all.
struct OutOptions {
  ndarray out = {};
};
/// Options of send.
struct SendOptions {
  int tag = 0;  ///< from 0 to 499: messages of one tag arrive in order
};
/// Options of recv.
struct RecvOptions {
  int tag = 0;
  ndarray out = {};  ///< receives the elements; without it a new array is made
};

/// The ranks that communicate, and which of them this one is. Copies are the same communicator. One
/// thread at a time calls it, and has it while a Group of its lives: ValueError for another. Errors
/// name the operation, the rank, the shape and the dtype. A call that breaks off after it has begun
/// to communicate, by the time-out or since a rank has ended, is the last: later ones throw Error,
/// as what others have sent for it would be taken for theirs. A recv() to which nothing has come
/// may be called again. A send through MPI that nobody takes in time is a failure of this rank.
class CUPYXX_API Communicator {
 public:
  /// All ranks that were started together: the threads of run_threads(), the processes of mpirun,
  /// those that CUPYXX_COMM_ADDRESS, CUPYXX_COMM_RANK and CUPYXX_COMM_SIZE name, or this process
  /// alone. The first call waits for the others. Throws Error, which says what to install, where
  /// mpirun started this process and MPI cannot be opened; ValueError for variables that are wrong.
  static Communicator world();

  /// From 0 to size() - 1.
  int rank() const;
  int size() const;
  /// This rank among those on the same machine, and how many they are.
  int intra_rank() const;
  int intra_size() const;
  /// The number of this machine, and how many they are.
  int inter_rank() const;
  int inter_size() const;

  /// A communicator of the ranks that give the same color, in the order of `key`, and of their
  /// ranks here where keys are equal. Throws ValueError for a negative color. All ranks call it.
  Communicator split(int color, int key = 0) const;
  /// Ends it: later calls throw ValueError. All ranks call it; the world ends with the process.
  void close() const;
  bool is_closed() const;
  void set_device_checks(DeviceChecks checks) const;

  /// The elementwise sum, or another combination, of the arrays of all ranks, on every rank.
  /// Throws ShapeError, DtypeError or DeviceError where they differ.
  ndarray all_reduce(const ndarray& x, const AllReduceOptions& options = {}) const;
  /// The same at the root; None elsewhere.
  ndarray reduce(const ndarray& x, const RootReduceOptions& options = {}) const;
  /// The root's array on every rank: written into `x`, or into a new array on the current device
  /// where x is None. The root gets x back.
  ndarray broadcast(const ndarray& x, const BroadcastOptions& options = {}) const;
  /// The arrays of all ranks, stacked along a new first axis, on every rank.
  ndarray all_gather(const ndarray& x, const OutOptions& options = {}) const;
  /// The combination of all arrays, of which each rank gets its part along the first axis, whose
  /// extent size() divides (ShapeError where not).
  ndarray reduce_scatter(const ndarray& x, const AllReduceOptions& options = {}) const;
  /// Part i of the first axis, whose extent size() divides, goes to rank i; the parts that arrive
  /// stand in the order of their ranks.
  ndarray all_to_all(const ndarray& x, const OutOptions& options = {}) const;
  /// The arrays of all ranks, stacked along a new first axis, at the root; None elsewhere.
  ndarray gather(const ndarray& x, const RootOptions& options = {}) const;
  /// Element i of the root's first axis, of extent size(), as an array of rank i; x is None
  /// elsewhere, or is not looked at.
  ndarray scatter(const ndarray& x, const RootOptions& options = {}) const;
  /// Sends an array to a rank, which calls recv(). May wait until it does. Throws ValueError for a
  /// rank outside of the communicator, and for this one.
  void send(const ndarray& x, int dest, const SendOptions& options = {}) const;
  /// The array that a rank sent: in `out`, or new, on the current CUDA device if it was on one.
  /// Throws ShapeError, DtypeError or DeviceError where it does not fit `out`.
  ndarray recv(int source, const RecvOptions& options = {}) const;
  /// Waits until all ranks have called it. Work on devices is not waited for.
  void barrier() const;

  /// The root's bytes on every rank.
  std::string broadcast_bytes(std::string_view bytes, int root = 0) const;
  /// The bytes of all ranks, on every rank.
  std::vector<std::string> all_gather_bytes(std::string_view bytes) const;

  /// Tells all ranks of the world that this one cannot go on: what they wait for now, or call
  /// later, throws Error with this text. Does not wait; may be called by any thread.
  void fail(std::string_view why) const;

 private:
  friend class Group;
  friend class internal::World;
  explicit Communicator(std::shared_ptr<internal::CommunicatorState> state);

  std::shared_ptr<internal::CommunicatorState> state_;
};

/// Joins the calls until the end of the scope into one: sends and receives that would wait for each
/// other are under way together, and NCCL runs its calls as one kernel. Results, those of recv()
/// among them, are there at the end; recv() needs its `out`.
///
///   {
///     const Group group(comm);
///     comm.send(x, next);
///     comm.recv(previous, {.out = y});
///   }
class CUPYXX_API Group {
 public:
  explicit Group(const Communicator& communicator);
  /// Throws what goes wrong, unless an exception is on its way already.
  ~Group() noexcept(false);
  Group(const Group&) = delete;
  Group& operator=(const Group&) = delete;

 private:
  std::shared_ptr<internal::CommunicatorState> state_;
  int exceptions_;
};

/// Calls `f` with the world of this process. What it throws is printed with this rank, ends the
/// other ranks with an error that names it, and makes the result 1; else 0. For main().
CUPYXX_API int run(const std::function<void(const Communicator&)>& f);

/// Calls `f` in `count` threads, each a rank of one world, and waits for them. When one throws, the
/// others' calls throw Error; what was thrown first is thrown again. Throws ValueError for a number
/// below 1.
CUPYXX_API void run_threads(int count, const std::function<void(const Communicator&)>& f);
/// The same with a thread for each device, which is current in it.
CUPYXX_API void run_threads(std::span<const Device> devices,
                            const std::function<void(const Communicator&)>& f);

}  // namespace cupyxx::comm
