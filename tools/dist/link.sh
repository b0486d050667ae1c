#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Links one library; libraries.bzl calls it and says the rest in the environment.
#   link.sh shared|static OUTPUT
set -euo pipefail
what=$1 output=$2

# version_check FILE LIBRARY VERSION OPTION...: the object of version_check.cc.
version_check() {
  local file=$1 library=$2 major minor patch
  IFS=.- read -r major minor patch _ <"$3"
  shift 3
  "$CC" -c -O2 -fPIC -fvisibility=hidden -std=c++20 "$VERSION_CHECK" -o "$file" "$@" \
    -DCUPYXX_LIBRARY="$library" -DMAJOR="$major" -DMINOR="$minor" -DPATCH="$patch"
}

if [[ $what == static ]]; then
  rm -f "$output"
  # q: objects of two folders may have one name.
  xargs -a "$OBJECTS" "$AR" qcDS "$output"
  {
    echo "OPEN $output"
    for file in $FILES; do echo "ADDLIB $file"; done
    for name in $ARCHIVES; do echo "ADDLIB $("$CC" -print-file-name="$name")"; done
    echo SAVE
  } | "$AR" -M
  "$AR" sD "$output"
  exit
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
version_check "$work/require.o" "$LIBRARY" "$VERSION" -DIN_LIBRARY
checks=()
for needed in $NEEDED; do
  name=${needed##*/lib} name=${name%.so}
  version_check "$work/$name.o" "$name" "${VERSION%"$LIBRARY/VERSION"}$name/VERSION"
  checks+=("$work/$name.o")
done
major=$(cut -d. -f1 "$VERSION")
# libprotobuf.a is for programs: its thread-local variables cannot be in a shared library. What reads strangers' pictures
# stays the distribution's, which mends it.
archives=()
for name in $ARCHIVES; do
  case $name in
    libprotobuf.a | libjpeg.a | libpng16.a) archives+=("-l:${name%.a}.so") ;;
    *) archives+=("-l:$name") ;;
  esac
done

# What comes from archives stays inside, what nothing public reaches is left out. The libraries in the archive's
# lib/cupyxx are found by RPATH, which, unlike RUNPATH, holds for what those need, too.
"$CC" -shared -o "$output" -Wl,-soname,"lib$LIBRARY.so.$major" @"$OBJECTS" "$work/require.o" "${checks[@]}" \
  -Wl,--as-needed $FILES "${archives[@]}" $NEEDED $OPTIONS -lstdc++ -lm \
  -Wl,--exclude-libs,ALL -Wl,--gc-sections -Wl,-O1 -Wl,-z,defs -Wl,-z,relro -Wl,--build-id \
  -Wl,--disable-new-dtags,-rpath,'$ORIGIN',-rpath,'$ORIGIN/cupyxx' -s
