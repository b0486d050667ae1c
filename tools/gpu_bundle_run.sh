#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Unpacks the bundle beside this script and runs its programs.
#   run.sh --list-missing       shared libraries that this machine lacks; run it first
#   run.sh --list               the programs
#   run.sh [-- ARGUMENT...]     every test program (those ending in _tests), in CUPYXX_TEST_SHARDS processes each, for
#                               CUPYXX_TEST_LIMIT seconds at most (default 570 for all programs together)
#   run.sh --sanitize TOOL...   the tests under compute-sanitizer's tools (memcheck, racecheck, initcheck, synccheck), a
#                               line for each: tests run, errors, tests that did not end. See sanitize() for its limits
#   run.sh PROGRAM [ARGUMENT...]
# CUPYXX_TEST_DEVICES chooses the devices of tests (default cuda); the programs start in the bundle's data folder.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
archive=$here/bundle.tar.xz

# One folder per archive, so that a new archive is never mixed with an old one.
read -r sum size _ < <(cksum "$archive")
parent=${CUPYXX_BUNDLE_DIR:-$HOME/.cache/cupyxx-bundles}
mkdir -p -m 700 "$parent"
# Programs are run from it.
if [[ -L $parent || ! -O $parent || -n $(find "$parent" -maxdepth 0 -perm /022) ]]; then
  echo "${0##*/}: $parent is a link, another user's, or others may write it" >&2
  exit 1
fi
place=$parent/cupyxx-bundle-$sum-$size
# Several that start at once: the first unpacks.
exec {lock}>"$parent/lock"
flock "$lock"
if [[ ! -e $place/complete ]]; then
  mkdir -p "$place"
  # Copied, since the folder that was carried here may have lost its execute bits.
  cp "$here/xz" "$here/liblzma.so.5" "$place"
  chmod +x "$place/xz"
  LD_LIBRARY_PATH=$place "$place/xz" -dc "$archive" | tar -C "$place" -x --no-same-owner
  for file in "$place"/root/fashion-mnist/*-ubyte; do
    if [[ -e $file ]]; then gzip -1 "$file"; fi
  done
  touch "$place/complete"
fi
exec {lock}>&-

# Opened at run time; the folders where CUDA's libraries are when the system's linker does not know them.
cuda_libraries=(libcublas.so.13 libcublasLt.so.13 libcurand.so.10 libcusolver.so.12 libcufft.so.12 libcudnn.so.9 libnvrtc.so.13 libnccl.so.2)
known=$(ldconfig -p 2>/dev/null || /sbin/ldconfig -p 2>/dev/null || true)
if [[ ! -e $place/cuda_folders ]]; then
  for library in "${cuda_libraries[@]}"; do
    [[ $known == *"$library "* ]] && continue
    for home in "${CUDA_HOME:-}" /usr/local/cuda; do
      [[ -n $home && -e $home/lib64/$library ]] && echo "$home/lib64" && continue 2
    done
    find -L /usr/local /usr/lib /opt "$HOME" -maxdepth 9 -name "$library" -not -path '*/stubs/*' -print -quit 2>/dev/null |
      sed 's|/[^/]*$||' || true
  done | sort -u >"$place/cuda_folders"
fi
path=$place/lib:$(paste -sd: "$place/cuda_folders")
cxx=$(sed -n 's/.*libstdc++.so.6 .*x86-64.* => //p' <<<"$known" | sed -n 1p)
if [[ -z $cxx ]] || ! grep -qa 'GLIBCXX_3.4.30' "$cxx"; then path=$path:$place/lib/cxx; fi
export LD_LIBRARY_PATH=$path${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export CUPYXX_TEST_DEVICES=${CUPYXX_TEST_DEVICES:-cuda}
cd "$place/root"

list_missing() {
  local file library folder missing=0
  for file in "$place"/bin/* "$place"/lib/*.so*; do
    if ldd "$file" 2>&1 | grep -E 'not found|not a dynamic' | sed "s|^\s*|${file#"$place/"}: |"; then missing=1; fi
  done
  for library in libcuda.so.1 "${cuda_libraries[@]}"; do
    for folder in ${LD_LIBRARY_PATH//:/ }; do
      [[ -e $folder/$library ]] && continue 2
    done
    if [[ $known != *"$library "* ]]; then
      echo "opened at run time: $library => not found"
      missing=1
    fi
  done
  if ((missing == 0)); then echo "nothing is missing"; fi
  return $missing
}

# Each program runs as several processes side by side: most of a first run is the compilation of kernels. What has not
# ended in time is named: a command that is stopped from outside says nothing.
run_tests() {
  local program name i shards logs passed=0 failed=0 status begin deadline=$((SECONDS + ${CUPYXX_TEST_LIMIT:-570}))
  shards=${CUPYXX_TEST_SHARDS:-$(($(nproc) > 16 ? 14 : ($(nproc) + 1) / 2))}
  logs=$(mktemp -d)
  for program in "$place"/bin/*_tests; do
    [[ -x $program ]] || continue
    name=${program##*/}
    printf '\n== %s\n' "$name"
    begin=$SECONDS
    for ((i = 0; i < shards; ++i)); do
      (
        status=0
        GTEST_TOTAL_SHARDS=$shards GTEST_SHARD_INDEX=$i timeout -k 5 $((deadline > SECONDS ? deadline - SECONDS : 1)) \
          "$program" "$@" >"$logs/$name.$i" 2>&1 || status=$?
        echo "$status" >"$logs/$name.$i.status"
      ) &
    done
    wait
    for ((i = 0; i < shards; ++i)); do
      status=$(cat "$logs/$name.$i.status")
      passed=$((passed + $(grep -c '^\[       OK' "$logs/$name.$i" || true)))
      if ((status == 124 || status == 137)); then
        echo "shard $i of $name did not end; $(grep -c '^\[       OK' "$logs/$name.$i" || true) tests had, this one was running:" \
          "$(sed -n 's/^\[ RUN      \] //p' "$logs/$name.$i" | tail -1)"
        failed=$((failed + 1))
      elif ((status != 0)); then
        grep -v '^\[ RUN \|^\[       OK\|^\[---' "$logs/$name.$i" | sed -n '1,60p'
        echo "shard $i of $name ended with status $status; the test begun last: $(sed -n 's/^\[ RUN      \] //p' "$logs/$name.$i" | tail -1)"
        failed=$((failed + 1))
      fi
    done
    echo "$name: $((SECONDS - begin)) s; the slowest tests:"
    sed -nE 's/^\[       OK \] (.*) \(([0-9]+) ms\)$/\2 ms \1/p' "$logs/$name".*[0-9] | sort -rn | sed -n '1,5s/^/  /p'
  done
  rm -rf "$logs"
  printf '\n%d passed, %d failed\n' "$passed" "$failed"
  ((passed > 0 && failed == 0))
}

