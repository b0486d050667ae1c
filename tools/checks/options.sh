#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The rows of cupyxx/testing/options_test.cc and integers_test.cc are those of the public headers: a routine that is added
# is tried there, too. So are the forms of layers' arrays in chainerxx/parameter_calls.h, without which these would be constants.
set -euo pipefail
cd "$(dirname "$0")/../.."

for rows in options_rows integer_rows; do
  if ! diff <(tools/$rows.py) cupyxx/testing/$rows.inc >/dev/null; then
    diff <(tools/$rows.py) cupyxx/testing/$rows.inc | sed -n '1,10p' || true
    echo "options: cupyxx/testing/$rows.inc is out of date; tools/$rows.py >cupyxx/testing/$rows.inc"
    exit 1
  fi
done
if ! diff <(tools/parameter_calls.py) chainerxx/parameter_calls.h >/dev/null; then
  diff <(tools/parameter_calls.py) chainerxx/parameter_calls.h | sed -n '1,10p' || true
  echo "options: chainerxx/parameter_calls.h is out of date; tools/parameter_calls.py >chainerxx/parameter_calls.h"
  exit 1
fi
echo "$(wc -l <cupyxx/testing/options_rows.inc) calls tried with every list of options," \
  "$(wc -l <cupyxx/testing/integer_rows.inc) with numbers that are no integers"
