#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The README's recipe as a user follows it: WORKSPACE, BUILD.bazel, .bazelrc and the program as they are printed there,
# and then a program of each other library (tools/user_workspaces). Each must build without a warning, optimised, and
# print what its expected.txt says. Nothing is added but where results are kept.
#   user_workspaces.sh                    the README's own program, typecheck without arrays, and `extension`, a program
#                                         with an operation of its own
#   user_workspaces.sh PROGRAM...         those; `all` for all libraries', too, and one_team, which counts OpenMP's threads
# CC chooses the compiler, as for any Bazel workspace. The folders are the same in every run, so that a second run finds
# its results.
set -euo pipefail
cd "$(dirname "$0")/../.."
source tools/common.sh

programs=("$@")
if ((${#programs[@]} == 0)); then programs=(cupyxx typecheck extension); fi
if [[ ${programs[*]} == all ]]; then programs=("${libraries[@]}" one_team extension); fi

compiler=$(basename "${CC:-gcc}")
place=$HOME/.cache/cupyxx-users/$(cksum <<<"$root $compiler" | cut -d' ' -f1)
workspace=$place/workspace
log=$place/log
private_folder "${place%/*}"
mkdir -p "$workspace"

# The block of the README whose first line is "# NAME" or "// NAME", without that line.
printed() {
  awk -v name="$1" '
    /^```/ { inside = !inside; first = inside; next }
    !inside { next }
    first { first = 0; chosen = ($0 == "# " name || $0 == "// " name); found += chosen; next }
    chosen { print }
    END { exit found != 1 }' README.md || die "README.md does not print one $1"
}

bazel_user() {
  (cd "$workspace" && bazel --output_base="$place/output" --max_idle_secs=600 "$@")
}
kept=(--disk_cache="$HOME/.cache/cupyxx-bazel")
quiet=(--noshow_progress --ui_event_filters=-info,-stderr)

# Emptied, not removed: Bazel's server ends when its workspace goes away.
find "$workspace" -mindepth 1 -delete
printed WORKSPACE | sed "s|/path/to/this|$root|" >"$workspace/WORKSPACE"
printed .bazelrc >"$workspace/.bazelrc"
targets=()
for program in "${programs[@]}"; do
  folder=$workspace/$program
  library=$program
  [[ $program != one_team ]] || library=chainerxx
  mkdir -p "$folder"
  cp "$root/tools/user_workspaces/$program"/* "$folder"
  if [[ -e $folder/BUILD.txt ]]; then
    mv "$folder/BUILD.txt" "$folder/BUILD.bazel"
  else
    printed BUILD.bazel | sed "s|@cupyxx//cupyxx|@cupyxx//$library|" >"$folder/BUILD.bazel"
  fi
  if [[ $program == cupyxx ]]; then printed hello.cc >"$folder/hello.cc"; fi
  targets+=("//$program:hello")
done

bad=0
complain() {
  echo "$*"
  bad=$((bad + 1))
}

built=true
bazel_user build --noshow_progress --color=no --show_result=0 --keep_going "${kept[@]}" "${targets[@]}" >"$log" 2>&1 || built=false
if ! $built || grep -q 'warning:' "$log"; then
  grep -E 'warning:|error:|ERROR' "$log" | sed -n '1,40p'
  complain "the README's recipe does not build without warnings, with $compiler"
fi

# The option of optimisation that counts is the last one.
options=$(bazel_user aquery "${quiet[@]}" "mnemonic(CppCompile, filter('^@cupyxx//cupyxx:', deps(//${programs[0]}:hello)))" 2>/dev/null)
slow=$(tr -d ' \\' <<<"$options" | awk '/^action/ { if (o == "-O0" || (n && o == "")) print "x"; o = ""; n++ } /^-O/ { o = $0 }' | wc -l)
if [[ $options != *CppCompile* ]] || ((slow > 0)); then complain "$slow sources of cupyxx are compiled without optimisation"; fi

for program in "${programs[@]}"; do
  binary=$workspace/bazel-bin/$program/hello
  expected=$(cat "$root/tools/user_workspaces/$program/expected.txt")
  if [[ ! -x $binary ]]; then
    complain "$program: a user's program does not build"
  elif ! output=$("$binary" 2>&1); then
    complain "$program: a user's program ended with an error after: $output"
  elif [[ $output != "$expected" ]]; then
    complain "$program: a user's program printed '$output' instead of '$expected'"
  else
    echo "$program: a user's program builds and prints what it should, with $compiler"
  fi
  if [[ $program == typecheck ]]; then
    # Someone who takes typecheck takes no arrays and no CUDA.
    arrays=$(bazel_user query "${quiet[@]}" \
      "kind(rule, filter('^@cuda//|^@cupyxx//(cupyxx/|chainerxx|gradcheck)|^@cupyxx//cupyxx:ndarray', deps(//typecheck:hello)))" 2>/dev/null)
    [[ -z $arrays ]] || complain "typecheck: depends on ${arrays//$'\n'/ }"
  fi
done
((bad == 0))
