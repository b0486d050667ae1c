// SPDX-License-Identifier: MIT
// The calls of a communicator that take arrays: what they refuse, how arrays are packed, and which
// of the two ways they go.
#include <utility>
#include <vector>

#include "cupyxx/comm.h"
#include "cupyxx/comm/state.h"
#include "cupyxx/creation.h"
#include "cupyxx/extension/storage.h"
#include "cupyxx/manipulation.h"

namespace cupyxx::comm {
namespace {

using internal::Call;
using internal::CallNote;
using internal::CommunicatorState;
using internal::Header;
using internal::name;
using internal::NcclChannel;
namespace host = internal::host;

std::size_t bytes_of(const ndarray& a) { return static_cast<std::size_t>(a.nbytes()); }

void check_op(const CallNote& note, dtype type, Op op) {
  const bool computes = static_cast<int>(type.code()) < dtype::kComputeCount;  // float8 does not
  const bool fits = op == Op::average                ? type.is_inexact()
                    : op == Op::max || op == Op::min ? !type.is_complex()
                                                     : true;
  if (computes && fits) return;
  throw DtypeError(message(note.str(), ": there is no ", name(op), " of ", type.name()));
}

/// One call with an array that is given and one that results.
class ArrayCall {
 public:
  ArrayCall(CommunicatorState& state, Call call, const ndarray& x, const ndarray& out)
      : use_(state, call),
        state_(state),
        x_(x),
        out_(out),
        note_{call, state.rank(), state.size(), &header_} {
    header_.call = call;
    header_.set_array(x);
  }
  ArrayCall(const ArrayCall&) = delete;
  ArrayCall& operator=(const ArrayCall&) = delete;

  Header& header() { return header_; }
  const CallNote& note() const { return note_; }
  bool is_root() const { return state_.rank() == header_.root; }
  bool is_alone() const { return state_.is_alone() && !(x_on_device() && state_.uses_nccl()); }
  bool x_on_device() const { return !x_.is_none() && x_.device().is_cuda(); }

  void need_array() const {
    if (x_.is_none()) throw TypeError(message(note_.str(), ": the array is None"));
  }
  void check_root() const { state_.check_rank(note_.call, "root", header_.root); }
  void check_op_of(Op op) const { check_op(note_, x_.dtype(), op); }
  /// The first axis has `size` parts.
  void check_divides() const {
    if (x_.ndim() > 0 && x_.shape(0) % state_.size() == 0) return;
    throw ShapeError(message(note_.str(), ": the first axis is not divisible by the number of ",
                             "ranks; ", x_.shape(), ", ", state_.size()));
  }
  /// What the result must look like, if it is given.
  void check_out(const Shape& shape, dtype type, Device device) const {
    if (out_.is_none()) return;
    const auto refuse = [&](const auto& found, const auto& wanted) {
      return message(note_.str(), ": out does not fit; ", found, " for ", wanted);
    };
    if (out_.shape() != shape) throw ShapeError(refuse(out_.shape(), shape));
    if (out_.dtype() != type) throw DtypeError(refuse(out_.dtype().name(), type.name()));
    if (!(out_.device() == device)) throw DeviceError(refuse(out_.device().name(), device.name()));
    if (!out_.flags().writeable) throw ValueError(message(note_.str(), ": out is read-only"));
  }

  /// Compares with the other ranks; see CommunicatorState::agree.
  template <class Checks>
  std::vector<Header> agree(Checks&& checks) {
    return state_.agree(note_, header_, state_.compares(x_on_device()), checks);
  }
  template <class Checks>
  std::vector<Header> agree_always(Checks&& checks) {
    return state_.agree(note_, header_, !state_.is_alone(), checks);
  }

