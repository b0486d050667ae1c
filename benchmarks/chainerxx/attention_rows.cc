// SPDX-License-Identifier: MIT
#include "benchmarks/chainerxx/rows.h"

namespace benchmarks {
namespace {

/// One projection of 16 sequences, causal.
void add_attention(std::int64_t length, std::int64_t heads, std::int64_t depth, cupyxx::dtype dtype,
                   Way way) {
  const std::string size = "16x" + std::to_string(heads) + "x" + std::to_string(length) + "x" +
                           std::to_string(depth) + " " + std::string(dtype.name());
  add_row("attention " + size + name_of(way), [=](benchmark::State& state) {
    const Variable qkv(normal({16, length, 3 * heads * depth}, dtype));
    time_function(state, way, {qkv}, 0, [=](const std::vector<Variable>& in) {
      return F::self_attention(in[0], heads, {.is_causal = true});
    });
  });
}

const bool added = [] {
  for (const Way way : {Way::forward, Way::both}) {
    add_attention(1024, 12, 64, cupyxx::bfloat16_, way);
    add_attention(1024, 12, 64, cupyxx::float32, way);
    add_attention(2048, 16, 128, cupyxx::bfloat16_, way);
    add_attention(512, 4, 32, cupyxx::float16, way);
  }
  return true;
}();

}  // namespace
}  // namespace benchmarks
