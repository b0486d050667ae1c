// SPDX-License-Identifier: MIT
#include "cupyxx/internal/cpu/alone.h"

#include <utility>

namespace cupyxx::internal::cpu {
namespace {

thread_local bool alone = false;

}  // namespace

AloneScope::AloneScope() : previous_(std::exchange(alone, true)) {}
AloneScope::~AloneScope() { alone = previous_; }
bool is_alone() { return alone; }

}  // namespace cupyxx::internal::cpu
