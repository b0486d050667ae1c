#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Unpacks the bundle beside this script and runs its programs.
#   run.sh --list-missing       shared libraries that this machine lacks; run it first
#   run.sh --list               the programs
#   run.sh [-- ARGUMENT...]     every test program (those ending in _tests), in CUPYXX_TEST_SHARDS processes each
#   run.sh PROGRAM [ARGUMENT...]
# CUPYXX_TEST_DEVICES chooses the devices of tests (default cuda); the programs start in the bundle's data folder.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
archive=$here/bundle.tar.xz

# One folder per archive, so that a new archive is never mixed with an old one.
read -r sum size _ < <(cksum "$archive")
parent=${CUPYXX_BUNDLE_DIR:-$HOME/.cache/cupyxx-bundles}
mkdir -p -m 700 "$parent"
# Programs are run from it.
if [[ -L $parent || ! -O $parent || -n $(find "$parent" -maxdepth 0 -perm /022) ]]; then
  echo "${0##*/}: $parent is a link, another user's, or others may write it" >&2
  exit 1
fi
place=$parent/cupyxx-bundle-$sum-$size
if [[ ! -e $place/complete ]]; then
  mkdir -p "$place"
  # Copied, since the folder that was carried here may have lost its execute bits.
  cp "$here/xz" "$here/liblzma.so.5" "$place"
  chmod +x "$place/xz"
  LD_LIBRARY_PATH=$place "$place/xz" -dc "$archive" | tar -C "$place" -x --no-same-owner
  for file in "$place"/root/fashion-mnist/*-ubyte; do
    if [[ -e $file ]]; then gzip -1 "$file"; fi
  done
  touch "$place/complete"
fi

# Opened at run time; the folders where CUDA's libraries are when the system's linker does not know them.
cuda_libraries=(libcublas.so.13 libcublasLt.so.13 libcurand.so.10 libcusolver.so.12 libcufft.so.12 libcudnn.so.9 libnvrtc.so.13 libnccl.so.2)
known=$(ldconfig -p 2>/dev/null || /sbin/ldconfig -p 2>/dev/null || true)
if [[ ! -e $place/cuda_folders ]]; then
  for library in "${cuda_libraries[@]}"; do
    [[ $known == *"$library "* ]] && continue
    for home in "${CUDA_HOME:-}" /usr/local/cuda; do
      [[ -n $home && -e $home/lib64/$library ]] && echo "$home/lib64" && continue 2
    done
    find -L /usr/local /usr/lib /opt "$HOME" -maxdepth 9 -name "$library" -not -path '*/stubs/*' -print -quit 2>/dev/null |
      sed 's|/[^/]*$||' || true
  done | sort -u >"$place/cuda_folders"
fi
path=$place/lib:$(paste -sd: "$place/cuda_folders")
cxx=$(sed -n 's/.*libstdc++.so.6 .*x86-64.* => //p' <<<"$known" | sed -n 1p)
if [[ -z $cxx ]] || ! grep -qa 'GLIBCXX_3.4.30' "$cxx"; then path=$path:$place/lib/cxx; fi
export LD_LIBRARY_PATH=$path${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export CUPYXX_TEST_DEVICES=${CUPYXX_TEST_DEVICES:-cuda}
if [[ -d $place/root/fashion-mnist ]]; then export CUPYXX_FASHION_MNIST=$place/root/fashion-mnist; fi
cd "$place/root"

list_missing() {
  local file library folder missing=0
  for file in "$place"/bin/* "$place"/lib/*.so*; do
    if ldd "$file" 2>&1 | grep -E 'not found|not a dynamic' | sed "s|^\s*|${file#"$place/"}: |"; then missing=1; fi
  done
  for library in libcuda.so.1 "${cuda_libraries[@]}"; do
    for folder in ${LD_LIBRARY_PATH//:/ }; do
      [[ -e $folder/$library ]] && continue 2
    done
    if [[ $known != *"$library "* ]]; then
      echo "opened at run time: $library => not found"
      missing=1
    fi
  done
  if ((missing == 0)); then echo "nothing is missing"; fi
  return $missing
}

# Each program runs as several processes side by side: most of a first run is the compilation of kernels.
run_tests() {
  local program name i shards logs passed=0 failed=0 status
  shards=${CUPYXX_TEST_SHARDS:-$(($(nproc) > 16 ? 14 : ($(nproc) + 1) / 2))}
  logs=$(mktemp -d)
  for program in "$place"/bin/*_tests; do
    [[ -x $program ]] || continue
    name=${program##*/}
    printf '\n== %s\n' "$name"
    for ((i = 0; i < shards; ++i)); do
      (
        status=0
        GTEST_TOTAL_SHARDS=$shards GTEST_SHARD_INDEX=$i "$program" "$@" >"$logs/$name.$i" 2>&1 || status=$?
        echo "$status" >"$logs/$name.$i.status"
      ) &
    done
    wait
    for ((i = 0; i < shards; ++i)); do
      status=$(cat "$logs/$name.$i.status")
      passed=$((passed + $(grep -c '^\[       OK' "$logs/$name.$i" || true)))
      if ((status != 0)); then
        grep -v '^\[ RUN \|^\[       OK\|^\[---' "$logs/$name.$i" | sed -n '1,60p'
        echo "shard $i of $name ended with status $status"
        failed=$((failed + 1))
      fi
    done
  done
  rm -rf "$logs"
  printf '\n%d passed, %d failed\n' "$passed" "$failed"
  ((passed > 0 && failed == 0))
}

case ${1:-} in
  --list-missing) list_missing ;;
  --list) head -1 "$place/commit" && ls "$place/bin" ;;
  "" | --) run_tests "${@:2}" ;;
  -*) sed -n '3,8s/^# //p' "${BASH_SOURCE[0]}" && exit 2 ;;
  *)
    [[ -x $place/bin/$1 ]] || { echo "run.sh: no program $1 here; there are:" $(ls "$place/bin") >&2 && exit 2; }
    exec "$place/bin/$1" "${@:2}"
    ;;
esac
