#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What examples refuse, with the text and the exit code that their user sees.
set -euo pipefail
text=examples/program/testdata/genesis.txt
bad=0

# refuses CODE MESSAGE PROGRAM ARGUMENT...
refuses() {
  local code=$1 message=$2 program=$3 status=0 said
  shift 3
  said=$("examples/$program" --device=cpu "$@" 2>&1 >/dev/null) || status=$?
  if [[ $status != "$code" || $said != "${program##*/}: $message" ]]; then
    echo "$program $*: exit status $status, $said; wanted $code, $message"
    bad=1
  fi
}

refuses 2 '--batchsize=101: more than the 100 training images' autoencoder/train_autoencoder --images=100 --batchsize=101
refuses 2 '--batchsize=101: more than the 100 training images' vae/train_vae --images=100 --batchsize=101
refuses 2 '--batchsize=30: more than --trees=20' sentiment/sentiment --trees=20 --batchsize=30
refuses 1 'a text of 13808 letters is too short for --batchsize=300 and --length=50' char_rnn/char_rnn --text=$text --batchsize=300
refuses 1 'a text of 2141 words that occur --rare=5 times or more is too short for --batchsize=5000 and --window=4' word2vec/word2vec --text=$text --batchsize=5000
refuses 1 '--out=/nowhere.svg/x: the file cannot be written: No such file or directory' kmeans/kmeans --points=10 --tries=1 --out=/nowhere.svg/x
refuses 2 '--loss=softmax: not one of negative|hierarchical' word2vec/word2vec --loss=softmax
exit $bad
