// SPDX-License-Identifier: MIT
#include "cupyxx/memoize.h"

#include <mutex>
#include <set>

#include "cupyxx/creation.h"

namespace cupyxx {
namespace {

struct Memos {
  std::mutex mutex;
  std::set<internal::Memo*> all;

  // Never destroyed: memoized functions may be global.
  static Memos& instance() {
    static Memos& memos = *new Memos;
    return memos;
  }
};

}  // namespace

struct internal::Memo::Impl {
  std::mutex mutex;
};

internal::Memo::Lock::Lock(Memo& memo) : memo_(memo) { memo_.impl_->mutex.lock(); }
internal::Memo::Lock::~Lock() { memo_.impl_->mutex.unlock(); }

internal::Memo::Memo() : impl_(new Impl) {
  Memos& memos = Memos::instance();
  const std::lock_guard lock(memos.mutex);
  memos.all.insert(this);
}

internal::Memo::~Memo() {
  Memos& memos = Memos::instance();
  const std::lock_guard lock(memos.mutex);
  memos.all.erase(this);
}

std::pair<int, int> internal::memo_device() {
  const Device device = current_device();
  return {static_cast<int>(device.kind), device.index};
}

void clear_memo() {
  Memos& memos = Memos::instance();
  const std::lock_guard lock(memos.mutex);
  for (internal::Memo* memo : memos.all) memo->clear();
}

}  // namespace cupyxx
