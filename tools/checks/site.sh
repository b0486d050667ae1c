#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The documents become a website without a link that leads nowhere. tools/site_check.py looks at it in a browser (.ci/run).
set -euo pipefail
cd "$(dirname "$0")/../.."

site=$(mktemp -d)
trap 'rm -rf "$site"' EXIT
tools/site.py "$site"
tools/site_check.py --links "$site"
