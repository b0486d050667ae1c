#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Every C++ file is as clang-format leaves it; prints the difference where one is not. Repair: tools/format.sh
set -euo pipefail
cd "$(dirname "$0")/../.."
source tools/common.sh

version=$(clang-format --version)
[[ $version == *"version 14."* ]] || die "clang-format 14 is needed, found: $version"

mapfile -t files < <(formatted_files)
bad=0
while read -r file; do
  [[ -n $file ]] || continue
  clang-format "$file" | diff -u --label "$file" --label "$file as formatted" "$file" - || true
  bad=$((bad + 1))
done < <(printf '%s\0' "${files[@]}" | xargs -0 -r -n 16 -P 2 clang-format --dry-run -ferror-limit=1 2>&1 |
  sed -nE 's/^([^:]+):[0-9]+:[0-9]+: warning: code should be.*/\1/p' | sort -u)

echo "${#files[@]} files, $bad not formatted"
((bad == 0))
