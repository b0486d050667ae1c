#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Writes docs/reference/LIBRARY.md from the headers, or with --check says which pages are not up to date, and which
# public names have no comment.
set -euo pipefail
cd "$(dirname "$0")/.."
source tools/common.sh

bazel build --noshow_progress --ui_event_filters=-info --show_result=0 //tools:print_reference
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
bad=0
for library in "${libraries[@]}"; do
  page=docs/reference/$library.md
  mapfile -t headers < <(public_headers | grep "^$library/")
  bazel-bin/tools/print_reference "$library" "${headers[@]}" >"$place/page" || bad=$((bad + 1))
  if [[ ${1:-} == --check ]]; then
    cmp -s "$place/page" "$page" || {
      diff -u "$page" "$place/page" | sed -n '1,20p' || true
      echo "$page is not up to date: tools/reference.sh"
      bad=$((bad + 1))
    }
  else
    mkdir -p docs/reference
    cp "$place/page" "$page"
  fi
  echo "$page: $(grep -c '^ *\* `' "$place/page") names of ${#headers[@]} headers"
done
((bad == 0))
