// SPDX-License-Identifier: MIT
// The host's loop over the chunks of all tensors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "chainerxx/internal/cpu/support.h"
#include "chainerxx/internal/kernels/tensors.h"

namespace chainerxx::internal {

/// Calls `body` with the number of each chunk, on the threads of the team.
template <class Body>
void for_chunks(std::span<const kernels::Chunk> chunks, const Body& body) {
  constexpr std::int64_t kChunk = 8192;  // as the table cuts them
  cpu::parallel_for(static_cast<std::int64_t>(chunks.size()), cpu::kGrain / kChunk,
                    [&](std::int64_t begin, std::int64_t end) {
                      for (std::int64_t i = begin; i < end; ++i) body(static_cast<std::size_t>(i));
                    });
}

}  // namespace chainerxx::internal
