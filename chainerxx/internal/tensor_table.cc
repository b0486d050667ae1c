// SPDX-License-Identifier: MIT
#include "chainerxx/internal/tensor_table.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <span>
#include <unordered_set>

#include "chainerxx/internal/gradient_exchange.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/extension/capture.h"
#include "cupyxx/extension/cuda_call.h"
#include "cupyxx/extension/storage.h"
#include "cupyxx/reduction.h"

namespace chainerxx::internal {

using kernels::Chunk;
using kernels::Tensor;
using kernels::TensorArgs;

namespace {

const Kernel<TensorArgs> kSquares{kLibrary, "squares", "tensor_rules.h", "squares<T>"};
const Kernel<kernels::RuleArgs<kernels::Clip>> kClip{kLibrary, "clip", "tensor_rules.h", "clip<T>"};
constexpr RuleFamily kSquaresFamily = {{}, kSquares, nullptr};
constexpr RuleFamily kClipFamily = {kernels::ScaleGrad<double>::kTouches, kClip, nullptr};

/// Elements from which it pays to spare a gradient its zeros.
constexpr std::int64_t kLarge = 1 << 16;

double rate_of(const OptimizerEntry& entry) {
  return entry.group != nullptr ? entry.group->rate : 1;
}
double decay_of(const OptimizerEntry& entry) {
  return entry.group != nullptr ? entry.group->decay : 1;
}

/// The copy that an update of the parameter can write along.
std::shared_ptr<KeptCopy> copy_of(const ndarray& param) {
  const bool fits = param.dtype() == cupyxx::float32 && param.flags().c_contiguous;
  return fits ? last_kept_copy(param) : nullptr;
}

kernels::CopyType copy_type(cupyxx::dtype dtype) {
  return dtype == cupyxx::float16     ? kernels::CopyType::float16
         : dtype == cupyxx::bfloat16_ ? kernels::CopyType::bfloat16
                                      : kernels::CopyType::float32;
}

/// Tells the tensor of its copy.
void describe_copy(const KeptCopy& copy, Tensor& tensor) {
  const cupyxx::Shape shape = copy.array.shape();
  tensor.copy = copy.array.elements();
  tensor.copy_type = copy_type(copy.array.dtype());
  if (!copy.channels_last || shape[1] == 0) return;
  tensor.channels = static_cast<unsigned>(shape[1]);
  tensor.plane = static_cast<unsigned>(tensor.size / std::max<long>(1, shape[0] * shape[1]));
}

/// Of any kernel; it reads as many of the numbers as it has.
using Arguments = kernels::RuleArgs<UpdateRule::Numbers>;

// What the launches of this thread belong to; null outside of captures.
thread_local std::shared_ptr<UpdateReplay> t_replay;

// In a run of a graph: the launch is in it already, and these are its numbers now.
void renew(UpdateReplay& replay, const UpdateRule& rule) {
  if (replay.next == replay.launches.size() || replay.launches[replay.next].family != rule.family) {
    throw cupyxx::ValueError(
        "Optimizer: the hooks did something else than when the update was captured; capture again");
  }
  replay.launches[replay.next++] = rule;
}

// In a capture: the launch reads its numbers anew in each run.
void note(const std::shared_ptr<UpdateReplay>& replay, const UpdateRule& rule,
          cupyxx::Device device, const Arguments& args) {
  const std::size_t at = replay->launches.size();
  replay->launches.push_back(rule);
  if (const auto capture = cupyxx::extension::Capture::on(device.index)) {
    capture.vary(args, [replay, at](Arguments& fresh) {
      fresh.numbers = replay->launches[at].numbers;
      fresh.table.maxnorm = replay->launches[at].maxnorm;
    });
  }
}

/// Calls `f` with what there is of other ranks. In a run of a graph that is in the graph.
template <class F>
void with_exchange(F&& f) {
  GradientExchange* const exchange = GradientExchange::current();
  if (exchange == nullptr || (t_replay != nullptr && t_replay->is_running)) return;
  const auto capture = cupyxx::extension::Capture::current();
  const std::size_t before = capture ? capture.node_count() : 0;
  f(*exchange);
  if (t_replay != nullptr && capture) t_replay->exchanged += capture.node_count() - before;
}

}  // namespace

void take_largest_of_ranks(const ndarray& own) {
  with_exchange([&](GradientExchange& exchange) { exchange.take_largest(own); });
}

UpdateReplayScope::UpdateReplayScope(const std::shared_ptr<UpdateReplay>& replay, bool is_running) {
  replay->is_running = is_running;
  replay->next = 0;
  t_replay = replay;
}

UpdateReplayScope::~UpdateReplayScope() { t_replay.reset(); }

bool TensorTable::has_lost(std::size_t number, const OptimizerEntry& entry) const {
  if (number >= first_.size() || entry.param->is_none() || entry.grad->is_none()) return false;
  const ndarray &param = arrays_[first_[number]], &grad = arrays_[first_[number] + 1];
  return param.handle() != entry.param->handle() && grad.handle() != entry.grad->handle() &&
         param.device() == entry.param->device();
}

bool TensorTable::is_current(std::span<const OptimizerEntry> entries) const {
  if (entries.size() != first_.size()) return false;
  std::size_t k = 0;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const OptimizerEntry& entry = entries[i];
    if (copies_[i] != copy_of(*entry.param)) return false;
    if (factors_[2 * i] != rate_of(entry) || factors_[2 * i + 1] != decay_of(entry)) return false;
    if (k + 2 + entry.state.size() > arrays_.size()) return false;
    if (arrays_[k++].handle() != entry.param->handle()) return false;
    if (arrays_[k++].handle() != entry.grad->handle()) return false;
    for (const ndarray& s : entry.state) {
      if (arrays_[k++].handle() != s.handle()) return false;
    }
  }
  return k == arrays_.size();
}

