#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The pages of docs/reference list every public name as the headers have it now, each with a line that says what it is.
exec "$(dirname "$0")/../reference.sh" --check
