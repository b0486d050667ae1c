// SPDX-License-Identifier: MIT
#include "chainerxx/parallel/state_shards.h"

#include <cstring>
#include <deque>
#include <optional>
#include <string_view>
#include <utility>

#include "chainerxx/function.h"
#include "chainerxx/internal/update_rule.h"
#include "chainerxx/serializers.h"
#include "cupyxx/creation.h"
#include "cupyxx/indexing.h"

namespace chainerxx::internal {
namespace {

constexpr std::string_view kLossScale = "loss_scale";

/// The parts of a function's parameters.
class Parts final : public FunctionOf<Parts, 0> {
 public:
  void add(std::string_view name, const ParameterPart& part) {
    all_.push_back({std::string(name), part.parameter, part.gradient});
  }
  std::vector<Field> fields() override {
    std::vector<Field> fields;
    for (Part& part : all_) fields.emplace_back(part.name.c_str(), &part.parameter, &part.gradient);
    return fields;
  }

 private:
  struct Part {
    std::string name;
    ndarray parameter, gradient;
  };
  std::deque<Part> all_;  // optimizers refer to the arrays
};

/// "block/l1/W" is the field W of the function l1 of the set block.
void add_named(FunctionSet& root, const ParameterPart& part) {
  FunctionSet* set = &root;
  std::string_view rest = part.name;
  std::string name(rest.substr(0, rest.find('/')));
  rest.remove_prefix(name.size() + 1);
  for (std::size_t slash = rest.find('/'); slash != rest.npos; slash = rest.find('/')) {
    if (!set->contains(name)) set->add<FunctionSet>(name);
    set = &set->set(name);
    name = rest.substr(0, slash);
    rest.remove_prefix(slash + 1);
  }
  if (!set->contains(name)) set->add(name, Parts());
  static_cast<Parts&>((*set)[name]).add(rest, part);
}

/// Whole states on the host, to be written and read.
class WholeStates final : public Optimizer {
 public:
  WholeStates(const std::vector<ParameterPart>& parts, Optimizer& like)
      : names_(like.state_names()) {
    // Nothing is updated, and the gradients may not be there.
    for (const ParameterPart& part : parts) {
      add_named(whole_, {part.name, part.whole, part.whole, part.whole, 0});
    }
    setup(whole_);
    const std::vector<NamedField> fields = like.fields();
    if (!fields.empty() && fields.back().name == kLossScale) scale_loss();
  }
  State init_state(const ndarray& param, const ndarray&) override {
    const cupyxx::DeviceScope on_host(cupyxx::Device::cpu());
    State state;
    for (std::size_t i = 0; i < names_.size(); ++i) {
      state.push_back(cupyxx::zeros(param.shape(), param.dtype()));
    }
    return state;
  }
  std::vector<std::string> state_names() const override { return names_; }

 private:
  std::vector<std::string> names_;
  FunctionSet whole_;
};

std::string bytes_of(const ndarray& a) {
  const ndarray on_host = cupyxx::ascontiguousarray(a.to_cpu());
  return {static_cast<const char*>(on_host.elements()), static_cast<std::size_t>(on_host.nbytes())};
}

/// An array of the host with one axis.
ndarray array_of(std::string_view bytes, cupyxx::dtype dtype) {
  const cupyxx::DeviceScope on_host(cupyxx::Device::cpu());
  const ndarray a =
      cupyxx::empty({static_cast<std::int64_t>(bytes.size()) / dtype.itemsize()}, dtype);
  std::memcpy(a.elements(), bytes.data(), bytes.size());
  return a;
}

/// Elements in the order in which the memory of `whole` has them.
ndarray in_memory_order(const ndarray& values, const ndarray& whole) {
  const cupyxx::DeviceScope on_host(cupyxx::Device::cpu());
  const ndarray flat = cupyxx::empty({values.size()}, values.dtype());
  part_like(whole, flat, 0).set(values);
  return flat;
}

}  // namespace

bool works_by_elements(const Optimizer& optimizer) {
  struct Rules : Optimizer {
    static std::optional<UpdateRule> of(const Optimizer& o) { return (o.*&Rules::rule)(); }
  };
  const std::optional<UpdateRule> rule = Rules::of(optimizer);
  return rule && rule->family->works_by_elements();
}

StateShards::StateShards(cupyxx::comm::Communicator communicator, Optimizer& actual,
                         FunctionSet& model, const GradientBuckets& buckets)
    : communicator_(std::move(communicator)),
      actual_(actual),
      parts_(buckets.parts(model.fields())) {
  for (const ParameterPart& part : parts_) add_named(named_parts_, part);
  actual.setup(named_parts_);
  if (parts_.empty() || parts_[0].whole.device().is_cpu()) return;
  const cupyxx::DeviceScope scope(parts_[0].whole.device());
  gathered_ = cupyxx::zeros({communicator_.size()}, cupyxx::float64);
}

const ParameterPart& StateShards::part_of(std::size_t state) const {
  return parts_[state / actual_.state_names().size()];
}

void StateShards::save(const std::string& path) {
  std::optional<WholeStates> whole;
  if (communicator_.rank() == 0) whole.emplace(parts_, actual_);
  const std::vector<NamedField> own = actual_.fields();
  const std::vector<NamedField> all = whole ? whole->fields() : own;
  for (std::size_t i = 0; i < own.size(); ++i) {
    if (own[i].name == kLossScale) {  // the same on all ranks
      if (whole) all[i].array->set(own[i].array->to(all[i].array->device()));
      continue;
    }
    // The parts of the ranks lie one behind the other in the memory of a parameter.
    std::string bytes;
    for (const std::string& part : communicator_.all_gather_bytes(bytes_of(*own[i].array))) {
      if (whole) bytes += part;
    }
    if (!whole) continue;
    all[i].array->set(part_like(part_of(i).whole, array_of(bytes, own[i].array->dtype()), 0));
  }
  if (!whole) return;
  whole->set_t(actual_.t());
  save_npz(path, *whole);
}

void StateShards::load(const std::string& path) {
  std::optional<WholeStates> whole;
  on_rank_0(communicator_, "load_npz", [&] {
    whole.emplace(parts_, actual_);
    load_npz(path, *whole);
  });
  const std::vector<NamedField> own = actual_.fields();
  const std::vector<NamedField> all = whole ? whole->fields() : own;
  for (std::size_t i = 0; i < own.size(); ++i) {
    const ndarray& target = *own[i].array;
    const bool is_whole = own[i].name == kLossScale;
    std::string bytes;
    if (whole) {
      bytes = bytes_of(is_whole ? *all[i].array : in_memory_order(*all[i].array, part_of(i).whole));
    }
    const ndarray flat = array_of(communicator_.broadcast_bytes(bytes), target.dtype());
    const std::int64_t begin = is_whole ? 0 : part_of(i).begin;
    target.set(flat(cupyxx::slice(begin, begin + target.size())).to(target.device()));
  }
  const std::string t = communicator_.broadcast_bytes(whole ? std::to_string(whole->t()) : "");
  actual_.set_t(std::stoll(t));
}

double StateShards::sum(double own) {
  const cupyxx::DeviceScope on_host(cupyxx::Device::cpu());
  return communicator_.all_reduce(cupyxx::full({1}, own)).item<double>();
}

ndarray StateShards::gather(const ndarray& own) {
  communicator_.all_gather(own, {.out = gathered_});
  return gathered_;
}

void StateShards::take_largest(const ndarray& own) {
  communicator_.all_reduce(own, {.op = cupyxx::comm::Op::max, .out = own});
}

}  // namespace chainerxx::internal
