#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# clang-tidy over the sources named, or over those changed since main. Generated headers must have been built.
set -euo pipefail
cd "$(dirname "$0")/.."
source tools/common.sh

version=$(clang-tidy --version) || die "clang-tidy is missing: apt-get install clang-tidy"
[[ $version == *"version 14."* ]] || die "clang-tidy 14 is needed, found: $version"

files=("$@")
if ((${#files[@]} == 0)); then
  mapfile -t files < <(git diff --name-only --diff-filter=d "$(git merge-base HEAD main)" -- '*.cc')
fi
if ((${#files[@]} == 0)); then
  echo "no source changed"
  exit
fi

includes=(-I. -Ibazel-bin)
for home in "${CUDA_HOME:-}" /usr/local/cuda; do
  if [[ -n $home && -d $home/include ]]; then includes+=(-isystem "$home/include"); fi
done
printf '%s\0' "${files[@]}" |
  xargs -0 -P "$(nproc)" -I{} clang-tidy --quiet {} -- -std=c++20 "${includes[@]}" \
    -isystem /usr/include/x86_64-linux-gnu/openblas-openmp 2> >(grep -v ' warnings generated' >&2)
