// SPDX-License-Identifier: MIT
#include "chainerxx/internal/sequence_ops.h"

#include <algorithm>

#include "chainerxx/internal/array_ops.h"
#include "chainerxx/internal/cpu/loops.h"
#include "chainerxx/internal/kernel_library.h"
#include "chainerxx/internal/kernels/lstm_step.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/extension/error_word.h"

namespace chainerxx::internal {
namespace {

const Kernel<kernels::LstmArgs> kLstm{kLibrary, "lstm", "lstm.h", "lstm<T>"};
const Kernel<kernels::LstmGradArgs> kLstmGrad{kLibrary, "lstm_grad", "lstm.h", "lstm_grad<T>"};
const Kernel<kernels::LstmStepArgs> kLstmStep{kLibrary, "lstm_step", "lstm_step.h", "lstm_step<T>"};
const Kernel<kernels::LstmStepGradArgs> kLstmStepGrad{kLibrary, "lstm_step_grad", "lstm_step.h",
                                                      "lstm_step_grad<T>"};
const Kernel<kernels::SigmoidCrossEntropyArgs> kSigmoidCrossEntropy{
    kLibrary, "sigmoid_cross_entropy", "sigmoid_cross_entropy.h", "sigmoid_cross_entropy<T>"};
const Kernel<kernels::SigmoidCrossEntropyArgs> kSigmoidCrossEntropyGrad{
    kLibrary, "sigmoid_cross_entropy_grad", "sigmoid_cross_entropy.h",
    "sigmoid_cross_entropy_grad<T>"};
const Kernel<kernels::CtcArgs> kCtc{kLibrary, "ctc", "ctc.h", "ctc<T>"};

const void* data_or_null(const ndarray& a) { return a.is_none() ? nullptr : a.elements(); }

ndarray contiguous_or_none(const ndarray& a) { return a.is_none() ? a : contiguous(a); }

/// Elements of one unit of a cell: those of the axes behind the second.
long inner_of(const ndarray& c) {
  long inner = 1;
  for (int i = 2; i < c.ndim(); ++i) inner *= c.shape()[i];
  return inner;
}

ndarray as_int32(const ndarray& a) {
  if (a.is_none()) return a;
  return contiguous(a.dtype() == cupyxx::int32 ? a : a.astype(cupyxx::int32));
}

void check_labels(const ndarray& labels, const ndarray& lengths, long classes) {
  const auto values = labels.to_vector<std::int32_t>();
  const auto counts =
      lengths.is_none() ? std::vector<std::int32_t>{} : lengths.to_vector<std::int32_t>();
  const auto width = static_cast<std::size_t>(labels.shape()[1]);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!counts.empty() && i % width >= static_cast<std::size_t>(counts[i / width])) continue;
    if (values[i] >= 0 && values[i] < classes) continue;
    throw cupyxx::IndexError(cupyxx::message(
        "connectionist_temporal_classification: a label is outside of the classes; ", values[i],
        " of ", classes));
  }
}

}  // namespace

LstmState lstm(const ndarray& previous, const ndarray& x) {
  const ndarray c_prev = contiguous(previous);
  LstmState out{cupyxx::empty_like(c_prev), cupyxx::empty_like(c_prev)};
  lstm(c_prev, x, out);
  return out;
}

void lstm(const ndarray& previous, const ndarray& input, const LstmState& out) {
  const ndarray c_prev = contiguous(previous), x = contiguous(input);
  const kernels::LstmArgs args{c_prev.elements(), x.elements(),  out.c.elements(),
                               out.h.elements(),  c_prev.size(), inner_of(c_prev)};
  if (args.size == 0) return;
  if (x.device().is_cpu()) {
    cpu::lstm(x.dtype(), args);
  } else {
    kLstm.launch(x.dtype(), grid_for(args.size), args, {&c_prev, &x, &out.c, &out.h});
  }
}

