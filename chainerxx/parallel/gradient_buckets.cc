// SPDX-License-Identifier: MIT
#include "chainerxx/parallel/gradient_buckets.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <unordered_set>
#include <utility>

#include "chainerxx/function.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/extension/capture.h"
#include "cupyxx/indexing.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"

namespace chainerxx::internal {
namespace {

constexpr std::int64_t kAlignment = 128;  // bytes between the beginnings of gradients
constexpr std::int64_t kFirstBytes =
    1 << 20;  // a small bucket begins, so that something is under way

std::int64_t aligned(std::int64_t nbytes) {
  return (nbytes + kAlignment - 1) / kAlignment * kAlignment;
}

/// The strides that an array keeps in a bucket: its own where it has no gaps, else those of C.
cupyxx::Strides kept_strides(const ndarray& a) {
  std::vector<int> axes(static_cast<std::size_t>(a.ndim()));
  std::iota(axes.begin(), axes.end(), 0);
  const cupyxx::Strides strides = a.strides();
  std::stable_sort(axes.begin(), axes.end(), [&](int i, int j) { return strides[i] < strides[j]; });
  std::int64_t expected = a.itemsize();
  for (const int axis : axes) {
    if (a.shape(axis) == 1) continue;
    if (strides[axis] != expected) return {};
    expected *= a.shape(axis);
  }
  return a.flags().c_contiguous ? cupyxx::Strides() : strides;
}

using cupyxx::extension::Capture;

bool is_capturing() { return static_cast<bool>(Capture::current()); }

/// A call that all ranks make at this place of a step.
template <class F>
auto in_step(const F& call) {
  try {
    return call();
  } catch (const cupyxx::ValueError& error) {
    throw cupyxx::ValueError(cupyxx::message(
        "MultiNodeOptimizer: the ranks are at different places of a step; all of them call "
        "backward() equally often before an update: ",
        std::string_view(error.what())));
  }
}

}  // namespace

ndarray part_like(const ndarray& a, const ndarray& flat, std::int64_t offset) {
  return ndarray(a.shape(), a.dtype(), flat, kept_strides(a), offset);
}

GradientBuckets::GradientBuckets(cupyxx::comm::Communicator communicator,
                                 const MultiNodeOptions& options)
    : communicator_(std::move(communicator)), options_(options) {
  add_backward_observer(this);
}

GradientBuckets::~GradientBuckets() { remove_backward_observer(this); }

void GradientBuckets::build(const std::vector<NamedField>& fields) {
  slots_.clear();
  std::unordered_map<const void*, std::size_t> known;
  // Backward comes to the last layers first.
  for (auto at = fields.rbegin(); at != fields.rend(); ++at) {
    const NamedField& field = *at;
    if (field.gradient == nullptr) continue;
    // Gradients that are divided may not be there.
    const ndarray& key = options_.shard_gradients ? *field.array : *field.gradient;
    const auto [known_at, is_new] = known.try_emplace(key.body(), slots_.size());
    if (is_new) slots_.emplace_back().name = field.name;
    Slot& slot = slots_[known_at->second];
    slot.handles.push_back(field.gradient);
    slot.parameters.push_back(field.array);
  }
  has_followed_ = false;
  readiness_.clear();
  lay_out();
}

/// The array whose shape, dtype and device a gradient has.
const ndarray& GradientBuckets::form_of(const Slot& slot) const {
  return options_.shard_gradients ? *slot.parameters[0] : *slot.handles[0];
}

std::size_t GradientBuckets::end_of_bucket(std::size_t first) const {
  const ndarray& lead = form_of(slots_[first]);
  const std::int64_t limit =
      first == 0 ? std::min(kFirstBytes, options_.bucket_bytes) : options_.bucket_bytes;
  std::int64_t nbytes = 0;
  std::size_t last = first;
  for (; last < slots_.size(); ++last) {
    const ndarray& a = form_of(slots_[last]);
    if (a.dtype() != lead.dtype() || !(a.device() == lead.device())) break;
    if (last > first && nbytes + a.nbytes() > limit) break;
    nbytes += aligned(a.nbytes());
  }
  return last;
}

void GradientBuckets::make_arrays(Bucket& bucket, const ndarray& lead, std::int64_t nbytes) {
  const std::int64_t size = options_.shard_states ? communicator_.size() : 1;
  const std::int64_t unit = size * kAlignment;  // parts of one size
  const std::int64_t count = (nbytes + unit - 1) / unit * unit / lead.itemsize();
  const bool is_narrowed = options_.reduced_dtype && lead.dtype() == cupyxx::float32;
  bucket.count = count;
  bucket.type = lead.dtype();
  bucket.device = lead.device();
  if (options_.shard_states) bucket.parameters = cupyxx::zeros({count}, lead.dtype());
  if (options_.shard_gradients) {
    bucket.own = cupyxx::zeros({count / size}, lead.dtype());
    return;
  }
  bucket.flat = cupyxx::zeros({count}, lead.dtype());
  bucket.sent = is_narrowed ? cupyxx::empty({count}, options_.reduced_dtype) : bucket.flat;
}

/// The arrays of a slot move into the bucket.
void GradientBuckets::place(Slot& slot, const Bucket& bucket) {
  const ndarray old = *slot.handles[0], parameter = *slot.parameters[0];
  if (options_.shard_gradients) {
    for (ndarray* handle : slot.handles) *handle = ndarray();
  } else {
    // Parts are cut from the memory of both, which must have the same order.
    slot.view = part_like(options_.shard_states ? parameter : old, bucket.flat, slot.first_byte);
    slot.view.set(old);
    for (ndarray* handle : slot.handles) *handle = slot.view;
  }
  if (!options_.shard_states) return;
  slot.parameter_view = part_like(parameter, bucket.parameters, slot.first_byte);
  slot.parameter_view.set(parameter);
  for (ndarray* handle : slot.parameters) *handle = slot.parameter_view;
}

void GradientBuckets::fill_bucket(std::size_t first, std::size_t last) {
  const ndarray lead = form_of(slots_[first]);
  std::int64_t nbytes = 0;
  for (std::size_t i = first; i < last; ++i) nbytes += aligned(form_of(slots_[i]).nbytes());
  const cupyxx::DeviceScope scope(lead.device());
  Bucket bucket;
  bucket.first = first;
  bucket.last = last;
  make_arrays(bucket, lead, nbytes);
  std::int64_t offset = 0;
  for (std::size_t i = first; i < last; ++i) {
    Slot& slot = slots_[i];
    slot.bucket = buckets_.size();
    slot.first_byte = offset;
    offset += aligned(form_of(slot).nbytes());
    place(slot, bucket);
    slot_of_[(options_.shard_gradients ? slot.parameter_view : slot.view).body()] = i;
  }
  buckets_.push_back(std::move(bucket));
}

void GradientBuckets::lay_out() {
  buckets_.clear();
  slot_of_.clear();
  for (std::size_t first = 0; first < slots_.size();) {
    const std::size_t last = end_of_bucket(first);
    fill_bucket(first, last);
    first = last;
  }
  order_.resize(buckets_.size());
  std::iota(order_.begin(), order_.end(), std::size_t{0});
}

/// The slot of a field of a function of the graph, which has the model's arrays.
GradientBuckets::Slot* GradientBuckets::find(const Field& field) {
  if (field.gradient == nullptr) return nullptr;
  const ndarray& key = options_.shard_gradients ? *field.array : *field.gradient;
  if (key.is_none()) return nullptr;
  const auto at = slot_of_.find(key.body());
  return at == slot_of_.end() ? nullptr : &slots_[at->second];
}

/// Gradients may have been replaced: the model was moved, or read from a file.
bool GradientBuckets::is_current() const {
  for (const Slot& slot : slots_) {
    if (options_.shard_gradients || !slot.handles[0]->is_none()) continue;
    throw cupyxx::ValueError(cupyxx::message("MultiNodeOptimizer: rank ", communicator_.rank(),
                                             " of ", communicator_.size(),
                                             ": a parameter's gradient is None; ", slot.name));
  }
  return std::all_of(slots_.begin(), slots_.end(),
                     [](const Slot& slot) { return slot.is_current(); });
}

bool GradientBuckets::Slot::is_current() const {
  const auto all_are = [](const std::vector<ndarray*>& all, const ndarray& expected) {
    return std::all_of(all.begin(), all.end(), [&](const ndarray* handle) {
      if (expected.is_none() || handle->is_none()) return expected.is_none() == handle->is_none();
      return handle->body() == expected.body();
    });
  };
  return all_are(handles, view) &&
         (parameter_view.is_none() || all_are(parameters, parameter_view));
}

/// The states belong to parts of the arrays that were there at setup().
void GradientBuckets::check_current() const {
  if (!options_.shard_states || is_current()) return;
  if (options_.shard_gradients) {
    throw cupyxx::ValueError(
        "MultiNodeOptimizer: with shard_gradients parameters stay the arrays that setup() has made "
        "and gradients are there during backward() only; they were moved or replaced");
  }
  throw cupyxx::ValueError(
      "MultiNodeOptimizer: with shard_states parameters and gradients stay the arrays that setup() "
      "has made; they were moved or replaced");
}

ndarray GradientBuckets::own_part(const ndarray& flat) const {
  const std::int64_t count = flat.size() / communicator_.size(), rank = communicator_.rank();
  return flat(cupyxx::slice(rank * count, (rank + 1) * count));
}

std::vector<ParameterPart> GradientBuckets::parts(const std::vector<NamedField>& fields) const {
  std::vector<ParameterPart> parts;
  std::unordered_set<std::size_t> known;
  for (const NamedField& field : fields) {
    if (field.gradient == nullptr) continue;
    const auto at =
        slot_of_.find((options_.shard_gradients ? field.array : field.gradient)->body());
    if (at == slot_of_.end() || !known.insert(at->second).second) continue;
    const Slot& slot = slots_[at->second];
    const Bucket& bucket = buckets_[slot.bucket];
    const std::int64_t size = bucket.count / communicator_.size();
    const std::int64_t own = size * communicator_.rank();
    const std::int64_t begin = slot.first_byte / slot.parameter_view.itemsize();
    const std::int64_t end = begin + slot.parameter_view.size();
    const std::int64_t first = std::clamp(own, begin, end);
    const std::int64_t last = std::clamp(own + size, begin, end);
    const cupyxx::slice part(first, last);
    const ndarray gradient =
        options_.shard_gradients
            ? bucket.own(cupyxx::slice(std::clamp(first - own, std::int64_t{0}, size),
                                       std::clamp(last - own, std::int64_t{0}, size)))
            : bucket.flat(part);
    parts.push_back(
        {field.name, bucket.parameters(part), gradient, slot.parameter_view, first - begin});
  }
  return parts;
}

void GradientBuckets::gather_parameters() {
  for (const Bucket& bucket : buckets_) {
    const cupyxx::DeviceScope scope(bucket.device);
    const std::int64_t size = communicator_.size();
    const ndarray rows = bucket.parameters.reshape({size, bucket.parameters.size() / size});
    in_step([&] { return communicator_.all_gather(own_part(bucket.parameters), {.out = rows}); });
  }
}

void GradientBuckets::zero_grads() {
  for (Bucket& bucket : buckets_) {
    if (options_.shard_gradients) {
      close(bucket);
      bucket.own.fill(0);
      bucket.is_zero = true;
    } else {
      bucket.flat.fill(0);
    }
  }
  has_own_ = is_used_ = false;
}

std::vector<std::size_t> GradientBuckets::agreed(const std::vector<std::size_t>& places) const {
  const std::string_view bytes(reinterpret_cast<const char*>(places.data()),
                               places.size() * sizeof(std::size_t));
  const std::string all = in_step([&] { return communicator_.broadcast_bytes(bytes); });
  std::vector<std::size_t> result(all.size() / sizeof(std::size_t));
  std::memcpy(result.data(), all.data(), all.size());
  return result;
}

/// The buckets as the last walk made them ready; those that it did not come last.
std::vector<std::size_t> GradientBuckets::in_order_of_readiness() const {
  std::vector<std::size_t> missing, order;
  for (const Bucket& bucket : buckets_) missing.push_back(bucket.last - bucket.first);
  for (const std::size_t i : readiness_) {
    if (--missing[slots_[i].bucket] == 0) order.push_back(slots_[i].bucket);
  }
  for (std::size_t i = 0; i < buckets_.size(); ++i) {
    if (missing[i] != 0) order.push_back(i);
  }
  return order;
}

/// After the first walk of rank 0: the order in which gradients really became ready there. All
/// ranks come here, those that had no walk, too. Where states are divided arrays stay where they
/// are.
void GradientBuckets::follow_readiness() {
  if (has_followed_ || !is_active_ || is_capturing()) return;
  const bool has_walked = !readiness_.empty();
  if (options_.shard_states) {
    const std::vector<std::size_t> order =
        agreed(has_walked ? in_order_of_readiness() : std::vector<std::size_t>());
    has_followed_ = !order.empty();
    if (has_followed_) order_ = order;
    return;
  }
  for (std::size_t i = 0; has_walked && i < slots_.size(); ++i) {  // those that never were: last
    if (std::find(readiness_.begin(), readiness_.end(), i) == readiness_.end()) {
      readiness_.push_back(i);
    }
  }
  const std::vector<std::size_t> places = agreed(readiness_);
  has_followed_ = !places.empty();
  if (std::is_sorted(places.begin(), places.end())) return;
  std::vector<Slot> sorted;
  sorted.reserve(places.size());
  for (const std::size_t place : places) sorted.push_back(std::move(slots_[place]));
  slots_ = std::move(sorted);
  lay_out();
}

void GradientBuckets::begin() {
  if (!is_active_) return;
  if (!options_.shard_states && !is_current()) lay_out();
  forget_launches();
  is_walking_ = true;
  overlapped_ = 0;
  for (Bucket& bucket : buckets_) bucket.missing = 0;
  for (Slot& slot : slots_) {
    slot.pending = 0;
    slot.is_ready = false;
    ++buckets_[slot.bucket].missing;
  }
  readiness_.clear();
}

void GradientBuckets::reach(Function& f) {
  for (const Field& field : f.fields()) {
    Slot* const slot = find(field);
    if (slot == nullptr) continue;
    expect_own();
    if (is_walking_) ++slot->pending;
  }
}

/// The walk adds to a rank's own gradients.
void GradientBuckets::expect_own() {
  if (options_.shard_gradients) {
    if (!is_used_) return;
    throw cupyxx::ValueError(
        "MultiNodeOptimizer: with shard_gradients nothing is added to gradients that update() has "
        "used; this optimizer's zero_grads() comes before backward()");
  }
  if (!std::exchange(is_averaged_, false) || !options_.shard_states) return;
  is_averaged_ = true;
  throw cupyxx::ValueError(
      "MultiNodeOptimizer: with shard_states nothing is added to averages, of which each rank has "
      "a part; zero_grads() or update() comes before backward()");
}

void GradientBuckets::start() {}

void GradientBuckets::finish(Function& f) {
  if (!is_walking_) return;
  bool is_any_ready = false;
  for (const Field& field : f.fields()) {
    Slot* const slot = find(field);
    if (slot == nullptr) continue;
    // The graph may live longer than the gradients.
    if (options_.shard_gradients) *field.gradient = ndarray();
    if (slot->is_ready || --slot->pending > 0) continue;
    slot->is_ready = is_any_ready = true;
    readiness_.push_back(static_cast<std::size_t>(slot - slots_.data()));
    --buckets_[slot->bucket].missing;
  }
  if (is_any_ready && (options_.overlap || options_.shard_gradients)) launch_ready();
}

/// In the order that all ranks have.
void GradientBuckets::launch_ready() {
  for (; next_ < order_.size() && buckets_[order_[next_]].missing == 0; ++next_) {
    launch(buckets_[order_[next_]], is_last_);
    ++overlapped_;
  }
}

void GradientBuckets::end() {
  if (!std::exchange(is_walking_, false)) return;
  if (has_own_) launch_rest();
  await();
}

void GradientBuckets::fail() noexcept { is_walking_ = false; }

void GradientBuckets::launch(Bucket& bucket, bool is_last) {
  const cupyxx::DeviceScope scope(bucket.device);
  if (options_.shard_gradients) open(bucket);  // in the order of the stream that adds to it
  // What a graph allocates and frees belongs to its own stream; one rank has nothing to send.
  if (bucket.device.is_cpu() || !options_.overlap || communicator_.size() == 1 ||
      (is_capturing() && options_.shard_gradients)) {
    reduce(bucket, is_last);
    return;
  }
  if (stream_ == nullptr) {
    stream_ = std::make_unique<cupyxx::cuda::Stream>(cupyxx::cuda::StreamOptions{
        .non_blocking = true, .priority = cupyxx::cuda::stream_priority_range().second});
  }
  // Kernels on the graph's stream, the library's calls beside it.
  if (const Capture capture = Capture::on(bucket.device.index)) {
    prepare_to_send(bucket, is_last);
    capture.fork(*stream_);
    const cupyxx::cuda::StreamScope on_stream(*stream_);
    exchange(bucket);
    return;
  }
  stream_->wait_stream(cupyxx::cuda::get_current_stream());
  const cupyxx::cuda::StreamScope on_stream(*stream_);
  reduce(bucket, is_last);
}

void GradientBuckets::reduce(Bucket& bucket, bool is_last) {
  if (options_.shard_gradients) {
    reduce_to_part(bucket);
    return;
  }
  prepare_to_send(bucket, is_last);
  exchange(bucket);
  if (!is_last) return;
  settle(bucket);
  bucket.is_settled = true;
  bucket.version = bucket.flat.version();
}

/// More may be added to a rank's own gradients, unless these are the last.
void GradientBuckets::prepare_to_send(Bucket& bucket, bool is_last) {
  if (bucket.sent.dtype() != bucket.flat.dtype()) cupyxx::copyto(bucket.sent, bucket.flat);
  bucket.averages = place_of_averages(bucket, is_last);
}

void GradientBuckets::exchange(Bucket& bucket) {
  const cupyxx::comm::AllReduceOptions average{.op = cupyxx::comm::Op::average,
                                               .out = bucket.averages};
  in_step([&] {
    return options_.shard_states ? communicator_.reduce_scatter(bucket.sent, average)
                                 : communicator_.all_reduce(bucket.sent, average);
  });
  bucket.is_launched = true;
  bucket.is_settled = false;
  bucket.version = bucket.flat.version();
}

/// In what travels, if that is a copy or may be lost.
ndarray GradientBuckets::place_of_averages(Bucket& bucket, bool is_last) const {
  const bool is_copy = bucket.sent.dtype() != bucket.flat.dtype();
  const ndarray part = options_.shard_states ? own_part(bucket.sent) : bucket.sent;
  if (is_copy || is_last) return part;
  if (bucket.spare.is_none()) bucket.spare = cupyxx::empty({part.size()}, part.dtype());
  return bucket.spare;
}

/// The averages become the gradients.
void GradientBuckets::settle(const Bucket& bucket) {
  const ndarray part = options_.shard_states ? own_part(bucket.flat) : bucket.flat;
  if (!part.shares_memory(bucket.averages)) part.set(bucket.averages);
  if (!options_.shard_states) return;
  // What a rank has added to the others' parts is in their averages now.
  const std::int64_t count = part.size(), begin = count * communicator_.rank();
  bucket.flat(cupyxx::slice(0, begin)) = 0;
  bucket.flat(cupyxx::slice(begin + count, bucket.flat.size())) = 0;
}

void GradientBuckets::await() {
  if (stream_ == nullptr) return;
  const cupyxx::DeviceScope scope(buckets_[0].device);
  if (const Capture capture = Capture::current()) {
    capture.join(*stream_);
    return;
  }
  cupyxx::cuda::get_current_stream().wait_stream(*stream_);
}

void GradientBuckets::forget_launches() {
  await();
  for (Bucket& bucket : buckets_) bucket.is_launched = bucket.is_settled = false;
  next_ = 0;
}

/// The buckets whose gradients have changed after they went on their way.
std::vector<std::size_t> GradientBuckets::changed() const {
  std::vector<std::size_t> places;
  for (const std::size_t i : order_) {
    if (buckets_[i].version != buckets_[i].flat.version()) places.push_back(i);
  }
  return places;
}

/// Throws ValueError on all ranks where they would not send the same: the averages would be those
/// of different steps, from here on. On devices the first times only, as DeviceChecks::first.
void GradientBuckets::check_again(const std::vector<std::size_t>& again) {
  if (communicator_.size() == 1 || buckets_.empty() || is_capturing()) return;
  if (buckets_[0].device.is_cuda() && device_checks_-- <= 0) return;
  const std::string_view bytes(reinterpret_cast<const char*>(again.data()),
                               again.size() * sizeof(std::size_t));
  const std::vector<std::string> all =
      in_step([&] { return communicator_.all_gather_bytes(bytes); });
  for (std::size_t rank = 1; rank < all.size(); ++rank) {
    if (all[rank] == all[0]) continue;
    throw cupyxx::ValueError(cupyxx::message(
        "MultiNodeOptimizer: rank ", communicator_.rank(), " of ", communicator_.size(),
        ": gradients were changed after backward() on rank ", all[0].empty() ? rank : 0,
        " and not in the same way on rank ", all[0].empty() ? 0 : rank,
        "; all ranks change the same ones, or none does"));
  }
}

void GradientBuckets::average() {
  check_current();
  if (options_.shard_gradients) {  // backward() has reduced what it could
    if (has_own_) launch_rest();
    await();
    return;
  }
  if (std::exchange(is_averaged_, true)) return;
  if (!is_current()) {
    lay_out();
    forget_launches();
  }
  // The rest, in the order that all ranks have: who had no backward has zeros.
  for (const std::size_t i : order_) {
    if (!buckets_[i].is_launched) launch(buckets_[i], true);
  }
  // Something may have been added since: by another backward, or by hand.
  const std::vector<std::size_t> again = changed();
  check_again(again);
  for (const std::size_t i : again) launch(buckets_[i], true);
  await();
  for (const Bucket& bucket : buckets_) {
    if (bucket.is_settled) continue;
    const cupyxx::DeviceScope scope(bucket.flat.device());
    settle(bucket);
  }
  follow_readiness();
  forget_launches();
}

}  // namespace chainerxx::internal
