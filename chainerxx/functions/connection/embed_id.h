// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <vector>

#include "chainerxx/function.h"
#include "chainerxx/initializers.h"
#include "chainerxx/variable.h"
#include "cupyxx/dtype.h"
#include "cupyxx/export.h"

namespace chainerxx::functions {

/// Options of embed_id.
struct EmbedIDFunctionOptions {
  std::optional<std::int64_t> ignore_label = {};
};
/// Options of embedding_dropout.
struct EmbeddingDropoutOptions {
  double ratio = 0.5;
  bool train = true;
};

/// Options of EmbedID.
struct EmbedIDOptions {
  initializers::Initial initialW = {};  ///< (in, out); an array is taken as it is
  /// Places with this id become zeros and train nothing.
  std::optional<std::int64_t> ignore_label = {};
  cupyxx::dtype dtype = cupyxx::float32;
};

/// A row of W for each id, of W's dtype or, where W is float32, of the thread's precision; the
/// gradient is added up in W's dtype. W starts as standard normal numbers. An id outside of W, also
/// a negative one that is not `ignore_label` (`{.ignore_label = -1}`), is an IndexError; on a CUDA
/// device at the next synchronising call.
class CUPYXX_API EmbedID final : public FunctionOf<EmbedID> {
 public:
  EmbedID(std::int64_t in_size, std::int64_t out_size, const EmbedIDOptions& options = {});
  /// In Chainer's order.
  template <std::convertible_to<initializers::Initial> I>
  requires(!std::same_as<I, EmbedIDOptions>)
      EmbedID(std::int64_t in_size, std::int64_t out_size, const I& initialW,
              std::optional<std::int64_t> ignore_label = {})
      : EmbedID(in_size, out_size,
                EmbedIDOptions{.initialW = initialW, .ignore_label = ignore_label}) {}
  template <std::convertible_to<initializers::Initial> I, internal::NoneLike N>
  EmbedID(std::int64_t in_size, std::int64_t out_size, const I& initialW, N)
      : EmbedID(in_size, out_size, initialW) {}

  ParameterArray W{&gW};  // (in, out)
  ndarray gW;

  void check_type_forward(const typecheck::TypeInfos& in_types) const override;
  std::vector<ndarray> forward(ArraySpan x) override;
  std::vector<ndarray> backward(ArraySpan x, ArraySpan gy) override;
  std::vector<Variable> backward_variables(VariableSpan x, VariableSpan gy) override;
  std::vector<Field> fields() override;

  /// x W^T for x (n, out): scores of all ids, for a network whose last layer has the embedding's
  /// weights (Press and Wolf: "Using the output embedding to improve language models", 2017). Its
  /// gradient by W is added to gW, too.
  Variable project(const Variable& x) const;

 private:
  std::optional<std::int64_t> ignore_label_;
};

/// The same with W as a variable.
class CUPYXX_API EmbedIDFunction final : public FunctionOf<EmbedIDFunction> {
 public:
  explicit EmbedIDFunction(std::optional<std::int64_t> ignore_label = {})
      : ignore_label_(ignore_label) {}
  void check_type_forward(const typecheck::TypeInfos& in_types) const override;
  std::vector<ndarray> forward(ArraySpan in) override;
  std::vector<ndarray> backward(ArraySpan in, ArraySpan gy) override;
  std::vector<Variable> backward_variables(VariableSpan in, VariableSpan gy) override;

 private:
  std::optional<std::int64_t> ignore_label_;
  cupyxx::dtype dtype_;  // of W
};

/// Rows of W by integers of any shape: x of shape (n, ...) gives (n, ..., out).
CUPYXX_API Variable embed_id(const Variable& x, const Variable& W,
                             std::optional<std::int64_t> ignore_label = {});
template <internal::NoneLike N>
Variable embed_id(const Variable& x, const Variable& W, N) {
  return embed_id(x, W);
}
template <std::same_as<EmbedIDFunctionOptions> O = EmbedIDFunctionOptions>
Variable embed_id(const Variable& x, const Variable& W, O options) {
  return embed_id(x, W, options.ignore_label);
}
/// W with whole rows dropped, the others scaled by 1 / (1 - ratio): dropout of all occurrences of a
/// word at once (Gal and Ghahramani, 2016).
CUPYXX_API Variable embedding_dropout(const Variable& W, double ratio = 0.5, bool train = true);
template <std::same_as<EmbeddingDropoutOptions> O = EmbeddingDropoutOptions>
Variable embedding_dropout(const Variable& W, O options) {
  return embedding_dropout(W, options.ratio, options.train);
}

}  // namespace chainerxx::functions