LstmGradients lstm_grad(const ndarray& previous, const ndarray& input, const ndarray& c,
                        const ndarray& gc, const ndarray& gh) {
  const ndarray c_prev = contiguous(previous), x = contiguous(input);
  LstmGradients out{cupyxx::empty_like(c_prev), cupyxx::empty_like(x)};
  lstm_grad(c_prev, x, c, gc, gh, out);
  return out;
}

void lstm_grad(const ndarray& previous, const ndarray& input, const ndarray& c,
               const ndarray& grad_c, const ndarray& grad_h, const LstmGradients& out) {
  const ndarray c_prev = contiguous(previous), x = contiguous(input);
  const ndarray gc = contiguous_or_none(grad_c), gh = contiguous_or_none(grad_h);
  const kernels::LstmGradArgs args{c_prev.elements(), x.elements(),     c.elements(),
                                   data_or_null(gc),  data_or_null(gh), out.c_prev.elements(),
                                   out.x.elements(),  c_prev.size(),    inner_of(c_prev)};
  if (args.size == 0) return;
  if (x.device().is_cpu()) {
    cpu::lstm_grad(x.dtype(), args);
  } else {
    kLstmGrad.launch(x.dtype(), grid_for(args.size), args,
                     {&c_prev, &x, &c, &gc, &gh, &out.c_prev, &out.x});
  }
}

namespace {

/// Products of rows with the batch, as many as kernels/lstm_step.h takes at once.
std::int64_t step_tiles(std::int64_t row_tiles, std::int64_t n) {
  return row_tiles * ((n + 4) / 5);
}

/// A warp a tile, two a block: the few there are then spread over all multiprocessors.
Grid step_grid(std::int64_t units, std::int64_t n) {
  return {.grid_x = static_cast<unsigned>((step_tiles(units, n) + 1) / 2), .block_x = 64};
}

/// A block a tile: there are a quarter as many, of rows that are four times as long.
Grid step_grad_grid(std::int64_t units, std::int64_t n) {
  constexpr unsigned kWarps = 4;
  static_assert(kWarps <= kernels::kMostStepWarps);
  return {.grid_x = static_cast<unsigned>(step_tiles((units + 3) / 4, n)), .block_x = 32 * kWarps};
}

}  // namespace

bool has_lstm_step(const ndarray& h) {
  constexpr std::int64_t kMostRows = 40;  // beyond, the matrix library is faster
  return h.device().is_cuda() && h.shape()[0] <= kMostRows && h.size() != 0;
}

void lstm_step(const ndarray& U, const ndarray& h_prev, const ndarray& c_prev, const ndarray& gates,
               const LstmState& out) {
  const cupyxx::Shape shape = h_prev.shape();
  const kernels::LstmStepArgs args{
      U.elements(),
      h_prev.elements(),
      gates.elements(),
      {c_prev.elements(), gates.elements(), out.c.elements(), out.h.elements(), c_prev.size(), 1},
      shape[0],
      shape[1]};
  kLstmStep.launch(U.dtype(), step_grid(shape[1], shape[0]), args,
                   {&U, &h_prev, &c_prev, &gates, &out.c, &out.h});
}

void lstm_step_grad(const ndarray& U_T, const ndarray& gates_after, const ndarray& c_prev,
                    const ndarray& gates, const ndarray& c, const ndarray& gh,
                    const LstmGradients& out) {
  const cupyxx::Shape shape = c_prev.shape();
  const kernels::LstmStepGradArgs args{
      U_T.elements(),
      gates_after.elements(),
      gh.elements(),
      {c_prev.elements(), gates.elements(), c.elements(), out.c_prev.elements(), gh.elements(),
       out.c_prev.elements(), out.x.elements(), c_prev.size(), 1},
      shape[0],
      shape[1]};
  kLstmStepGrad.launch(U_T.dtype(), step_grad_grid(shape[1], shape[0]), args,
                       {&U_T, &gates_after, &c_prev, &gates, &c, &gh, &out.c_prev, &out.x});
}

