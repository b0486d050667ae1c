#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# How long a user waits for the compiler: g++ -O2 -c of a small program, the fastest of N runs.
#   compile_time.sh [N]
set -euo pipefail
cd "$(dirname "$0")/.."
runs=${1:-5} source=benchmarks/cupyxx/first_result.cc
object=$(mktemp --suffix=.o)
trap 'rm -f "$object"' EXIT

best=
for ((i = 0; i < runs; ++i)); do
  start=$EPOCHREALTIME
  ${CXX:-g++} -std=c++20 -O2 -I. -c "$source" -o "$object"
  end=$EPOCHREALTIME
  spent=$(((${end/./} - ${start/./}) / 1000))
  if [[ -z $best ]] || ((spent < best)); then best=$spent; fi
done
echo "${CXX:-g++} -O2 -c $source: $best ms"
