// SPDX-License-Identifier: MIT
// Two layers of long short-term memory over the bytes of a text.
#pragma once

#include <array>
#include <cstdint>

#include "chainerxx/chainerxx.h"
#include "cupyxx/cupyxx.h"

namespace char_rnn {

namespace cp = cupyxx;
namespace F = chainerxx::functions;
using chainerxx::Variable;

/// Cells and hidden states of two layers, (n, units) each.
using Memory = std::array<cp::ndarray, 4>;

struct Network : chainerxx::FunctionSet {
  explicit Network(std::int64_t units)
      : embed(add("embed", F::EmbedID(256, units))),
        lstm1(add("lstm1", F::LSTMSequence(units, units))),
        lstm2(add("lstm2", F::LSTMSequence(units, units))),
        scores(add("scores", F::Linear(units, 256))) {}

  /// The scores of the next bytes (steps n, 256) behind bytes (steps, n). The memory goes on; it
  /// holds arrays, no variables, so gradients end where the bytes begin.
  Variable operator()(const cp::ndarray& bytes, Memory& memory) const {
    auto& [c1, h1, c2, h2] = memory;
    const auto [y1, after1] = lstm1(embed(Variable(bytes)), Variable(c1), Variable(h1));
    const auto [y2, after2] = lstm2(y1, Variable(c2), Variable(h2));
    memory = {after1.data(), y1.data()(-1), after2.data(), y2.data()(-1)};
    return scores(F::reshape(y2, {-1, y2.shape()[2]}));
  }

  F::EmbedID& embed;
  F::LSTMSequence &lstm1, &lstm2;
  F::Linear& scores;
};

}  // namespace char_rnn
