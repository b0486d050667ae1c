#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Of each library, VERSION, the top of CHANGELOG.md and version.h name the same version.
set -euo pipefail
cd "$(dirname "$0")/../.."
source tools/common.sh

bad=0
complain() {
  echo "$*"
  bad=$((bad + 1))
}

# Folders with a VERSION are libraries: all of them are checked, and only they are.
for file in */VERSION; do
  is_library "${file%/VERSION}" || complain "${file%/VERSION} has a VERSION but is not in \`libraries\` of tools/common.sh"
done

for library in "${libraries[@]}"; do
  version=$(cat "$library/VERSION") || version=
  log=$(sed -nE 's/^## \[?([0-9][^] ]*).*/\1/p' "$library/CHANGELOG.md" | sed -n 1p)
  header=$(sed -nE 's/.* version = "([^"]*)".*/\1/p' "$library/version.h")
  if [[ ! $version =~ ^[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.]+)?$ ]]; then
    complain "$library: VERSION is '$version', not a semantic version"
  fi
  [[ $log == "$version" ]] || complain "$library: VERSION is '$version', the top of CHANGELOG.md '$log'"
  [[ $header == "$version" ]] || complain "$library: VERSION is '$version', version.h has '$header'"
  echo "$library $version"
done
((bad == 0))
