// SPDX-License-Identifier: MIT
// Communicators by ChainerMN's name; what they do is in cupyxx/comm.h.
#pragma once

#include <string_view>

#include "cupyxx/comm.h"
#include "cupyxx/export.h"

namespace chainerxx {

/// All ranks that were started together: see cupyxx::comm::Communicator::world. ChainerMN's names
/// ("naive", "flat", "hierarchical", "two_dimensional", "single_node", "non_cuda_aware",
/// "pure_nccl") are taken and mean the same, since arrays choose the way; throws ValueError for
/// others.
CUPYXX_API cupyxx::comm::Communicator create_communicator(std::string_view name = "pure_nccl");

}  // namespace chainerxx