TensorTable::Group& TensorTable::group_of(cupyxx::Device device, cupyxx::dtype dtype, int turn) {
  for (Group& group : groups_) {
    if (group.device == device && group.dtype == dtype && group.turn == turn) return group;
  }
  groups_.push_back({device, dtype, turn});
  return groups_.back();
}

ndarray TensorTable::layout(const ndarray& array, int turn) {
  if (array.flags().c_contiguous) return array;
  ndarray copy = array.copy(cupyxx::Order::C);
  strided_.push_back({array, copy, turn});
  return copy;
}

void TensorTable::clear() noexcept {
  arrays_.clear();
  first_.clear();
  factors_.clear();
  copies_.clear();
  groups_.clear();
  partials_.clear();
  strided_.clear();
  later_.clear();
}

void TensorTable::build(std::span<const OptimizerEntry> entries) {
  ++builds_;
  clear();
  try {
    fill(entries);
  } catch (...) {
    clear();  // half a table is none
    throw;
  }
}

void TensorTable::fill(std::span<const OptimizerEntry> entries) {
  std::map<const void*, int> uses;
  for (const OptimizerEntry& entry : entries) {
    int turn = 0;
    if (entry.param->size() > 0) {  // a part of none begins where another one does
      turn = std::max(uses[entry.param->elements()]++, uses[entry.grad->elements()]++);
    }
    Group& group = group_of(entry.param->device(), entry.param->dtype(), turn);
    Tensor tensor{};
    first_.push_back(arrays_.size());
    const auto add = [&](const ndarray& array) -> void* {
      arrays_.push_back(array);
      if (array.is_none()) return nullptr;  // a state of the user's algorithm, not there yet
      return layout(array, turn).elements();
    };
    tensor.p = add(*entry.param);
    tensor.g = add(*entry.grad);
    if (entry.grad->size() >= kLarge && entry.grad->flags().c_contiguous) {
      later_.push_back(*entry.grad);
    }
    for (std::size_t i = 0; i < entry.state.size(); ++i) {
      void* const data = add(entry.state[i]);
      if (i < kernels::kMaxStates) tensor.s[i] = data;
    }
    tensor.size = entry.param->size();
    tensor.rate = rate_of(entry);
    tensor.decay = decay_of(entry);
    copies_.push_back(copy_of(*entry.param));
    if (copies_.back() != nullptr) describe_copy(*copies_.back(), tensor);
    factors_.insert(factors_.end(), {tensor.rate, tensor.decay});
    group.tensors.push_back(tensor);
  }
  std::stable_sort(groups_.begin(), groups_.end(),
                   [](const Group& a, const Group& b) { return a.turn < b.turn; });
  for (Group& group : groups_) {
    cut(group);
    if (group.device.is_cuda()) upload(group);
  }
  list_zeroed();
  for (DevicePartials& partials : partials_) {
    const cupyxx::DeviceScope scope(partials.device);
    partials.sums = cupyxx::empty({2, partials.count}, cupyxx::float64);
  }
}

