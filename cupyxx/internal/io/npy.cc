// SPDX-License-Identifier: MIT
#include "cupyxx/internal/io/npy.h"

#include <algorithm>
#include <cstring>

#include "cupyxx/error.h"
#include "cupyxx/internal/io/npy_literal.h"
#include "cupyxx/internal/io/truth_values.h"
#include "cupyxx/shape.h"

namespace cupyxx::internal::io {
namespace {

constexpr std::string_view kMagic("\x93NUMPY", 6);
constexpr std::size_t kAlignment = 64;
constexpr std::size_t kGrowthDigits = 21;  // room to overwrite the growing axis in place

std::uint64_t little_endian(const unsigned char* bytes, int count) {
  std::uint64_t value = 0;
  for (int i = count; i-- > 0;) value = value << 8 | bytes[i];
  return value;
}

std::string tuple_text(std::span<const std::int64_t> shape) {
  std::string text = "(";
  for (std::size_t i = 0; i < shape.size(); ++i) {
    text += (i == 0 ? "" : ", ") + std::to_string(shape[i]);
  }
  return text + (shape.size() == 1 ? ",)" : ")");
}

/// The dtype of "<f4", ">f4", "=f4" or "|u1"; unspecified for one we lack.
cupyxx::dtype parse_descr(std::string_view descr, bool& big_endian) {
  if (descr.size() < 2) return {};
  big_endian = descr[0] == '>';
  const std::string_view kind_and_size =
      std::string_view("<>=|").find(descr[0]) == descr.npos ? descr : descr.substr(1);
  for (int code = 0; code < cupyxx::dtype::kComputeCount; ++code) {
    const cupyxx::dtype type = static_cast<cupyxx::dtype::Code>(code);
    const std::string_view known = type.npy_code();
    if (!known.empty() && known.substr(1) == kind_and_size) return type;
  }
  return {};
}

/// Checks the extents and returns the bytes of all elements.
std::uint64_t checked_nbytes(const ByteSource& source, const NpyHeader& header) {
  const std::string shape_text = tuple_text(header.shape);
  if (header.shape.size() > static_cast<std::size_t>(kMaxNdim)) {
    source.fail(message("the rank is above 32; ", header.shape.size()));
  }
  bool is_empty = false;
  for (const std::int64_t extent : header.shape) {
    if (extent < 0) source.fail(message("the shape has a negative extent; ", shape_text));
    is_empty = is_empty || extent == 0;
  }
  // Also of an empty array: its strides are made of the other extents.
  std::int64_t nbytes = header.dtype.itemsize();
  for (const std::int64_t extent : header.shape) {
    if (extent != 0 && __builtin_mul_overflow(nbytes, extent, &nbytes)) {
      source.fail(message("the shape needs more than 64 bits of memory; ", shape_text));
    }
  }
  return is_empty ? 0 : static_cast<std::uint64_t>(nbytes);
}

}  // namespace

NpyHeader read_npy_header(ByteSource& source) {
  unsigned char start[12] = {};
  if (source.remaining() < 10) {
    source.fail(message("not an npy file; it has ", source.remaining(), " bytes"));
  }
  source.read(start, 8);
  if (std::memcmp(start, kMagic.data(), kMagic.size()) != 0) {
    const std::uint64_t json = little_endian(start, 8);  // of safetensors, the header's length
    source.read(start + 8, 1);
    const char* const other = std::memcmp(start, "PK\3\4", 4) == 0
                                  ? " but an archive; open it with load_npz"
                              : start[8] == '{' && json <= source.remaining() + 1
                                  ? " but one of safetensors; open it with load_safetensors"
                                  : "; the magic bytes are wrong";
    source.fail(message("not an npy file", other));
  }
  const int major = start[6];
  const int minor = start[7];
  if (major < 1 || major > 3 || minor != 0) {
    source.fail(message("unknown version of the npy format; ", major, ".", minor));
  }
  const int length_bytes = major == 1 ? 2 : 4;
  source.read(start + 8, static_cast<std::size_t>(length_bytes));
  const std::uint64_t length = little_endian(start + 8, length_bytes);
  if (length > source.remaining()) {
    source.fail(
        message("truncated header; ", length, " bytes expected, ", source.remaining(), " found"));
  }
  std::string text(length, '\0');
  source.read(text.data(), text.size());

  NpyLiteral literal;
  if (const std::string defect = parse_npy_literal(text, literal); !defect.empty()) {
    source.fail(defect);
  }
  const char* missing = !literal.descr           ? "descr"
                        : !literal.fortran_order ? "fortran_order"
                        : !literal.shape         ? "shape"
                                                 : nullptr;
  if (missing != nullptr) source.fail(message("the header lacks a key; '", missing, "'"));

  NpyHeader header;
  if (literal.structured) source.fail("records are not supported");
  if (literal.descr->find('O') != std::string::npos) {
    source.fail(message("arrays of Python objects are not supported; '", *literal.descr, "'"));
  }
  header.dtype = parse_descr(*literal.descr, header.big_endian);
  if (!header.dtype) source.fail(message("the dtype is not supported; '", *literal.descr, "'"));
  header.fortran_order = *literal.fortran_order;
  header.shape = std::move(*literal.shape);
  header.nbytes = checked_nbytes(source, header);
  if (header.nbytes > source.remaining()) {
    source.fail(message("truncated data; shape ", tuple_text(header.shape), " of ",
                        header.dtype.name(), " needs ", header.nbytes, " bytes, ",
                        source.remaining(), " found"));
  }
  return header;
}

void read_npy_elements(ByteSource& source, const NpyHeader& header, void* out) {
  source.read(out, header.nbytes);
  auto* bytes = static_cast<unsigned char*>(out);
  // The parts of complex numbers have their own order of bytes.
  const auto itemsize = static_cast<std::uint64_t>(header.dtype.real_part().itemsize());
  if (header.big_endian && itemsize > 1) {
    for (std::uint64_t i = 0; i < header.nbytes; i += itemsize) {
      std::reverse(bytes + i, bytes + i + itemsize);
    }
  }
  if (header.dtype.is_bool()) to_truth_values(out, header.nbytes);
}

std::string npy_header(cupyxx::dtype type, std::span<const std::int64_t> shape,
                       bool fortran_order) {
  const std::string_view code = type.npy_code();
  if (code.empty()) {
    throw TypeError(message("save: the npy format has no code for the dtype; ", type.name(),
                            "; save_safetensors writes it, or .astype(float32) before"));
  }
  std::string dictionary = "{'descr': '" + std::string(code) +
                           "', 'fortran_order': " + (fortran_order ? "True" : "False") +
                           ", 'shape': " + tuple_text(shape) + ", }";
  if (!shape.empty()) {
    const std::int64_t growing = fortran_order ? shape.back() : shape.front();
    dictionary.append(kGrowthDigits - std::to_string(growing).size(), ' ');
  }
  const auto wrap = [&](int major, std::size_t length_bytes) {
    std::string bytes(kMagic);
    bytes += static_cast<char>(major);
    bytes += '\0';
    const std::size_t bare = bytes.size() + length_bytes + dictionary.size() + 1;
    const std::size_t padding = kAlignment - bare % kAlignment;
    const std::size_t length = dictionary.size() + padding + 1;
    if (length_bytes == 2 && length > 0xffff) return std::string();
    for (std::size_t i = 0; i < length_bytes; ++i) {
      bytes += static_cast<char>(length >> (8 * i) & 0xff);
    }
    return bytes + dictionary + std::string(padding, ' ') + '\n';
  };
  const std::string bytes = wrap(1, 2);
  return bytes.empty() ? wrap(2, 4) : bytes;
}

}  // namespace cupyxx::internal::io