  /// Runs `on_host(port, from, to)` or `on_device(channel, from, to)` with contiguous arrays, and
  /// gives the result. A dtype that NCCL does not reduce is converted on the way if `reduces`.
  template <class OnHost, class OnDevice>
  ndarray run(const Shape& shape, dtype type, Device device, bool reduces, OnHost&& on_host,
              OnDevice&& on_device) {
    const DeviceScope scope(device);
    const dtype moved = device.is_cuda() && reduces ? internal::nccl_reduced_dtype(type) : type;
    const ndarray from = x_.is_none() ? x_ : packed(moved);
    ndarray result = out_.is_none() ? empty(shape, type) : out_;
    const bool is_direct = moved == type && result.flags().c_contiguous && may_write(result, from);
    if (!is_direct && state_.in_group() && device.is_cuda()) {
      throw ValueError(message(note_.str(), ": within a group arrays are contiguous, of a dtype ",
                               "that NCCL has, and out does not overlap them"));
    }
    const ndarray to = is_direct ? result : empty(shape, moved);
    extension::note_write(to);
    if (device.is_cuda()) {
      on_device(state_.nccl(note_, device), from, to);
    } else {
      on_host(state_.port(note_), from, to);
    }
    if (!is_direct) result.set(to.astype(type, /*copy=*/false));
    return result;
  }

  /// A world of one: the array itself, in another shape.
  ndarray copy_alone(const Shape& shape) const {
    if (out_.is_none()) return x_.copy(Order::C).reshape(shape);
    if (out_.body() != x_.body()) out_.set(x_.reshape(shape));
    return out_;
  }

 private:
  ndarray packed(dtype moved) const {
    return ascontiguousarray(moved == x_.dtype() ? x_ : x_.astype(moved));
  }
  /// Whether a result may be written while `from` is read: NCCL knows no other overlap than that of
  /// all of it, in all_gather that of what stands in its place already, and in reduce_scatter that
  /// of this rank's part.
  bool may_write(const ndarray& result, const ndarray& from) const {
    if (from.is_none() || !result.shares_memory(from)) return true;
    const auto* const to = static_cast<const char*>(result.elements());
    const auto* const begin = static_cast<const char*>(from.elements());
    if (to == begin && result.size() == from.size()) return true;
    if (header_.call == Call::all_gather) return to + from.nbytes() * state_.rank() == begin;
    return header_.call == Call::reduce_scatter && begin + result.nbytes() * state_.rank() == to;
  }

