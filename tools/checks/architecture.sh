#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# docs/architecture.svg is what the build graph gives (repair: tools/architecture.py), and the files that the page and
# the recipes name exist, as they stand there or in cupyxx.
set -euo pipefail
cd "$(dirname "$0")/../.."
tools/architecture.py --check

bad=0 count=0
for page in docs/architecture.md CONTRIBUTING.md; do
  while read -r path; do
    count=$((count + 1))
    # Names of what a reader makes himself have capital letters: NAME.h; * and {a,b} are the shell's.
    [[ $path =~ [A-Z]{3} && $path != *BUILD.bazel ]] && continue
    if ! compgen -G "$path" >/dev/null && ! compgen -G "cupyxx/$path" >/dev/null; then
      echo "$page names $path, which does not exist"
      bad=$((bad + 1))
    fi
  done < <(grep -oE '`(\./)?[a-z_.*]+/[A-Za-z0-9_./*]+`' "$page" | tr -d '`' | sort -u)
done
echo "$count paths named, $bad of them do not exist"
((bad == 0))
