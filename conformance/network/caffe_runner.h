// SPDX-License-Identifier: MIT
#pragma once

#include <iosfwd>

#include "conformance/array/runner.h"

namespace conformance {

/// Runs a folder of Caffe's networks: each NAME.npz holds input blobs by their names and results as
/// "cv_BLOB" (OpenCV, which follows Caffe) and "ch_BLOB" (Chainer, used where there is no other).
/// Every NAME.caffemodel and NAME.v1.caffemodel must give these results, each NAME.prototxt with
/// weights of its own their shapes. Throws std::runtime_error when the folder holds no network.
Count run_caffe(const RunOptions& options, std::ostream& out);

}  // namespace conformance