# Where compute-sanitizer is; it comes with the toolkit.
find_sanitizer() {
  local file
  for file in "$(command -v compute-sanitizer || true)" "${CUDA_HOME:-/usr/local/cuda}/bin/compute-sanitizer" \
    /usr/local/cuda*/bin/compute-sanitizer /usr/local/cuda*/compute-sanitizer/compute-sanitizer; do
    if [[ -n $file && -x $file ]]; then
      echo "$file"
      return
    fi
  done
  echo "${0##*/}: there is no compute-sanitizer here" >&2
  return 1
}

# The full names of a program's tests, but those that lose the device on purpose.
names_of() {
  "$1" --gtest_list_tests | awk '/^[^ ]/ { suite = $1; next } { print suite $1 }' | grep -v '^DeviceFaults\.' || true
}

# take FOLDER: the next piece of work there, moved to where nobody else takes it.
take() {
  local piece
  for piece in "$1"/queue/*; do
    if [[ -e $piece ]] && mv "$piece" "$1/taken/" 2>/dev/null; then
      echo "$1/taken/${piece##*/}"
      return
    fi
  done
  return 1
}

# sanitize_pieces FOLDER TOOL WORKER DEADLINE: runs pieces until none is left or the time is over. What a piece that ran
# too long had not begun is a new piece; the test that it was in has not ended.
sanitize_pieces() {
  local folder=$1 tool=$2 worker=$3 deadline=$4 piece program log limit status running rest=0
  if ((gpus > 1)); then export CUDA_VISIBLE_DEVICES=$((worker % gpus)); fi
  while ((SECONDS < deadline)) && piece=$(take "$folder"); do
    read -r program <"$piece"
    log=$folder/logs/${piece##*/}
    limit=$((deadline - SECONDS < piece_limit ? deadline - SECONDS : piece_limit))
    ((limit > 0)) || break
    status=0
    timeout -k 5 "$limit" "$sanitizer" --tool "$tool" --error-exitcode 99 --report-api-errors no --print-limit 20 \
      "$place/bin/$program" --gtest_filter="$(sed 1d "$piece" | paste -sd:)" >"$log" 2>&1 || status=$?
    sed -n 's/^\[ RUN      \] //p' "$log" | sort >"$log.begun"
    sed -nE 's/^\[ +(OK|FAILED|SKIPPED) \] ([^ ,]+).*/\2/p' "$log" | sort -u >"$log.ended"
    sed 1d "$piece" | sort | comm -23 - "$log.begun" >"$log.left"
    if ((status == 124 || status == 137)) || [[ -s $log.left ]]; then
      running=$(comm -23 "$log.begun" "$log.ended")
      if [[ -n $running && SECONDS -lt deadline ]]; then echo "$program $running" >>"$folder/unended"; fi
      # Nothing begun: the device was too slow for even one, or the program died at its start.
      if [[ -s $log.left && -s $log.begun && SECONDS -lt deadline ]]; then
        rest=$((rest + 1))
        { echo "$program" && cat "$log.left"; } >"$folder/queue/${piece##*/}.$worker.$rest"
      fi
    fi
  done
}

# The tests of all programs, in pieces of CUPYXX_SANITIZE_PIECE tests (default 12), CUPYXX_SANITIZE_PROCESSES side by side
# (default: as run_tests), each for CUPYXX_SANITIZE_LIMIT seconds at most (default 120), a tool for CUPYXX_SANITIZE_TIME
# seconds together (default 540). CUPYXX_SANITIZE_FILTER is a pattern of grep -E that names of tests match.
# CUPYXX_SANITIZE_LOGS is a folder that keeps the logs.
sanitize() {
  local tool program folder logs i all begun ended failed errors deadline failures=0
  local processes=${CUPYXX_SANITIZE_PROCESSES:-$(($(nproc) > 16 ? 14 : ($(nproc) + 1) / 2))}
  local piece_limit=${CUPYXX_SANITIZE_LIMIT:-120} size=${CUPYXX_SANITIZE_PIECE:-12} gpus sanitizer
  sanitizer=$(find_sanitizer)
  gpus=$( (nvidia-smi -L 2>/dev/null || true) | wc -l)
  logs=${CUPYXX_SANITIZE_LOGS:-$(mktemp -d)}
  for tool in "$@"; do
    folder=$logs/$tool
    mkdir -p "$folder"/{queue,taken,logs}
    deadline=$((SECONDS + ${CUPYXX_SANITIZE_TIME:-540}))
    for program in "$place"/bin/*_tests; do
      names_of "$program" | grep -E "${CUPYXX_SANITIZE_FILTER:-.}" >"$folder/names" || continue
      # Neighbours are alike: every n-th goes into one piece, so that no piece has all that is slow.
      all=$(wc -l <"$folder/names")
      awk -v pieces=$(((all + size - 1) / size)) -v name="${program##*/}" -v folder="$folder/queue" '
        { file = sprintf("%s/%04d.%s", folder, NR % pieces, name) }
        !(file in seen) { seen[file] = 1; print name >file }
        { print >file }' "$folder/names"
    done
    all=$(cat "$folder"/queue/* | grep -vc '_tests$' || true)
    for ((i = 0; i < processes; ++i)); do sanitize_pieces "$folder" "$tool" "$i" "$deadline" & done
    wait
    ended=$(cat "$folder"/logs/*.ended 2>/dev/null | wc -l)
    failed=$(cat "$folder"/logs/* | grep -c '^\[  FAILED  \] .* ms)$' || true)
    # A process that was stopped has no summary, but what it found stands there.
    errors=$({ grep -hcE '^========= (Invalid|Uninitialized|Error: |Warning: Race|Barrier error|Program hit|Misaligned|Fatal)' \
      "$folder"/logs/* || true; } | awk '{ sum += $1 } END { print sum + 0 }')
    printf '%s: %d tests run of %d, %d errors, %d failed, %d not finished\n' \
      "$tool" "$ended" "$all" "$errors" "$failed" $((all - ended))
    if [[ -s $folder/unended ]]; then sed 's/^/  did not end in time: /' "$folder/unended"; fi
    grep -lE '^========= (ERROR SUMMARY: [1-9]|RACECHECK SUMMARY: [1-9])' "$folder"/logs/* 2>/dev/null | sed -n '1,10s/^/  see /p' || true
    if ((errors + failed > 0 || ended == 0)); then failures=1; fi
  done
  return $failures
}

case ${1:-} in
  --list-missing) list_missing ;;
  --sanitize) sanitize "${@:2}" ;;
  --list) head -1 "$place/commit" && ls "$place/bin" ;;
  "" | --) run_tests "${@:2}" ;;
  -*) sed -n '3,10s/^# //p' "${BASH_SOURCE[0]}" && exit 2 ;;
  *)
    [[ -x $place/bin/$1 ]] || { echo "run.sh: no program $1 here; there are:" $(ls "$place/bin") >&2 && exit 2; }
    exec "$place/bin/$1" "${@:2}"
    ;;
esac
