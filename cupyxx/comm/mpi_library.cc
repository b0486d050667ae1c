// SPDX-License-Identifier: MIT
#include "cupyxx/comm/mpi_library.h"

#include "cupyxx/error.h"

namespace cupyxx::comm::internal {

MpiLibrary::MpiLibrary() : library_("Open MPI", {"libmpi.so.40", "libmpi.so"}) {
  if (!library_.loaded()) {
    try {
      library_.require();
    } catch (const Error& error) {
      throw Error(
          message("Communicator: several processes need Open MPI (Debian: openmpi-bin), or ",
                  "CUPYXX_COMM_ADDRESS, CUPYXX_COMM_RANK and CUPYXX_COMM_SIZE; ", error.what()));
    }
  }
  const auto object = [&]<class T>(T& place, const char* name) {
    place = library_.optional_symbol<T>(name);
    if (place == nullptr) {
      throw Error(message("Communicator: ", library_.path(),
                          " is an MPI, but not Open MPI 3 to 5; ", name, " is missing"));
    }
  };
  object(world, "ompi_mpi_comm_world");
  object(byte, "ompi_mpi_byte");
  object(errors_return, "ompi_mpi_errors_return");
  object(no_request, "ompi_request_null");
  object(initialized, "MPI_Initialized");
  object(init_thread, "MPI_Init_thread");
  object(query_thread, "MPI_Query_thread");
  object(finalize, "MPI_Finalize");
  object(finalized, "MPI_Finalized");
  object(abort, "MPI_Abort");
  object(comm_rank, "MPI_Comm_rank");
  object(comm_size, "MPI_Comm_size");
  object(set_errhandler, "MPI_Comm_set_errhandler");
  object(get_attribute, "MPI_Comm_get_attr");
  object(isend, "MPI_Isend");
  object(irecv, "MPI_Irecv");
  object(test, "MPI_Test");
  object(iprobe, "MPI_Iprobe");
  object(cancel, "MPI_Cancel");
  object(request_free, "MPI_Request_free");
  object(error_string, "MPI_Error_string");
}

MpiLibrary& MpiLibrary::get() {
  static MpiLibrary& library = *new MpiLibrary;
  return library;
}

}  // namespace cupyxx::comm::internal
