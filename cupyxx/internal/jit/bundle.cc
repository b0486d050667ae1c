// SPDX-License-Identifier: MIT
#include "cupyxx/internal/jit/bundle.h"

#include <zlib.h>

#include <algorithm>
#include <cstring>

namespace cupyxx::internal::jit {
namespace {

constexpr std::uint64_t kMagic = 0x32304c444e425843;  // "CXBNDL02"

struct Head {
  std::uint64_t magic;
  std::uint64_t count;
};

// Entries are sorted by key.
struct Entry {
  Hash128 key;
  std::uint64_t offset;  // from the start of the data
  std::uint64_t stored;  // bytes there
  std::uint64_t size;    // bytes of the cubin
};

Entry entry_at(std::span<const unsigned char> data, std::size_t index) {
  Entry entry;
  std::memcpy(&entry, data.data() + sizeof(Head) + index * sizeof(Entry), sizeof entry);
  return entry;
}

std::string deflate(const std::string& cubin) {
  uLongf stored = compressBound(cubin.size());
  std::string data(stored, '\0');
  compress2(reinterpret_cast<Bytef*>(data.data()), &stored,
            reinterpret_cast<const Bytef*>(cubin.data()), cubin.size(), Z_BEST_COMPRESSION);
  data.resize(stored);
  return data;
}

}  // namespace

Bundle::Bundle(std::span<const unsigned char> data) : data_(data) {
  Head head;
  if (data.size() < sizeof head) return;
  std::memcpy(&head, data.data(), sizeof head);
  if (head.magic != kMagic || head.count > (data.size() - sizeof head) / sizeof(Entry)) return;
  count_ = head.count;
}

std::size_t Bundle::lower_bound(const Hash128& key) const {
  std::size_t begin = 0, end = count_;
  while (begin < end) {
    const std::size_t middle = begin + (end - begin) / 2;
    if (entry_at(data_, middle).key < key) {
      begin = middle + 1;
    } else {
      end = middle;
    }
  }
  return begin;
}

bool Bundle::contains(const Hash128& key) const {
  const std::size_t at = lower_bound(key);
  return at < count_ && entry_at(data_, at).key == key;
}

std::optional<std::string> Bundle::find(const Hash128& key) const {
  const std::size_t at = lower_bound(key);
  if (at == count_) return std::nullopt;
  const Entry entry = entry_at(data_, at);
  if (entry.key != key || entry.offset > data_.size() ||
      entry.stored > data_.size() - entry.offset) {
    return std::nullopt;
  }
  std::string cubin(entry.size, '\0');
  uLongf size = entry.size;
  if (uncompress(reinterpret_cast<Bytef*>(cubin.data()), &size, data_.data() + entry.offset,
                 entry.stored) != Z_OK ||
      size != entry.size) {
    return std::nullopt;
  }
  return cubin;
}

std::string write_bundle(std::vector<std::pair<Hash128, std::string>> kernels) {
  std::sort(kernels.begin(), kernels.end());
  kernels.erase(std::unique(kernels.begin(), kernels.end(),
                            [](const auto& a, const auto& b) { return a.first == b.first; }),
                kernels.end());
  const Head head{kMagic, kernels.size()};
  std::string data(reinterpret_cast<const char*>(&head), sizeof head);
  const std::uint64_t offset = sizeof head + kernels.size() * sizeof(Entry);
  std::string body;
  for (const auto& [key, cubin] : kernels) {
    const std::string stored = deflate(cubin);
    const Entry entry{key, offset + body.size(), stored.size(), cubin.size()};
    data.append(reinterpret_cast<const char*>(&entry), sizeof entry);
    body += stored;
  }
  return data + body;
}

}  // namespace cupyxx::internal::jit