void TensorTable::list_zeroed() {
  if (later_.empty()) return;
  std::unordered_set<const void*> later;
  for (const ndarray& grad : later_) later.insert(grad.elements());
  for (Group& group : groups_) {
    group.zeroed.clear();
    for (const Chunk& chunk : group.chunks) {
      const Tensor& tensor = group.tensors[static_cast<std::size_t>(chunk.tensor)];
      if (!later.contains(tensor.g)) group.zeroed.push_back(chunk);
    }
    if (!group.device.is_cuda() || group.zeroed.empty()) continue;
    const auto* const bytes = reinterpret_cast<const std::uint8_t*>(group.zeroed.data());
    const cupyxx::DeviceScope scope(group.device);
    group.zeroed_table =
        cupyxx::array(std::span<const std::uint8_t>(bytes, group.zeroed.size() * sizeof(Chunk)));
  }
}

/// Gradients whose zeros somebody has read, or added to otherwise than by a product, are set to
/// zero with the others from now on: each would be a launch of its own.
void TensorTable::leave_out_what_was_written() {
  if (cupyxx::extension::Capture::current()) return;  // which repeats no copies from the host
  if (std::erase_if(later_, cupyxx::extension::had_to_write_zeros) != 0) list_zeroed();
}

/// Chunks are small enough that a small network fills the machine, and that the last ones of a
/// large network do not keep it waiting.
void TensorTable::cut(Group& group) {
  long total = 0;
  for (const Tensor& tensor : group.tensors) total += tensor.size;
  long length = 8192;
  if (group.device.is_cuda()) {
    const int processors = cupyxx::extension::multiprocessors(group.device.index);
    length = std::clamp<long>(total / (16L * std::max(processors, 1)), 2048, 65536);
    length = (length + 1023) / 1024 * 1024;
  }
  for (std::size_t i = 0; i < group.tensors.size(); ++i) {
    const long size = group.tensors[i].size;
    for (long begin = 0; begin < size; begin += length) {
      group.chunks.push_back({static_cast<long>(i), begin, std::min(size, begin + length)});
    }
  }
}

void TensorTable::upload(Group& group) {
  const std::size_t tensor_bytes = group.tensors.size() * sizeof(Tensor);
  const std::size_t chunk_bytes = group.chunks.size() * sizeof(Chunk);
  std::vector<std::uint8_t> bytes(tensor_bytes + chunk_bytes);
  std::memcpy(bytes.data(), group.tensors.data(), tensor_bytes);
  if (chunk_bytes != 0) std::memcpy(bytes.data() + tensor_bytes, group.chunks.data(), chunk_bytes);
  {
    const cupyxx::DeviceScope scope(group.device);
    group.table = cupyxx::array(bytes);
  }
  auto at = std::find_if(partials_.begin(), partials_.end(),
                         [&](const DevicePartials& p) { return p.device == group.device; });
  if (at == partials_.end()) at = partials_.insert(at, DevicePartials{group.device});
  group.first_partial = at->count;
  at->count += static_cast<long>(group.chunks.size());
}