  CommunicatorState::Use use_;
  CommunicatorState& state_;
  const ndarray& x_;
  const ndarray& out_;
  Header header_;
  CallNote note_;
};

Shape stacked(int size, const Shape& shape) {
  Shape result = shape;
  result.insert(0, size);
  return result;
}

Shape without_first(const Shape& shape) {
  Shape result = shape;
  result.erase(0);
  return result;
}

}  // namespace

ndarray Communicator::all_reduce(const ndarray& x, const AllReduceOptions& options) const {
  ArrayCall call(*state_, Call::all_reduce, x, options.out);
  call.header().op = options.op;
  call.agree([&] {
    call.need_array();
    call.check_op_of(options.op);
    call.check_out(x.shape(), x.dtype(), x.device());
  });
  if (call.is_alone()) return call.copy_alone(x.shape());
  return call.run(
      x.shape(), x.dtype(), x.device(), true,
      [&](const host::Port& port, const ndarray& from, const ndarray& to) {
        host::all_reduce(port, from, to, options.op);
      },
      [&](NcclChannel& channel, const ndarray& from, const ndarray& to) {
        channel.all_reduce(call.note(), from, to, options.op);
      });
}

ndarray Communicator::reduce(const ndarray& x, const RootReduceOptions& options) const {
  const bool is_root = rank() == options.root;
  const ndarray none, &out = is_root ? options.out : none;
  ArrayCall call(*state_, Call::reduce, x, out);
  call.header().op = options.op;
  call.header().root = options.root;
  call.agree([&] {
    call.need_array();
    call.check_root();
    call.check_op_of(options.op);
    call.check_out(x.shape(), x.dtype(), x.device());
  });
  if (call.is_alone()) return call.copy_alone(x.shape());
  const Shape shape = is_root ? x.shape() : Shape{0};
  const ndarray result = call.run(
      shape, x.dtype(), x.device(), true,
      [&](const host::Port& port, const ndarray& from, const ndarray& to) {
        host::reduce(port, from, to, options.op, options.root);
      },
      [&](NcclChannel& channel, const ndarray& from, const ndarray& to) {
        channel.reduce(call.note(), from, to, options.op, options.root);
      });
  return is_root ? result : ndarray();
}

ndarray Communicator::broadcast(const ndarray& x, const BroadcastOptions& options) const {
  const ndarray none;
  ArrayCall call(*state_, Call::broadcast, x, none);
  call.header().root = options.root;
  const std::vector<Header> all = call.agree_always([&] {
    call.check_root();
    if (call.is_root()) call.need_array();
    if (!x.is_none() && !call.is_root() && !x.flags().writeable) {
      throw ValueError(message(call.note().str(), ": the array is read-only"));
    }
  });
  if (call.is_alone()) return x;
  const Header& root = all[static_cast<std::size_t>(options.root)];
  // All ranks know whether one of them cannot make the array; else the others would go on alone.
  for (const Header& header : all) {
    if (!header.has_array()) (void)root.shape();
  }
  if (call.is_root()) {  // only reads
    const ndarray from = ascontiguousarray(x);
    if (x.device().is_cuda()) {
      state_->nccl(call.note(), x.device()).broadcast(call.note(), from, from, options.root);
    } else {
      host::broadcast(state_->port(call.note()), from.elements(), bytes_of(from), options.root);
    }
    return x;
  }
  const Device device = x.is_none() ? internal::receiving_device(root) : x.device();
  ArrayCall receiver(*state_, Call::broadcast, none, x);
  return receiver.run(
      x.is_none() ? root.shape() : x.shape(), root.element_type(), device, false,
      [&](const host::Port& port, const ndarray&, const ndarray& to) {
        host::broadcast(port, to.elements(), bytes_of(to), options.root);
      },
      [&](NcclChannel& channel, const ndarray&, const ndarray& to) {
        channel.broadcast(call.note(), to, to, options.root);
      });
}

ndarray Communicator::all_gather(const ndarray& x, const OutOptions& options) const {
  ArrayCall call(*state_, Call::all_gather, x, options.out);
  call.agree([&] {
    call.need_array();
    call.check_out(stacked(size(), x.shape()), x.dtype(), x.device());
  });
  const Shape shape = stacked(size(), x.shape());
  if (call.is_alone()) return call.copy_alone(shape);
  return call.run(
      shape, x.dtype(), x.device(), false,
      [&](const host::Port& port, const ndarray& from, const ndarray& to) {
        host::all_gather(port, from.elements(), to.elements(), bytes_of(from));
      },
      [&](NcclChannel& channel, const ndarray& from, const ndarray& to) {
        channel.all_gather(call.note(), from, to);
      });
}

ndarray Communicator::reduce_scatter(const ndarray& x, const AllReduceOptions& options) const {
  ArrayCall call(*state_, Call::reduce_scatter, x, options.out);
  call.header().op = options.op;
  Shape shape;
  call.agree([&] {
    call.need_array();
    call.check_op_of(options.op);
    call.check_divides();
    shape = x.shape();
    shape[0] /= size();
    call.check_out(shape, x.dtype(), x.device());
  });
  if (call.is_alone()) return call.copy_alone(shape);
  return call.run(
      shape, x.dtype(), x.device(), true,
      [&](const host::Port& port, const ndarray& from, const ndarray& to) {
        host::reduce_scatter(port, from, to, options.op);
      },
      [&](NcclChannel& channel, const ndarray& from, const ndarray& to) {
        channel.reduce_scatter(call.note(), from, to, options.op);
      });
}

ndarray Communicator::all_to_all(const ndarray& x, const OutOptions& options) const {
  ArrayCall call(*state_, Call::all_to_all, x, options.out);
  call.agree([&] {
    call.need_array();
    call.check_divides();
    call.check_out(x.shape(), x.dtype(), x.device());
    if (!options.out.is_none() && options.out.shares_memory(x)) {
      throw ValueError(message(call.note().str(), ": out overlaps the array"));
    }
  });
  if (call.is_alone()) return call.copy_alone(x.shape());
  return call.run(
      x.shape(), x.dtype(), x.device(), false,
      [&](const host::Port& port, const ndarray& from, const ndarray& to) {
        host::all_to_all(port, from.elements(), to.elements(),
                         bytes_of(from) / static_cast<std::size_t>(size()));
      },
      [&](NcclChannel& channel, const ndarray& from, const ndarray& to) {
        channel.all_to_all(call.note(), from, to);
      });
}

ndarray Communicator::gather(const ndarray& x, const RootOptions& options) const {
  const bool is_root = rank() == options.root;
  const ndarray none, &out = is_root ? options.out : none;
  ArrayCall call(*state_, Call::gather, x, out);
  call.header().root = options.root;
  call.agree([&] {
    call.need_array();
    call.check_root();
    call.check_out(stacked(size(), x.shape()), x.dtype(), x.device());
  });
  const Shape shape = is_root ? stacked(size(), x.shape()) : Shape{0};
  if (call.is_alone()) return call.copy_alone(shape);
  const ndarray result = call.run(
      shape, x.dtype(), x.device(), false,
      [&](const host::Port& port, const ndarray& from, const ndarray& to) {
        host::gather(port, from.elements(), to.elements(), bytes_of(from), options.root);
      },
      [&](NcclChannel& channel, const ndarray& from, const ndarray& to) {
        channel.gather(call.note(), from, to, options.root);
      });
  return is_root ? result : ndarray();
}

ndarray Communicator::scatter(const ndarray& x, const RootOptions& options) const {
  const bool is_root = rank() == options.root;
  const ndarray none, &given = is_root ? x : none;
  ArrayCall call(*state_, Call::scatter, given, options.out);
  call.header().root = options.root;
  const std::vector<Header> all = call.agree_always([&] {
    call.check_root();
    if (!is_root) return;
    call.need_array();
    if (x.ndim() == 0 || x.shape(0) != size()) {
      throw ShapeError(message(call.note().str(), ": the first axis is not that of the ranks; ",
                               x.shape(), ", ", size()));
    }
    call.check_out(without_first(x.shape()), x.dtype(), x.device());
  });
  const Header& root = all.empty() ? call.header() : all[static_cast<std::size_t>(options.root)];
  const Shape shape = without_first(root.shape());
  const Device device = is_root                 ? x.device()
                        : options.out.is_none() ? internal::receiving_device(root)
                                                : options.out.device();
  // What only this rank can know now: told to all, so that nobody waits.
  Header second{.call = Call::scatter, .root = options.root};
  state_->agree(call.note(), second, !state_->is_alone(), [&] {
    call.check_out(shape, root.element_type(), root.on_device ? device : Device::cpu());
  });
  if (call.is_alone()) return call.copy_alone(shape);
  return call.run(
      shape, root.element_type(), device, false,
      [&](const host::Port& port, const ndarray& from, const ndarray& to) {
        const void* const all_parts = is_root ? from.elements() : nullptr;
        host::scatter(port, all_parts, to.elements(), bytes_of(to), options.root);
      },
      [&](NcclChannel& channel, const ndarray& from, const ndarray& to) {
        channel.scatter(call.note(), from, to, options.root);
      });
}

namespace {

void check_letter(const CommunicatorState& state, Call call, int peer, int tag) {
  state.check_rank(call, call == Call::send ? "destination" : "source", peer);
  const CallNote note{call, state.rank(), state.size()};
  if (peer == state.rank()) throw ValueError(message(note.str(), ": that is this rank itself"));
  if (tag < 0 || tag >= internal::Channel::kTags) {
    throw ValueError(message(note.str(), ": the tag is not between 0 and ",
                             internal::Channel::kTags - 1, "; ", tag));
  }
}

}  // namespace

void Communicator::send(const ndarray& x, int dest, const SendOptions& options) const {
  const CommunicatorState::Use use(*state_, Call::send);
  check_letter(*state_, Call::send, dest, options.tag);
  if (x.is_none()) {
    throw TypeError(message(CallNote{Call::send, rank(), size()}.str(), ": the array is None"));
  }
  internal::Letter letter{true, dest, options.tag, x};
  if (state_->in_group()) {
    state_->add_letter(std::move(letter));
  } else {
    state_->run({&letter, 1});
  }
}

ndarray Communicator::recv(int source, const RecvOptions& options) const {
  const CommunicatorState::Use use(*state_, Call::recv);
  check_letter(*state_, Call::recv, source, options.tag);
  const CallNote note{Call::recv, rank(), size()};
  if (!options.out.is_none() && !options.out.flags().writeable) {
    throw ValueError(message(note.str(), ": out is read-only"));
  }
  internal::Letter letter{false, source, options.tag, options.out};
  if (!state_->in_group()) {
    state_->run({&letter, 1});
    return letter.array;
  }
  if (options.out.is_none()) {
    throw ValueError(message(note.str(), ": within a group the array must be given as out"));
  }
  state_->add_letter(letter);
  return options.out;
}

}  // namespace cupyxx::comm
