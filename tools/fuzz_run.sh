#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs fuzzing targets, each for the same time; without Bazel, so that it also runs where a bundle of tools/fuzz.sh is
# unpacked, as run.sh.
#   run.sh SECONDS [JOBS_PER_TARGET [TARGET...]]
# OUT (default ./fuzz-out) keeps corpora, which the next run goes on with, findings, logs and table.txt. AT_ONCE is the
# number of processes at a time (default: all). FUZZ_PACK=1 leaves table.txt and archives of the rest. Ends with a table
# and a line `N targets, E executions, F findings`, and with status 1 where there is a finding.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
fuzzer=${FUZZER:-$here/fuzzer}
seeds=${CORPUS:-$here/corpus}

(($# >= 1)) || { echo "usage: ${0##*/} SECONDS [JOBS_PER_TARGET [TARGET...]]" >&2; exit 2; }
seconds=$1 jobs=${2:-1}
shift $(($# < 2 ? $# : 2))
if [[ -d $here/lib ]]; then export LD_LIBRARY_PATH=$here/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}; fi
mapfile -t known < <("$fuzzer")
targets=("$@")
if ((${#targets[@]} == 0)); then targets=("${known[@]}"); fi
for target in "${targets[@]}"; do
  [[ " ${known[*]} " == *" $target "* ]] || { echo "${0##*/}: no target $target; there are ${known[*]}" >&2; exit 2; }
done

out=$(realpath -m "${OUT:-fuzz-out}")
mkdir -p "$out"/{corpus,findings,log}
rm -f "$out"/log/*
at_once=${AT_ONCE:-$((jobs * ${#targets[@]}))}
stamp=$(date -u +%m%d-%H%M%S)

# What cannot be had is an error of the library's, which it must turn into one of its own.
export ASAN_OPTIONS=allocator_may_return_null=1:handle_abort=1 UBSAN_OPTIONS=print_stacktrace=1
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 TMPDIR=${TMPDIR:-/tmp}
export ASAN_SYMBOLIZER_PATH=${ASAN_SYMBOLIZER_PATH:-$(command -v llvm-symbolizer-14 || true)}

# fuzz TARGET JOB: a finding ends libFuzzer; it starts again, with what it knows, while there is time.
fuzz() {
  local target=$1 log=$out/log/$1.$2 end=$((SECONDS + seconds)) rounds=0 scratch
  scratch=$(mktemp -d -p /dev/shm)
  mkdir -p "$out/corpus/$target"
  cp -n "$seeds/$target"/* "$out/corpus/$target"
  while ((SECONDS < end && rounds++ < 20)); do
    FUZZ_TARGET=$target TEST_TMPDIR=$scratch "$fuzzer" "$out/corpus/$target" -max_total_time=$((end - SECONDS)) -timeout=10 \
      -rss_limit_mb=2048 -max_len=65536 -print_final_stats=1 -verbosity=1 \
      -artifact_prefix="$out/findings/$target-$stamp-" >>"$log" 2>&1 && break
  done
  rm -rf "$scratch"
}

for ((job = 0; job < jobs; ++job)); do
  for target in "${targets[@]}"; do
    while (($(jobs -rp | wc -l) >= at_once)); do wait -n || true; done
    fuzz "$target" "$job" &
  done
done
wait

all=0 found=0
{
  printf '%-14s %12s %9s %7s %8s\n' target executions coverage corpus findings
  for target in "${targets[@]}"; do
    executions=$(cat "$out/log/$target".* | awk '/^stat::number_of_executed_units:/ { n += $2 } END { print n + 0 }')
    coverage=$(cat "$out/log/$target".* | sed -nE 's/.* cov: ([0-9]+) .*/\1/p' | sort -n | tail -1)
    findings=$(find "$out/findings" -name "$target-$stamp-*" | wc -l)
    printf '%-14s %12d %9d %7d %8d\n' "$target" "$executions" "${coverage:-0}" "$(find "$out/corpus/$target" -type f | wc -l)" "$findings"
    all=$((all + executions)) found=$((found + findings))
  done
  echo "${#targets[@]} targets, $all executions, $found findings"
} >"$out/table.txt"

# What a finding is, in a line each.
grep -hE '^(FINDING:|SUMMARY:|.*runtime error:)|libFuzzer: (timeout|out-of-memory)' "$out"/log/* | sort | uniq -c | sort -rn | head -20 || true
for kind in corpus findings log; do
  [[ ${FUZZ_PACK:-0} == 1 ]] || break
  tar -C "$out" -czf "$out/$kind.tar.gz" "$kind"
  rm -rf "${out:?}/$kind"
done
cat "$out/table.txt"
[[ $(tail -1 "$out/table.txt") == *" 0 findings" ]]
