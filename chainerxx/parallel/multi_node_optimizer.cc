// SPDX-License-Identifier: MIT
#include "chainerxx/parallel/multi_node_optimizer.h"

#include <string>
#include <vector>

#include "chainerxx/internal/gradient_exchange.h"
#include "chainerxx/parallel/gradient_buckets.h"
#include "chainerxx/parallel/state_shards.h"
#include "chainerxx/serializers.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"

namespace chainerxx {
namespace {

using cupyxx::comm::Communicator;

/// The names, shapes and dtypes of a model, by which ranks compare theirs.
std::string description(const std::vector<NamedField>& fields) {
  std::string text;
  for (const NamedField& field : fields) {
    text += cupyxx::message(field.name, " ", field.array->dtype().name(), " ", field.array->shape(),
                            "\n");
  }
  return text;
}

std::string first_line_that_differs(const std::string& a, const std::string& b) {
  std::size_t begin = 0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()) && a[i] == b[i]; ++i) {
    if (a[i] == '\n') begin = i + 1;
  }
  const auto line = [&](const std::string& text) {
    return begin < text.size() ? text.substr(begin, text.find('\n', begin) - begin) : "nothing";
  };
  return line(a) + " and " + line(b);
}

void check_same_model(const Communicator& comm, const std::vector<NamedField>& fields) {
  const std::vector<std::string> all = comm.all_gather_bytes(description(fields));
  for (std::size_t rank = 1; rank < all.size(); ++rank) {
    if (all[rank] == all[0]) continue;
    throw cupyxx::ValueError(cupyxx::message("MultiNodeOptimizer.setup: rank ", comm.rank(), " of ",
                                             comm.size(), ": the models of ranks 0 and ", rank,
                                             " differ; ",
                                             first_line_that_differs(all[0], all[rank])));
  }
}

/// Where states are divided parts are cut from both in the same way.
void check_pairs(const std::vector<NamedField>& fields, bool is_sharded, bool needs_gradients) {
  for (const NamedField& field : fields) {
    const ndarray *a = field.array, *b = field.gradient;
    if (b == nullptr || (b->is_none() && !needs_gradients)) continue;
    if (!b->is_none() && !is_sharded) continue;
    if (!b->is_none() && a->shape() == b->shape() && a->dtype() == b->dtype() &&
        a->device() == b->device()) {
      continue;
    }
    throw cupyxx::ValueError(cupyxx::message(
        "MultiNodeOptimizer.setup: a parameter and its gradient do not match; ", field.name));
  }
}

void broadcast_fields(const Communicator& comm, const std::vector<NamedField>& fields) {
  for (const NamedField& field : fields) comm.broadcast(*field.array);
}

/// The number of updates.
void broadcast_count(const Communicator& comm, Optimizer& optimizer) {
  optimizer.set_t(std::stoll(comm.broadcast_bytes(std::to_string(optimizer.t()))));
}

std::uint64_t hash_of(const ndarray& array) {
  const ndarray a = cupyxx::ascontiguousarray(array.to_cpu());
  const auto* const bytes = static_cast<const unsigned char*>(a.elements());
  std::uint64_t hash = 14695981039346656037u;  // FNV-1a
  for (std::int64_t i = 0; i < a.nbytes(); ++i) hash = (hash ^ bytes[i]) * 1099511628211u;
  return hash;
}

}  // namespace

struct MultiNodeOptimizer::Impl {
  Impl(Optimizer& the_actual, const Communicator& the_communicator, const MultiNodeOptions& o)
      : actual(the_actual), communicator(the_communicator), options(o) {
    options.shard_states |= options.shard_gradients;
  }

  void check_setup(const char* operation) const {
    if (model != nullptr) return;
    throw cupyxx::ValueError(
        cupyxx::message(operation, ": setup() comes first; the optimizer has no model yet"));
  }

  /// While it lives the optimizer inside knows that it has parts.
  internal::GradientExchangeScope parts() const {
    return internal::GradientExchangeScope(shards.get());
  }

  Optimizer& actual;
  Communicator communicator;
  MultiNodeOptions options;
  FunctionSet* model = nullptr;
  std::unique_ptr<internal::GradientBuckets> buckets;
  std::unique_ptr<internal::StateShards> shards;  // with shard_states
};

