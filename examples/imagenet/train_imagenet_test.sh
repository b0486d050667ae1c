#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs train_imagenet as a user does: a pass over made-up pictures, one more from its files, mistakes.
set -euo pipefail
program=$1
out=$TEST_TMPDIR/out

fail() {
  echo "$1" >&2
  exit 1
}

run() { "$program" --arch=nin --device=cpu --classes=10 --batchsize=2 "$@"; }

"$program" --help | grep -q -- '--arch=alex|.*|resnet50 network (nin)' || fail "--help does not name the networks"
run --epochs=1 --out="$out" | grep -q '^epoch 1: loss [0-9.]*, test accuracy [0-9.]*, [0-9.]* pictures/s$' || fail "no line for the first pass"
[[ -s $out/model.npz && -s $out/snapshot.npz ]] || fail "nothing was saved"
lines=$(run --epochs=2 --out="$out" --resume="$out" | grep -c '^epoch')
[[ $lines == 1 ]] || fail "the resumed training made $lines passes, not 1"

# Two that train together, as processes and as threads: one prints, and one goes on from the files of two.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMP_NUM_THREADS=1
mpirun --oversubscribe --bind-to none -n 2 "$program" --arch=nin --device=cpu --classes=10 --batchsize=2 --parallel=yes --epochs=1 \
  --out="$out/two" > "$TEST_TMPDIR/processes"
grep -q '^training nin on cpu with 1 other: 16 pictures$' "$TEST_TMPDIR/processes" || fail "$(cat "$TEST_TMPDIR/processes")"
lines=$(grep -c '^epoch 1: loss [0-9.]*, test accuracy [0-9.]*, [0-9.]* pictures/s$' "$TEST_TMPDIR/processes")
[[ $lines == 1 ]] || fail "two processes printed $lines lines, not 1"
lines=$("$program" --arch=nin --classes=10 --batchsize=2 --parallel=threads --devices=cpu,cpu --epochs=2 --out="$out/threads" \
  --resume="$out/two" | grep -c '^epoch 2')
[[ $lines == 1 && -s $out/threads/model.npz ]] || fail "two threads do not go on from the files of two processes"

refuses() {
  local wanted=$1 code=0 text
  shift
  text=$("$program" "$@" 2>&1) || code=$?
  [[ $code == 2 && $text == "train_imagenet: $wanted" ]] || fail "$*: code $code, $text"
}
refuses '--pixels and --labels go together' --device=cpu --out="$out" --pixels=x.npy
refuses '--precision=int8: not one of float32|tf32|bfloat16|float16' --precision=int8
refuses '--batchsize=3: not a multiple of the 2 that train together' --batchsize=3 --parallel=threads --devices=cpu,cpu
refuses '--device=cpu: --parallel=threads computes on all GPUs, or on --devices' --device=cpu --parallel=threads
