#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# tools/source_lines.sh [COMMIT]: lines of code in the sources of cupyxx and chainerxx, now and at COMMIT. Not counted:
# blank lines, comments, tests, fuzzing, and what only tests use.
set -euo pipefail
cd "$(dirname "$0")/.."
source tools/common.sh

# sources: of the paths read, those of sources.
sources() { grep -E '\.(h|cc)$' | grep -vE '_test\.cc$|/(testing|testdata|fuzz)/'; }

# count: the lines of code of the files read, in their folder.
count() {
  xargs -r -d '\n' awk '
    /^[[:space:]]*\/\*/ { comment = 1 }
    !comment && !/^[[:space:]]*(\/\/|$)/ { lines[substr(FILENAME, 1, index(FILENAME, "/") - 1)]++ }
    /\*\// { comment = 0 }
    END { printf "%d %d\n", lines["cupyxx"], lines["chainerxx"] }' |
    awk '{ a += $1; b += $2 } END { print a, b }'
}

read -r cupyxx chainerxx < <(repository_files cupyxx chainerxx | sources | count)
printf '%-12s %8s %10s %8s\n' "" cupyxx chainerxx sum
printf '%-12s %8d %10d %8d\n' now "$cupyxx" "$chainerxx" $((cupyxx + chainerxx))
if (($#)); then
  commit=$(git rev-parse --short "$1^{commit}")
  folder=$(mktemp -d)
  trap 'rm -rf "$folder"' EXIT
  git archive "$commit" cupyxx chainerxx | tar -x -C "$folder"
  read -r before_cupyxx before_chainerxx < <(cd "$folder" && find cupyxx chainerxx -type f | sources | count)
  printf '%-12s %8d %10d %8d\n' "$commit" "$before_cupyxx" "$before_chainerxx" $((before_cupyxx + before_chainerxx))
  printf '%-12s %+8d %+10d %+8d\n' difference $((cupyxx - before_cupyxx)) $((chainerxx - before_chainerxx)) \
    $((cupyxx + chainerxx - before_cupyxx - before_chainerxx))
fi
