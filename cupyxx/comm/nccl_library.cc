// SPDX-License-Identifier: MIT
#include "cupyxx/comm/nccl_library.h"

namespace cupyxx::comm::internal {

NcclLibrary::NcclLibrary() : library_("NCCL", {"libnccl.so.2", "libnccl.so"}) {
  const auto find = [&]<class F>(F& place, const char* name) { place = library_.symbol<F>(name); };
  find(get_version, "ncclGetVersion");
  find(get_unique_id, "ncclGetUniqueId");
  find(comm_init_rank, "ncclCommInitRank");
  find(comm_destroy, "ncclCommDestroy");
  find(comm_abort, "ncclCommAbort");
  find(comm_get_async_error, "ncclCommGetAsyncError");
  find(all_reduce, "ncclAllReduce");
  find(reduce, "ncclReduce");
  find(broadcast, "ncclBroadcast");
  find(all_gather, "ncclAllGather");
  find(reduce_scatter, "ncclReduceScatter");
  find(send, "ncclSend");
  find(recv, "ncclRecv");
  find(group_start, "ncclGroupStart");
  find(group_end, "ncclGroupEnd");
  find(get_error_string, "ncclGetErrorString");
  find(get_last_error, "ncclGetLastError");
}

NcclLibrary& NcclLibrary::get() {
  static NcclLibrary& library = *new NcclLibrary;
  return library;
}

}  // namespace cupyxx::comm::internal
