#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A library's tests run in one program on GPU machines, where two fixtures of one name end it before the first test.
set -euo pipefail
cd "$(dirname "$0")/../.."
source tools/common.sh

bad=0
for library in typecheck cupyxx gradcheck chainerxx conformance; do
  names=$(repository_files "$library/*_test.cc" | xargs -r -d '\n' \
    sed -nE '/^(class|struct) [A-Za-z0-9]+ : public [a-z:]*testing::/p' | sed -E 's/^[a-z]+ ([A-Za-z0-9]+) .*/\1/' | sort | uniq -d)
  for name in $names; do
    echo "$library: more than one fixture is named $name"
    bad=1
  done
done
exit $bad
