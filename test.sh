#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Installs what is missing and runs everything that needs no GPU: the tests, the tests without CUDA, the checks in
# tools/checks but the users' workspaces, which compile the library once more (.ci/run has them). May be run again at any time; what has not changed is not built or run again. Ends with a line
# `N passed, N failed`.
set -euo pipefail
cd "$(dirname "$0")"
source tools/common.sh

install_missing "${test_packages[@]}"

logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT
passed=0
failed=()

heading() { printf '\n== %s\n' "$*"; }

# run_tests NAME ARGUMENT...: bazel test, its log in $logs/NAME, its targets counted.
run_tests() {
  local name=$1 log=$logs/$1 status=0
  shift
  heading "bazel test $*"
  set +e
  bazel test --keep_going --test_summary=short --curses=no --noshow_loading_progress --show_progress_rate_limit=60 \
    --profile="$log.profile" "$@" 2>&1 | tee "$log" | news_of_tests
  status=${PIPESTATUS[0]}
  set -e
  count_tests "$name" "$log" "$status" "bazel test $*"
}

# Compilations of this run that took longest; nothing when all came from the cache.
slowest_compilations() {
  zcat -f "$logs"/*.profile 2>/dev/null | tr '}' '\n' |
    sed -nE 's/.*"name":"Compiling ([^"]*)".*"dur":([0-9]+).*/\2 \1/p' | sort -rn | sed -n '1,5p' |
    awk '$1 > 1e6 { printf "%7.1fs %s%s\n", $1 / 1e6, $2, ($1 > 20e6 ? "   over the 20 s budget" : "") }'
}

run_tests all //...

no_cuda=()
for library in typecheck cupyxx; do
  if is_library $library; then no_cuda+=("//$library/..."); fi
done
run_tests cpu --config=cpu "${no_cuda[@]}"

for check in tools/checks/*.sh; do
  name=$(basename "$check" .sh)
  if [[ $name == user_workspaces ]]; then continue; fi
  heading "$name"
  if bash "$check"; then
    passed=$((passed + 1))
  else
    failed+=("check $name ($check)")
  fi
done

heading "ten slowest test targets"
sed -nE 's|^(//[^ ]+) .* in ([0-9.]+)s$|\2 \1|p' "$logs/all" | sort -rn | sed -n '1,10p' | awk '{ printf "%7.1fs %s\n", $1, $2 }'
slow=$(slowest_compilations)
if [[ -n $slow ]]; then
  heading "slowest compilations of this run"
  echo "$slow"
fi

# The disk cache of .bazelrc forgets what no build has used for two weeks, and beyond 20 GB what was used longest ago.
cache=$(getent passwd "$(id -u)" | cut -d: -f6)/.cache/cupyxx-bazel
find "$cache" -type f -atime +14 -delete 2>/dev/null || true
find "$cache" -type f -printf '%A@ %s %p\n' 2>/dev/null | sort -rn |
  awk -v most=20e9 '(bytes += $2) > most { printf "%s%c", $3, 0 }' | xargs -0r rm -f

echo
for item in "${failed[@]}"; do echo "FAILED $item"; done
echo "$passed passed, ${#failed[@]} failed"
((${#failed[@]} == 0))
