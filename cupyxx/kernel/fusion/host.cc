// SPDX-License-Identifier: MIT
// A recording on the host: block after block that fits the first cache goes through the same loops
// that the operations use alone, so that the bits are the same and no compiler is needed.
#include <algorithm>
#include <cstring>
#include <new>

#include "cupyxx/core/arrays.h"
#include "cupyxx/core/order_k.h"
#include "cupyxx/internal/collapse_axes.h"
#include "cupyxx/internal/cpu/arch.h"
#include "cupyxx/internal/cpu/elementwise/cast.h"
#include "cupyxx/internal/cpu/elementwise/special_loops.h"
#include "cupyxx/internal/cpu/elementwise/stream_store.h"
#include "cupyxx/internal/cpu/parallel.h"
#include "cupyxx/kernel/fusion/trace.h"

namespace cupyxx::internal::fusion {
namespace {

constexpr std::int64_t kBlock = 1024;  // elements; a multiple of every vector's
constexpr std::int64_t kMaxItem = 16;
constexpr std::int64_t kStreamBytes = std::int64_t{4} << 20;  // results above this bypass caches

// Where the elements of a value are.
struct Wire {
  char* data = nullptr;
  std::int64_t stride = 0;  // 0: one element for all
};

struct alignas(8) Cell {
  char bytes[16];
};

struct Job {
  const Trace& trace;
  std::vector<ndarray> outputs;
  std::vector<Cell> immediates;  // in the order of trace.immediates
  std::vector<Cell> uniform;     // one element per value
  std::vector<bool> is_uniform;  // values of one element among larger ones
  std::vector<int> slot;         // buffer of a value; -1: none
  int slots = 0;
  std::vector<bool> streams;  // per output
  // Outputs, then arrays.
  int ndim = 0;
  std::int64_t size = 1;
  std::int64_t shape[kMaxNdim];
  std::vector<char*> base;
  std::unique_ptr<std::int64_t[][kMaxNdim]> strides;
};

// Memory of one thread.
class Buffers {
 public:
  explicit Buffers(int count)
      : memory_(static_cast<char*>(::operator new(
            static_cast<std::size_t>(std::max(1, count) * kBlock * kMaxItem), kAlignment))) {}
  ~Buffers() { ::operator delete(memory_, kAlignment); }
  Buffers(const Buffers&) = delete;
  Buffers& operator=(const Buffers&) = delete;
  char* operator[](int k) const { return memory_ + k * kBlock * kMaxItem; }