TensorArgs TensorTable::arguments(const Group& group) {
  TensorArgs args{};
  auto* const table = static_cast<char*>(group.table.elements());
  args.tensors = reinterpret_cast<const Tensor*>(table);
  args.chunks = reinterpret_cast<const Chunk*>(table + group.tensors.size() * sizeof(Tensor));
  for (const DevicePartials& partials : partials_) {
    if (partials.device != group.device) continue;
    args.partial = static_cast<double*>(partials.sums.elements());
    args.partials = partials.count;
  }
  args.first_partial = group.first_partial;
  if (!squares_.is_none()) {
    args.partial = static_cast<double*>(squares_.elements());
    args.partials = squares_.size();
  }
  if (!loss_scale_.is_none()) args.loss_scale = static_cast<float*>(loss_scale_.elements());
  return args;
}

void TensorTable::launch_group(const UpdateRule& rule, const Group& group, Part part) {
  const std::vector<Chunk>& chunks = part == Part::all ? group.chunks : group.zeroed;
  if (chunks.empty()) return;
  if (t_replay != nullptr && t_replay->is_running) {
    renew(*t_replay, rule);
    return;
  }
  Arguments args = {arguments(group), rule.numbers};
  args.table.maxnorm = rule.maxnorm;
  if (part == Part::zeroed) {
    args.table.chunks = static_cast<const Chunk*>(group.zeroed_table.elements());
  }
  const auto& kernel = rule.maxnorm >= 0 ? *rule.family->clipped : rule.family->kernel;
  kernel.launch_with(group.dtype, {.grid_x = static_cast<unsigned>(chunks.size()), .block_x = 256},
                     &args, {&group.table, &group.zeroed_table, &loss_scale_, &squares_});
  // The table's arrays are used on this stream as well.
  void* const stream = cupyxx::extension::current_stream(group.device.index);
  for (const ndarray& array : arrays_) {
    if (array.is_none() || array.device() != group.device) continue;
    if (!cupyxx::extension::has_unwritten_zeros(array)) cupyxx::extension::note_use(array, stream);
  }
  for (const auto& copy : copies_) {
    if (copy != nullptr && copy->array.device() == group.device) {
      cupyxx::extension::note_use(copy->array, stream);
    }
  }
  if (t_replay != nullptr) note(t_replay, rule, group.device, args);
}

void TensorTable::gather(int turn) {
  for (const Strided& s : strided_) {
    if (s.turn == turn) s.copy.set(s.array);
  }
}

void TensorTable::scatter(int turn) {
  for (const Strided& s : strided_) {
    if (s.turn == turn) s.array.set(s.copy);
  }
}

void TensorTable::write_copies_on_host() {
  for (std::size_t i = 0; i < copies_.size(); ++i) {
    const ndarray& param = arrays_[first_[i]];
    if (copies_[i] != nullptr && param.device().is_cpu()) copies_[i]->array.set(param);
  }
}

void TensorTable::run(const UpdateRule& rule) {
  run_over(Part::all, rule);
  if (rule.family->touches.writes_param) leave_out_what_was_written();
}

void TensorTable::zero_grads() {
  leave_out_what_was_written();  // updates may be another table's, where parameters are frozen
  const UpdateRule rule = UpdateRule::of<kernels::ZeroGrad>({});
  const bool zeroes_later = !later_.empty() && std::all_of(later_.begin(), later_.end(),
                                                           cupyxx::extension::may_be_zeroed_later);
  if (!zeroes_later) return run(rule);
  for (const ndarray& grad : later_) cupyxx::extension::zero_later(grad);
  run_over(Part::zeroed, rule);
}

/// Before kernels read gradients that nobody has asked for since they were set to zero.
void TensorTable::write_owed_zeros() {
  for (const ndarray& grad : later_) static_cast<void>(grad.elements());
}

