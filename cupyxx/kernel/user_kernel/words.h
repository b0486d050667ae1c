// SPDX-License-Identifier: MIT
// Parameters of kernels whose structs depend on a user's text, written word by word.
#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

#include "cupyxx/internal/jit/kernel.h"
#include "cupyxx/kernel/user_kernel/bind.h"

namespace cupyxx::internal::user_kernel {

class Words {
 public:
  template <class T>
  void add(const T& value) {
    const std::size_t at = bytes_.size();
    bytes_.resize(at + sizeof value);
    std::memcpy(bytes_.data() + at, &value, sizeof value);
  }
  void add(std::nullptr_t) { add(std::uint64_t{0}); }
  void add(bool) = delete;
  void add(int value) { add(std::int64_t{value}); }
  void* data() { return bytes_.data(); }

 private:
  std::vector<char> bytes_;
};

/// Strided kernels exist for ranks 1 to 4, 8 and 32.
inline int device_rank(int rank) { return rank <= 4 ? rank : rank <= 8 ? 8 : kMaxNdim; }

inline std::vector<const void*> raw_pointers(const Raws& raws) {
  std::vector<const void*> pointers;
  for (const auto& data : raws.data) pointers.push_back(&data);
  return pointers;
}

/// Launches a kernel whose first parameter is `words` and whose others are the raw arguments.
inline void launch(const jit::Kernel* kernel, const jit::LaunchShape& shape, void* stream,
                   Words& words, const Raws& raws) {
  std::vector<void*> arguments = {words.data()};
  for (const void* raw : raw_pointers(raws)) arguments.push_back(const_cast<void*>(raw));
  jit::launch_with(kernel, shape, stream, arguments.data());
}

}  // namespace cupyxx::internal::user_kernel
