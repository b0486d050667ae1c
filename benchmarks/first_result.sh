#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The time from the start of a process to its first result on a GPU, beside that of a process which
# only makes the CUDA context: medians of N runs that take turns. A program of everyday operations, whose kernels
# are in the bundle, with an empty and a warm cache; one operation that is not, compiled and from the cache.
#   first_result.sh FOLDER_OF_BINARIES [N]
set -euo pipefail
folder=${1:?usage: first_result.sh FOLDER_OF_BINARIES [N]} runs=${2:-11}
find_binary() { find -L "$folder" -name "$1" -type f -perm -u+x | head -n 1; }
program=$(find_binary first_result) floor=$(find_binary cuda_free_zero)
[[ $program && $floor ]] || { echo "first_result.sh: no first_result or cuda_free_zero in $folder" >&2; exit 1; }

export CUPYXX_CACHE_DIR
CUPYXX_CACHE_DIR=$(mktemp -d)
trap 'rm -rf "$CUPYXX_CACHE_DIR"' EXIT

milliseconds() {  # of a command
  local start=$EPOCHREALTIME
  "$@" >/dev/null
  local end=$EPOCHREALTIME
  echo $(((${end/./} - ${start/./}) / 1000))
}
median() { sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }

"$floor"  # wakes the driver
cold=() warm=() bare=() compiled=() cached=()
for ((i = 0; i < runs; ++i)); do
  rm -rf "${CUPYXX_CACHE_DIR:?}"/*
  cold+=("$(milliseconds "$program")")
  warm+=("$(milliseconds "$program")")
  rm -rf "${CUPYXX_CACHE_DIR:?}"/*
  compiled+=("$(milliseconds "$program" --one-rare)")
  cached+=("$(milliseconds "$program" --one-rare)")
  bare+=("$(milliseconds "$floor")")
done
bare_ms=$(printf '%s\n' "${bare[@]}" | median)
echo "cudaFree(0): $bare_ms ms"
report() {  # text milliseconds...
  local ms
  ms=$(printf '%s\n' "${@:2}" | median)
  echo "$1: $ms ms, $((ms - bare_ms)) above"
}
report "first result, bundle, empty cache" "${cold[@]}"
report "first result, bundle, warm cache" "${warm[@]}"
report "first operation, not in the bundle, warm cache" "${cached[@]}"
report "first operation, not in the bundle, empty cache" "${compiled[@]}"
