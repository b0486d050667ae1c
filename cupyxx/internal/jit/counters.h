// SPDX-License-Identifier: MIT
// What the caches did in this process; see cache_stats().
#pragma once

namespace cupyxx::internal::jit {

void count_disk_hit();
void count_compiled();
void count_host_disk_hit();
void count_host_compiled();

}  // namespace cupyxx::internal::jit
