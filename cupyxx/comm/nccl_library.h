// SPDX-License-Identifier: MIT
// NCCL, opened on first use: the functions that we call, declared here, so that we are built
// without it. nccl_library_test.cc compares with nccl.h where there is one.
#pragma once

#include <cstddef>

#include "cupyxx/extension/dynamic_library.h"

namespace cupyxx::comm::internal {

using NcclComm = struct ncclComm*;
using CudaStream = void*;

struct NcclId {
  char bytes[128];
};

enum NcclResult : int { kNcclSuccess = 0, kNcclInProgress = 7 };
enum NcclOp : int { kNcclSum = 0, kNcclProd = 1, kNcclMax = 2, kNcclMin = 3, kNcclAvg = 4 };
enum NcclType : int {
  kNcclInt8 = 0,
  kNcclUint8 = 1,
  kNcclInt32 = 2,
  kNcclUint32 = 3,
  kNcclInt64 = 4,
  kNcclUint64 = 5,
  kNcclFloat16 = 6,
  kNcclFloat32 = 7,
  kNcclFloat64 = 8,
  kNcclBfloat16 = 9,
};

struct NcclLibrary {
  /// Throws Error, which names the library and the paths tried, when it is missing.
  static NcclLibrary& get();

  int (*get_version)(int* version);
  int (*get_unique_id)(NcclId* id);
  int (*comm_init_rank)(NcclComm* comm, int size, NcclId id, int rank);
  int (*comm_destroy)(NcclComm comm);
  int (*comm_abort)(NcclComm comm);
  int (*comm_get_async_error)(NcclComm comm, int* error);
  int (*all_reduce)(const void* from, void* to, std::size_t count, int type, int op, NcclComm comm,
                    CudaStream stream);
  int (*reduce)(const void* from, void* to, std::size_t count, int type, int op, int root,
                NcclComm comm, CudaStream stream);
  int (*broadcast)(const void* from, void* to, std::size_t count, int type, int root, NcclComm comm,
                   CudaStream stream);
  int (*all_gather)(const void* from, void* to, std::size_t count, int type, NcclComm comm,
                    CudaStream stream);
  int (*reduce_scatter)(const void* from, void* to, std::size_t count, int type, int op,
                        NcclComm comm, CudaStream stream);
  int (*send)(const void* from, std::size_t count, int type, int peer, NcclComm comm,
              CudaStream stream);
  int (*recv)(void* to, std::size_t count, int type, int peer, NcclComm comm, CudaStream stream);
  int (*group_start)();
  int (*group_end)();
  const char* (*get_error_string)(int result);
  const char* (*get_last_error)(NcclComm comm);

 private:
  NcclLibrary();
  extension::DynamicLibrary library_;
};

}  // namespace cupyxx::comm::internal
