// SPDX-License-Identifier: MIT
#include "cupyxx/internal/cpu/elementwise/short_rows.h"

#include <algorithm>
#include <cstring>

#include "cupyxx/internal/cpu/elementwise/cast.h"
#include "cupyxx/internal/cpu/parallel.h"

namespace cupyxx::internal::cpu {

namespace {

constexpr std::int64_t kMostBytes = 256;  // of a row that is short
constexpr std::int64_t kMostGaps = 16;    // elements of a short row that are apart
constexpr std::int64_t kPiece = 256;      // elements that are brought together
constexpr std::int64_t kMaxItem = 16;

typedef std::uint64_t Words __attribute__((vector_size(16)));  // NOLINT

/// Copies rows of one operand. What is the same for all of them is chosen once.
class RowCopy {
 public:
  RowCopy() = default;
  RowCopy(dtype type, std::int64_t extent, std::int64_t to_step, std::int64_t to_inner,
          std::int64_t from_step, std::int64_t from_inner)
      : extent_(extent),
        size_(type.itemsize()),
        to_step_(to_step),
        to_inner_(to_inner),
        from_step_(from_step),
        from_inner_(from_inner),
        run_(choose()),
        element_(cast_loop(type, type)) {}

  void operator()(char* to, const char* from, std::int64_t rows) const {
    (this->*run_)(to, from, rows);
  }

 private:
  using Run = void (RowCopy::*)(char* to, const char* from, std::int64_t rows) const;

  Run choose() const {
    const std::int64_t bytes = extent_ * size_;
    if (to_inner_ == size_ && from_inner_ == size_) {
      if (bytes >= 16) return &RowCopy::words<Words>;
      if (bytes >= 8) return &RowCopy::words<std::uint64_t>;
      if (bytes >= 4) return &RowCopy::words<std::uint32_t>;
      return bytes >= 2 ? &RowCopy::words<std::uint16_t> : &RowCopy::words<std::uint8_t>;
    }
    if (to_inner_ != size_ || from_inner_ != 0) return &RowCopy::columns;
    switch (size_) {
      case 1:
        return &RowCopy::repeated<std::uint8_t>;
      case 2:
        return &RowCopy::repeated<std::uint16_t>;
      case 4:
        return &RowCopy::repeated<std::uint32_t>;
      case 8:
        return &RowCopy::repeated<std::uint64_t>;
      default:
        return &RowCopy::repeated<Words>;
    }
  }

  /// Moves whole words, the last of which may overlap the one before it.
  template <class Word>
  void words(char* to, const char* from, std::int64_t rows) const {
    constexpr auto kWord = static_cast<std::int64_t>(sizeof(Word));
    const std::int64_t to_step = to_step_, from_step = from_step_, last = extent_ * size_ - kWord;
    for (std::int64_t i = 0; i < rows; ++i, to += to_step, from += from_step) {
      Word word;
      for (std::int64_t at = 0; at < last; at += kWord) {
        std::memcpy(&word, from + at, sizeof(word));
        std::memcpy(to + at, &word, sizeof(word));
      }
      std::memcpy(&word, from + last, sizeof(word));
      std::memcpy(to + last, &word, sizeof(word));
    }
  }

  /// One number of each row goes everywhere in it.
  template <class Word>
  void repeated(char* to, const char* from, std::int64_t rows) const {
    const std::int64_t to_step = to_step_, from_step = from_step_, extent = extent_;
    for (std::int64_t i = 0; i < rows; ++i, to += to_step, from += from_step) {
      Word word;
      std::memcpy(&word, from, sizeof(word));
      for (std::int64_t k = 0; k < extent; ++k) {
        std::memcpy(to + k * static_cast<std::int64_t>(sizeof(word)), &word, sizeof(word));
      }
    }
  }

  /// Column by column, of so few rows that all stay in the nearest cache.
  void columns(char* to, const char* from, std::int64_t rows) const {
    constexpr std::int64_t kAtOnce = 128;
    const std::int64_t steps[] = {to_step_, from_step_};
    for (std::int64_t i = 0; i < rows; i += kAtOnce) {
      for (std::int64_t k = 0; k < extent_; ++k) {
        char* const pair[] = {to + i * to_step_ + k * to_inner_,
                              const_cast<char*>(from) + i * from_step_ + k * from_inner_};
        element_(pair, steps, std::min(kAtOnce, rows - i));
      }
    }
  }

  std::int64_t extent_ = 0;
  std::int64_t size_ = 0;
  std::int64_t to_step_ = 0;   // from row to row
  std::int64_t to_inner_ = 0;  // from element to element
  std::int64_t from_step_ = 0;
  std::int64_t from_inner_ = 0;
  Run run_ = nullptr;
  LoopFn element_ = nullptr;
};

/// Walks rows in the order of the axes, as many at a time as lie along the last but one.
class RowWalk {
 public:
  RowWalk(const ElementwiseCall& call, std::int64_t row) : call_(call) {
    for (int axis = call.ndim - 2; axis >= 0; --axis) {
      index_[axis] = row % call.shape[axis];
      row /= call.shape[axis];
      for (int k = 0; k < call.nargs; ++k) at_[k] += index_[axis] * call.strides[k][axis];
    }
  }

