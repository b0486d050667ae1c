// SPDX-License-Identifier: MIT
#include "gradcheck/mismatch.h"

namespace gradcheck {

Mismatch::Mismatch(const std::string& what) : Error(what) {}

Mismatch::Mismatch(const std::string& what, const Element& worst) : Error(what), worst_(worst) {}

Mismatch::~Mismatch() = default;

}  // namespace gradcheck
