#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Formats every C++ file of the repository, or those among the files named.
set -euo pipefail
cd "$(dirname "$0")/.."
source tools/common.sh

if (($#)); then
  for file in "$@"; do
    if [[ $file == *.h || $file == *.cc ]] && [[ $file != */parameter_calls.h ]]; then clang-format -i "$file"; fi
  done
else
  formatted_files | xargs -r -d '\n' clang-format -i
fi
