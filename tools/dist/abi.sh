#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The binary interface of the shared libraries against the one that is written down: docs/abi.md.
#   tools/dist/abi.sh             says what has changed; an incompatible change is an error
#   tools/dist/abi.sh --update    writes it down
# A dump, docs/abi/LIBRARY-SERIES.xml.xz, has the symbols that the library exports and the types of its public headers, as
# abidw reads them. The types come from one source that includes all headers, the symbols from the library itself, so that
# nothing is compiled a second time with debugging information.
set -euo pipefail
cd "$(dirname "$0")/../.."
source tools/common.sh

update=false
case "${1:-}" in
  "") ;;
  --update) update=true ;;
  *) die "usage: tools/dist/abi.sh [--update]" ;;
esac
install_missing abigail-tools binutils xz-utils
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

bazel build --noshow_loading_progress --show_progress_rate_limit=60 --curses=no --show_result=0 \
  "${libraries[@]/#///tools/dist:}" 2>"$work/log" || { cat "$work/log"; die "the libraries do not build"; }
bin=$(bazel info bazel-bin 2>/dev/null)/tools/dist

# The versions that are compatible: 0.1 of 0.1.7, 2 of 2.3.1.
series_of() { awk -F. '{ print($1 > 0 ? $1 : "0." $2) }' "$1/VERSION"; }

# symbols FILE: what a shared library exports, as assembly that exports the same. Functions have the size 1: theirs is no
# matter of users; what of the standard library was instantiated is left out.
symbols() {
  readelf -W --dyn-syms "$1" | awk '
    $7 == "UND" || $6 != "DEFAULT" || $4 !~ /^(FUNC|OBJECT)$/ { next }
    $8 ~ /^_Z(N|NK|TI|TV|TS|TIN|TVN|TSN|GV|GVN)?(St|S[absiod])|N9__gnu_cxx/ { next }
    {
      function_ = $4 == "FUNC"
      size = function_ ? 1 : $3
      print($5 == "WEAK" ? ".weak" : ".globl"), "\"" $8 "\""
      print ".type \"" $8 "\",@" (function_ ? "function" : "object")
      print ".size \"" $8 "\"," size "\n\"" $8 "\":\n.skip " size
    }
    END { print ".section .note.GNU-stack,\"\",@progbits" }'
}

# dump LIBRARY: its dump, to stdout.
dump() {
  local folder=$work/$1
  mkdir -p "$folder/headers"
  public_headers | grep "^$1/" | grep -v '/bundle_maker\.h$' >"$folder/list"
  xargs -a "$folder/list" cp --parents -t "$folder/headers"
  sed 's/.*/#include "&"/' "$folder/list" | LC_ALL=C sort >"$folder/headers.cc"
  symbols "$bin/lib$1.so" >"$folder/symbols.s"
  g++ -std=c++20 -O0 -g -gdwarf-4 -fno-eliminate-unused-debug-types -fPIC -fvisibility=hidden -I. -c "$folder/headers.cc" \
    -ffile-prefix-map="$work=." -ffile-prefix-map="$PWD=." -o "$folder/headers.o"
  # Nothing of the source but its types is of interest.
  g++ -shared -nostdlib -o "$folder/lib$1.so" "$folder/headers.o" "$folder/symbols.s" -Wl,-soname,"lib$1.so.$(cut -d. -f1 "$1/VERSION")" \
    -Wl,--unresolved-symbols=ignore-all -Wl,-z,muldefs
  abidw --no-corpus-path --no-comp-dir-path --no-show-locs --no-elf-needed --drop-private-types --load-all-types \
    --headers-dir "$folder/headers" "$folder/lib$1.so"
}

bad=0
for library in "${libraries[@]}"; do
  written=docs/abi/$library-$(series_of "$library").xml.xz
  dump "$library" >"$work/now.abi"
  if $update; then
    mkdir -p docs/abi
    xz -9 -c "$work/now.abi" >"$written"
    echo "$library: written down in $written, $(du -h --apparent-size "$written" | cut -f1)"
    continue
  fi
  if [[ ! -e $written ]]; then
    echo "$library: $written is missing; write it down with tools/dist/abi.sh --update"
    bad=$((bad + 1))
    continue
  fi
  xz -dc "$written" >"$work/then.abi"
  status=0
  abidiff --non-reachable-types "$work/then.abi" "$work/now.abi" >"$work/report" || status=$?
  # 4: something changed; 8: a program that was linked before does not run with it. 1 and 2 are failures of abidiff.
  if ((status & 11)); then
    cat "$work/report"
    echo "$library: incompatible with $written. Keep what programs were linked with; or give it the next version, in" \
      "VERSION, version.h and CHANGELOG.md, and, as for a version that was never handed out, tools/dist/abi.sh --update"
    bad=$((bad + 1))
  elif ((status & 4)); then
    echo "$library: compatible with $written, with additions"
  else
    echo "$library: as in $written"
  fi
done
((bad == 0))
