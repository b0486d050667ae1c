#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Every routine that docs/numpy.md and docs/ops.md name has a row in the benchmark beside NumPy, which needs no NumPy for this.
set -euo pipefail
cd "$(dirname "$0")/../.."

bazel build --noshow_progress --ui_event_filters=-info --show_result=0 //benchmarks/cupyxx:numpy_rows
python3 benchmarks/numpy_matrix.py --check
