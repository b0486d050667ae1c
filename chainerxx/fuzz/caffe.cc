// SPDX-License-Identifier: MIT
#include "chainerxx/fuzz/caffe.h"

#include <optional>

#include "chainerxx/functions/caffe/caffe_function.h"
#include "cupyxx/creation.h"
#include "cupyxx/cuda/memory_pool.h"
#include "cupyxx/testing/fuzz/target.h"

namespace chainerxx::fuzz {

using cupyxx::fuzz::attempt;
using functions::caffe::CaffeFunction;

void read_network(const char* name, std::string_view bytes) {
  const std::string path = cupyxx::fuzz::write_file(name, bytes);
  cupyxx::set_pool_limit(cupyxx::Device::cpu(), 1 << 20);
  std::optional<CaffeFunction> network;
  if (!attempt([&] { network.emplace(path); })) return;
  network->ignored();
  network->fs().fields();
  std::vector<std::string> names = network->names();
  const Variable x = cupyxx::ones({1, 2, 4, 4}, cupyxx::float32);
  for (const bool train : {true, false}) {
    attempt([&] {
      (*network)({{"data", x}}, {names.empty() ? "data" : names.back()}, {.train = train});
    });
  }
}

}  // namespace chainerxx::fuzz
