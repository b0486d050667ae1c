#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Installs what is missing, builds, and trains a network on Fashion-MNIST on the best device present.
# Arguments go to the program: ./demo.sh --help
set -euo pipefail
cd "$(dirname "$0")"
source tools/common.sh

install_missing "${run_packages[@]}"
bazel build --noshow_loading_progress --show_progress_rate_limit=10 --show_result=0 --ui_event_filters=-info //examples/mnist:train_mnist
# Threads that wait asleep lose little on an idle machine and save most of the time on a busy one.
export OMP_WAIT_POLICY=${OMP_WAIT_POLICY:-passive}
exec bazel-bin/examples/mnist/train_mnist "$@"
