#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Unpacks the bundle beside this script and runs its programs.
#   run.sh --list-missing       shared libraries that this machine lacks; run it first
#   run.sh --list               the programs
#   run.sh [-- ARGUMENT...]     every test program (those ending in _tests), arguments for each
#   run.sh PROGRAM [ARGUMENT...]
# CUPYXX_TEST_DEVICES chooses the devices of tests (default cuda); the programs start in the bundle's data folder.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
archive=$here/bundle.tar.xz

# One folder per archive, so that a new archive is never mixed with an old one.
read -r sum size _ < <(cksum "$archive")
place=${CUPYXX_BUNDLE_DIR:-${TMPDIR:-/tmp}}/cupyxx-bundle-$sum-$size
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
cuda_libraries=(libcublas.so.13 libcublasLt.so.13 libcurand.so.10 libcusolver.so.12 libcudnn.so.9 libnvrtc.so.13 libnccl.so.2)
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

run_tests() {
  local program passed=0 failed=()
  for program in "$place"/bin/*_tests; do
    [[ -x $program ]] || continue
    printf '\n== %s\n' "${program##*/}"
    if "$program" --gtest_brief=1 "$@"; then
      passed=$((passed + 1))
    else
      failed+=("${program##*/} (status $?)")
    fi
  done
  echo
  for program in "${failed[@]}"; do echo "FAILED $program"; done
  echo "$passed passed, ${#failed[@]} failed"
  ((passed > 0 && ${#failed[@]} == 0))
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
