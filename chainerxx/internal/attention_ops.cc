// SPDX-License-Identifier: MIT
#include "chainerxx/internal/attention_ops.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "chainerxx/internal/array_ops.h"
#include "chainerxx/internal/gpu/attention.h"
#include "chainerxx/internal/kernel_library.h"
#include "chainerxx/internal/kernels/attention_args.h"
#include "chainerxx/internal/kernels/attention_weights.h"
#include "cupyxx/creation.h"
#include "cupyxx/cuda/device.h"
#include "cupyxx/extension/capture.h"
#include "cupyxx/extension/cuda_call.h"
#include "cupyxx/manipulation.h"

namespace chainerxx::internal {
namespace {

using cupyxx::Shape;
using kernels::AttentionArgs;
using kernels::AttentionOperand;

constexpr int kBlockRows = 64;  // 16 for each warp; forward's have row_tiles as many

/// The kernels for heads up to a depth, without and with masks and dropout.
struct AttentionKernels {
  int depth;
  int row_tiles, row_tiles_of_extras;
  Kernel<AttentionArgs> forward[2], grad_query[2], grad_key[2];

  /// Of `tiles` tiles of 64 rows, which are padded by 16 bytes.
  unsigned shared_bytes(int tiles, std::int64_t itemsize) const {
    return static_cast<unsigned>(tiles * 64 * (itemsize * depth + 16));
  }
};

constexpr const char* kForward = "attention_forward.h";
constexpr const char* kGrad = "attention_grad.h";
constexpr unsigned kThreads = 128;

const AttentionKernels kAttention[] = {
    {32,
     2,
     1,
     {{kLibrary, "attention_32", kForward, "attention_forward<T, 32, 2, false>", kThreads},
      {kLibrary, "attention_32_masked", kForward, "attention_forward<T, 32, 1, true>", kThreads}},
     {{kLibrary, "attention_grad_query_32", kGrad, "attention_grad_query<T, 32, false>", kThreads},
      {kLibrary, "attention_grad_query_32_masked", kGrad, "attention_grad_query<T, 32, true>",
       kThreads}},
     {{kLibrary, "attention_grad_key_32", kGrad, "attention_grad_key<T, 32, false>", kThreads},
      {kLibrary, "attention_grad_key_32_masked", kGrad, "attention_grad_key<T, 32, true>",
       kThreads}}},
    {64,
     2,
     1,
     {{kLibrary, "attention_64", kForward, "attention_forward<T, 64, 2, false>", kThreads},
      {kLibrary, "attention_64_masked", kForward, "attention_forward<T, 64, 1, true>", kThreads}},
     {{kLibrary, "attention_grad_query_64", kGrad, "attention_grad_query<T, 64, false>", kThreads},
      {kLibrary, "attention_grad_query_64_masked", kGrad, "attention_grad_query<T, 64, true>",
       kThreads}},
     {{kLibrary, "attention_grad_key_64", kGrad, "attention_grad_key<T, 64, false>", kThreads},
      {kLibrary, "attention_grad_key_64_masked", kGrad, "attention_grad_key<T, 64, true>",
       kThreads}}},
    {128,
     1,
     1,
     {{kLibrary, "attention_128", kForward, "attention_forward<T, 128, 1, false>", kThreads},
      {kLibrary, "attention_128_masked", kForward, "attention_forward<T, 128, 1, true>", kThreads}},
     {{kLibrary, "attention_grad_query_128", kGrad, "attention_grad_query<T, 128, false>",
       kThreads},
      {kLibrary, "attention_grad_query_128_masked", kGrad, "attention_grad_query<T, 128, true>",
       kThreads}},
     {{kLibrary, "attention_grad_key_128", kGrad, "attention_grad_key<T, 128, false>", kThreads},
      {kLibrary, "attention_grad_key_128_masked", kGrad, "attention_grad_key<T, 128, true>",
       kThreads}}}};
constexpr unsigned kNumbers = 2 * 2 * 64 * sizeof(float);  // log_sums and deltas, two stages
constexpr int kMostTiles = 6;                              // of the gradients

/// The first that is deep enough; for float32 there is none for less than 64 (kHasAttention).
const AttentionKernels& kernels_for(std::int64_t depth, cupyxx::dtype dtype) {
  const std::int64_t least = dtype == cupyxx::float32 ? 64 : 0;
  return *std::find_if(
      std::begin(kAttention), std::end(kAttention),
      [&](const AttentionKernels& k) { return std::max(depth, least) <= k.depth; });
}

/// Heads as deep as blocks of a device have shared memory for; 0 without tensor cores for bfloat16.
std::int64_t deepest_on(cupyxx::Device device, cupyxx::dtype dtype) {
  if (std::stoi(cupyxx::cuda::Device(device.index).compute_capability()) < 80) return 0;
  const std::size_t room = cupyxx::extension::shared_memory(device.index);
  std::int64_t deepest = 0;
  for (const AttentionKernels& k : kAttention) {
    if (k.shared_bytes(kMostTiles, dtype.itemsize()) + kNumbers <= room) deepest = k.depth;
  }
  return dtype == cupyxx::float32 && deepest < 64 ? 0 : deepest;
}

/// The elements of 16 bytes.
std::int64_t pack_of(const ndarray& x) { return 16 / x.itemsize(); }
std::int64_t padded_depth(const ndarray& x) {
  return (x.shape()[3] + pack_of(x) - 1) / pack_of(x) * pack_of(x);
}

/// Whether kernels can read an array (batch, heads, rows, depth) where it is.
bool is_readable(const ndarray& x) {
  const Shape shape = x.shape(), strides = x.strides();
  if (shape[3] != padded_depth(x) || (strides[3] != x.itemsize() && shape[3] > 1)) return false;
  if (reinterpret_cast<std::uintptr_t>(x.elements()) % 16 != 0) return false;
  for (int axis = 0; axis < 3; ++axis) {
    if (strides[axis] % 16 != 0) return false;
  }
  return true;
}

ndarray readable(const ndarray& x) {
  if (x.size() == 0 || is_readable(x)) return x;
  const Shape shape = x.shape();
  const ndarray copy = empty_heads(x, shape);
  copy.set(x);
  const std::int64_t padded = padded_depth(x);
  if (shape[3] == padded) return copy;
  // The columns beyond the depth are multiplied, too.
  const ndarray wide = cupyxx::zeros({shape[0], shape[2], shape[1], padded}, x.dtype());
  wide(cupyxx::ellipsis, cupyxx::slice(0, shape[3])).set(copy.transpose({0, 2, 1, 3}));
  return wide.transpose({0, 2, 1, 3});
}

AttentionOperand operand(const ndarray& x) {
  const Shape strides = x.strides();
  const std::int64_t size = x.itemsize();
  return {x.elements(), strides[0] / size, strides[1] / size, strides[2] / size};
}

template <class Args>
void set_mask(Args& args, const ndarray& mask) {
  if (mask.is_none()) return;
  const Shape strides = mask.strides();
  args.mask = static_cast<const bool*>(mask.elements());
  args.mask_batch = strides[0];
  args.mask_head = strides[1];
  args.mask_query = strides[2];
  args.mask_key = strides[3];
}

AttentionArgs arguments(const AttentionOperands& in, const AttentionForm& form) {
  AttentionArgs args{};
  const Shape query = in.query.shape(), value = in.value.shape();
  args.query = operand(in.query);
  args.key = operand(in.key);
  args.value = operand(in.value);
  set_mask(args, form.mask);
  args.heads = static_cast<int>(query[1]);
  args.queries = static_cast<int>(query[2]);
  args.keys = static_cast<int>(value[2]);
  args.depth = static_cast<int>(query[3]);
  args.width = static_cast<int>(value[3]);
  args.is_causal = form.is_causal;
  args.scale = static_cast<float>(form.scale);
  args.exponent_scale = static_cast<float>(form.scale * 1.4426950408889634);
  args.ratio = static_cast<float>(form.ratio);
  args.keep_scale = static_cast<float>(1 / (1 - form.ratio));
  args.state = form.state;
  return args;
}

/// For `rows` rows of all heads, `block_rows` to a block.
void launch(const Kernel<AttentionArgs>& kernel, AttentionArgs args, std::int64_t heads, int rows,
            int block_rows, unsigned shared_bytes, std::initializer_list<const ndarray*> arrays) {
  args.blocks = (rows + block_rows - 1) / block_rows;
  const Grid grid{.grid_x = static_cast<unsigned>(args.blocks * heads),
                  .block_x = kThreads,
                  .shared_bytes = shared_bytes};
  const ndarray& first = **arrays.begin();
  kernel.launch(first.dtype(), grid, args, arrays);
  if (args.ratio == 0) return;
  // In a capture each run draws another mask.
  const auto capture = cupyxx::extension::Capture::on(first.device().index);
  if (!capture) return;
  const auto place = capture.random_place(args.state);
  if (!place) return;
  capture.vary(args, [place](AttentionArgs& fresh) { fresh.state = place(); });
}

using kernels::AttentionWeightsArgs;
const Kernel<AttentionWeightsArgs> kWeights{kLibrary, "attention_weights", "attention_weights.h",
                                            "attention_weights<T>", 256};
const Kernel<AttentionWeightsArgs> kWeightsGrad{
    kLibrary, "attention_weights_grad", "attention_weights.h", "attention_weights_grad<T>", 256};

/// A warp for each row of (..., queries, keys).
ndarray launch_rows(const Kernel<AttentionWeightsArgs>& kernel, const ndarray& input,
                    const ndarray& gy, const AttentionForm& form) {
  const ndarray x = contiguous(input);
  const ndarray out = empty_beside(x, x.shape(), x.dtype());
  if (x.size() == 0) return out;
  const Shape shape = x.shape();
  AttentionWeightsArgs args{};
  args.x = x.elements();
  args.gy = gy.is_none() ? nullptr : gy.elements();
  args.out = out.elements();
  args.heads = 1;
  set_mask(args, form.mask);
  if (!form.mask.is_none()) {
    args.heads = static_cast<int>(form.mask.shape()[1]);
  }
  args.keys = static_cast<int>(shape.back());
  args.queries = static_cast<int>(shape[shape.ndim() - 2]);
  args.rows = x.size() / args.keys;
  args.is_causal = form.is_causal;
  args.scale = form.scale;
  kernel.launch(x.dtype(), grid_for(args.rows * 32, 1u << 20), args, {&x, &gy, &out, &form.mask});
  return out;
}

bool is_extra(const AttentionForm& form) { return !form.mask.is_none() || form.ratio != 0; }

/// Where a kernel may write what an array is to hold: the array, or one that is copied behind.
ndarray writable(const ndarray& x) {
  if (is_readable(x)) return x;
  const Shape shape = x.shape();
  return empty_heads(x, {shape[0], shape[1], shape[2], padded_depth(x)});
}
void finish(const ndarray& x, const ndarray& written) {
  if (written.elements() == x.elements()) return;
  x.set(written(cupyxx::ellipsis, cupyxx::slice(0, x.shape()[3])));
}

/// For cuDNN.
gpu::AttentionCall call_of(const AttentionOperands& x, const AttentionForm& form) {
  return {x.query, x.key, x.value, form.scale, form.is_causal};
}
bool is_for_library(const AttentionOperands& x, const AttentionForm& form) {
  return !is_extra(form) && x.query.itemsize() == 2 && gpu::is_attention_worth(call_of(x, form));
}

/// Our own kernels of the gradients, for arrays that they can read and write.
void launch_gradients(const AttentionOperands& x, const AttentionResult& result, const ndarray& gy,
                      const AttentionForm& form, const AttentionOperands& out) {
  constexpr float kLog2E = 1.4426950408889634f;
  const ndarray &y = result.y, &logs = result.sums.logs;
  const ndarray base_2_sums = cupyxx::empty_like(logs), deltas = cupyxx::empty_like(logs);
  AttentionArgs args = arguments(x, form);
  args.y = operand(y);
  args.grad_y = operand(gy);
  args.grad_query = operand(out.query);
  args.grad_key = operand(out.key);
  args.grad_value = operand(out.value);
  args.log_sums = static_cast<float*>(logs.elements());
  args.log_factor = result.sums.is_natural ? kLog2E : 1.0f;
  args.base_2_sums = static_cast<float*>(base_2_sums.elements());
  args.deltas = static_cast<float*>(deltas.elements());
  const AttentionKernels& kernels = kernels_for(std::max(args.depth, args.width), y.dtype());
  const bool extra = is_extra(form);
  const Shape query = x.query.shape();
  const std::int64_t heads = query[0] * query[1];
  const unsigned shared_bytes = kernels.shared_bytes(kMostTiles, y.itemsize());
  launch(
      kernels.grad_query[extra], args, heads, args.queries, kBlockRows, shared_bytes,
      {&x.query, &x.key, &x.value, &y, &gy, &logs, &base_2_sums, &deltas, &form.mask, &out.query});
  launch(
      kernels.grad_key[extra], args, heads, args.keys, kBlockRows, shared_bytes + kNumbers,
      {&x.query, &x.key, &x.value, &gy, &base_2_sums, &deltas, &form.mask, &out.key, &out.value});
}

}  // namespace

bool has_fused_attention(cupyxx::Device device, cupyxx::dtype dtype, std::int64_t depth,
                         std::int64_t width, double scale) {
  if (device.is_cpu() || dtype == cupyxx::float64 || !kLibrary.has(dtype)) return false;
  if (depth == 0) return false;  // all weights are equal; products of nothing know it
  // The largest score is that of the largest product.
  if (!(scale > 0) || !std::isfinite(scale)) return false;
  return std::max(depth, width) <= deepest_on(device, dtype);
}

ndarray empty_heads(const ndarray& beside, const Shape& shape) {
  return empty_beside(beside, {shape[0], shape[2], shape[1], shape[3]}, beside.dtype())
      .transpose({0, 2, 1, 3});
}

AttentionResult attention(const AttentionOperands& in, const AttentionForm& form, bool with_sums) {
  const Shape query = in.query.shape();
  const Shape shape{query[0], query[1], query[2], in.value.shape()[3]};
  AttentionResult out{empty_heads(in.query, shape), {}};
  if (with_sums) {
    out.sums.logs = empty_beside(in.query, {query[0], query[1], query[2]}, cupyxx::float32);
  }
  if (out.y.size() == 0) return out;
  const AttentionOperands read{readable(in.query), readable(in.key), readable(in.value)};
  const ndarray y = writable(out.y);
  if (is_for_library(read, form) && gpu::attention_forward(call_of(read, form), y, out.sums.logs)) {
    out.sums.is_natural = true;
    finish(out.y, y);
    return out;
  }
  AttentionArgs args = arguments(read, form);
  args.y = operand(y);
  if (with_sums) args.log_sums = static_cast<float*>(out.sums.logs.elements());
  const AttentionKernels& kernels = kernels_for(std::max(args.depth, args.width), y.dtype());
  const bool extra = is_extra(form);
  const int row_tiles = extra ? kernels.row_tiles_of_extras : kernels.row_tiles;
  launch(kernels.forward[extra], args, query[0] * query[1], args.queries, row_tiles * kBlockRows,
         kernels.shared_bytes(row_tiles + 4, y.itemsize()),
         {&read.query, &read.key, &read.value, &y, &out.sums.logs, &form.mask});
  finish(out.y, y);
  return out;
}

void attention_grad(const AttentionOperands& in, const AttentionResult& result, const ndarray& gy,
                    const AttentionForm& form, const AttentionOperands& out) {
  if (result.y.size() == 0 || in.key.size() == 0) {
    out.query.fill(0);
    out.key.fill(0);
    out.value.fill(0);
    return;
  }
  const AttentionOperands read{readable(in.query), readable(in.key), readable(in.value)};
  const AttentionOperands written{writable(out.query), writable(out.key), writable(out.value)};
  const ndarray y = readable(result.y), grad_y = readable(gy);
  if (!result.sums.is_natural || !gpu::attention_backward(call_of(read, form), y, result.sums.logs,
                                                          grad_y, call_of(written, form))) {
    launch_gradients(read, {y, result.sums}, grad_y, form, written);
  }
  finish(out.query, written.query);
  finish(out.key, written.key);
  finish(out.value, written.value);
}

ndarray attention_weights(const ndarray& scores, const AttentionForm& form) {
  return launch_rows(kWeights, scores, {}, form);
}

ndarray attention_weights_grad(const ndarray& weights, const ndarray& gy,
                               const AttentionForm& form) {
  return launch_rows(kWeightsGrad, weights, contiguous(gy), form);
}

std::int64_t attention_blocks(std::int64_t rows, std::int64_t keys) {
  return rows * ((keys + 3) / 4);
}

ndarray attention_factors(const ndarray& weights, double ratio,
                          const cupyxx::random::PhiloxState& state) {
  Shape shape = weights.shape();
  const int last = shape.ndim() - 1;
  const std::int64_t keys = shape[last];
  shape[last] = (keys + 3) / 4 * 4;
  const ndarray factors = dropout(cupyxx::ones(shape, weights.dtype()), ratio, state);
  return keys % 4 == 0 ? factors : ndarray(factors(cupyxx::ellipsis, cupyxx::slice(0, keys)));
}

}  // namespace chainerxx::internal
