// SPDX-License-Identifier: MIT
#include "cupyxx/internal/gpu/error_words.h"

#include <cstddef>
#include <mutex>
#include <vector>

#include "cupyxx/internal/gpu/check.h"
#include "cupyxx/internal/gpu/memory/staging.h"
#include "cupyxx/internal/gpu/memory/thread_state.h"
#include "cupyxx/internal/gpu/stream.h"
#include "cupyxx/internal/kernels/error_word.h"

namespace cupyxx::internal::gpu {
namespace {

static_assert(sizeof(ErrorWord) == sizeof(kernels::ErrorWord));
static_assert(offsetof(ErrorWord, operation) == offsetof(kernels::ErrorWord, operation));
static_assert(offsetof(ErrorWord, value) == offsetof(kernels::ErrorWord, value));
static_assert(offsetof(ErrorWord, bound) == offsetof(kernels::ErrorWord, bound));
static_assert(static_cast<unsigned>(ErrorCode::not_finite) == kernels::kNotFinite);

constexpr int kWordsPerSlab = 4096 / sizeof(ErrorWord);

struct Words {
  struct Entry {
    int device;
    void* stream;
    ErrorWord* word;
  };
  std::mutex mutex;
  std::vector<Entry> entries;
  ErrorWord* slab = nullptr;
  int unused = 0;
};

Words& words() {
  static Words& table = *new Words;
  return table;
}

void throw_if_set(ErrorWord* word) {
  // The device wrote it before the wait that brought us here ended.
  if (*static_cast<volatile std::uint32_t*>(&word->code) == 0) return;
  const ErrorWord found = *word;
  *word = {};
  throw_error_word(found);
}

}  // namespace

ErrorWord* error_word(int device, void* stream) {
  ThreadDevice& state = t_state.devices[device];
  const bool current = state.stream == stream;
  if (current && state.word) return state.word;
  Words& table = words();
  const std::lock_guard lock(table.mutex);
  ErrorWord* word = nullptr;
  for (const Words::Entry& entry : table.entries) {
    if (entry.device == device && entry.stream == stream) word = entry.word;
  }
  if (!word) {
    if (table.unused == 0) {
      const OnDevice at(device);
      table.slab = static_cast<ErrorWord*>(allocate_pinned(kWordsPerSlab * sizeof(ErrorWord)));
      table.unused = kWordsPerSlab;
    }
    word = table.slab + --table.unused;
    *word = {};
    table.entries.push_back({device, stream, word});
  }
  if (current) state.word = word;
  return word;
}

void share_error_word(int device, void* stream, void* with) {
  ErrorWord* const word = error_word(device, with);
  forget_error_word(device, stream);
  Words& table = words();
  const std::lock_guard lock(table.mutex);
  table.entries.push_back({device, stream, word});
}

void forget_error_word(int device, void* stream) {
  Words& table = words();
  const std::lock_guard lock(table.mutex);
  std::erase_if(table.entries, [&](const Words::Entry& entry) {
    return entry.device == device && entry.stream == stream;
  });
}

void throw_device_errors(int device, void* stream) {
  throw_host_errors(device, stream);
  ThreadDevice& state = t_state.devices[device];
  if (state.stream == stream && state.word) {
    throw_if_set(state.word);
    return;
  }
  Words& table = words();
  const std::lock_guard lock(table.mutex);
  for (const Words::Entry& entry : table.entries) {
    if (entry.device == device && entry.stream == stream) throw_if_set(entry.word);
  }
}

void throw_device_errors(int device) {
  throw_host_errors(device);
  Words& table = words();
  const std::lock_guard lock(table.mutex);
  for (const Words::Entry& entry : table.entries) {
    if (entry.device == device) throw_if_set(entry.word);
  }
}

}  // namespace cupyxx::internal::gpu
