// SPDX-License-Identifier: MIT
// Folders of images.
#pragma once

#include "chainerxx/datasets/images/image_dataset.h"
#include "chainerxx/datasets/images/image_file.h"
#include "chainerxx/datasets/images/image_transforms.h"
