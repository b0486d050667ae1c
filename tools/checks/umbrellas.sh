#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# LIBRARY/LIBRARY.h reaches every public header of its library, and stops an older standard with one error.
set -euo pipefail
cd "$(dirname "$0")/../.."
source tools/common.sh

# Public headers, or folders of them, that an umbrella leaves out, and why: "HEADER reason".
left_out=("cupyxx/testing.h is for tests alone: //cupyxx:testing"
  "cupyxx/comm.h is a library of its own: //cupyxx/comm"
  "chainerxx/parallel is a library of its own: //chainerxx/parallel"
  "cupyxx/extension is for libraries with kernels of their own: //cupyxx/extension:kernel"
  "chainerxx/training is for programs that train, and has its own: chainerxx/training/training.h"
  "chainerxx/training/extensions is reached by that"
  "chainerxx/datasets is reached by that"
  "chainerxx/datasets/images needs libjpeg and libpng: chainerxx/datasets/images/images.h"
  "chainerxx/iterators is reached by that"
  "chainerxx/links/classifier.h is reached by that")

bad=0
complain() {
  echo "$*"
  bad=$((bad + 1))
}

# The older standards of the compilers that are here.
compilers=(g++)
if command -v clang++-14 >/dev/null; then compilers+=(clang++-14); fi

for library in "${libraries[@]}"; do
  umbrella=$library/$library.h
  reached=$(g++ -std=c++20 -M -I. -x c++ "$umbrella" 2>/dev/null | tr -s ' \\' '\n\n')
  count=0
  for header in $(public_headers | grep "^$library/"); do
    count=$((count + 1))
    grep -qx "\(\./\)\?$header" <<<"$reached" && continue
    grep -q "^$header \|^${header%/*} " < <(printf '%s\n' "${left_out[@]}") || complain "$umbrella does not reach $header"
  done
  for compiler in "${compilers[@]}"; do
    for standard in c++11 c++17; do
      errors=$(printf '#include "%s"\nint main() { return %s::nothing(); }\n' "$umbrella" "$library" |
        "$compiler" -std=$standard -fsyntax-only -I. -x c++ - 2>&1 | grep 'error:' || true)
      if [[ $(wc -l <<<"$errors") != 1 || $errors != *"needs C++20: compile with -std=c++20"* ]]; then
        complain "$umbrella with $compiler -std=$standard says: $errors"
      fi
    done
  done
  echo "$umbrella: $count public headers"
done
((bad == 0))
