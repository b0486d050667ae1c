#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Installs what is missing, builds, and trains a network on Fashion-MNIST on the best device present.
# Arguments go to the program: ./demo.sh --help
set -euo pipefail
cd "$(dirname "$0")"
source tools/common.sh

install_missing "${run_packages[@]}"

# For this processor alone. Without a GPU nothing is built for one; with one, kernels are compiled when the program first needs them.
if has_gpu; then config=lean; else config=cpu; fi
log=$(mktemp)
trap 'rm -f "$log"' EXIT
bazel build --config=$config --//bazel:instruction_set="$(instruction_set)" --spawn_strategy=local --curses=no --color=no --show_progress_rate_limit=1 --show_result=0 \
  //examples/mnist:train_mnist 2>&1 | tee "$log" | show_progress || {
  grep -vE '^(\[[0-9,]+ / [0-9,]+\]|Loading|Analyzing|INFO|Starting local)' "$log" >&2
  exit 1
}
rm -f "$log"
# Threads that wait asleep lose little on an idle machine and save most of the time on a busy one.
export OMP_WAIT_POLICY=${OMP_WAIT_POLICY:-passive}
exec bazel-bin/examples/mnist/train_mnist "$@"
