// SPDX-License-Identifier: MIT
// All iterators.
#pragma once

#include "chainerxx/iterators/iterator.h"
#include "chainerxx/iterators/multithread_iterator.h"
#include "chainerxx/iterators/ordered_iterator.h"
#include "chainerxx/iterators/serial_iterator.h"
