// SPDX-License-Identifier: MIT
#include "cupyxx/comm/call.h"

#include <algorithm>
#include <cstring>

#include "cupyxx/error.h"

namespace cupyxx::comm::internal {
namespace {

std::uint64_t hash_of(const Shape& shape) {
  std::uint64_t hash = 14695981039346656037u;  // FNV-1a
  for (const std::int64_t extent : shape) {
    hash = (hash ^ static_cast<std::uint64_t>(extent)) * 1099511628211u;
  }
  return hash;
}

bool same_shape(const Header& a, const Header& b) {
  return a.ndim == b.ndim && a.shape_hash == b.shape_hash;
}

const char* place(const Header& header) { return header.on_device ? "a CUDA device" : "the host"; }

}  // namespace

const char* name(Call call) {
  switch (call) {
    case Call::all_reduce:
      return "all_reduce";
    case Call::reduce:
      return "reduce";
    case Call::broadcast:
      return "broadcast";
    case Call::all_gather:
      return "all_gather";
    case Call::reduce_scatter:
      return "reduce_scatter";
    case Call::all_to_all:
      return "all_to_all";
    case Call::gather:
      return "gather";
    case Call::scatter:
      return "scatter";
    case Call::send:
      return "send";
    case Call::recv:
      return "recv";
    case Call::barrier:
      return "barrier";
    case Call::split:
      return "split";
    case Call::broadcast_bytes:
      return "broadcast_bytes";
    case Call::all_gather_bytes:
      return "all_gather_bytes";
    case Call::start:
      return "Communicator";
  }
  return "";
}

const char* name(Op op) {
  switch (op) {
    case Op::sum:
      return "sum";
    case Op::prod:
      return "prod";
    case Op::max:
      return "max";
    case Op::min:
      return "min";
    case Op::average:
      return "average";
  }
  return "";
}

void Header::set_array(const ndarray& array) {
  if (array.is_none()) return;
  const Shape extents = array.shape();
  type = array.dtype().code();
  on_device = array.device().is_cuda();
  ndim = extents.ndim();
  nbytes = array.nbytes();
  std::copy_n(extents.begin(), std::min(ndim, kShownDims), dims);
  shape_hash = hash_of(extents);
}

void Header::refuse(std::string_view why) {
  is_refused = true;
  const std::size_t length = std::min(why.size(), kTextBytes - 1);
  std::memcpy(text, why.data(), length);
  text[length] = '\0';
}

Shape Header::shape() const {
  if (!tells_shape()) {
    throw ValueError(message(name(call), ": an array of ", ndim, " axes needs an array on every ",
                             "rank; up to ", kShownDims, " axes are told"));
  }
  return Shape(dims, static_cast<std::size_t>(ndim));
}

std::string Header::str() const {
  if (!has_array()) return "no array";
  const int shown = std::min(ndim, kShownDims);
  std::string shape_text = Shape(dims, static_cast<std::size_t>(shown)).str();
  if (ndim > shown) shape_text += " and more axes";
  return message(element_type().name(), " ", shape_text);
}

std::string CallNote::str() const {
  std::string text = message(name(call), ": rank ", rank, " of ", size);
  if (header != nullptr && header->has_array()) text += ", " + header->str();
  return text;
}

void check_headers(const CallNote& note, std::span<const Header> headers) {
  for (std::size_t i = 0; i < headers.size(); ++i) {
    if (!headers[i].is_refused) continue;
    throw ValueError(message(note.str(), ": rank ", i, " refused the call; ", headers[i].text));
  }
  const Header* first = nullptr;  // that has an array
  std::size_t at = 0;
  for (std::size_t i = 0; i < headers.size(); ++i) {
    const Header& h = headers[i];
    const Header& zero = headers[0];
    if (h.call != zero.call) {
      throw ValueError(message(note.str(), ": the ranks call different operations; rank 0 ",
                               name(zero.call), ", rank ", i, " ", name(h.call)));
    }
    if (h.root != zero.root) {
      throw ValueError(message(note.str(), ": the ranks name different roots; rank 0 ", zero.root,
                               ", rank ", i, " ", h.root));
    }
    if (h.op != zero.op) {
      throw ValueError(message(note.str(), ": the ranks reduce differently; rank 0 ", name(zero.op),
                               ", rank ", i, " ", name(h.op)));
    }
    if (!h.has_array()) continue;
    if (first == nullptr) {
      first = &h;
      at = i;
    }
    if (h.on_device != first->on_device) {
      throw DeviceError(message(note.str(), ": the arrays are on different kinds of devices; rank ",
                                at, " on ", place(*first), ", rank ", i, " on ", place(h)));
    }
    const std::string both =
        message("; rank ", at, " has ", first->str(), ", rank ", i, " has ", h.str());
    if (!same_shape(h, *first)) {
      throw ShapeError(message(note.str(), ": the shapes differ between ranks", both));
    }
    if (h.type != first->type) {
      throw DtypeError(message(note.str(), ": the dtypes differ between ranks", both));
    }
  }
}

void check_message(const CallNote& note, const Header& sent, int source) {
  const Header& wanted = *note.header;
  if (!wanted.has_array()) return;
  const std::string both = message("; ", sent.str(), " from rank ", source);
  if (!same_shape(wanted, sent)) {
    throw ShapeError(message(note.str(), ": what was sent has another shape", both));
  }
  if (wanted.type != sent.type) {
    throw DtypeError(message(note.str(), ": what was sent has another dtype", both));
  }
  if (wanted.on_device != sent.on_device) {
    throw DeviceError(message(note.str(), ": what was sent is on another kind of device; ",
                              place(sent), " of rank ", source));
  }
}

}  // namespace cupyxx::comm::internal
