// SPDX-License-Identifier: MIT
#include "chainerxx/internal/array_ops.h"

#include <algorithm>
#include <span>

#include "chainerxx/internal/cpu/loops.h"
#include "chainerxx/internal/row_launch.h"
#include "cupyxx/creation.h"
#include "cupyxx/extension/capture.h"
#include "cupyxx/extension/cuda_call.h"
#include "cupyxx/extension/error_word.h"
#include "cupyxx/extension/storage.h"
#include "cupyxx/math.h"
#include "cupyxx/reduction.h"

namespace chainerxx::internal {
namespace {

/// An array as (outer, classes, inner), the classes being axis 1 or the only axis.
struct Planes {
  long outer = 1, classes = 1, inner = 1;

  explicit Planes(const ndarray& x) {
    const std::span<const std::int64_t> shape = cupyxx::extension::extents(x);
    const std::size_t axis = shape.size() > 1 ? 1 : 0;
    for (std::size_t i = 0; i < shape.size(); ++i) {
      (i < axis ? outer : i == axis ? classes : inner) *= shape[i];
    }
  }
  long instances() const { return outer * inner; }
  bool is_empty() const { return outer * classes * inner == 0; }
  /// A warp per instance when its classes are neighbours, else a thread.
  bool by_rows() const { return inner == 1 && classes > 4; }
};

Grid instance_grid(const Planes& planes) {
  return grid_for(planes.instances() * (planes.by_rows() ? 32 : 1));
}

/// A kernel for rows, and one for classes that are not neighbours.
template <class Args>
struct PlaneKernels {
  Kernel<Args> rows, columns;
  const Kernel<Args>& choose(const Planes& planes) const {
    return planes.by_rows() ? rows : columns;
  }
};

/// How kernels of kernels/staged_row.h are launched, which keep `arrays` rows of n elements in
/// shared memory; nothing where they do not fit.
std::optional<Grid> staged_launch(const Planes& planes, cupyxx::dtype type, long arrays,
                                  int device) {
  constexpr long kReserved = 2048, kMostBlocks = 4;  // of sums and of CUDA; of a multiprocessor
  const long packs = planes.classes * type.itemsize() / 16, bytes = 16 * packs * arrays;
  const long room = static_cast<long>(cupyxx::extension::shared_memory(device)) + 1024;
  const long fitting = std::min(room / (bytes + kReserved), kMostBlocks);
  if (fitting == 0) return std::nullopt;
  const long blocks = fitting * cupyxx::extension::multiprocessors(device);
  return Grid{.grid_x = static_cast<unsigned>(std::min(blocks, planes.outer)),
              .block_x = fitting == 1 ? 1024u : 512u,
              .shared_bytes = static_cast<unsigned>(bytes)};
}

/// Kernels that keep whole rows in registers or shared memory where that is possible, and those for
/// all others.
template <class Args>
struct SoftmaxKernels {
  RowKernels<Args> held;
  Kernel<Args> staged;
  long staged_arrays;  // of which it keeps rows
  PlaneKernels<Args> others;

