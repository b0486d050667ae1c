// SPDX-License-Identifier: MIT
// All of typecheck.
#pragma once

#include "typecheck/expect.h"
#include "typecheck/expr.h"
#include "typecheck/invalid_type.h"
#include "typecheck/tree.h"
#include "typecheck/type_info.h"
#include "typecheck/type_infos.h"
#include "typecheck/value.h"
#include "typecheck/version.h"
