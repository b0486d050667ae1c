// SPDX-License-Identifier: MIT
// One call of a communicator, as errors name it and as the other ranks are told of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "cupyxx/comm.h"
#include "cupyxx/dtype.h"
#include "cupyxx/shape.h"

namespace cupyxx::comm::internal {

enum class Call : std::uint8_t {
  all_reduce,
  reduce,
  broadcast,
  all_gather,
  reduce_scatter,
  all_to_all,
  gather,
  scatter,
  send,
  recv,
  barrier,
  split,
  broadcast_bytes,
  all_gather_bytes,
  start,
};

/// The name of the operation in the public header.
const char* name(Call call);
const char* name(Op op);

/// What a rank asks for; ranks compare theirs before elements go anywhere.
struct Header {
  static constexpr int kShownDims = 8;  // of the shape in texts; the hash has all of it
  static constexpr std::size_t kTextBytes = 120;

  Call call = Call::start;
  Op op = Op::sum;
  dtype::Code type = dtype::Code::unspecified;  // unspecified: this rank has no array
  bool on_device = false;
  bool is_refused = false;  // the rank's own arguments are wrong, and `text` says how
  std::int32_t root = 0;
  std::int32_t ndim = 0;
  std::int64_t nbytes = 0;  // of the elements
  std::int64_t dims[kShownDims] = {};
  std::uint64_t shape_hash = 0;
  char text[kTextBytes] = {};

  void set_array(const ndarray& array);
  void refuse(std::string_view why);
  bool has_array() const { return type != dtype::Code::unspecified; }
  dtype element_type() const { return type; }
  /// Whether it tells of all axes.
  bool tells_shape() const { return ndim <= kShownDims; }
  /// Throws ValueError where it does not.
  Shape shape() const;
  /// "float32 (2, 3)"; "no array".
  std::string str() const;
};
static_assert(std::is_trivially_copyable_v<Header>);

/// What errors of a call begin with.
struct CallNote {
  Call call;
  int rank;
  int size;
  const Header* header = nullptr;

  /// "all_reduce: rank 1 of 4, float32 (2, 3)".
  std::string str() const;
};

/// Throws the same error on every rank, in other words of its own, unless the headers of all ranks
/// fit each other.
void check_headers(const CallNote& note, std::span<const Header> headers);
/// The same for a message that has arrived: what was sent is what is waited for.
void check_message(const CallNote& note, const Header& sent, int source);

}  // namespace cupyxx::comm::internal
