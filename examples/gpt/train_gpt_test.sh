#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs train_gpt as a user does: some steps on a text, some more from its files, what it writes, mistakes.
#   train_gpt_test.sh PROGRAM TEXT
set -euo pipefail
program=$1 text=$2
out=$TEST_TMPDIR/out

fail() {
  echo "$1" >&2
  exit 1
}

run() { "$program" --data="$text" --device=cpu --vocabulary=300 --batch=2 --length=32 --every=2 "$@"; }

"$program" --help | grep -q -- '--size=tiny|124M|355M|774M  *network (tiny)' || fail "--help does not name the sizes"
run --steps=4 --out="$out/whole" > "$TEST_TMPDIR/whole"
grep -q '^step 4: loss [0-9.]*, [0-9]* tokens/s$' "$TEST_TMPDIR/whole" || fail "no line for step 4: $(cat "$TEST_TMPDIR/whole")"
grep -q '^loss on the last tenth of the text [0-9.]*, perplexity [0-9.]*$' "$TEST_TMPDIR/whole" || fail "no loss of the test"

run --steps=4 --save=2 --out="$out/half" > /dev/null
lines=$(run --steps=6 --out="$out/more" --resume="$out/half" --sample=20 | tee "$TEST_TMPDIR/more" | grep -c '^step')
[[ $lines == 1 ]] || fail "the resumed training printed $lines lines, not 1"
[[ $(wc -l < "$TEST_TMPDIR/more") -gt 3 ]] || fail "it wrote nothing"
[[ -s $out/more/model.npz && -s $out/more/optimizer.npz && -s $out/more/vocabulary.txt ]] || fail "nothing was saved"

refuses() {
  local wanted=$1 code=0 found
  shift
  found=$("$program" "$@" 2>&1) || code=$?
  [[ $code != 0 && $found == "train_gpt: $wanted" ]] || fail "$*: code $code, $found"
}
refuses '--precision=int8: not one of float32|tf32|bfloat16|float16' --precision=int8
refuses '/nowhere/x: cannot be read' --data=/nowhere/x --device=cpu --out="$out"
