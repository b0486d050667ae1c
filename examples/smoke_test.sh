#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs PROGRAM in a folder of its own, prints what it prints, and looks for a line that matches PATTERN.
#   smoke_test.sh PROGRAM PATTERN [ARGUMENT...]
set -euo pipefail
program=$PWD/$1 pattern=$2
shift 2
arguments=()
for argument in "$@"; do arguments+=("${argument//RUNFILES/$PWD}"); done
cd "$(mktemp -d -p "${TEST_TMPDIR:-/tmp}")"
"$program" "${arguments[@]}" 2>&1 | tee output
grep -qE -- "$pattern" output || {
  echo "no line matches $pattern" >&2
  exit 1
}
