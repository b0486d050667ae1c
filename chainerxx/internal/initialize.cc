// SPDX-License-Identifier: MIT
#include "chainerxx/internal/initialize.h"

namespace chainerxx::internal {
namespace {
thread_local bool t_skips = false;
}  // namespace

bool skips_initialization() { return t_skips; }
void set_skips_initialization(bool skips) { t_skips = skips; }

}  // namespace chainerxx::internal