MultiNodeOptimizer::MultiNodeOptimizer(Optimizer& actual, const Communicator& communicator,
                                       const MultiNodeOptions& options)
    : impl_(std::make_unique<Impl>(actual, communicator, options)) {
  const cupyxx::dtype type = options.reduced_dtype;
  if (type && type != cupyxx::float16 && type != cupyxx::bfloat16_) {
    throw cupyxx::DtypeError(cupyxx::message(
        "create_multi_node_optimizer: gradients travel as float16 or bfloat16; ", type.name()));
  }
  if (options.bucket_bytes < 1) {
    throw cupyxx::ValueError(cupyxx::message(
        "create_multi_node_optimizer: bucket_bytes is below 1; ", options.bucket_bytes));
  }
  if (impl_->options.shard_states && !internal::works_by_elements(actual)) {
    throw cupyxx::ValueError(cupyxx::message(
        "create_multi_node_optimizer: ",
        options.shard_gradients ? "shard_gradients" : "shard_states",
        " divides parameters, and the algorithm (LARS, LAMB or one with an update_one of its own) "
        "needs them whole"));
  }
}

MultiNodeOptimizer::MultiNodeOptimizer(MultiNodeOptimizer&&) noexcept = default;
MultiNodeOptimizer& MultiNodeOptimizer::operator=(MultiNodeOptimizer&&) noexcept = default;
MultiNodeOptimizer::~MultiNodeOptimizer() = default;

void MultiNodeOptimizer::setup(FunctionSet& model) {
  // Ranks compare parameters, and send their gradients in buckets that are made here.
  internal::check_sized("MultiNodeOptimizer.setup", model);
  const std::vector<NamedField> fields = model.fields();
  const Communicator& comm = impl_->communicator;
  const bool is_sharded = impl_->options.shard_states;
  impl_->shards.reset();
  if (comm.size() > 1 || is_sharded) {
    check_same_model(comm, fields);
    check_pairs(fields, is_sharded, !impl_->options.shard_gradients);
    broadcast_fields(comm, fields);
    // Its calls come from within backward: they have a communicator of their own.
    impl_->buckets =
        std::make_unique<internal::GradientBuckets>(comm.split(0, comm.rank()), impl_->options);
    impl_->buckets->build(fields);
  }
  if (is_sharded) {
    impl_->shards =
        std::make_unique<internal::StateShards>(comm, impl_->actual, model, *impl_->buckets);
  } else {
    impl_->actual.setup(model);
  }
  impl_->model = &model;
}

void MultiNodeOptimizer::broadcast() {
  impl_->check_setup("MultiNodeOptimizer.broadcast");
  if (impl_->communicator.size() == 1) return;
  broadcast_fields(impl_->communicator, impl_->model->fields());
  if (impl_->shards == nullptr) broadcast_fields(impl_->communicator, impl_->actual.fields());
  broadcast_count(impl_->communicator, impl_->actual);
}

void MultiNodeOptimizer::check_equal() {
  impl_->check_setup("MultiNodeOptimizer.check_equal");
  const Communicator& comm = impl_->communicator;
  const std::vector<NamedField> fields = impl_->model->fields();
  std::vector<std::uint64_t> hashes;
  hashes.reserve(fields.size());
  for (const NamedField& field : fields) hashes.push_back(hash_of(*field.array));
  const std::size_t nbytes = hashes.size() * sizeof(std::uint64_t);
  const std::vector<std::string> all =
      comm.all_gather_bytes({reinterpret_cast<const char*>(hashes.data()), nbytes});
  for (std::size_t i = 0; i < fields.size(); ++i) {
    for (std::size_t rank = 1; rank < all.size(); ++rank) {
      const std::size_t at = i * sizeof(std::uint64_t);
      if (all[rank].compare(at, sizeof(std::uint64_t), all[0], at, sizeof(std::uint64_t)) == 0) {
        continue;
      }
      throw cupyxx::ValueError(cupyxx::message("MultiNodeOptimizer.check_equal: rank ", comm.rank(),
                                               " of ", comm.size(), ": ", fields[i].name,
                                               " differs between ranks; 0 and ", rank));
    }
  }
}

