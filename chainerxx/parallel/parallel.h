// SPDX-License-Identifier: MIT
// Training on many devices and machines, with ChainerMN's names. The library is
// //chainerxx/parallel; chainerxx.h leaves it out.
#pragma once

#include "chainerxx/parallel/communicator.h"
#include "chainerxx/parallel/datasets.h"
#include "chainerxx/parallel/multi_node_batch_normalization.h"
#include "chainerxx/parallel/multi_node_evaluator.h"
#include "chainerxx/parallel/multi_node_optimizer.h"
#include "chainerxx/parallel/point_to_point.h"
