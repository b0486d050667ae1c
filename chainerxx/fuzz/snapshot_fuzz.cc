// SPDX-License-Identifier: MIT
// Models and optimizers in npz and safetensors files: a file that is refused changes nothing.
#include "chainerxx/function_set.h"
#include "chainerxx/functions/connection/linear.h"
#include "chainerxx/functions/normalization/batch_normalization.h"
#include "chainerxx/optimizers/adam.h"
#include "chainerxx/serializers.h"
#include "cupyxx/creation.h"
#include "cupyxx/testing/fuzz/target.h"
#include "cupyxx/testing/fuzz/zip_checksums.h"

namespace chainerxx::fuzz {
namespace {

namespace F = chainerxx::functions;
using cupyxx::fuzz::attempt;
using cupyxx::fuzz::fail;

struct Model : FunctionSet {
  F::Linear& l1 = add("l1", F::Linear(3, 2));
  F::BatchNormalization& bn = add("bn", F::BatchNormalization(2));
};

struct Setting {
  Setting() {
    model.zero_grads();
    optimizer.setup(model);
  }
  /// All that a file may change.
  std::vector<std::byte> state() {
    std::vector<std::byte> all;
    for (auto& list : {model.fields(), optimizer.fields()}) {
      for (const NamedField& field : list) {
        const std::vector<std::byte> bytes = field.array->tobytes();
        all.insert(all.end(), bytes.begin(), bytes.end());
      }
    }
    const std::int64_t t = optimizer.t();
    const auto* bytes = reinterpret_cast<const std::byte*>(&t);
    all.insert(all.end(), bytes, bytes + sizeof t);
    return all;
  }

  Model model;
  optimizers::Adam optimizer;
};

void run(std::string_view bytes) {
  static Setting now;
  const bool is_npz = bytes.starts_with("PK");
  const std::string path = cupyxx::fuzz::write_file("model", bytes);
  const std::vector<std::byte> before = now.state();
  for (const bool strict : {true, false}) {
    const LoadOptions options{.strict = strict};
    LoadReport report;
    const bool is_model = attempt([&] {
      report =
          is_npz ? load_npz(path, now.model, options) : load_safetensors(path, now.model, options);
    });
    const bool is_optimizer = attempt([&] {
      report = is_npz ? load_npz(path, now.optimizer, options)
                      : load_safetensors(path, now.optimizer, options);
    });
    if (is_optimizer && strict != report.str().empty() && strict) {
      fail("snapshot: loaded though the file differs");
    }
    if (!is_model && !is_optimizer && now.state() != before) {
      fail("snapshot: a file that was refused changed something");
    }
  }
  // A later input meets the same values.
  for (auto& list : {now.model.fields(), now.optimizer.fields()}) {
    for (const NamedField& field : list) field.array->fill(0.5);
  }
  now.optimizer.set_t(3);
}

const cupyxx::fuzz::Target snapshot("snapshot", &run, &cupyxx::fuzz::repair_checksums);

}  // namespace
}  // namespace chainerxx::fuzz
