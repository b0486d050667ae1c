// SPDX-License-Identifier: MIT
#include "cupyxx/internal/jit/bundle.h"

#include <algorithm>
#include <cstring>

namespace cupyxx::internal::jit {
namespace {

constexpr std::uint64_t kMagic = 0x31304c444e425843;  // "CXBNDL01"

struct Head {
  std::uint64_t magic;
  std::uint64_t count;
};

// Entries are sorted by key.
struct Entry {
  Hash128 key;
  std::uint64_t offset;  // from the start of the data
  std::uint64_t size;
};

Entry entry_at(std::span<const unsigned char> data, std::size_t index) {
  Entry entry;
  std::memcpy(&entry, data.data() + sizeof(Head) + index * sizeof(Entry), sizeof entry);
  return entry;
}

}  // namespace

Bundle::Bundle(std::span<const unsigned char> data) : data_(data) {
  Head head;
  if (data.size() < sizeof head) return;
  std::memcpy(&head, data.data(), sizeof head);
  if (head.magic != kMagic || head.count > (data.size() - sizeof head) / sizeof(Entry)) return;
  count_ = head.count;
}

std::optional<std::string_view> Bundle::find(const Hash128& key) const {
  std::size_t begin = 0, end = count_;
  while (begin < end) {
    const std::size_t middle = begin + (end - begin) / 2;
    const Entry entry = entry_at(data_, middle);
    if (entry.key == key) {
      if (entry.offset > data_.size() || entry.size > data_.size() - entry.offset) break;
      return std::string_view(reinterpret_cast<const char*>(data_.data()) + entry.offset,
                              entry.size);
    }
    if (entry.key < key) {
      begin = middle + 1;
    } else {
      end = middle;
    }
  }
  return std::nullopt;
}

std::string write_bundle(std::vector<std::pair<Hash128, std::string>> kernels) {
  std::sort(kernels.begin(), kernels.end());
  kernels.erase(std::unique(kernels.begin(), kernels.end(),
                            [](const auto& a, const auto& b) { return a.first == b.first; }),
                kernels.end());
  const Head head{kMagic, kernels.size()};
  std::string data(reinterpret_cast<const char*>(&head), sizeof head);
  std::uint64_t offset = sizeof head + kernels.size() * sizeof(Entry);
  for (const auto& [key, cubin] : kernels) {
    const Entry entry{key, offset, cubin.size()};
    data.append(reinterpret_cast<const char*>(&entry), sizeof entry);
    offset += (cubin.size() + 15) / 16 * 16;
  }
  for (const auto& [key, cubin] : kernels) {
    data += cubin;
    data.append((16 - cubin.size() % 16) % 16, '\0');
  }
  return data;
}

}  // namespace cupyxx::internal::jit
