// SPDX-License-Identifier: MIT
#include "chainerxx/functions/caffe/caffe_function.h"

#include <algorithm>
#include <map>
#include <set>

#include "chainerxx/functions/caffe/layers.h"
#include "chainerxx/functions/caffe/network_file.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"

namespace chainerxx::functions::caffe {
namespace {

using caffe_files::Layer;
using internal::CaffeLayer;
using Blobs = std::map<std::string, Variable>;

struct Step {
  std::string name;
  std::vector<std::string> bottoms, tops;
  bool in_train = true, in_test = true;
  int layer = 0;  // its number in the file
  CaffeLayer run;
};

/// Whether rules let a layer take part in a phase.
bool takes_part(const Layer& layer, caffe_files::Phase phase) {
  const auto names_phase = [&](const caffe_files::Rule& rule) {
    return rule.has_phase() && rule.phase() == phase;
  };
  for (const auto& rule : layer.exclude()) {
    if (names_phase(rule)) return false;
  }
  bool is_limited = false;
  for (const auto& rule : layer.include()) {
    if (names_phase(rule)) return true;
    is_limited = is_limited || rule.has_phase();
  }
  return !is_limited;
}

Step step_of(const Layer& layer) {
  Step step;
  step.name = layer.name();
  step.bottoms.assign(layer.bottom().begin(), layer.bottom().end());
  step.tops.assign(layer.top().begin(), layer.top().end());
  step.in_train = takes_part(layer, caffe_files::TRAIN);
  step.in_test = takes_part(layer, caffe_files::TEST);
  return step;
}

/// The variables of a step's inputs; none when one is missing.
std::vector<Variable> inputs_of(const Step& step, const Blobs& blobs) {
  std::vector<Variable> inputs;
  for (const std::string& bottom : step.bottoms) {
    const auto found = blobs.find(bottom);
    if (found == blobs.end()) return {};
    inputs.push_back(found->second);
  }
  return inputs;
}

void store(const Step& step, const std::vector<Variable>& results, Blobs& blobs) {
  for (std::size_t i = 0; i < std::min(results.size(), step.tops.size()); ++i) {
    blobs[step.tops[i]] = results[i];
  }
}

/// Zeros of the declared inputs, with a batch of one.
Blobs declared_inputs(const std::string& path, const caffe_files::Network& network) {
  Blobs blobs;
  const auto add = [&](const std::string& name, std::vector<std::int64_t> dims) {
    if (dims.empty()) return;
    dims[0] = 1;
    try {
      blobs[name] = Variable(cupyxx::zeros(dims, cupyxx::float32), true);
    } catch (const cupyxx::Error& error) {
      throw cupyxx::ValueError(cupyxx::message("CaffeFunction: ", path, ": input '", name,
                                               "' has an impossible shape; ", error.what()));
    }
  };
  for (int i = 0; i < network.input_size(); ++i) {
    std::vector<std::int64_t> dims;
    if (i < network.input_shape_size()) {
      const auto& shape = network.input_shape(i).dim();
      dims.assign(shape.begin(), shape.end());
    } else if (4 * (i + 1) <= network.input_dim_size()) {
      const auto first = network.input_dim().begin() + 4 * i;
      dims.assign(first, first + 4);
    }
    add(network.input(i), dims);
  }
  for (const Layer& layer : network.layer()) {
    if (layer.type() != "Input") continue;
    const auto& shapes = layer.input_param().shape();
    for (int i = 0; i < layer.top_size() && shapes.size() > 0; ++i) {
      const auto& dims = shapes[std::min(i, shapes.size() - 1)].dim();
      add(layer.top(i), {dims.begin(), dims.end()});
    }
  }
  return blobs;
}

}  // namespace

struct CaffeFunction::Network {
  FunctionSet functions;
  std::vector<Step> steps;
  std::vector<std::string> ignored;
};

CaffeFunction::CaffeFunction(const std::string& model_path, const CaffeOptions& options)
    : network_(std::make_unique<Network>()) {
  const caffe_files::Network file = internal::read_network(model_path);
  cupyxx::random::RandomState random(options.seed);
  internal::CaffeBuilder builder{model_path, &network_->functions, &random};
  // Shapes are needed only where weights are not given; then the layers run as they are made.
  Blobs blobs;
  bool is_running = false;
  const auto run = [&](const Step& step, const Layer& layer) {
    const auto inputs = inputs_of(step, blobs);
    if (inputs.empty()) return;
    try {
      store(step, step.run(inputs, false), blobs);
    } catch (const cupyxx::Error& error) {
      builder.refuse(layer, cupyxx::message("does not fit the declared input; ", error.what()));
    }
  };
  for (int i = 0; i < file.layer_size(); ++i) {
    const Layer& layer = file.layer(i);
    Step step = step_of(layer);
    step.layer = i;
    bool is_pending = false;
    if (!step.tops.empty()) {
      step.run = builder.make(layer, is_running ? inputs_of(step, blobs) : std::vector<Variable>{},
                              is_pending);
    }
    if (is_pending && !is_running) {
      blobs = declared_inputs(model_path, file);
      is_running = true;
      for (const Step& earlier : network_->steps) run(earlier, file.layer(earlier.layer));
      is_pending = false;
      step.run = builder.make(layer, inputs_of(step, blobs), is_pending);
    }
    if (is_pending) {
      builder.refuse(layer, "has no weights, and the shape of its input is not known");
    }
    if (!step.run) {
      network_->ignored.push_back(step.name);
      continue;
    }
    if (is_running) run(step, layer);
    network_->steps.push_back(std::move(step));
  }
}

CaffeFunction::~CaffeFunction() = default;
CaffeFunction::CaffeFunction(CaffeFunction&&) noexcept = default;
CaffeFunction& CaffeFunction::operator=(CaffeFunction&&) noexcept = default;

FunctionSet& CaffeFunction::fs() { return network_->functions; }

std::map<std::string, CaffeFunction::Forward> CaffeFunction::forwards() const {
  std::map<std::string, Forward> functions;
  for (const Step& step : network_->steps) functions[step.name] = step.run;
  return functions;
}

std::vector<std::string> CaffeFunction::names() const {
  std::vector<std::string> names;
  for (const Step& step : network_->steps) names.push_back(step.name);
  return names;
}

std::vector<std::string> CaffeFunction::ignored() const { return network_->ignored; }

std::vector<Variable> CaffeFunction::operator()(
    const std::vector<std::pair<std::string, Variable>>& inputs,
    const std::vector<std::string>& outputs, const CaffeCallOptions& options) const {
  Blobs blobs(inputs.begin(), inputs.end());
  const std::set<std::string> disabled(options.disable.begin(), options.disable.end());
  for (const Step& step : network_->steps) {
    if (disabled.contains(step.name) || !(options.train ? step.in_train : step.in_test)) continue;
    const auto bottoms = inputs_of(step, blobs);
    if (!bottoms.empty()) store(step, step.run(bottoms, options.train), blobs);
  }
  std::vector<Variable> results;
  for (const std::string& name : outputs) {
    const auto found = blobs.find(name);
    if (found == blobs.end()) {
      throw cupyxx::ValueError(
          cupyxx::message("CaffeFunction: the blob is neither given nor computed; '", name, "'"));
    }
    results.push_back(found->second);
  }
  return results;
}

CaffeFunction& CaffeFunction::to_cpu() {
  network_->functions.to_cpu();
  return *this;
}
CaffeFunction& CaffeFunction::to_gpu() {
  network_->functions.to_gpu();
  return *this;
}
CaffeFunction& CaffeFunction::to_gpu(int device) {
  network_->functions.to_gpu(device);
  return *this;
}
CaffeFunction& CaffeFunction::to_gpu(cupyxx::Device device) {
  network_->functions.to_gpu(device);
  return *this;
}

}  // namespace chainerxx::functions::caffe
