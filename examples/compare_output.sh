#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs PROGRAM and compares what it prints with GOLDEN.
#   compare_output.sh PROGRAM GOLDEN [ARGUMENT...]
set -euo pipefail
program=$1 golden=$2
shift 2
diff --unified "$golden" <("$program" "$@")
