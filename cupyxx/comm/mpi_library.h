// SPDX-License-Identifier: MIT
// Open MPI, opened on first use: the functions that we call, by the declarations of its ABI, so
// that we are built without it.
#pragma once

#include <cstddef>

#include "cupyxx/extension/dynamic_library.h"

namespace cupyxx::comm::internal {

// Objects of the library; we only hand them on.
using MpiComm = struct ompi_communicator_t*;
using MpiDatatype = struct ompi_datatype_t*;
using MpiErrhandler = struct ompi_errhandler_t*;
using MpiRequest = struct ompi_request_t*;

struct MpiStatus {
  int source;
  int tag;
  int error;
  int cancelled;
  std::size_t count;
};

struct MpiLibrary {
  static constexpr int kSuccess = 0;
  static constexpr int kAnySource = -1;
  static constexpr int kThreadSerialized = 2;
  static constexpr int kTagUpperBound = 0;  // the attribute

  /// Throws Error, which says what to install, when the library is missing or is another MPI.
  static MpiLibrary& get();

  MpiComm world;
  MpiDatatype byte;
  MpiErrhandler errors_return;
  MpiRequest no_request;

  int (*initialized)(int* flag);
  int (*init_thread)(int* argc, char*** argv, int required, int* provided);
  int (*query_thread)(int* provided);
  int (*finalize)();
  int (*finalized)(int* flag);
  int (*abort)(MpiComm comm, int code);
  int (*comm_rank)(MpiComm comm, int* rank);
  int (*comm_size)(MpiComm comm, int* size);
  int (*set_errhandler)(MpiComm comm, MpiErrhandler handler);
  int (*get_attribute)(MpiComm comm, int key, void* value, int* flag);
  int (*isend)(const void* data, int count, MpiDatatype type, int dest, int tag, MpiComm comm,
               MpiRequest* request);
  int (*irecv)(void* data, int count, MpiDatatype type, int source, int tag, MpiComm comm,
               MpiRequest* request);
  int (*test)(MpiRequest* request, int* flag, MpiStatus* status);
  int (*iprobe)(int source, int tag, MpiComm comm, int* flag, MpiStatus* status);
  int (*cancel)(MpiRequest* request);
  int (*request_free)(MpiRequest* request);
  int (*error_string)(int code, char* text, int* length);

 private:
  MpiLibrary();
  extension::DynamicLibrary library_;
};

}  // namespace cupyxx::comm::internal
