// SPDX-License-Identifier: MIT
// Layers of Caffe as functions of variables.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "chainerxx/function_set.h"
#include "chainerxx/functions/caffe/caffe.pb.h"
#include "chainerxx/variable.h"
#include "cupyxx/random.h"

namespace chainerxx::internal {

/// The results of a layer.
using CaffeLayer = std::function<std::vector<Variable>(const std::vector<Variable>& x, bool train)>;

/// What layers are made with.
struct CaffeBuilder {
  std::string path;  // for messages
  FunctionSet* functions;
  cupyxx::random::RandomState* random;

  /// Makes a layer; an empty function if its type is not known. If the file lacks the layer's
  /// parameters, their shapes come from `inputs`, those of the first call; without inputs the
  /// result is an empty function and `is_pending` becomes true. Throws ValueError.
  CaffeLayer make(const caffe_files::Layer& layer, const std::vector<Variable>& inputs,
                  bool& is_pending);

  [[noreturn]] void refuse(const caffe_files::Layer& layer, const std::string& what) const;
  /// Number `index` of a layer's arrays, which must hold what it declares.
  ndarray blob(const caffe_files::Layer& layer, int index) const;
  /// An array as a filler describes it. `inputs` is the number of terms in the sum that gives each
  /// output: a double, since a file may claim more than any integer holds.
  ndarray fill(const caffe_files::Filler* filler, const cupyxx::Shape& shape, double inputs) const;
  /// Puts a function into the set by the name of a layer.
  template <class F>
  F& add(const caffe_files::Layer& layer, F function);

 private:
  CaffeLayer make_known(const caffe_files::Layer& layer, const std::vector<Variable>& inputs,
                        bool& is_pending);
  /// The extent of axis 1 of the input; refuses one without.
  std::int64_t channels(const caffe_files::Layer& layer, const Variable& input) const;
  FunctionSet& set_of(const caffe_files::Layer& layer, std::string& name) const;
  CaffeLayer convolution(const caffe_files::Layer& layer, const std::vector<Variable>& inputs,
                         bool& is_pending);
  CaffeLayer inner_product(const caffe_files::Layer& layer, const std::vector<Variable>& inputs,
                           bool& is_pending);
  CaffeLayer batch_norm(const caffe_files::Layer& layer, const std::vector<Variable>& inputs,
                        bool& is_pending);
  CaffeLayer scale(const caffe_files::Layer& layer, const std::vector<Variable>& inputs,
                   bool& is_pending);
  CaffeLayer prelu(const caffe_files::Layer& layer, const std::vector<Variable>& inputs,
                   bool& is_pending);
  CaffeLayer pooling(const caffe_files::Layer& layer) const;
  CaffeLayer simple(const caffe_files::Layer& layer) const;
};

}  // namespace chainerxx::internal
