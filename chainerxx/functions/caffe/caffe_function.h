// SPDX-License-Identifier: MIT
// Networks trained with Caffe.
//
//   F::caffe::CaffeFunction network("bvlc_reference_caffenet.caffemodel");
//   Variable y = network({{"data", x}}, {"fc8"})[0];
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "chainerxx/function_set.h"
#include "chainerxx/variable.h"
#include "cupyxx/export.h"

namespace chainerxx::functions::caffe {

/// Options of CaffeFunction.
struct CaffeOptions {
  std::uint64_t seed = 0;  ///< of the weights of a network whose file has none
};

/// Options of a call.
struct CaffeCallOptions {
  std::vector<std::string> disable = {};  ///< layers that are left out
  bool train = true;                      ///< runs the layers as in Caffe's phase TRAIN, else TEST
};

/// A network from Caffe's binary file (.caffemodel, in the newer or the older encoding of layers),
/// or from its text (.prototxt) with weights drawn by the layers' fillers; where there is no filler
/// normal numbers of deviation sqrt(1 / inputs). Such a text must declare the shape of its input.
///
/// Known layers: AbsVal, BatchNorm, Concat, Convolution, Deconvolution, Dropout, ELU, Eltwise,
/// Flatten, InnerProduct, LRN, Pooling (maxima and averages), Power,
/// PReLU, ReLU, Reshape, Scale, Sigmoid, Slice, Softmax,
/// SoftmaxWithLoss, Split, TanH. Others are ignored, as are layers without results and, in a call,
/// those of which an input is missing. Sizes and divisors of pooling are Caffe's.
class CUPYXX_API CaffeFunction {
 public:
  /// Reads the file; parameters are made on the current device. Throws ValueError, naming the file
  /// and the layer, for one that is damaged or whose parts do not fit, or for a known layer with an
  /// option that cannot be followed.
  explicit CaffeFunction(const std::string& model_path, const CaffeOptions& options = {});
  ~CaffeFunction();
  CaffeFunction(CaffeFunction&&) noexcept;
  CaffeFunction& operator=(CaffeFunction&&) noexcept;

  /// The functions with parameters by the names of their layers; "block/conv" is conv of the set
  /// "block".
  FunctionSet& fs();
  /// What a layer computes: its results for its inputs. Shares its parameters with the network.
  using Forward = std::function<std::vector<Variable>(const std::vector<Variable>& x, bool train)>;
  /// The layers that are followed, by name; of several of one name the last.
  std::map<std::string, Forward> forwards() const;
  /// Names of the layers that are followed, in their order, and of those that are not.
  std::vector<std::string> names() const;
  std::vector<std::string> ignored() const;

  /// Runs the layers, one after the other, on named blobs; returns those named by `outputs`. Throws
  /// ValueError for a blob that is neither given nor computed.
  std::vector<Variable> operator()(const std::vector<std::pair<std::string, Variable>>& inputs,
                                   const std::vector<std::string>& outputs,
                                   const CaffeCallOptions& options = {}) const;

  CaffeFunction& to_cpu();
  CaffeFunction& to_gpu();
  CaffeFunction& to_gpu(int device);
  CaffeFunction& to_gpu(cupyxx::Device device);

 private:
  struct Network;
  std::unique_ptr<Network> network_;
};

}  // namespace chainerxx::functions::caffe
