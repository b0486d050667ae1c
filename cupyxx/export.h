// SPDX-License-Identifier: MIT
// Symbol visibility: everything is hidden unless it is marked CUPYXX_API.
#pragma once

#define CUPYXX_API __attribute__((visibility("default")))