  /// How many of `most` rows come now.
  std::int64_t rows(std::int64_t most) const {
    const int axis = call_.ndim - 2;
    return std::min(most, call_.shape[axis] - index_[axis]);
  }

  /// Where the first of them lies.
  char* at(int k) const { return call_.data[k] + at_[k]; }

  void step(std::int64_t rows) {
    int axis = call_.ndim - 2;
    index_[axis] += rows;
    for (int k = 0; k < call_.nargs; ++k) at_[k] += rows * call_.strides[k][axis];
    for (; index_[axis] == call_.shape[axis] && axis > 0; --axis) {
      index_[axis] = 0;
      ++index_[axis - 1];
      for (int k = 0; k < call_.nargs; ++k) {
        at_[k] += call_.strides[k][axis - 1] - call_.shape[axis] * call_.strides[k][axis];
      }
    }
  }

 private:
  const ElementwiseCall& call_;
  std::int64_t index_[kMaxNdim] = {};
  std::int64_t at_[ElementwiseCall::kMaxOperands] = {};
};

/// Whether an operand's elements lie side by side in the order of the axes.
bool is_contiguous(const ElementwiseCall& call, int k) {
  std::int64_t expected = call.dtypes[k].itemsize();
  for (int axis = call.ndim - 1; axis >= 0; --axis) {
    if (call.strides[k][axis] != expected) return false;
    expected *= call.shape[axis];
  }
  return true;
}

bool is_number(const ElementwiseCall& call, int k) {
  return std::all_of(call.strides[k], call.strides[k] + call.ndim,
                     [](std::int64_t stride) { return stride == 0; });
}

}  // namespace

bool copy_short_rows(const ElementwiseCall& call) {
  const int inner = call.ndim - 1;
  if (!call.op->copies || call.has_mask || call.immediate != 0 || call.ndim < 2 ||
      call.dtypes[0] != call.dtypes[1]) {
    return false;
  }
  const std::int64_t size = call.dtypes[0].itemsize(), extent = call.shape[inner];
  const bool has_gaps = call.strides[0][inner] != size ||
                        (call.strides[1][inner] != size && call.strides[1][inner] != 0);
  if (extent * size > kMostBytes) return false;
  if (has_gaps && (extent > kMostGaps || call.shape[inner - 1] < 4)) return false;
  const std::int64_t grain = std::max<std::int64_t>(1, kGrain / extent);
  const auto& to = call.strides[0];
  const auto& from = call.strides[1];
  const RowCopy copy(call.dtypes[0], extent, to[inner - 1], to[inner], from[inner - 1],
                     from[inner]);
  parallel_for(call.size / extent, grain, [&](std::int64_t begin, std::int64_t end) {
    RowWalk walk(call, begin);
    for (std::int64_t row = begin, n = 0; row < end; row += n) {
      n = walk.rows(end - row);
      copy(walk.at(0), walk.at(1), n);
      walk.step(n);
    }
  });
  return true;
}

bool joins_short_rows(const ElementwiseCall& call) {
  if (call.ndim < 2 || call.nout != 1 || call.has_mask || call.op->copies ||
      call.shape[call.ndim - 1] > kPiece / 8 || call.size < kPiece || !is_contiguous(call, 0)) {
    return false;
  }
  // An input that is the output is used in place, which holds where its elements are the same ones.
  for (int k = 1; k < call.nargs; ++k) {
    if (call.data[k] == call.data[0] && !is_contiguous(call, k)) return false;
  }
  return true;
}

void run_joined(const ElementwiseCall& call, LoopFn loop, std::int64_t begin, std::int64_t end) {
  alignas(64) char buffers[ElementwiseCall::kMaxOperands][kPiece * kMaxItem];
  const int inner = call.ndim - 1;
  const std::int64_t extent = call.shape[inner], most = kPiece / extent;
  char* at[ElementwiseCall::kMaxOperands];
  std::int64_t steps[ElementwiseCall::kMaxOperands];
  bool gathers[ElementwiseCall::kMaxOperands] = {};
  RowCopy copies[ElementwiseCall::kMaxOperands];
  for (int k = 0; k < call.nargs; ++k) {
    const std::int64_t size = call.dtypes[k].itemsize();
    steps[k] = size;
    if (is_contiguous(call, k)) continue;
    gathers[k] = !is_number(call, k);
    at[k] = gathers[k] ? buffers[k] : call.data[k];
    if (!gathers[k]) steps[k] = 0;
    copies[k] = RowCopy(call.dtypes[k], extent, extent * size, size, call.strides[k][inner - 1],
                        call.strides[k][inner]);
  }
  RowWalk walk(call, begin);
  for (std::int64_t row = begin; row < end;) {
    const std::int64_t count = std::min(most, end - row);
    for (std::int64_t done = 0, n = 0; done < count; done += n) {
      n = walk.rows(count - done);
      for (int k = 1; k < call.nargs; ++k) {
        if (gathers[k]) copies[k](buffers[k] + done * extent * steps[k], walk.at(k), n);
      }
      walk.step(n);
    }
    for (int k = 0; k < call.nargs; ++k) {
      if (!gathers[k] && steps[k] != 0) at[k] = call.data[k] + row * extent * steps[k];
    }
    loop(at, steps, count * extent);
    row += count;
  }
}

}  // namespace cupyxx::internal::cpu
