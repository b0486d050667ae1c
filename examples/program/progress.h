// SPDX-License-Identifier: MIT
// How far the training is: that of the training kit, by the name that the examples use.
#pragma once

#include "chainerxx/training/progress.h"

namespace examples {

using chainerxx::training::Progress;
using chainerxx::training::standard_output;
using chainerxx::training::steady_seconds;
using chainerxx::training::Terminal;

}  // namespace examples
