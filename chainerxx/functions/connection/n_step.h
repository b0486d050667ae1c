// SPDX-License-Identifier: MIT
// Recurrent layers over lists of sequences of any lengths.
//
//   F::NStepLSTM lstm(2, 100, 200, 0.3);             // layers, in, units, dropout
//   auto [hy, cy, ys] = lstm(none, none, xs);        // xs[i] (length i, 100), ys[i] (length i,
//   200)
#pragma once

#include <cstdint>
#include <tuple>
#include <vector>

#include "chainerxx/function_set.h"
#include "chainerxx/functions/connection/linear.h"
#include "chainerxx/functions/connection/lstm_sequence.h"
#include "chainerxx/variable.h"
#include "chainerxx/variable_array.h"
#include "cupyxx/export.h"

namespace chainerxx::internal {
struct PackedSequences;
}  // namespace chainerxx::internal

namespace chainerxx::functions {

/// What a recurrent network without cells makes of sequences.
struct NStepResult {
  Variable hy;               ///< hidden states behind the last step, (layers, n, units)
  std::vector<Variable> ys;  ///< the last layer's hidden states, (length, units) each

  /// `std::tie(hy, ys) = network(hx, xs)`.
  template <internal::TiedTo<Variable> H, internal::TiedTo<std::vector<Variable>> Y>
  operator std::tuple<H, Y>() && {  // NOLINT(google-explicit-constructor)
    return {internal::tied<H>(hy), internal::tied<Y>(ys)};
  }
};
/// What an LSTM makes of sequences.
struct NStepLSTMResult {
  Variable hy;
  Variable cy;  ///< cells behind the last step
  std::vector<Variable> ys;

  /// `std::tie(hy, cy, ys) = network(hx, cx, xs)`.
  template <internal::TiedTo<Variable> H, internal::TiedTo<Variable> C,
            internal::TiedTo<std::vector<Variable>> Y>
  operator std::tuple<H, C, Y>() && {  // NOLINT(google-explicit-constructor)
    return {internal::tied<H>(hy), internal::tied<C>(cy), internal::tied<Y>(ys)};
  }
};

/// What recurrent networks share: layers, each over the hidden states of the one below; with two
/// directions a second one beside it goes through the sequences from their ends, and `hy` has its
/// states behind those of the first. Dropout acts between layers, in training.
class CUPYXX_API NStepNetwork : public FunctionSet {
 public:
  std::int64_t n_layers() const { return n_layers_; }
  std::int64_t in_size() const { return in_size_; }
  std::int64_t out_size() const { return out_size_; }
  /// Layers times directions: the first extent of states.
  std::int64_t states() const { return n_layers_ * directions_; }

 protected:
  NStepNetwork(const char* name, std::int64_t n_layers, std::int64_t in_size, std::int64_t out_size,
               double dropout, int directions);

  /// One layer in one direction: the hidden states of all steps and those behind the last one.
  struct Step {
    Variable y, h, c;
  };
  using Packed = internal::PackedSequences;
  virtual Step run(std::int64_t number, const Variable& x, const Packed& packed, const Variable& h,
                   const Variable& c) = 0;
  NStepLSTMResult unroll(const Variable& hx, const Variable& cx, const std::vector<Variable>& xs,
                         bool has_cells);
  /// The name of a child, "0", "1", ...; the size of its input.
  std::int64_t input_of(std::int64_t number) const {
    return number < directions_ ? in_size_ : out_size_ * directions_;
  }
  const char* name_;

 private:
  Variable state(const Variable& given, const char* what, const Variable& like,
                 std::int64_t n) const;

  std::int64_t n_layers_, in_size_, out_size_;
  double dropout_;
  int directions_;
};

/// Long short-term memory in layers. Children "0", "1", ... are LSTMSequences.
class CUPYXX_API NStepLSTM : public NStepNetwork {
 public:
  /// Throws ValueError for a number of layers outside of [1, 10000], and a dropout ratio outside of
  /// [0, 1).
  NStepLSTM(std::int64_t n_layers, std::int64_t in_size, std::int64_t out_size, double dropout = 0)
      : NStepLSTM("NStepLSTM", n_layers, in_size, out_size, dropout, 1) {}

  /// From states hx and cx (layers, n, units), zeros where they are None, and n sequences (length,
  /// in). Throws ShapeError for arrays of other shapes, ValueError for no sequences and for empty
  /// ones.
  NStepLSTMResult operator()(const Variable& hx, const Variable& cx,
                             const std::vector<Variable>& xs);

 protected:
  NStepLSTM(const char* name, std::int64_t n_layers, std::int64_t in_size, std::int64_t out_size,
            double dropout, int directions);
  Step run(std::int64_t number, const Variable& x, const Packed& packed, const Variable& h,
           const Variable& c) override;

