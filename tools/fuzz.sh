#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Fuzzes every reader and parser with clang 14's libFuzzer, ASan and UBSan.
#   tools/fuzz.sh MINUTES [TARGET...]   each target for so long, as many at a time as there are cores; all by default
#   tools/fuzz.sh --bundle DIR          packs the program, its libraries, the corpora and run.sh (tools/fuzz_run.sh) for
#                                       a machine without Bazel: DIR/fuzz.tar.xz
# Corpora, findings and logs stay in .fuzz. Ends with `N targets, E executions, F findings`. To see what an input does:
#   FUZZ_TARGET=npy FUZZ_VERBOSE=1 .fuzz/fuzzer FILE
set -euo pipefail
cd "$(dirname "$0")/.."
source tools/common.sh

usage="usage: tools/fuzz.sh MINUTES [TARGET...] | --bundle DIR"
[[ ${1:-} =~ ^[1-9][0-9]*$ || (${1:-} == --bundle && $# == 2) ]] || die "$usage"
install_missing "${run_packages[@]}" clang-14 libclang-rt-14-dev llvm-14

# A place of its own: another compiler would otherwise make Bazel look at everything again, here and back.
base=${FUZZ_OUTPUT_BASE:-$HOME/.cache/cupyxx-fuzz/$(cksum <<<"$root" | cut -d' ' -f1)}
private_folder "${base%/*}"
bazel_fuzz() { bazel --output_base="$base" --max_idle_secs=600 "$@"; }
bazel_fuzz build --config=fuzz --experimental_convenience_symlinks=ignore --show_result=0 --noshow_loading_progress \
  --curses=no --show_progress_rate_limit=60 //tools:fuzzer 2>&1 | { grep -Ev '^(Loading|Analyzing): |^INFO: |^\[0 / |^$' || true; }
mkdir -p .fuzz
cp -Lf "$(bazel_fuzz info --config=fuzz bazel-bin 2>/dev/null)/tools/fuzzer" .fuzz/fuzzer

# corpora FOLDER: the committed seeds by target.
corpora() {
  local folder target
  for folder in {cupyxx/testing,chainerxx,examples/program}/fuzz/corpus/*; do
    target=${folder##*/}
    mkdir -p "$1/$target"
    cp "$folder"/* "$1/$target"
  done
  mkdir -p "$1"/{npy,npz}
  cp cupyxx/testing/testdata/npy/*.npy "$1/npy"
  cp cupyxx/testing/testdata/npy/*.npz "$1/npz"
}

if [[ $1 == --bundle ]]; then
  stage=$(mktemp -d)
  trap 'rm -rf "$stage"' EXIT
  mkdir -p "$stage"/{lib,corpus} "$2"
  corpora "$stage/corpus"
  cp .fuzz/fuzzer "$stage/fuzzer"
  chmod u+w "$stage/fuzzer"
  # Names of functions are enough of a stack; they stay.
  objcopy --strip-debug "$stage/fuzzer"
  cp tools/fuzz_run.sh "$stage/run.sh"
  collect_libraries "$stage/fuzzer" "$stage/lib" "$stage/lib"
  cp -L "$(find_library libopenblas.so.0)" "$stage/lib"
  collect_libraries "$stage/lib/libopenblas.so.0" "$stage/lib" "$stage/lib"
  tar -C "$stage" --sort=name --owner=0 --group=0 -c . | xz --x86 --lzma2=preset=9 -T1 >"$2/fuzz.tar.xz"
  printf '%s: %.1f MiB\n' "$2/fuzz.tar.xz" "$(awk "BEGIN { print $(stat -c %s "$2/fuzz.tar.xz") / 1048576 }")"
  exit
fi

seeds=$(mktemp -d)
trap 'rm -rf "$seeds"' EXIT
corpora "$seeds"
minutes=$1
shift
OUT=.fuzz FUZZER=$root/.fuzz/fuzzer CORPUS=$seeds AT_ONCE=$(nproc) tools/fuzz_run.sh $((60 * minutes)) 1 "$@"
