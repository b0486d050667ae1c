// SPDX-License-Identifier: MIT
// All that a training needs beside the network: data, iterators, the loop, its extensions.
#pragma once

#include "chainerxx/datasets/datasets.h"
#include "chainerxx/iterators/iterators.h"
#include "chainerxx/links/classifier.h"
#include "chainerxx/training/extensions/extensions.h"
#include "chainerxx/training/trainer.h"