void TensorTable::run_over(Part part, const UpdateRule& rule) {
  if (part == Part::all) write_owed_zeros();
  const kernels::Touches& touches = rule.family->touches;
  for (std::size_t i = 0; i < first_.size(); ++i) {
    const ndarray &param = arrays_[first_[i]], &grad = arrays_[first_[i] + 1];
    if (touches.writes_param) cupyxx::extension::note_write(param);
    if (part == Part::zeroed && cupyxx::extension::has_unwritten_zeros(grad)) continue;
    if (touches.writes_grad || rule.maxnorm >= 0) cupyxx::extension::note_write(grad);
    if (!touches.writes_param || copies_[i] == nullptr) continue;
    if (param.device().is_cuda()) cupyxx::extension::note_write(copies_[i]->array);
  }
  for (const Group& group : groups_) {
    gather(group.turn);
    if (group.device.is_cpu()) {
      const float* const loss_scale =
          loss_scale_.is_none() ? nullptr : static_cast<float*>(loss_scale_.elements());
      if (touches.writes_param && kernels::is_skipped(loss_scale)) continue;
      rule.family->run(group.dtype, group.tensors.data(),
                       part == Part::all ? group.chunks : group.zeroed, rule.numbers.bytes);
    } else {
      if (rule.family->before != nullptr) {
        UpdateRule before = rule;
        before.family = rule.family->before;
        launch_group(before, group);
      }
      launch_group(rule, group, part);
    }
    scatter(group.turn);
  }
  if (!touches.writes_param) return;
  write_copies_on_host();
  for (std::size_t i = 0; i < copies_.size(); ++i) {
    if (copies_[i] != nullptr) copies_[i]->mark(arrays_[first_[i]]);
  }
}

void TensorTable::launch_squares() {
  write_owed_zeros();
  for (const Group& group : groups_) {
    gather(group.turn);
    if (group.device.is_cuda()) launch_group({kSquaresFamily, kernels::ZeroGrad<double>{}}, group);
  }
}

/// The sums of the ranks, each over its part; none where gradients are whole.
ndarray TensorTable::squares_of_ranks() {
  ndarray all;
  with_exchange([&](GradientExchange& exchange) {
    const cupyxx::DeviceScope scope(partials_[0].device);
    all = exchange.gather(partials_[0].sums(0).sum());
  });
  return all;
}

double TensorTable::sum_of_squares() {
  launch_squares();
  double sum = 0;
  for (const Group& group : groups_) {
    if (group.device.is_cpu()) {
      sum += internal::sum_of_squares(group.dtype, group.tensors.data(), group.chunks);
    }
  }
  for (const DevicePartials& partials : partials_) {
    for (const double partial : partials.sums(0).to_vector<double>()) sum += partial;
  }
  with_exchange([&](GradientExchange& exchange) { sum = exchange.sum(sum); });
  return sum;
}

bool TensorTable::is_on_one_gpu() const {
  return partials_.size() == 1 &&
         std::all_of(groups_.begin(), groups_.end(),
                     [](const Group& group) { return group.device.is_cuda(); });
}

bool TensorTable::can_clip_in(const UpdateRule& rule) const {
  // Memory that two tensors share would be scaled twice, after the first has used it.
  return is_on_one_gpu() && rule.family->clipped != nullptr &&
         std::all_of(groups_.begin(), groups_.end(),
                     [](const Group& group) { return group.turn == 0; });
}

void TensorTable::clip_and_run(double maxnorm, UpdateRule rule) {
  launch_squares();
  rule.maxnorm = maxnorm;
  run_by_squares_of_ranks(rule);
}

/// Runs a rule that reads the squares of all ranks. Without them again, also behind an exception,
/// squares of later gradients are written where there is room for them.
void TensorTable::run_by_squares_of_ranks(const UpdateRule& rule) {
  struct Reset {
    ~Reset() { squares = ndarray(); }
    ndarray& squares;
  } const reset{squares_};
  squares_ = squares_of_ranks();
  run(rule);
}

void TensorTable::clip(double maxnorm) {
  if (!is_on_one_gpu()) {
    const double norm = std::sqrt(sum_of_squares());
    if (norm > maxnorm) run(UpdateRule::of<kernels::ScaleGrad>({.factor = maxnorm / norm}));
    return;
  }
  launch_squares();
  run_by_squares_of_ranks({kClipFamily, kernels::Clip{maxnorm}});
}

}  // namespace chainerxx::internal
