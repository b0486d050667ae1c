// SPDX-License-Identifier: MIT
// The npy format, versions 1.0 to 3.0, between bytes and raw elements; no arrays.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "cupyxx/dtype.h"
#include "cupyxx/internal/io/byte_source.h"

namespace cupyxx::internal::io {

/// What stands before the elements.
struct NpyHeader {
  cupyxx::dtype dtype;
  std::vector<std::int64_t> shape;
  bool fortran_order = false;
  bool big_endian = false;
  std::uint64_t nbytes = 0;  // of all elements

  bool operator==(const NpyHeader&) const = default;
};

/// Reads magic, version and header. Throws IOError, which names the source and the defect, for
/// anything but a header of a dtype we have whose elements the source can hold; so an allocation of
/// `nbytes` is never larger than the file allows.
NpyHeader read_npy_header(ByteSource& source);

/// Reads the elements after the header to `out`, in the order of the file and the byte order of
/// this machine.
void read_npy_elements(ByteSource& source, const NpyHeader& header, void* out);

/// The bytes that NumPy writes before the elements: version 1.0, or 2.0 for a header that is longer
/// than 65535 bytes. Throws TypeError for a dtype that the format lacks.
std::string npy_header(cupyxx::dtype type, std::span<const std::int64_t> shape, bool fortran_order);

}  // namespace cupyxx::internal::io
