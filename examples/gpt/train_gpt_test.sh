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
[[ $(cd "$out/more" && echo *) == "model_6.npz optimizer_6.npz vocabulary.txt" ]] || fail "saved: $(ls "$out/more")"
# A program that ended between the two files: the step before is whole.
cp "$out/more/model_6.npz" "$out/half/model_6.npz"
[[ $(run --steps=5 --out="$out/again" --resume="$out/half" | grep -c '^step 5: ') == 1 ]] || fail "it did not go on from step 4"

# Ctrl-C ends it after a step, with what it has learned and the code of a shell.
# Not by run, whose shell would get the signal.
"$program" --data="$text" --device=cpu --vocabulary=300 --batch=2 --length=32 --every=1 --steps=100000 --out="$out/interrupted" \
  > "$TEST_TMPDIR/interrupted" &
for _ in {1..600}; do
  grep -q '^step 1: ' "$TEST_TMPDIR/interrupted" && break
  sleep 0.1
done
kill -INT $!
code=0
wait $! || code=$?
[[ $code == 130 ]] || fail "an interrupted training ended with $code"
grep -q "^interrupted after step [0-9]*; the same flags go on with --resume=$out/interrupted\$" "$TEST_TMPDIR/interrupted" ||
  fail "interrupted: $(tail -1 "$TEST_TMPDIR/interrupted")"
[[ -n $(cd "$out/interrupted" && echo model_*.npz) ]] || fail "it saved nothing"

# Two that train together, as threads and as processes: one line each, with the same numbers.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
common=(--data="$text" --vocabulary=300 --batch=2 --length=32 --every=2 --steps=4)
"$program" "${common[@]}" --parallel=threads --devices=cpu,cpu --out="$out/threads" > "$TEST_TMPDIR/threads"
mpirun --oversubscribe --bind-to none -n 2 "$program" "${common[@]}" --parallel=yes --device=cpu --out="$out/processes" \
  > "$TEST_TMPDIR/processes"
head -1 "$TEST_TMPDIR/threads" | grep -q '^training tiny on cpu with 1 other: ' || fail "$(cat "$TEST_TMPDIR/threads")"
numbers() { sed 's/, [0-9]* tokens.s$//' "$TEST_TMPDIR/$1"; }
[[ $(numbers threads) == "$(numbers processes)" ]] || fail "threads and processes: $(numbers threads), $(numbers processes)"
# Those of one process, but for the last bits.
[[ $(numbers threads | sed 's/ with 1 other//') == "$(numbers whole)" ]] || fail "together and alone: $(numbers threads), $(numbers whole)"
lines=$("$program" "${common[@]}" --steps=6 --parallel=threads --devices=cpu,cpu --out="$out/threads" --resume="$out/processes" \
  --shard_states=yes --shard_gradients=yes | grep -c '^step')
[[ $lines == 1 ]] || fail "the training resumed by two printed $lines lines, not 1"

refuses() {
  local wanted=$1 code=0 found
  shift
  found=$("$program" "$@" 2>&1) || code=$?
  [[ $code != 0 && $found == "train_gpt: $wanted" ]] || fail "$*: code $code, $found"
}
refuses '--precision=int8: not one of float32|tf32|bfloat16|float16' --precision=int8
refuses '/nowhere/x: cannot be read' --data=/nowhere/x --device=cpu --out="$out"
refuses "$out: has no file optimizer_STEP.npz of a training to go on with" --data="$text" --device=cpu --out="$out/x" --resume="$out"
refuses '--batch=3: not a multiple of the 2 that train together' --batch=3 --parallel=threads --devices=cpu,cpu
refuses '--devices: goes with --parallel=threads, not --parallel=no' --devices=cpu,cpu
refuses '--shard_states=yes: goes with --parallel' --shard_states=yes --device=cpu
refuses '--shard_gradients=yes: goes with --parallel' --shard_gradients=yes --device=cpu
