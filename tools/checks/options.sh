#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The rows of cupyxx/testing/options_test.cc are those of the public headers: a routine that is added is tried there, too.
set -euo pipefail
cd "$(dirname "$0")/../.."

if ! diff <(tools/options_rows.py) cupyxx/testing/options_rows.inc >/dev/null; then
  diff <(tools/options_rows.py) cupyxx/testing/options_rows.inc | sed -n '1,10p' || true
  echo "options: cupyxx/testing/options_rows.inc is out of date; tools/options_rows.py >cupyxx/testing/options_rows.inc"
  exit 1
fi
echo "$(wc -l <cupyxx/testing/options_rows.inc) calls tried with every list of options"