  void launch(const Planes& planes, cupyxx::dtype type, std::initializer_list<const void*> alike,
              const Args& args, std::initializer_list<const ndarray*> arrays) const {
    if (planes.inner == 1) {
      const auto how = row_launch(planes.outer, planes.classes, type, held.threads(), alike);
      if (how && !fits_registers(planes.classes, type, how->grid)) {
        const int device = (*arrays.begin())->device().index;
        const auto grid = staged_launch(planes, type, staged_arrays, device);
        if (grid) return staged.launch(type, *grid, args, arrays);
      }
      if (how) return held.choose(*how).launch(type, how->grid, args, arrays);
    }
    others.choose(planes).launch(type, instance_grid(planes), args, arrays);
  }
};

const SoftmaxKernels<kernels::SoftmaxArgs> kSoftmax = {
    {{kLibrary, "softmax_row_warps", "softmax_row.h", "softmax_row<T, true>", 256},
     {kLibrary, "softmax_row_blocks", "softmax_row.h", "softmax_row<T, false>", 1024}},
    {kLibrary, "softmax_staged", "softmax_staged.h", "softmax_staged<T>", 1024},
    1,
    {{kLibrary, "softmax_rows", "softmax.h", "softmax<T, 32>"},
     {kLibrary, "softmax_planes", "softmax.h", "softmax<T, 1>"}}};
const SoftmaxKernels<kernels::SoftmaxArgs> kSoftmaxGrad = {
    {{kLibrary, "softmax_grad_row_warps", "softmax_row.h", "softmax_grad_row<T, true>", 256},
     {kLibrary, "softmax_grad_row_blocks", "softmax_row.h", "softmax_grad_row<T, false>", 512}},
    {kLibrary, "softmax_grad_staged", "softmax_staged.h", "softmax_grad_staged<T>", 1024},
    2,
    {{kLibrary, "softmax_grad_rows", "softmax.h", "softmax_grad<T, 32>"},
     {kLibrary, "softmax_grad_planes", "softmax.h", "softmax_grad<T, 1>"}}};

using kernels::CrossEntropyArgs;
const PlaneKernels<CrossEntropyArgs> kCrossEntropyBlock = {
    {kLibrary, "cross_entropy_block_rows", "softmax.h", "cross_entropy_block<T, 32>", 1024},
    {kLibrary, "cross_entropy_block_planes", "softmax.h", "cross_entropy_block<T, 1>", 1024}};
const Kernel<CrossEntropyArgs> kCrossEntropyFactor{kLibrary, "cross_entropy_factor", "softmax.h",
                                                   "cross_entropy_factor", 1024};
const SoftmaxKernels<CrossEntropyArgs> kCrossEntropy = {
    {{kLibrary, "cross_entropy_row_warps", "softmax_row.h", "cross_entropy_row<T, true>", 256},
     {kLibrary, "cross_entropy_row_blocks", "softmax_row.h", "cross_entropy_row<T, false>", 1024}},
    {kLibrary, "cross_entropy_staged", "softmax_staged.h", "cross_entropy_staged<T>", 1024},
    1,
    {{kLibrary, "cross_entropy_rows", "softmax.h", "cross_entropy_instances<T, 32>", 1024},
     {kLibrary, "cross_entropy_planes", "softmax.h", "cross_entropy_instances<T, 1>", 1024}}};
const Kernel<CrossEntropyArgs> kCrossEntropySum{kLibrary, "cross_entropy_sum", "softmax.h",
                                                "cross_entropy_sum<T>", 1024};

const Kernel<kernels::DropoutArgs> kDropout{kLibrary, "dropout", "dropout.h", "dropout<T>", 1024};
const Kernel<kernels::AccuracyArgs> kAccuracy{kLibrary, "accuracy", "softmax.h", "accuracy<T>",
                                              1024};
const Kernel<kernels::ColumnSumsArgs> kColumnSums{kLibrary, "column_sums", "column_sums.h",
                                                  "column_sums<T>"};
const Kernel<kernels::ColumnSumsArgs> kColumnSumParts{kLibrary, "column_sum_parts", "column_sums.h",
                                                      "column_sum_parts<T>", 256};
const Kernel<kernels::ColumnSumsArgs> kAddColumnParts{kLibrary, "add_column_parts", "column_sums.h",
                                                      "add_column_parts<T>", 1024};

ndarray integer_labels(const ndarray& labels) {
  const bool fits = labels.dtype() == cupyxx::int32 || labels.dtype() == cupyxx::int64;
  return contiguous(fits ? labels : labels.astype(cupyxx::int64));
}

void cross_entropy_on_gpu(const ndarray& x, const Planes& planes, kernels::CrossEntropyArgs& args,
                          const ndarray& labels, const ndarray& gy, const CrossEntropy& out) {
  static const auto operation = cupyxx::extension::operation_number("softmax_cross_entropy");
  args.error = cupyxx::extension::error_word(x.device().index);
  args.operation = operation;
  const long instances = planes.instances();
  constexpr Grid kOneBlock{.block_x = 1024};
  // One block takes half a nanosecond for each element: 61 us for 128 x 1000 on an H200.
  constexpr long kMostInstances = 4096, kMostElements = 8 * 1024;
  if (instances <= kMostInstances && instances * planes.classes <= kMostElements) {
    kCrossEntropyBlock.choose(planes).launch(x.dtype(), kOneBlock, args,
                                             {&x, &labels, &gy, &out.loss, &out.grad});
    return;
  }
  const ndarray work = empty_beside(x, {instances + 1}, cupyxx::float64);
  args.instance_loss = static_cast<double*>(work.elements());
  args.factor = args.instance_loss + instances;
  kCrossEntropyFactor.launch(x.dtype(), kOneBlock, args, {&x, &labels, &work, &gy});
  const void* const written = args.grad != nullptr ? args.grad : args.x;
  kCrossEntropy.launch(planes, x.dtype(), {args.x, written}, args, {&x, &labels, &work, &out.grad});
  if (args.loss == nullptr) return;
  kCrossEntropySum.launch(x.dtype(), kOneBlock, args, {&x, &work, &out.loss});
}

/// In a capture: each run of the kernel launched last draws another mask.
void follow_random(int device, const kernels::DropoutArgs& args) {
  const auto capture = cupyxx::extension::Capture::on(device);
  if (!capture) return;
  const auto place = capture.random_place(args.state);
  if (!place) return;
  capture.vary(args, [place](kernels::DropoutArgs& fresh) { fresh.state = place(); });
}

}  // namespace

ndarray contiguous(const ndarray& a) {
  return a.flags().c_contiguous ? a : a.copy(cupyxx::Order::C);
}

ndarray packed(const ndarray& a) {
  const bool begins_on_pack = reinterpret_cast<std::uintptr_t>(a.elements()) % 16 == 0;
  return begins_on_pack ? contiguous(a) : a.copy(cupyxx::Order::C);
}

ndarray as_matrix(const ndarray& x) {
  if (x.ndim() == 2) return x;
  const cupyxx::Shape shape = x.shape();
  std::int64_t width = 1;
  for (int i = 1; i < shape.ndim(); ++i) width *= shape[i];
  return x.reshape({shape[0], width});
}

ndarray empty_beside(const ndarray& a, const cupyxx::Shape& shape, cupyxx::dtype dtype) {
  std::optional<cupyxx::DeviceScope> scope;
  if (a.device() != cupyxx::current_device()) scope.emplace(a.device());
  return cupyxx::empty(shape, dtype);
}

ndarray dropout(const ndarray& input, double ratio, const cupyxx::random::PhiloxState& state) {
  const ndarray x = contiguous(input);
  ndarray y = cupyxx::empty_like(x);
  const kernels::DropoutArgs args{x.elements(), y.elements(),    x.size(),
                                  state,        1 / (1 - ratio), static_cast<float>(ratio)};
  if (args.size == 0) return y;
  if (x.device().is_cpu()) {
    cpu::dropout(x.dtype(), args);
  } else {
    kDropout.launch(x.dtype(), grid_for((args.size + 15) / 16), args, {&x, &y});
    follow_random(x.device().index, args);
  }
  return y;
}

ndarray softmax(const ndarray& input) {
  const ndarray x = contiguous(input);
  const Planes planes(x);
  ndarray out = cupyxx::empty_like(x);
  if (planes.is_empty()) return out;
  const kernels::SoftmaxArgs args{x.elements(), nullptr,        out.elements(),
                                  planes.outer, planes.classes, planes.inner};
  if (x.device().is_cpu()) {
    cpu::softmax(x.dtype(), args);
  } else {
    kSoftmax.launch(planes, x.dtype(), {args.x, args.out}, args, {&x, &out});
  }
  return out;
}

ndarray softmax_grad(const ndarray& output, const ndarray& grad_output) {
  const ndarray y = contiguous(output), gy = contiguous(grad_output);
  const Planes planes(y);
  ndarray out = cupyxx::empty_like(y);
  if (planes.is_empty()) return out;
  const kernels::SoftmaxArgs args{y.elements(), gy.elements(),  out.elements(),
                                  planes.outer, planes.classes, planes.inner};
  if (y.device().is_cpu()) {
    cpu::softmax_grad(y.dtype(), args);
  } else {
    kSoftmaxGrad.launch(planes, y.dtype(), {args.x, args.gy, args.out}, args, {&y, &gy, &out});
  }
  return out;
}

ndarray as_planes(const ndarray& x, int axis) {
  const cupyxx::Shape shape = x.shape();
  cupyxx::Shape planes{1, shape[axis], 1};
  for (int i = 0; i < shape.ndim(); ++i) {
    if (i != axis) planes[i < axis ? 0 : 2] *= shape[i];
  }
  return x.reshape(planes);
}

ndarray log_softmax(const ndarray& x, int axis) {
  if (x.size() == 0) return cupyxx::empty_like(x);
  if (x.dtype().itemsize() == 2)
    return log_softmax(x.astype(cupyxx::float32), axis).astype(x.dtype());
  const ndarray shifted = x - x.max(axis, {.keepdims = true});
  return shifted - cupyxx::log(cupyxx::exp(shifted).sum(axis, {.keepdims = true}));
}

namespace {

/// Into those of the results that are there; the gradient times gy, unless that is null.
void cross_entropy_into(const ndarray& x, const ndarray& input_labels, bool normalize,
                        const ndarray& gy, const CrossEntropy& out) {
  const ndarray labels = integer_labels(input_labels);
  const Planes planes(x);
  if (planes.is_empty()) {
    if (!out.loss.is_none()) out.loss.fill(0);
    return;
  }
  kernels::CrossEntropyArgs args{};
  args.x = x.elements();
  args.labels = labels.elements();
  args.loss = out.loss.is_none() ? nullptr : out.loss.elements();
  args.grad = out.grad.is_none() ? nullptr : out.grad.elements();
  args.outer = planes.outer;
  args.classes = planes.classes;
  args.inner = planes.inner;
  args.normalize = normalize;
  args.wide_labels = labels.dtype() == cupyxx::int64;
  args.wide_loss = !out.loss.is_none() && out.loss.dtype() != x.dtype();
  args.gy = gy.is_none() ? nullptr : static_cast<const double*>(gy.elements());
  if (x.device().is_cpu()) {
    cpu::cross_entropy(x.dtype(), args);
  } else {
    cross_entropy_on_gpu(x, planes, args, labels, gy, out);
  }
}

}  // namespace

CrossEntropy cross_entropy(const ndarray& input, const ndarray& labels, bool normalize,
                           bool with_grad, cupyxx::dtype loss_type) {
  const ndarray x = contiguous(input);
  CrossEntropy out{empty_beside(x, {}, loss_type), {}};
  if (with_grad) out.grad = cupyxx::empty_like(x);
  cross_entropy_into(x, labels, normalize, ndarray(), out);
  return out;
}

ndarray cross_entropy_grad(const ndarray& input, const ndarray& labels, bool normalize,
                           const ndarray& gy) {
  const ndarray x = contiguous(input);
  const CrossEntropy out{ndarray(), cupyxx::empty_like(x)};
  cross_entropy_into(x, labels, normalize, contiguous(gy.astype(cupyxx::float64, false)), out);
  return out.grad;
}

ndarray accuracy(const ndarray& input, const ndarray& input_labels,
                 std::optional<std::int64_t> ignore_label) {
  const ndarray y = contiguous(input);
  const ndarray labels = integer_labels(input_labels);
  const Planes planes(y);
  ndarray out = empty_beside(y, {}, y.dtype());
  const kernels::AccuracyArgs args{y.elements(),
                                   labels.elements(),
                                   out.elements(),
                                   planes.outer,
                                   planes.classes,
                                   planes.inner,
                                   labels.dtype() == cupyxx::int64,
                                   ignore_label.has_value(),
                                   ignore_label.value_or(0)};
  if (planes.is_empty()) {
    out.fill(0);
  } else if (y.device().is_cpu()) {
    cpu::accuracy(y.dtype(), args);
  } else {
    kAccuracy.launch(y.dtype(), {.block_x = 1024}, args, {&y, &labels, &out});
  }
  return out;
}

namespace {

/// Large matrices of whole packs, whose rows are divided between blocks; false for others.
bool add_column_sums_of_packs(const ndarray& matrix, const ndarray& out) {
  constexpr long kFewest = 1L << 17, kBlocks = 4, kRowsOfBlock = 32;  // elements; of a processor
  const cupyxx::Shape shape = matrix.shape();
  const cupyxx::dtype type = matrix.dtype();
  const cupyxx::dtype sums = type.itemsize() == 2 ? cupyxx::float32 : type;
  const long width = 16 / type.itemsize();
  if (matrix.device().is_cpu() || out.dtype() != sums || matrix.size() < kFewest ||
      shape[1] % width != 0 || !out.flags().c_contiguous ||
      reinterpret_cast<std::uintptr_t>(matrix.elements()) % 16 != 0) {
    return false;
  }
  const long across = (shape[1] + 32 * width - 1) / (32 * width);
  const long blocks = kBlocks * cupyxx::extension::multiprocessors(matrix.device().index);
  const long parts = std::clamp(blocks / across, 1L, (shape[0] + kRowsOfBlock - 1) / kRowsOfBlock);
  const ndarray work = empty_beside(matrix, {parts, shape[1]}, sums);
  const kernels::ColumnSumsArgs args{matrix.elements(), out.elements(),  shape[0],
                                     shape[1],          work.elements(), parts};
  cupyxx::extension::note_write(out);
  const Grid grid{.grid_x = static_cast<unsigned>(across),
                  .grid_y = static_cast<unsigned>(parts),
                  .block_x = 32,
                  .block_y = 8};
  kColumnSumParts.launch(type, grid, args, {&matrix, &work});
  kAddColumnParts.launch(type, grid_of_parts(shape[1]), args, {&work, &out});
  return true;
}

}  // namespace

void add_column_sums(const ndarray& input, const ndarray& out) {
  const ndarray matrix = contiguous(input);
  if (add_column_sums_of_packs(matrix, out)) return;
  if (matrix.dtype() != out.dtype()) {
    cupyxx::add(out, matrix.sum(0, {.dtype = out.dtype()}), {.out = out});
    return;
  }
  if (!out.flags().c_contiguous) {
    const ndarray sums = out.copy(cupyxx::Order::C);
    add_column_sums(matrix, sums);
    out.set(sums);
    return;
  }
  const cupyxx::Shape shape = matrix.shape();
  const kernels::ColumnSumsArgs args{matrix.elements(), out.elements(), shape[0], shape[1]};
  cupyxx::extension::note_write(out);
  if (args.rows == 0 || args.columns == 0) return;
  if (matrix.device().is_cpu()) {
    cpu::column_sums(matrix.dtype(), args);
  } else {
    const Grid grid{
        .grid_x = static_cast<unsigned>((args.columns + 31) / 32), .block_x = 32, .block_y = 8};
    kColumnSums.launch(matrix.dtype(), grid, args, {&matrix, &out});
  }
}

}  // namespace chainerxx::internal
