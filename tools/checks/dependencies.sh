#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The dependency direction of the design, as edges that must not exist. Tests may look sideways; libraries may not.
set -euo pipefail
cd "$(dirname "$0")/../.."
source tools/common.sh

query() { bazel query --noshow_progress --ui_event_filters=-info,-warning --noimplicit_deps "$@"; }

# code EXPRESSION: its rules that are not for tests.
code() { echo "attr(testonly, 0, kind(rule, $1))"; }

bad=0 edges=0

# forbid WHAT FROM TO: nothing of FROM may lead to TO (query expressions).
forbid() {
  local path
  edges=$((edges + 1))
  path=$(query "somepath($2, $3)")
  if [[ -n $path ]]; then
    printf '%s, but this path exists:\n' "$1"
    sed 's/^/    /' <<<"$path"
    bad=$((bad + 1))
  fi
}

# exists FOLDER...: the patterns of those folders that have packages. (bazel query fails for the others.)
exists() {
  local folder
  for folder in "$@"; do
    if [[ -n $(find "$folder" -name BUILD.bazel -print -quit 2>/dev/null) ]]; then echo "//$folder/..."; fi
  done
}

declare -A may_use=([cupyxx]="" [typecheck]="cupyxx" [gradcheck]="cupyxx" [chainerxx]="cupyxx typecheck")
for library in "${libraries[@]}"; do
  for other in "${all_libraries[@]}" examples benchmarks conformance; do
    [[ $other == "$library" || " ${may_use[$library]} " == *" $other "* ]] && continue
    target=$(exists "$other")
    [[ -n $target ]] || continue
    forbid "$library must not use $other" "$(code "//$library/...")" "$target"
  done
done

# The values that typecheck may use know neither arrays nor CUDA.
values="//cupyxx:dtype + //cupyxx:shape + //cupyxx:error"
cuda="filter('^@cuda//', deps(//...))"
forbid "cupyxx:{dtype,shape,error} must not use CUDA" "$values" "$cuda"
forbid "cupyxx:{dtype,shape,error} must not use the rest of cupyxx" "$values" "//cupyxx/... - deps($values)"
if is_library typecheck; then
  forbid "typecheck must not use CUDA" "$(code //typecheck/...)" "$cuda"
  forbid "typecheck must use nothing of cupyxx but {dtype,shape,error}" "$(code //typecheck/...)" \
    "//cupyxx/... - deps($values)"
fi

# Inside cupyxx: chapters -> ops, kernel -> internal/{cpu,gpu,jit} -> ndarray -> cuda -> values.
device_code=$(exists cupyxx/internal/cpu cupyxx/internal/gpu cupyxx/internal/jit | paste -sd+)
chapters=""
for chapter in creation manipulation math reduction linalg sorting logic random kernel cupyxx; do
  if grep -q "name = \"$chapter\"" cupyxx/BUILD.bazel; then chapters+="${chapters:+ + }//cupyxx:$chapter"; fi
done
if [[ -n $device_code && -n $chapters ]]; then
  forbid "cupyxx/internal must not use the chapters" "$(code "$device_code")" "$chapters"
fi
if [[ -n $(exists cupyxx/cuda) ]]; then
  forbid "cupyxx/cuda must not use the chapters" "$(code //cupyxx/cuda/...)" "${chapters:-set()}"
fi

# Public headers are compiled without a CUDA header: CUDA is a private dependency everywhere.
for library in "${libraries[@]}"; do
  leaks=$(query "filter('^@cuda//', labels(deps, attr(visibility, '//visibility:public', kind(cc_library, //$library/...))))")
  edges=$((edges + 1))
  if [[ -n $leaks ]]; then
    printf '%s: a public target names CUDA in deps; use private_deps:\n' "$library"
    query "rdeps(//$library/..., set(${leaks//$'\n'/ }), 1)" | sed 's/^/    /'
    bad=$((bad + 1))
  fi
done

echo "$edges forbidden edges, $bad of them exist"
((bad == 0))
