#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# How long a user waits for the compiler: user time of g++ -O2 -c for a file with <iostream> alone, the README's first program, and
# a file with all of chainerxx; the least of N runs in turns.
#   compile_time.sh [N]
set -euo pipefail
cd "$(dirname "$0")/.."
runs=${1:-5}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
TIMEFORMAT=%U

printf '#include <iostream>\nint main() {}\n' >"$folder/iostream.cc"
sed -n '/^\/\/ hello.cc/,/^```/{/^```/!p}' README.md >"$folder/hello.cc"
printf '#include <iostream>\n#include "chainerxx/chainerxx.h"\nint main() {}\n' >"$folder/chainerxx.cc"

declare -A best
for ((i = 0; i < runs; ++i)); do
  for program in iostream hello chainerxx; do
    spent=$({ time ${CXX:-g++} -std=c++20 -O2 -I. -c "$folder/$program.cc" -o "$folder/o" 2>"$folder/errors"; } 2>&1) || {
      cat "$folder/errors"
      exit 1
    }
    spent=$((10#${spent/./}))
    if [[ -z ${best[$program]:-} ]] || ((spent < best[$program])); then best[$program]=$spent; fi
  done
done
echo "${CXX:-g++} -O2 -c: <iostream> alone ${best[iostream]} ms; $((best[hello] - best[iostream])) ms more for README.md's hello.cc," \
  "$((best[chainerxx] - best[iostream])) ms more for chainerxx.h"
