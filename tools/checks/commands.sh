#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What the documents have a reader type can be typed: scripts and targets exist, and the programs of examples/ take the flags
# that stand behind their names. (docs/install.md is run as it stands by tools/dist/check.sh, the README's workspace by
# user_workspaces.sh.)
set -euo pipefail
cd "$(dirname "$0")/../.."
source tools/common.sh

bad=0
complain() {
  echo "$*"
  bad=$((bad + 1))
}
mapfile -t pages < <(repository_files '*.md' | grep -vE '^docs/reference/|CHANGELOG')

# Labels; of a package alone, all of its targets. Names of what a reader makes himself have capital letters.
mapfile -t labels < <(grep -ohP '(?<![\w:/@])//[a-z]\w*(/[A-Za-z]\w*)*(/\.\.\.|:[\w.]+)?' "${pages[@]}" | grep -v '[A-Z]' | sort -u)
patterns=()
for label in "${labels[@]}"; do
  case $label in
    *:* | */...) patterns+=("$label") ;;
    *) patterns+=("$label:all") ;;
  esac
done
unknown=$(bazel query --noshow_progress --keep_going "set(${patterns[*]})" 2>&1 >/dev/null | grep -oE "no such (target|package) '[^']*'" | sort -u || true)
while read -r line; do [[ -z $line ]] || complain "the documents have $line"; done <<<"$unknown"

# Commands are lines of code, which Markdown indents; a backslash at the end goes on. Flags behind the name of a program are
# given to it with --help, which reads them all and runs nothing.
declare -A program=()
while read -r label; do program[${label##*:}]=$label; done < <(
  for label in $(bazel query --noshow_progress 'kind(cc_binary, //examples/...)' 2>/dev/null); do echo "$label"; done)
commands=$(sed -nE ':a; /\\$/ { N; s/\\\n *//; ba }; s/^ {4,}//p' "${pages[@]}" | sort -u)
used=() calls=()
while read -r line; do
  name=
  flags=()
  for word in ${line%%#*}; do
    if [[ $word =~ ^(\.|tools|benchmarks)/[a-z_/]+\.(sh|py)$ && ! -e $word ]]; then complain "the documents have $word: $line"; fi
    last=${word##*[:/]}
    if [[ -z $name && $word =~ ^[a-z/][a-z0-9_/:-]*[a-z0-9]$ && -n ${program[$last]:-} ]]; then
      name=$last
    elif [[ -n $name && $word == --?* ]]; then
      flags+=("${word//\$PWD/$PWD}")
    fi
  done
  ((${#flags[@]})) || continue
  used+=("${program[$name]}")
  calls+=("$name ${flags[*]}")
done <<<"$commands"
mapfile -t used < <(printf '%s\n' "${used[@]}" | sort -u)
bazel build --noshow_progress --show_result=0 --ui_event_filters=-info "${used[@]}"
for call in "${calls[@]}"; do
  read -r name flags <<<"$call"
  path=${program[$name]#//}
  # shellcheck disable=SC2086 # Flags are words.
  "bazel-bin/${path/://}" $flags --help >/dev/null || complain "the documents have: $call"
done
echo "${#labels[@]} labels and ${#calls[@]} calls of ${#used[@]} programs in ${#pages[@]} pages, $bad of them wrong"
((${#calls[@]} > 20 && bad == 0))
