// SPDX-License-Identifier: MIT
#include "cupyxx/extension/op.h"

#include "cupyxx/internal/op_info.h"

namespace cupyxx::extension {

std::string_view header_of(const ufunc& f) { return f.op().header; }

}  // namespace cupyxx::extension
