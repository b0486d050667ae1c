#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Forms that mean something else here do not compile, and g++ says what to write in a few lines.
set -euo pipefail
cd "$(dirname "$0")/../.."
source tools/common.sh

tools/refused_forms.py ./*/testing/refused_forms.txt -- $(public_headers)
