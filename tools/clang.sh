#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Every public header by itself, and the examples, through clang 14: syntax only, warnings are errors; in headers also those that
# users ask for beyond -Wall -Wextra.
#   tools/clang.sh [FILE...]      CXX chooses another compiler
set -euo pipefail
cd "$(dirname "$0")/.."
source tools/common.sh

compiler=${CXX:-clang++-14}
command -v "$compiler" >/dev/null || die "$compiler is missing: apt-get install clang-14"
files=("$@")
if ((${#files[@]} == 0)); then
  mapfile -t files < <(public_headers && repository_files 'examples/*.cc' | grep -v '_test\.cc$')
fi

logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT
# check FILE: its messages in a file of its own.
check() {
  local log=$logs/${1//\//,}
  local strict=(-Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wold-style-cast -Woverloaded-virtual -Wnon-virtual-dtor)
  [[ $1 == *.h ]] || strict=()
  echo "#include \"$1\"" | "$compiler" -std=c++20 -fsyntax-only -Wall -Wextra "${strict[@]}" -Werror -I. -x c++ - >"$log" 2>&1 && rm "$log"
}
export -f check
export compiler logs
printf '%s\0' "${files[@]}" | xargs -0 -P "$(nproc)" -I{} bash -c 'check {}' || true

bad=0
for log in "$logs"/*; do
  [[ -e $log ]] || continue
  grep -E 'error:' "$log" | sed -n '1,5p'
  bad=$((bad + 1))
done
echo "${#files[@]} files compiled with $compiler, $bad do not compile"
((bad == 0))
