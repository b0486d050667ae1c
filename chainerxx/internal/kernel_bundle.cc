// SPDX-License-Identifier: MIT
// Linked into every program with functions or optimizers.
#include "chainerxx/internal/kernel_bundle_data.h"
#include "cupyxx/extension/bundle.h"

namespace chainerxx::internal {
namespace {

[[maybe_unused]] const bool is_added = cupyxx::extension::add_kernel_bundle(kernel_bundle_data());

}  // namespace
}  // namespace chainerxx::internal
