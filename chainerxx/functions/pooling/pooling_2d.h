// SPDX-License-Identifier: MIT
// Maxima and averages of windows that slide over images (n, c, h, w), and unpooling.
#pragma once

#include <vector>

#include "chainerxx/function.h"
#include "chainerxx/utils/size_2d.h"
#include "chainerxx/variable.h"
#include "cupyxx/export.h"

namespace chainerxx::functions {

/// Options of max_pooling_2d and average_pooling_2d, which differ in what they cover by default.
template <bool kCoversAll>
struct Pooling2DOptions {
  [[no_unique_address]] internal::ByName by_name = {};
  Size2D stride = {};           ///< None: the size of the window
  Size2D pad = 0;               ///< on both sides of each axis
  bool cover_all = kCoversAll;  ///< the last windows may run over the end: nothing is left out
  bool use_cudnn = true;        ///< no difference: our own kernels are used on every device
};
using MaxPooling2DOptions = Pooling2DOptions<true>;
using AveragePooling2DOptions = Pooling2DOptions<false>;

/// The first largest element under each window; padding counts as minus infinity, which is also the
/// result where nothing else lies under a window. NaN wins.
class CUPYXX_API MaxPooling2D final : public FunctionOf<MaxPooling2D> {
 public:
  using Options = MaxPooling2DOptions;
  explicit MaxPooling2D(const Size2D& ksize, const MaxPooling2DOptions& options = {})
      : ksize_(ksize), options_(options) {}
  /// In the manual's order.
  template <internal::SizeLike S = Size2D>
  MaxPooling2D(const Size2D& ksize, S stride, const Size2D& pad = 0, bool cover_all = true,
               bool use_cudnn = true)
      : MaxPooling2D(
            ksize,
            MaxPooling2DOptions{
                .stride = stride, .pad = pad, .cover_all = cover_all, .use_cudnn = use_cudnn}) {}
  void check_type_forward(const typecheck::TypeInfos& in_types) const override;
  std::vector<ndarray> forward(ArraySpan x) override;
  std::vector<ndarray> backward(ArraySpan x, ArraySpan gy) override;
  std::vector<Variable> backward_variables(VariableSpan x, VariableSpan gy) override;

 private:
  Size2D ksize_;
  MaxPooling2DOptions options_;
  ndarray places_;                // where each maximum was found
  const void* images_ = nullptr;  // the handle of the input
  bool channels_last_ = false;
};

/// The sum under each window divided by the window's size, padding included as zeros.
class CUPYXX_API AveragePooling2D final : public FunctionOf<AveragePooling2D> {
 public:
  using Options = AveragePooling2DOptions;
  explicit AveragePooling2D(const Size2D& ksize, const AveragePooling2DOptions& options = {})
      : ksize_(ksize), options_(options) {}
  /// In the manual's order, which has no cover_all.
  template <internal::SizeLike S = Size2D>
  AveragePooling2D(const Size2D& ksize, S stride, const Size2D& pad = 0, bool use_cudnn = true)
      : AveragePooling2D(
            ksize, AveragePooling2DOptions{.stride = stride, .pad = pad, .use_cudnn = use_cudnn}) {}
  void check_type_forward(const typecheck::TypeInfos& in_types) const override;
  std::vector<ndarray> forward(ArraySpan x) override;
  std::vector<ndarray> backward(ArraySpan x, ArraySpan gy) override;
  std::vector<Variable> backward_variables(VariableSpan x, VariableSpan gy) override;

 private:
  Size2D ksize_;
  AveragePooling2DOptions options_;
  bool channels_last_ = false;
};

/// Options of Unpooling2D.
struct Unpooling2DOptions {
  [[no_unique_address]] internal::ByName by_name = {};
  Size2D stride = {};  ///< None: the size of the window
  Size2D pad = 0;
  Size2D outsize = {};    ///< None: the smallest that fits
  bool cover_all = true;  ///< the input is what pooling with cover_all would give
};

/// Each element spread over a window of the result; windows that overlap add up.
class CUPYXX_API Unpooling2D final : public FunctionOf<Unpooling2D> {
 public:
  explicit Unpooling2D(const Size2D& ksize, const Unpooling2DOptions& options = {})
      : ksize_(ksize), options_(options) {}
  void check_type_forward(const typecheck::TypeInfos& in_types) const override;
  std::vector<ndarray> forward(ArraySpan x) override;
  std::vector<ndarray> backward(ArraySpan x, ArraySpan gy) override;
  std::vector<Variable> backward_variables(VariableSpan x, VariableSpan gy) override;

 private:
  Size2D ksize_;
  Unpooling2DOptions options_;
  bool channels_last_ = false;
};

/// The largest element under each window.
CUPYXX_API Variable max_pooling_2d(const Variable& x, const Size2D& ksize,
                                   const MaxPooling2DOptions& options = {});
/// In the manual's order.
template <internal::SizeLike S = Size2D>
Variable max_pooling_2d(const Variable& x, const Size2D& ksize, S stride, const Size2D& pad = 0,
                        bool cover_all = true, bool use_cudnn = true) {
  return MaxPooling2D(ksize, Size2D(stride), pad, cover_all, use_cudnn)(x);
}
/// The average under each window.
CUPYXX_API Variable average_pooling_2d(const Variable& x, const Size2D& ksize,
                                       const AveragePooling2DOptions& options = {});
/// In the manual's order, which has no cover_all.
template <internal::SizeLike S = Size2D>
Variable average_pooling_2d(const Variable& x, const Size2D& ksize, S stride, const Size2D& pad = 0,
                            bool use_cudnn = true) {
  return AveragePooling2D(ksize, Size2D(stride), pad, use_cudnn)(x);
}
/// Each element spread over a window: the inverse of pooling for one element a window.
CUPYXX_API Variable unpooling_2d(const Variable& x, const Size2D& ksize,
                                 const Unpooling2DOptions& options = {});
/// In the manual's order.
template <internal::SizeLike S = Size2D>
Variable unpooling_2d(const Variable& x, const Size2D& ksize, S stride, const Size2D& pad = 0,
                      const Size2D& outsize = {}, bool cover_all = true) {
  return Unpooling2D(
      ksize, Unpooling2DOptions{
                 .stride = stride, .pad = pad, .outsize = outsize, .cover_all = cover_all})(x);
}

}  // namespace chainerxx::functions
