#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Formats every C++ file of the repository, or the files named.
set -euo pipefail
cd "$(dirname "$0")/.."
if (($#)); then
  clang-format -i "$@"
else
  git ls-files -z --cached --others --exclude-standard '*.h' '*.cc' | xargs -0 -r clang-format -i
fi