void MultiNodeOptimizer::zero_grads() {
  if (impl_->shards != nullptr) {
    impl_->buckets->zero_grads();
  } else {
    impl_->actual.zero_grads();
  }
  if (impl_->buckets != nullptr) impl_->buckets->forget_average();
}

void MultiNodeOptimizer::backward(const Variable& loss) { impl_->actual.backward(loss); }

void MultiNodeOptimizer::backward_once(const Variable& loss) {
  struct Last {
    explicit Last(internal::GradientBuckets* the_buckets) : buckets(the_buckets) { set(true); }
    ~Last() { set(false); }
    Last(const Last&) = delete;
    Last& operator=(const Last&) = delete;
    void set(bool is_last) const {
      if (buckets != nullptr) buckets->set_last(is_last);
    }
    internal::GradientBuckets* buckets;
  } const last(impl_->buckets.get());
  backward(loss);
}

void MultiNodeOptimizer::average_grads() {
  impl_->check_setup("MultiNodeOptimizer.average_grads");
  if (impl_->buckets != nullptr) impl_->buckets->average();
}

void MultiNodeOptimizer::update() {
  impl_->check_setup("MultiNodeOptimizer.update");
  average_grads();
  {
    const auto parts = impl_->parts();
    impl_->actual.update();
  }
  if (impl_->shards != nullptr) impl_->buckets->gather_parameters();
  if (impl_->buckets != nullptr) impl_->buckets->note_update();
}

double MultiNodeOptimizer::compute_grads_norm() {
  average_grads();
  const auto parts = impl_->parts();
  return impl_->actual.compute_grads_norm();
}

void MultiNodeOptimizer::clip_grads(double maxnorm) {
  average_grads();
  const auto parts = impl_->parts();
  impl_->actual.clip_grads(maxnorm);
}

void MultiNodeOptimizer::weight_decay(double decay) {
  average_grads();
  const auto parts = impl_->parts();
  impl_->actual.weight_decay(decay);
}

void MultiNodeOptimizer::set_overlap(bool overlap) {
  impl_->check_setup("MultiNodeOptimizer.set_overlap");
  if (impl_->buckets != nullptr) impl_->buckets->set_active(overlap);
}

int MultiNodeOptimizer::overlapped_buckets() const {
  return impl_->buckets != nullptr ? impl_->buckets->overlapped() : 0;
}

int MultiNodeOptimizer::bucket_count() const {
  return impl_->buckets != nullptr ? static_cast<int>(impl_->buckets->bucket_count()) : 0;
}

Optimizer& MultiNodeOptimizer::actual() const { return impl_->actual; }
Optimizer& MultiNodeOptimizer::actual_optimizer() const {
  impl_->check_setup("MultiNodeOptimizer.actual_optimizer");
  if (impl_->shards == nullptr) return impl_->actual;
  throw cupyxx::ValueError(
      "MultiNodeOptimizer.actual_optimizer: with shard_states and shard_gradients each rank has a "
      "part of the states, which an updater cannot save; train in a loop, and "
      "save_npz(path, optimizer) writes them all");
}

const Communicator& MultiNodeOptimizer::communicator() const { return impl_->communicator; }

MultiNodeOptimizer create_multi_node_optimizer(Optimizer& actual, const Communicator& communicator,
                                               const MultiNodeOptions& options) {
  return MultiNodeOptimizer(actual, communicator, options);
}

void save_npz(const std::string& path, MultiNodeOptimizer& optimizer) {
  const MultiNodeOptimizer::Impl& impl = *optimizer.impl_;
  impl.check_setup("save_npz");
  if (impl.shards != nullptr) {
    impl.shards->save(path);
  } else if (impl.communicator.rank() == 0) {
    save_npz(path, impl.actual);
  }
}

void load_npz(const std::string& path, MultiNodeOptimizer& optimizer) {
  const MultiNodeOptimizer::Impl& impl = *optimizer.impl_;
  impl.check_setup("load_npz");
  if (impl.shards != nullptr) {
    impl.shards->load(path);
    return;
  }
  internal::on_rank_0(impl.communicator, "load_npz", [&] { load_npz(path, impl.actual); });
  broadcast_fields(impl.communicator, impl.actual.fields());
  broadcast_count(impl.communicator, impl.actual);
}

}  // namespace chainerxx
