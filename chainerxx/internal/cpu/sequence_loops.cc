// SPDX-License-Identifier: MIT
#include "chainerxx/internal/cpu/sequence_loops.h"

#include "chainerxx/internal/cpu/element_types.h"

namespace chainerxx::internal::cpu {

using cupyxx::extension::Arch;

template <Arch kArch, class T>
void SequenceLoops<kArch, T>::lstm(const kernels::LstmArgs& args, std::int64_t begin,
                                   std::int64_t end) {
  for (std::int64_t k = begin; k < end; ++k) kernels::lstm_cell<T>(args, k);
}

template <Arch kArch, class T>
void SequenceLoops<kArch, T>::lstm_grad(const kernels::LstmGradArgs& args, std::int64_t begin,
                                        std::int64_t end) {
  for (std::int64_t k = begin; k < end; ++k) kernels::lstm_grad_cell<T>(args, k);
}

CHAINERXX_FOR_ELEMENT_TYPES(SequenceLoops)

}  // namespace chainerxx::internal::cpu
