// SPDX-License-Identifier: MIT
// Snapshots of a training: one that is refused changes neither the model nor the optimizer nor the
// random numbers.
#include "chainerxx/functions/connection/linear.h"
#include "chainerxx/optimizers/adam.h"
#include "cupyxx/creation.h"
#include "cupyxx/io.h"
#include "cupyxx/random.h"
#include "cupyxx/testing/fuzz/target.h"
#include "cupyxx/testing/fuzz/zip_checksums.h"
#include "examples/program/errors.h"
#include "examples/program/snapshot.h"

namespace examples {
namespace {

namespace F = chainerxx::functions;
using cupyxx::fuzz::fail;

struct Model : chainerxx::FunctionSet {
  F::Linear& l1 = add("l1", F::Linear(2, 3));
};

struct Setting {
  Setting() {
    model.zero_grads();
    optimizer.setup(model);
    cupyxx::random::seed(1);
  }
  std::vector<std::uint64_t> state() {
    std::vector<std::uint64_t> all;
    for (auto& list : {model.fields(), optimizer.fields()}) {
      for (const chainerxx::NamedField& field : list) {
        for (const std::byte byte : field.array->tobytes()) {
          all.push_back(static_cast<std::uint64_t>(byte));
        }
      }
    }
    const cupyxx::random::RandomState random = cupyxx::random::get_state();
    all.insert(all.end(),
               {static_cast<std::uint64_t>(optimizer.t()), random.seed(), random.offset()});
    return all;
  }

  Model model;
  chainerxx::optimizers::Adam optimizer;
};

void run(std::string_view bytes) {
  static Setting now;
  constexpr std::int64_t kImages = 5;
  constexpr std::int64_t kEpochs = 3;
  const std::string path = cupyxx::fuzz::write_file("snapshot.npz", bytes);
  const TrainingSettings settings = {.program = "train_mnist",
                                     .flags = {{"units", "3"}, {"optimizer", "adam"}},
                                     .data = "",
                                     .images = kImages};
  for (auto& list : {now.model.fields(), now.optimizer.fields()}) {
    for (const chainerxx::NamedField& field : list) field.array->fill(0.5);
  }
  now.optimizer.set_t(7);
  const std::vector<std::uint64_t> before = now.state();
  TrainingState state;
  if (!cupyxx::fuzz::attempt<UserError>(
          [&] { state = load_snapshot(path, settings, kEpochs, now.model, now.optimizer); })) {
    if (now.state() != before) fail("training: a snapshot that was refused changed something");
    return;
  }
  if (state.epoch < 0 || state.epoch >= kEpochs || state.position < 0 || state.position > kImages) {
    fail("training: a place that no training has");
  }
  const cupyxx::NpzFile file = cupyxx::load_npz(path);
  for (const chainerxx::NamedField& field : now.model.fields()) {
    if (!cupyxx::fuzz::equal(file["model/" + field.name], *field.array)) {
      fail("training: a parameter is not what the snapshot holds");
    }
  }
  // What goes on reads these.
  state.means.loss.value();
  state.means.accuracy.value();
  if (state.position != 0) {
    for (const std::int64_t image : state.order.to_vector<std::int64_t>()) {
      if (image < 0 || image >= kImages) fail("training: an image that is not there");
    }
  }
}

const cupyxx::fuzz::Target training("training", &run, &cupyxx::fuzz::repair_checksums);

}  // namespace
}  // namespace examples
