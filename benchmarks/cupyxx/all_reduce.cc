// SPDX-License-Identifier: MIT
// The time of an all-reduce of float32 over all ranks, of ours and of NCCL called as from C, in
// turns in one run:
//
//   mpirun -n 4 all_reduce                             # a GPU for each process
//   mpirun -n 2 all_reduce cpu                         # arrays on the host
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "cupyxx/comm.h"
#include "cupyxx/cupyxx.h"
#include "cupyxx/extension/dynamic_library.h"

namespace {

namespace cp = cupyxx;
using cp::comm::Communicator;

/// NCCL by its own functions.
class RawNccl {
 public:
  explicit RawNccl(const Communicator& comm) {
    Id id{};
    if (comm.rank() == 0) check(get_unique_id_(&id));
    const std::string bytes = comm.broadcast_bytes({id.bytes, sizeof id.bytes});
    std::memcpy(id.bytes, bytes.data(), sizeof id.bytes);
    check(init_rank_(&comm_, comm.size(), id, comm.rank()));
  }
  void all_reduce(const void* from, void* to, std::size_t count, void* stream) const {
    constexpr int kFloat32 = 7, kSum = 0;
    check(all_reduce_(from, to, count, kFloat32, kSum, comm_, stream));
  }

 private:
  struct Id {
    char bytes[128];
  };
  static void check(int result) {
    if (result != 0) throw cp::CudaError(cp::message("all_reduce: NCCL failed; ", result));
  }

  cp::extension::DynamicLibrary library_{"NCCL", {"libnccl.so.2", "libnccl.so"}};
  int (*get_unique_id_)(Id*) = library_.symbol<int (*)(Id*)>("ncclGetUniqueId");
  int (*init_rank_)(void**, int, Id,
                    int) = library_.symbol<int (*)(void**, int, Id, int)>("ncclCommInitRank");
  int (*all_reduce_)(const void*, void*, std::size_t, int, int, void*, void*) =
      library_.symbol<int (*)(const void*, void*, std::size_t, int, int, void*, void*)>(
          "ncclAllReduce");
  void* comm_ = nullptr;
};

/// Microseconds of a call, the least of several rounds, on the slowest rank.
double time_of(const Communicator& comm, int calls, const std::function<void()>& call) {
  constexpr int kRounds = 5;
  std::vector<double> times;
  for (int round = 0; round <= kRounds; ++round) {  // the first is not counted
    comm.barrier();
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < calls; ++i) call();
    cp::cuda::synchronize_current_stream();
    const std::chrono::duration<double, std::micro> taken =
        std::chrono::steady_clock::now() - begin;
    if (round > 0) times.push_back(taken.count() / calls);
  }
  const double own = *std::min_element(times.begin(), times.end());
  const cp::DeviceScope on_host(cp::Device::cpu());
  return comm.all_reduce(cp::full({1}, own), {.op = cp::comm::Op::max}).item<double>();
}

void show(const Communicator& comm, const char* who, std::int64_t nbytes, double microseconds) {
  if (comm.rank() != 0) return;
  const double bus = 2.0 * (comm.size() - 1) / comm.size() * static_cast<double>(nbytes);
  std::printf("%-6s %11ld bytes %11.1f us %8.2f GB/s on the bus\n", who, static_cast<long>(nbytes),
              microseconds, bus / microseconds * 1e-3);
}

void measure(const Communicator& comm, bool on_device) {
  const cp::Device device = on_device
                                ? cp::Device::cuda(comm.intra_rank() % cp::cuda::device_count())
                                : cp::Device::cpu();
  const cp::DeviceScope scope(device);
  comm.set_device_checks(cp::comm::DeviceChecks::never);
  if (comm.rank() == 0) std::printf("%d ranks on %s\n", comm.size(), device.name().c_str());
  const std::int64_t largest = std::int64_t{1} << (on_device ? 30 : 26);
  for (const std::int64_t nbytes : {std::int64_t{4} << 10, std::int64_t{16} << 20, largest}) {
    const cp::ndarray x = cp::ones({nbytes / 4}, cp::float32), y = cp::empty_like(x);
    const int calls = static_cast<int>(std::max<std::int64_t>(1, (std::int64_t{1} << 27) / nbytes));
    const int most = on_device ? 1000 : 50;
    const auto ours = [&] { comm.all_reduce(x, {.out = y}); };
    show(comm, "cupyxx", nbytes, time_of(comm, std::min(calls, most), ours));
    if (!on_device) continue;
    static const RawNccl raw(comm);
    const auto theirs = [&] {
      raw.all_reduce(x.data(), y.data(), static_cast<std::size_t>(x.size()),
                     cp::cuda::get_current_stream_ptr());
    };
    show(comm, "NCCL", nbytes, time_of(comm, std::min(calls, most), theirs));
  }
}

}  // namespace

int main(int argc, char** argv) {
  const bool wants_host = argc > 1 && std::string(argv[1]) == "cpu";
  return cp::comm::run(
      [&](const Communicator& comm) { measure(comm, !wants_host && cp::cuda::is_available()); });
}