 private:
  std::vector<LSTMSequence*> layers_;
};

/// NStepLSTM in both directions; states are (2 layers, n, units), ys (length, 2 units).
class CUPYXX_API NStepBiLSTM final : public NStepLSTM {
 public:
  NStepBiLSTM(std::int64_t n_layers, std::int64_t in_size, std::int64_t out_size,
              double dropout = 0)
      : NStepLSTM("NStepBiLSTM", n_layers, in_size, out_size, dropout, 2) {}
};

/// What NStepGRU and NStepRNN share: of each layer and direction "0/x" and "0/h" are Linear, whose
/// products with the input and the hidden state give the next one.
class CUPYXX_API NStepProducts : public NStepNetwork {
 public:
  /// From states hx (layers, n, units), zeros where that is None, and n sequences; throws as
  /// NStepLSTM.
  NStepResult operator()(const Variable& hx, const std::vector<Variable>& xs);

 protected:
  /// `gates` products of each kind, one behind the other.
  NStepProducts(const char* name, std::int64_t n_layers, std::int64_t in_size,
                std::int64_t out_size, double dropout, int directions, std::int64_t gates);
  Step run(std::int64_t number, const Variable& x, const Packed& packed, const Variable& h,
           const Variable& c) override;
  /// The hidden state behind `h`, of the products of the input and of h.
  virtual Variable next(const Variable& of_x, const Variable& of_h, const Variable& h) const = 0;

 private:
  std::vector<Linear*> of_x_, of_h_;
};

/// Gated recurrent units in layers: r = sigmoid(W_r x + U_r h), z = sigmoid(W_z x + U_z h),
/// h' = (1 - z) tanh(W x + r U h) + z h, each product with a bias. The rows of "0/x" and "0/h" are
/// r, z, W one behind the other.
class CUPYXX_API NStepGRU : public NStepProducts {
 public:
  /// As of NStepLSTM.
  NStepGRU(std::int64_t n_layers, std::int64_t in_size, std::int64_t out_size, double dropout = 0)
      : NStepGRU("NStepGRU", n_layers, in_size, out_size, dropout, 1) {}

 protected:
  NStepGRU(const char* name, std::int64_t n_layers, std::int64_t in_size, std::int64_t out_size,
           double dropout, int directions)
      : NStepProducts(name, n_layers, in_size, out_size, dropout, directions, 3) {}
  Variable next(const Variable& of_x, const Variable& of_h, const Variable& h) const override;
};

/// NStepGRU in both directions.
class CUPYXX_API NStepBiGRU final : public NStepGRU {
 public:
  NStepBiGRU(std::int64_t n_layers, std::int64_t in_size, std::int64_t out_size, double dropout = 0)
      : NStepGRU("NStepBiGRU", n_layers, in_size, out_size, dropout, 2) {}
};

/// Simple recurrent networks: h' = f(W x + U h), each product with a bias.
class CUPYXX_API NStepRNN : public NStepProducts {
 protected:
  using Activation = Variable (*)(const Variable&, bool);
  NStepRNN(const char* name, std::int64_t n_layers, std::int64_t in_size, std::int64_t out_size,
           double dropout, int directions, Activation activation)
      : NStepProducts(name, n_layers, in_size, out_size, dropout, directions, 1),
        activation_(activation) {}
  Variable next(const Variable& of_x, const Variable& of_h, const Variable& h) const override;

 private:
  Activation activation_;
};

/// NStepRNN with f = tanh.
class CUPYXX_API NStepRNNTanh final : public NStepRNN {
 public:
  NStepRNNTanh(std::int64_t n_layers, std::int64_t in_size, std::int64_t out_size,
               double dropout = 0);
};
/// NStepRNN with f = relu.
class CUPYXX_API NStepRNNReLU final : public NStepRNN {
 public:
  NStepRNNReLU(std::int64_t n_layers, std::int64_t in_size, std::int64_t out_size,
               double dropout = 0);
};
/// NStepRNNTanh in both directions.
class CUPYXX_API NStepBiRNNTanh final : public NStepRNN {
 public:
  NStepBiRNNTanh(std::int64_t n_layers, std::int64_t in_size, std::int64_t out_size,
                 double dropout = 0);
};
/// NStepRNNReLU in both directions.
class CUPYXX_API NStepBiRNNReLU final : public NStepRNN {
 public:
  NStepBiRNNReLU(std::int64_t n_layers, std::int64_t in_size, std::int64_t out_size,
                 double dropout = 0);
};

}  // namespace chainerxx::functions
