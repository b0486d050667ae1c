#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Lines per library, the ten longest files, and the caps: 600 lines a source, 800 a test.
set -euo pipefail
cd "$(dirname "$0")/../.."
source tools/common.sh

repository_files '*.h' '*.cc' '*.bzl' '*.sh' '*.bazel' '*.BUILD' |
  xargs -r -d '\n' awk '
    FNR == 1 { files[++count] = FILENAME }
    { lines[FILENAME]++ }
    END {
      for (i = 1; i <= count; i++) {
        file = files[i]
        part = file
        if (!sub(/\/.*/, "", part)) part = "(top)"
        kind = file ~ /_test\.cc$|\/testing\// ? 3 : file ~ /\.h$/ ? 1 : file ~ /\.cc$/ ? 2 : 4
        number[part]++
        sum[part, kind] += lines[file]
        sum["all", kind] += lines[file]
        cap = file ~ /_test\.cc$/ ? 800 : 600
        printf "file %d %d %s\n", lines[file], cap, file
      }
      number["all"] = count
      for (part in number)
        printf "part %s %d %d %d %d %d\n", part, number[part], sum[part, 1], sum[part, 2], sum[part, 3], sum[part, 4]
    }' | {
  table=() longest=() bad=0
  while read -r kind rest; do
    case $kind in
      part) table+=("$rest") ;;
      file) longest+=("$rest") ;;
    esac
  done
  printf '%-14s %6s %8s %8s %8s %8s\n' "" files headers sources tests build
  printf '%s\n' "${table[@]}" | sort | awk '{ printf "%-14s %6d %8d %8d %8d %8d\n", $1, $2, $3, $4, $5, $6 }'
  echo
  printf '%s\n' "${longest[@]}" | sort -rn | sed -n '1,10p' | awk '{ printf "%6d %s\n", $1, $3 }'
  while read -r lines cap file; do
    if ((lines > cap)); then
      echo "$file: $lines lines, the cap is $cap"
      bad=$((bad + 1))
    fi
  done < <(printf '%s\n' "${longest[@]}")
  ((bad == 0))
}
