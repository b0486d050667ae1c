#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The layers, as edges between targets that must not exist. Tests may look sideways; libraries may not. A target that is
# named here and does not exist is an error.
set -euo pipefail
cd "$(dirname "$0")/../.."
source tools/common.sh

query() { bazel query --noshow_progress --ui_event_filters=-info,-warning --noimplicit_deps "$@"; }

# code EXPRESSION: its rules that are not for tests.
code() { echo "attr(testonly, 0, kind(rule, $1))"; }

bad=0 edges=0

# forbid WHAT FROM TO: nothing of FROM may lead to TO (query expressions, neither of them empty).
forbid() {
  local path side
  for side in "$2" "$3"; do
    [[ -n $(query "$side") ]] || die "$1: nothing is $side"
  done
  edges=$((edges + 1))
  path=$(query "somepath($2, $3)")
  if [[ -n $path ]]; then
    printf '%s, but this path exists:\n' "$1"
    sed 's/^/    /' <<<"$path"
    bad=$((bad + 1))
  fi
}

declare -A may_use=([cupyxx]="" [typecheck]="cupyxx" [gradcheck]="cupyxx" [chainerxx]="cupyxx typecheck")
for library in "${libraries[@]}"; do
  for other in "${libraries[@]}" examples benchmarks conformance; do
    [[ $other == "$library" || " ${may_use[$library]} " == *" $other "* ]] && continue
    forbid "$library must not use $other" "$(code "//$library/...")" "//$other/..."
  done
done

# The values that typecheck may use know neither arrays nor CUDA.
values="//cupyxx:device + //cupyxx:dtype + //cupyxx:error + //cupyxx:scalar + //cupyxx:shape"
cuda="filter('^@cuda//', deps(//...))"
forbid "cupyxx's values must not use CUDA" "$values" "$cuda"
forbid "cupyxx's values must not use the rest of cupyxx" "$values" "//cupyxx/... - deps($values)"
forbid "typecheck must not use CUDA" "$(code //typecheck/...)" "$cuda"
forbid "typecheck must use nothing of cupyxx but {dtype,shape,error}" "$(code //typecheck/...)" \
  "//cupyxx/... - deps(//cupyxx:dtype + //cupyxx:shape + //cupyxx:error)"

# Inside cupyxx: values <- runtime <- array <- backends <- core <- chapters <- methods.
below="//cupyxx/internal/... + //cupyxx/cuda/... + //cupyxx/ops/... + //cupyxx/extension/..."
core="//cupyxx/core:core + //cupyxx/core:core_impl"
above="//cupyxx/comm/..." # what uses cupyxx as a program does
chapters="$(code "//cupyxx/...") - (//cupyxx:* + //cupyxx/core/... + //cupyxx/testing/... + $above + $below)"
above_core="($chapters) + //cupyxx/core:methods"
runtime="//cupyxx/internal/gpu:runtime + //cupyxx/internal/gpu/memory:pool + //cupyxx/internal/cpu:allocator"
forbid "the runtime must not use arrays" "$runtime" "//cupyxx/core:array"
forbid "an array must not use what computes" "//cupyxx/core:array + //cupyxx/core:array_impl" "$core + ($above_core)"
forbid "what the core stands on must not use it" "//cupyxx/internal/gpu/scatter + //cupyxx/internal/gpu/sorting +
  //cupyxx/internal/gpu/elementwise + //cupyxx/internal/cpu/indexing:index_rows + //cupyxx/internal/cpu/indexing:masks +
  //cupyxx/internal/cpu/indexing:take + //cupyxx/internal/cpu/elementwise + //cupyxx/ops:registration" "$core"
forbid "the core must not use the chapters" "$core" "$above_core"
forbid "cupyxx/internal must not use the chapters" "$(code //cupyxx/internal/...)" "$above_core"
forbid "cupyxx/cuda must not use the core" "$(code //cupyxx/cuda/...)" "$core"
forbid "a chapter must not use the methods" "$chapters" "//cupyxx/core:methods"
forbid "cupyxx must not use communication" "//cupyxx:cupyxx" "$above"
forbid "chainerxx must not use communication" "//chainerxx:chainerxx" "$above + //chainerxx/parallel/..."

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
