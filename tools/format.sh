#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Formats every C++ file of the repository, or the files named.
set -euo pipefail
cd "$(dirname "$0")/.."
source tools/common.sh

if (($#)); then
  clang-format -i "$@"
else
  repository_files '*.h' '*.cc' | xargs -r -d '\n' clang-format -i
fi
