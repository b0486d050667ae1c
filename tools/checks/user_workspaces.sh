#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Each library as its users take it: a workspace outside of this tree with one program, as in tools/user_workspaces/.
# The program must build with nothing but the three lines of the README, and print what expected.txt says.
# The folder is the same in every run, so that a second run finds its results.
set -euo pipefail
cd "$(dirname "$0")/../.."
source tools/common.sh

place=${TMPDIR:-/tmp}/cupyxx-users-$(id -u)-$(cksum <<<"$root" | cut -d' ' -f1)
workspace=$place/workspace
mkdir -p "$workspace"

bazel_user() {
  (cd "$workspace" && bazel --output_base="$place/output" --host_jvm_args=-Xmx512m --max_idle_secs=600 "$@") \
    2> >(grep -v '^Starting local Bazel' >&2)
}
# Where results are kept and how actions are isolated is no part of what a user must write.
as_ours=(--disk_cache='~/.cache/cupyxx-bazel' --spawn_strategy=processwrapper-sandbox,local)
quiet=(--noshow_progress --ui_event_filters=-info,-warning)

bad=0
for library in "${libraries[@]}"; do
  templates=$root/tools/user_workspaces/$library
  # Emptied, not removed: Bazel's server ends when its workspace goes away.
  find "$workspace" -mindepth 1 -delete
  cp "$templates"/{BUILD.bazel,main.cc} "$workspace"
  cp "$templates/../bazelrc.in" "$workspace/.bazelrc"
  sed "s|@CUPYXX@|$root|" "$templates/../WORKSPACE.in" >"$workspace/WORKSPACE"

  problem=
  if ! bazel_user build "${quiet[@]}" --show_result=0 "${as_ours[@]}" //:main; then
    problem="does not build"
  elif ! output=$("$workspace/bazel-bin/main"); then
    problem="ended with an error after: $output"
  elif [[ $output != "$(cat "$templates/expected.txt")" ]]; then
    problem="printed '$output' instead of '$(cat "$templates/expected.txt")'"
  elif [[ $library == typecheck ]]; then
    # Someone who takes typecheck takes no arrays and no CUDA.
    arrays=$(bazel_user query "${quiet[@]}" \
      "kind(rule, filter('^@cuda//|^@cupyxx//(cupyxx/|chainerxx|gradcheck)|^@cupyxx//cupyxx:ndarray', deps(//:main)))")
    [[ -z $arrays ]] || problem="depends on ${arrays//$'\n'/ }"
  fi

  if [[ -n $problem ]]; then
    echo "$library: a user's program $problem"
    bad=$((bad + 1))
  else
    echo "$library: a user's program builds and prints what it should"
  fi
done
((bad == 0))