 private:
  static constexpr std::align_val_t kAlignment{64};
  char* memory_;
};

constexpr int kScratch = 5;  // casts of one step's operands

// One step over `count` elements. `immediate` counts the numbers met so far.
void run_step(const Job& job, const Step& step, std::size_t& immediate, std::vector<Wire>& wires,
              const Buffers& scratch, std::int64_t count) {
  char* data[5];
  std::int64_t strides[5];
  dtype computed[5];
  alignas(16) char numbers[kMaxInputs][16];
  for (int k = 0; k < step.nout; ++k) {
    computed[k] = step.op != nullptr ? step.op->loops[step.loop].compute_out[k] : step.out_type[k];
    const Wire& wire = wires[static_cast<std::size_t>(step.out[k])];
    const bool casts = computed[k] != step.out_type[k];
    data[k] = casts ? scratch[k] : wire.data;
    strides[k] = casts ? computed[k].itemsize() : wire.stride;
  }
  for (int i = 0; i < step.nin; ++i) {
    const int k = step.nout + i;
    computed[k] = step.op != nullptr ? step.op->loops[step.loop].compute_in[i] : step.in_type[i];
    const bool is_number = job.trace.is_number(step.in[i]);
    Wire wire;
    dtype type = step.in_type[i];
    if (is_number) {
      wire.data = const_cast<char*>(job.immediates[immediate++].bytes);
    } else {
      wire = wires[static_cast<std::size_t>(step.in[i])];
      type = job.trace.value(step.in[i]).type;
      if (job.trace.value(step.in[i]).of_numbers && type != step.in_type[i]) {
        // One for all elements, rounded to the type that a number would have here.
        char* const pair[] = {numbers[i], wire.data};
        const std::int64_t pair_strides[] = {0, 0};
        type = step.in_type[i];
        cpu::cast_loop(job.trace.value(step.in[i]).type, type)(pair, pair_strides, 1);
        wire = {numbers[i], 0};
      }
    }
    if (type != computed[k]) {
      char* const pair[] = {scratch[k], wire.data};
      const std::int64_t pair_strides[] = {computed[k].itemsize(), wire.stride};
      cpu::cast_loop(type, computed[k])(pair, pair_strides, wire.stride == 0 ? 1 : count);
      wire = {scratch[k], wire.stride == 0 ? 0 : computed[k].itemsize()};
    }
    data[k] = wire.data;
    strides[k] = wire.stride;
  }
  if (step.op != nullptr) {
    // The loop that the operation has by itself: the same bits.
    const LoopFn loop = cpu::best_loop(*step.op, step.loop, cpu::arch(), nullptr, {});
    loop(data, strides, count);
  } else {
    cpu::cast_loop(step.in_type[0], step.out_type[0])(data, strides, count);
  }
  for (int k = 0; k < step.nout; ++k) {
    if (computed[k] == step.out_type[k]) continue;
    const Wire& wire = wires[static_cast<std::size_t>(step.out[k])];
    char* const pair[] = {wire.data, scratch[k]};
    const std::int64_t pair_strides[] = {wire.stride, computed[k].itemsize()};
    cpu::cast_loop(computed[k], step.out_type[k])(pair, pair_strides, count);
  }
}

bool is_uniform(const Job& job, const Step& step) {
  return job.is_uniform[static_cast<std::size_t>(step.out[0])];
}

// One row of a block: `at` are the outputs and arrays.
void run_block(const Job& job, const std::vector<char*>& at, const std::vector<std::int64_t>& step,
               std::vector<Wire>& wires, const Buffers& slots, const Buffers& scratch,
               std::int64_t count) {
  const Trace& trace = job.trace;
  const std::size_t nout = trace.outputs.size();
  for (std::size_t v = 0; v < trace.values.size(); ++v) {
    if (job.slot[v] >= 0 && !job.is_uniform[v])
      wires[v] = {slots[job.slot[v]], trace.values[v].type.itemsize()};
  }
  for (std::size_t k = 0; k < trace.arrays.size(); ++k) {
    wires[static_cast<std::size_t>(trace.arrays[k])] = {at[nout + k], step[nout + k]};
  }
  for (std::size_t k = nout; k-- > 0;) {
    if (!job.streams[k]) wires[static_cast<std::size_t>(trace.outputs[k])] = {at[k], step[k]};
  }
  std::size_t immediate = 0;
  for (const Step& s : trace.steps) {
    if (is_uniform(job, s)) {
      for (int i = 0; i < s.nin; ++i) immediate += trace.is_number(s.in[i]) ? 1 : 0;
      continue;
    }
    run_step(job, s, immediate, wires, scratch, count);
  }
  for (std::size_t k = 0; k < nout; ++k) {
    const Wire& wire = wires[static_cast<std::size_t>(trace.outputs[k])];
    if (wire.data == at[k]) continue;
    const dtype type = trace.value(trace.outputs[k]).type;
    if (job.streams[k]) {
      cpu::stream_store(at[k], wire.data, static_cast<std::size_t>(count * type.itemsize()));
    } else {  // the same value twice
      char* const pair[] = {at[k], wire.data};
      const std::int64_t strides[] = {step[k], wire.stride};
      cpu::cast_loop(type, type)(pair, strides, count);
    }
  }
}

void run_range(const Job& job, std::int64_t begin, std::int64_t end) {
  const std::size_t operands = job.base.size();
  const Buffers slots(job.slots);
  const Buffers scratch(kScratch);
  std::vector<Wire> wires(job.trace.values.size());
  for (std::size_t v = 0; v < wires.size(); ++v) {
    if (job.is_uniform[v]) wires[v] = {const_cast<char*>(job.uniform[v].bytes), 0};
  }
  std::vector<char*> at(operands);
  std::vector<std::int64_t> step(operands);
  const int inner = job.ndim - 1;
  std::int64_t index[kMaxNdim] = {};
  std::int64_t rest = begin;
  for (int axis = inner; axis >= 0; --axis) {
    index[axis] = rest % job.shape[axis];
    rest /= job.shape[axis];
  }
  for (std::int64_t done = begin; done < end;) {
    const std::int64_t row = inner < 0 ? 1 : std::min(job.shape[inner] - index[inner], end - done);
    for (std::int64_t from = 0; from < row; from += kBlock) {
      const std::int64_t count = std::min(kBlock, row - from);
      for (std::size_t k = 0; k < operands; ++k) {
        at[k] = job.base[k];
        for (int axis = 0; axis <= inner; ++axis) at[k] += index[axis] * job.strides[k][axis];
        step[k] = inner < 0 ? 0 : job.strides[k][inner];
        at[k] += from * step[k];
      }
      run_block(job, at, step, wires, slots, scratch, count);
    }
    done += row;
    if (inner < 0) break;
    index[inner] = 0;
    for (int axis = inner - 1; axis >= 0; --axis) {
      if (++index[axis] < job.shape[axis]) break;
      index[axis] = 0;
    }
  }
  if (std::find(job.streams.begin(), job.streams.end(), true) != job.streams.end()) {
    cpu::stream_fence();
  }
}

// Buffers by life: a value's is free again after its last use.
void assign_slots(Job& job) {
  const Trace& trace = job.trace;
  std::vector<std::size_t> last(trace.values.size(), 0);
  for (std::size_t s = 0; s < trace.steps.size(); ++s) {
    const Step& step = trace.steps[s];
    for (int i = 0; i < step.nin; ++i) last[static_cast<std::size_t>(step.in[i])] = s;
    // A second result that nobody reads lives during its step.
    for (int k = 0; k < step.nout; ++k) last[static_cast<std::size_t>(step.out[k])] = s;
  }
  for (const int output : trace.outputs) {
    last[static_cast<std::size_t>(output)] = trace.steps.size();
  }
  std::vector<int> free;
  job.slot.assign(trace.values.size(), -1);
  for (std::size_t s = 0; s < trace.steps.size(); ++s) {
    const Step& step = trace.steps[s];
    for (int k = 0; k < step.nout; ++k) {
      if (free.empty()) free.push_back(job.slots++);
      job.slot[static_cast<std::size_t>(step.out[k])] = free.back();
      free.pop_back();
    }
    for (std::size_t v = 0; v < trace.values.size(); ++v) {
      if (last[v] == s && job.slot[v] >= 0) free.push_back(job.slot[v]);
    }
    // Nothing is freed twice.
    for (std::size_t v = 0; v < trace.values.size(); ++v) {
      if (last[v] == s) last[v] = trace.steps.size() + 1;
    }
  }
}

void fill_immediates(Job& job, std::span<const Operand> arguments) {
  std::size_t k = 0;
  job.immediates.resize(job.trace.immediates.size());
  for (const Step& step : job.trace.steps) {
    for (int i = 0; i < step.nin; ++i) {
      if (!job.trace.is_number(step.in[i])) continue;
      const Immediate& immediate = job.trace.immediates[k];
      const Scalar& number = job.trace.number(immediate.value, arguments);
      (immediate.as_truth ? Scalar(number.is_true()) : number)
          .store(step.name(), immediate.type, job.immediates[k].bytes);
      ++k;
    }
  }
}

// Values that are one element where the result has more: computed once.
void run_uniform(Job& job, std::span<const Operand> arguments, std::int64_t size) {
  const Trace& trace = job.trace;
  job.is_uniform.assign(trace.values.size(), false);
  job.uniform.resize(trace.values.size());
  if (size == 1) return;
  std::vector<Wire> wires(trace.values.size());
  for (std::size_t v = 0; v < wires.size(); ++v) wires[v] = {job.uniform[v].bytes, 0};
  for (const int array : trace.arrays) {
    const auto v = static_cast<std::size_t>(array);
    const ndarray& a = arguments[static_cast<std::size_t>(trace.values[v].argument)].array();
    if (a.size() != 1) continue;
    job.is_uniform[v] = true;
    std::memcpy(job.uniform[v].bytes, a.elements(), static_cast<std::size_t>(a.itemsize()));
  }
  const Buffers scratch(kScratch);
  std::size_t immediate = 0;
  for (const Step& step : trace.steps) {
    bool uniform = true;
    for (int i = 0; i < step.nin; ++i) {
      uniform &=
          trace.is_number(step.in[i]) || job.is_uniform[static_cast<std::size_t>(step.in[i])];
    }
    if (uniform) {
      run_step(job, step, immediate, wires, scratch, 1);
    } else {
      for (int i = 0; i < step.nin; ++i) immediate += trace.is_number(step.in[i]) ? 1 : 0;
    }
    for (int k = 0; k < step.nout; ++k) {
      job.is_uniform[static_cast<std::size_t>(step.out[k])] = uniform;
    }
  }
}

}  // namespace

std::string host_reason(const Trace& trace, std::span<const Operand> arguments,
                        const Shape& shape) {
  if (!trace.depends_on_place) return "";
  const Body* first = nullptr;
  for (const int array : trace.arrays) {
    const ndarray& a = arguments[static_cast<std::size_t>(trace.value(array).argument)].array();
    if (a.size() == 1 && shape.element_count() != 1) continue;  // one number for all
    if (first == nullptr) first = a.body();
    if (!(a.shape() == shape) || !same_dense_layout(*a.body(), *first)) {
      return "the host's vector functions round by place, and an array has gaps, lies otherwise "
             "than "
             "another or broadcasts";
    }
  }
  return "";
}

std::vector<ndarray> run_on_host(const Trace& trace, std::span<const Operand> arguments,
                                 const Shape& shape) {
  Job job{trace, {}, {}, {}, {}, {}, 0, {}, 0, 1, {}, {}, {}};
  fill_immediates(job, arguments);
  run_uniform(job, arguments, shape.element_count());
  std::vector<const Body*> layouts;
  for (const int array : trace.arrays) {
    layouts.push_back(
        arguments[static_cast<std::size_t>(trace.value(array).argument)].array().body());
  }
  for (const int output : trace.outputs) {
    job.outputs.push_back(
        make_kept(trace.name.c_str(), shape, trace.value(output).type, Device::cpu(), layouts));
  }
  job.ndim = shape.ndim();
  job.size = shape.element_count();
  if (job.size == 0) return job.outputs;
  for (int axis = 0; axis < job.ndim; ++axis) job.shape[axis] = shape[axis];
  const std::size_t operands = trace.outputs.size() + trace.arrays.size();
  job.strides = std::make_unique<std::int64_t[][kMaxNdim]>(operands);
  const auto add = [&](const ndarray& a) {
    const Body* body = a.body();
    std::int64_t* strides = job.strides[job.base.size()];
    const int offset = job.ndim - body->ndim;
    for (int axis = 0; axis < body->ndim; ++axis) {
      strides[offset + axis] = body->shape[axis] == 1 ? 0 : body->strides[axis];
    }
    job.base.push_back(body->data);
  };
  for (const ndarray& output : job.outputs) add(output);
  for (const int array : trace.arrays) {
    add(arguments[static_cast<std::size_t>(trace.value(array).argument)].array());
  }
  job.ndim =
      collapse_axes(job.ndim, job.shape, job.strides.get(), static_cast<int>(operands), false);
  assign_slots(job);
  for (std::size_t k = 0; k < job.outputs.size(); ++k) {
    const dtype type = job.outputs[k].dtype();
    job.streams.push_back(job.ndim == 1 && job.strides[k][0] == type.itemsize() &&
                          job.size * type.itemsize() >= kStreamBytes && !trace.reduces);
  }
  cpu::parallel_for(job.size, cpu::kGrain,
                    [&](std::int64_t begin, std::int64_t end) { run_range(job, begin, end); });
  return job.outputs;
}

}  // namespace cupyxx::internal::fusion