namespace {

ndarray sigmoid_cross_entropy(const ndarray& input, const ndarray& input_labels,
                              const ndarray& factor) {
  const bool fits = input_labels.dtype() == cupyxx::int32 || input_labels.dtype() == cupyxx::int64;
  const ndarray x = contiguous(input);
  const ndarray labels = contiguous(fits ? input_labels : input_labels.astype(cupyxx::int64));
  ndarray out = cupyxx::empty_like(x);
  const kernels::SigmoidCrossEntropyArgs args{
      x.elements(),   labels.elements(), data_or_null(factor),
      out.elements(), x.size(),          labels.dtype() == cupyxx::int64};
  if (args.size == 0) return out;
  const bool is_grad = !factor.is_none();
  if (x.device().is_cpu()) {
    cpu::sigmoid_cross_entropy(x.dtype(), args, is_grad);
  } else {
    const auto& kernel = is_grad ? kSigmoidCrossEntropyGrad : kSigmoidCrossEntropy;
    kernel.launch(x.dtype(), grid_for(args.size), args, {&x, &labels, &factor, &out});
  }
  return out;
}

}  // namespace

ndarray sigmoid_cross_entropy(const ndarray& x, const ndarray& labels) {
  return sigmoid_cross_entropy(x, labels, ndarray());
}

ndarray sigmoid_cross_entropy_grad(const ndarray& x, const ndarray& labels, const ndarray& factor) {
  return sigmoid_cross_entropy(x, labels, contiguous(factor));
}

Ctc ctc(const ndarray& log_y, const ndarray& input_labels, const ndarray& inputs,
        const ndarray& counts, int blank, bool with_grad) {
  const ndarray y = contiguous(log_y), labels = as_int32(input_labels);
  const ndarray input_lengths = as_int32(inputs), label_lengths = as_int32(counts);
  const cupyxx::Shape shape = y.shape();
  const std::int64_t places = 2 * labels.shape()[1] + 1;
  Ctc out{empty_beside(y, {shape[1]}, cupyxx::float64), {}};
  if (with_grad) out.grad = cupyxx::zeros_like(y);
  const ndarray alpha = empty_beside(y, {shape[1], shape[0], places}, cupyxx::float64);
  const ndarray beta = empty_beside(y, {shape[1], 2, places}, cupyxx::float64);
  kernels::CtcArgs args{y.elements(),
                        static_cast<const int*>(labels.elements()),
                        static_cast<const int*>(data_or_null(input_lengths)),
                        static_cast<const int*>(data_or_null(label_lengths)),
                        static_cast<double*>(alpha.elements()),
                        static_cast<double*>(beta.elements()),
                        static_cast<double*>(out.loss.elements()),
                        with_grad ? out.grad.elements() : nullptr,
                        shape[0],
                        shape[1],
                        shape[2],
                        labels.shape()[1],
                        blank,
                        nullptr,
                        0};
  if (args.batch == 0) return out;
  if (y.device().is_cpu()) {
    check_labels(labels, label_lengths, args.classes);
    cpu::ctc(y.dtype(), args);
    return out;
  }
  static const auto operation =
      cupyxx::extension::operation_number("connectionist_temporal_classification");
  args.error = cupyxx::extension::error_word(y.device().index);
  args.operation = operation;
  const auto threads = static_cast<unsigned>(
      std::clamp<std::int64_t>((std::max(places, shape[2]) + 31) / 32 * 32, 32, 512));
  const Grid grid{.grid_x = static_cast<unsigned>(std::min<long>(args.batch, 65535)),
                  .block_x = threads};
  kCtc.launch(y.dtype(), grid, args,
              {&y, &labels, &input_lengths, &label_lengths, &alpha, &beta, &out.loss, &out.grad});
  return out;
}

}  // namespace chainerxx::internal
