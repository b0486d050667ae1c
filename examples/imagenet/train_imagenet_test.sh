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
run --epochs=1 --out="$out" | grep -q '^epoch 1: loss [0-9.]*, test accuracy [0-9.]*$' || fail "no line for the first pass"
[[ -s $out/model.npz && -s $out/optimizer.npz ]] || fail "nothing was saved"
lines=$(run --epochs=2 --out="$out" --resume="$out" | grep -c '^epoch')
[[ $lines == 1 ]] || fail "the resumed training made $lines passes, not 1"

refuses() {
  local wanted=$1 code=0 text
  shift
  text=$("$program" "$@" 2>&1) || code=$?
  [[ $code == 2 && $text == "train_imagenet: $wanted" ]] || fail "$*: code $code, $text"
}
refuses '--pixels and --labels go together' --device=cpu --out="$out" --pixels=x.npy
refuses '--precision=int8: not one of float32|tf32|bfloat16|float16' --precision=int8
