#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What stands in LIBRARY/internal is LIBRARY's alone: no file outside includes it, and no target there is visible outside.
set -euo pipefail
cd "$(dirname "$0")/../.."
source tools/common.sh

bad=0
complain() {
  echo "$*"
  bad=$((bad + 1))
}

for library in "${libraries[@]}"; do
  inside=0
  while read -r file; do
    if [[ $file == "$library"/* ]]; then
      inside=$((inside + 1))
      continue
    fi
    complain "$file includes $(grep -m1 -oE "\"$library/internal/[^\"]*" "$file" | tr -d '"'), which is for $library alone"
  done < <(repository_files '*.h' '*.cc' '*.inc' '*.cu' | xargs -r -d '\n' grep -lE "^ *# *include \"$library/internal/" || true)

  # Every visibility that is written below internal/ names targets of the library.
  while IFS=: read -r file line text; do
    complain "$file:$line: ${text# } is outside of $library"
  done < <(repository_files "$library/internal/*BUILD.bazel" | xargs -r -d '\n' awk -v library="$library" '
    /visibility = / { inside = 1 }
    inside {
      rest = $0
      while (match(rest, /"\/\/[^"]*"/)) {
        label = substr(rest, RSTART + 1, RLENGTH - 2)
        rest = substr(rest, RSTART + RLENGTH)
        if (label ~ "^//" library "[:/]" || label == "//visibility:private") continue
        print FILENAME ":" FNR ": " label
      }
      if (/\]/) inside = 0
    }')
  echo "$library/internal: included by $inside files of $library"
done
((bad == 0))
