// SPDX-License-Identifier: MIT
// All datasets but folders of images: chainerxx/datasets/images.
#pragma once

#include "chainerxx/datasets/batch.h"
#include "chainerxx/datasets/cifar.h"
#include "chainerxx/datasets/concatenated_dataset.h"
#include "chainerxx/datasets/dataset.h"
#include "chainerxx/datasets/folds.h"
#include "chainerxx/datasets/idx_file.h"
#include "chainerxx/datasets/mnist.h"
#include "chainerxx/datasets/sub_dataset.h"
#include "chainerxx/datasets/transform_dataset.h"
#include "chainerxx/datasets/tuple_dataset.h"
