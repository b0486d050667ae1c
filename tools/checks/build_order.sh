#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# deps, srcs and hdrs of all targets are in buildifier's order, and load() comes first. Repair: tools/build_order.py --fix
set -euo pipefail
cd "$(dirname "$0")/../.."
tools/build_order.py
