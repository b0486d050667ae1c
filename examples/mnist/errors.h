// SPDX-License-Identifier: MIT
#pragma once

#include "examples/program/errors.h"

namespace mnist {

using examples::UsageError;
using examples::UserError;

}  // namespace mnist
