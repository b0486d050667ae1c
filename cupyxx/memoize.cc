// SPDX-License-Identifier: MIT
#include "cupyxx/memoize.h"

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

internal::Memo::Memo() {
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
