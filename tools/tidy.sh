#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# clang-tidy 14 over C++ sources; what it said of the same text before is not asked again (tools/tidy.py). Generated
# headers must have been built.
#   tools/tidy.sh                  sources changed since main
#   tools/tidy.sh --since COMMIT   sources changed since a commit
#   tools/tidy.sh --recorded       sources changed since the last commit in docs/tidy.txt
#   tools/tidy.sh --record         the same; if nothing is found, docs/tidy.txt gets a line for the commit that is checked out
#   tools/tidy.sh --all            all; if nothing is found, docs/tidy.txt says so of the commit that is checked out
#   tools/tidy.sh FILE...          those
# For a changed header one source that includes it is looked at, its own if there is one.
set -euo pipefail
cd "$(dirname "$0")/.."
source tools/common.sh

version=$(clang-tidy --version) || die "clang-tidy is missing: apt-get install clang-tidy"
[[ $version == *"version 14."* ]] || die "clang-tidy 14 is needed, found: $version"
record=docs/tidy.txt

# Workspaces of their own are not among them, nor is the test of builds that have one instruction set alone.
all_sources() { repository_files '*.cc' | grep -vE '^tools/user_workspaces/|/only_arch_test[.]cc$'; }

# source_of HEADER [DEPTH]: its own source, or one that includes it, or a header that does.
source_of() {
  local other
  if [[ -e ${1%.h}.cc ]]; then echo "${1%.h}.cc" && return; fi
  other=$(git grep -l -F "#include \"$1\"" -- '*.cc' ':!tools/user_workspaces' | sed -n 1p)
  if [[ -n $other ]]; then echo "$other" && return; fi
  ((${2:-0} < 4)) || return 0
  other=$(git grep -l -F "#include \"$1\"" -- '*.h' ':!tools/user_workspaces' | sed -n 1p)
  if [[ -n $other ]]; then source_of "$other" $((${2:-0} + 1)); fi
}

# changed_since COMMIT: changed sources, and a source for each changed header.
changed_since() {
  local file source
  git rev-parse --quiet --verify "$1^{commit}" >/dev/null || die "there is no commit $1 here"
  { git diff --name-only --diff-filter=d "$1" -- '*.cc' '*.h' && git ls-files --others --exclude-standard -- '*.cc' '*.h'; } |
    sort -u | while read -r file; do
    if [[ $file == tools/user_workspaces/* ]]; then continue; fi
    if [[ $file == *.cc ]]; then echo "$file" && continue; fi
    source=$(source_of "$file")
    if [[ -n $source ]]; then echo "$source"; else echo "$file: nothing includes it" >&2; fi
  done | sort -u
}

# What the record says must be true of a commit.
expect_committed() {
  [[ -z $(git status --porcelain -- '*.cc' '*.h' .clang-tidy) ]] || die "a record needs sources as they are committed"
}

case ${1:-} in
  "") files=$(changed_since "$(git merge-base HEAD main)") ;;
  --since) files=$(changed_since "${2:?usage: tools/tidy.sh --since COMMIT}") ;;
  --recorded | --record)
    [[ -e $record ]] || die "there is no $record; run tools/tidy.sh --all"
    [[ $1 == --recorded ]] || expect_committed
    files=$(changed_since "$(awk 'END { print $1 }' "$record")")
    ;;
  --all)
    expect_committed
    files=$(all_sources)
    ;;
  -*) sed -n '5,11s/^# *//p' "$0" && exit 2 ;;
  *) files=$(printf '%s\n' "$@") ;;
esac
if [[ -z $files ]]; then
  echo "no source changed"
  exit
fi

# What was generated is not ours to repair. Loops that are compiled for each instruction set are looked at for one of them.
flags=(-std=c++20 -I. -isystem bazel-bin -DCUPYXX_ARCH=avx2 -mavx2 -mfma -mf16c)
for home in "${CUDA_HOME:-}" /usr/local/cuda; do
  if [[ -n $home && -d $home/include ]]; then flags+=(-isystem "$home/include") && break; fi
done
flags+=(-isystem /usr/include/x86_64-linux-gnu/openblas-openmp)

mapfile -t files <<<"$files"
tools/tidy.py "${files[@]}" --flags "${flags[@]}"

if [[ ${1:-} == --record ]]; then
  printf '%s is the commit whose %d sources changed since then, or of changed headers, it found nothing in; made by tools/tidy.sh --record.\n' \
    "$(git rev-parse HEAD)" "${#files[@]}" >>"$record"
  cat "$record"
fi
if [[ ${1:-} == --all ]]; then
  printf '%s is the commit whose %d sources clang-tidy %s found nothing in; made by tools/tidy.sh --all.\n' \
    "$(git rev-parse HEAD)" "${#files[@]}" "$(sed -nE 's/.*version ([0-9.]+).*/\1/p' <<<"$version")" >"$record"
  cat "$record"
fi
