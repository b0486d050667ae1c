#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Packs the libraries for those who build without Bazel: docs/install.md.
#   tools/dist.sh OUTDIR      XZ_LEVEL=0 packs in seconds, to try something
# OUTDIR gets an archive for any x86-64 Linux of Debian 12's age or newer, which works from wherever it is unpacked,
# and Debian packages, lib*0 to run programs and lib*-dev to build them. They have the objects of the build at hand;
# CUDA is looked for when a program runs, so a build with a toolkit serves machines with and without a GPU.
# What they are like is tested by tools/dist/check.sh.
set -euo pipefail
cd "$(dirname "$0")/.."
source tools/common.sh

(($# == 1)) || die "usage: tools/dist.sh OUTDIR"
out=$(realpath -m "$1")
install_missing "${run_packages[@]}" libjpeg-dev libpng-dev patchelf xz-utils

declare -A needs=([cupyxx]="" [typecheck]="cupyxx" [gradcheck]="cupyxx" [chainerxx]="cupyxx typecheck")
declare -A summary=(
  [cupyxx]="NumPy-style arrays for C++20, on CPUs and NVIDIA GPUs"
  [typecheck]="Conditions on shapes and dtypes that print themselves"
  [gradcheck]="Gradients compared with finite differences"
  [chainerxx]="Define-by-run neural networks for C++20"
)
# What is opened or linked as a shared library and not in every distribution: Debian's packages have them, the archive
# brings them along.
brought=(libdnnl.so.2 libOpenCL.so.1 libopenblas.so.0 libgfortran.so.5 libquadmath.so.0
  libprotobuf.so.32 libjpeg.so.62 libpng16.so.16 libz.so.1)
system_packages="libc6 (>= 2.36), libgcc-s1, libgomp1, libstdc++6 (>= 12), libdnnl2, libopenblas0-openmp"
maintainer="${DEBFULLNAME:-cupyxx} <${DEBEMAIL:-cupyxx@localhost}>"
triplet=x86_64-linux-gnu
level=${XZ_LEVEL:-6}
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || date +%s)}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

version_of() { cat "$1/VERSION"; }
major_of() { cut -d. -f1 "$1/VERSION"; }
# The first version that is not compatible: 2.0.0 of 1.4.2, 0.3.0 of 0.2.1.
limit_of() { awk -F. '{ print($1 > 0 ? $1 + 1 ".0.0" : "0." $2 + 1 ".0") }' "$1/VERSION"; }

# ---- The libraries, linked of the objects of this build.
bazel build --noshow_loading_progress --show_progress_rate_limit=60 --curses=no --show_result=0 \
  "${libraries[@]/#///tools/dist:}"
bin=$(bazel info bazel-bin 2>/dev/null)/tools/dist

# ---- The headers: what users include, and what that includes.
# The maker of bundles is for Bazel alone.
public_headers | grep -v '/bundle_maker\.h$' >"$work/public"
sed 's/.*/#include "&"/' "$work/public" >"$work/all.cc"
{
  cat "$work/public"
  g++ -std=c++20 -I. -MM "$work/all.cc" | tr -s ' \\' '\n' | grep '\.h$'
} | sort -u >"$work/headers"

# fill TEMPLATE NAME LIB PREFIX INCLUDE: the template with what is known of the library. Variables of bash that are set
# by who calls are filled in, too: LIBS, REQUIRES, SUFFIX, TARGETS, STATIC_TARGETS.
fill() {
  local version major minor
  version=$(version_of "$2")
  IFS=. read -r major minor _ <<<"$version"
  sed -e "s|@NAME@|$2|g; s|@VERSION@|$version|g; s|@MAJOR@|$major|g; s|@MINOR@|$minor|g" \
    -e "s|@SUMMARY@|${summary[$2]}|g; s|@NEEDS@|${needs[$2]}|g; s|@LIB@|$3|g; s|@PREFIX@|$4|g; s|@INCLUDE@|$5|g" \
    -e "s|@LIBS@|${LIBS:-}|g; s|@REQUIRES@|${REQUIRES:-}|g; s|@SUFFIX@|${SUFFIX:-}|g" \
    -e "s|@TARGETS@|${TARGETS:-}|g; s|@STATIC_TARGETS@|${STATIC_TARGETS:-}|g" "tools/dist/$1"
}

# describe NAME LIB_FOLDER LIB PREFIX INCLUDE OPTIONS SYSTEM...: pkg-config's and CMake's files, into LIB_FOLDER. OPTIONS
# are for the linker; SYSTEM is what the static library is linked with, as pkg-config and as CMake name it.
describe() {
  local name=$1 folder=$2 lib=$3 prefix=$4 include=$5 options=$6 pc_system=$7 cmake_system=$8 need version
  local TARGETS="" STATIC_TARGETS="" REQUIRES="" LIBS SUFFIX=""
  for need in ${needs[$name]}; do
    version=$(version_of "$need")
    REQUIRES+="${REQUIRES:+, }$need >= $version"
    TARGETS+="$need::$need;"
    STATIC_TARGETS+="$need::${need}_static;"
  done
  [[ $name != cupyxx ]] || STATIC_TARGETS=$cmake_system
  mkdir -p "$folder"/{pkgconfig,cmake/"$name"}
  LIBS="$options -l$name"
  fill library.pc.in "$name" "$lib" "$prefix" "$include" >"$folder/pkgconfig/$name.pc"
  SUFFIX=_static REQUIRES=$(sed -E 's/(\w+) >=/\1_static >=/g' <<<"$REQUIRES") LIBS="$options -l:lib$name.a"
  [[ $name != cupyxx ]] || LIBS+=" $pc_system"
  fill library.pc.in "$name" "$lib" "$prefix" "$include" >"$folder/pkgconfig/${name}_static.pc"
  fill Config.cmake.in "$name" "$lib" "$prefix" "$include" >"$folder/cmake/$name/${name}Config.cmake"
  fill ConfigVersion.cmake.in "$name" "$lib" "$prefix" "$include" >"$folder/cmake/$name/${name}ConfigVersion.cmake"
}

# stage_runtime NAME LIB_FOLDER: the shared library.
stage_runtime() {
  local file
  file=lib$1.so.$(version_of "$1")
  mkdir -p "$2"
  install -m 644 "$bin/lib$1.so" "$2/$file"
  ln -sf "$file" "$2/lib$1.so.$(major_of "$1")"
}

# stage_development NAME LIB_FOLDER INCLUDE_FOLDER: headers, the static library, and lib$1.so, for the linker: the shared
# library and the check that a program makes when it starts (version_check.cc).
stage_development() {
  local name=$1 folder=$2 version header
  version=$(version_of "$name")
  mkdir -p "$folder"
  install -m 644 "$bin/lib$name.a" "$folder"
  local major minor patch
  IFS=.- read -r major minor patch _ <<<"$version"
  g++ -c -O2 -fPIC -std=c++20 -DCUPYXX_LIBRARY="$name" -DMAJOR="$major" -DMINOR="$minor" -DPATCH="$patch" \
    tools/dist/version_check.cc -o "$folder/lib${name}_check.o"
  echo "INPUT(lib${name}_check.o lib$name.so.$version)" >"$folder/lib$name.so"
  grep "^$name/" "$work/headers" | while read -r header; do install -D -m 644 "$header" "$3/$header"; done
}

# stage_documents NAME FOLDER
stage_documents() {
  mkdir -p "$2"
  install -m 644 LICENSE "$2/copyright"
  install -m 644 "$1/README.md" "$1/CHANGELOG.md" "$2"
}

# stage_examples FOLDER: programs to start from.
stage_examples() { install -D -m 644 -t "$1" tools/dist/programs/{train,pictures}.cc; }

# ---- The archive.
top=cupyxx-$(version_of cupyxx)-linux-x86_64
root=$work/$top
# Found beside our libraries; what they need themselves beside them.
mkdir -p "$root/lib/cupyxx" "$root/share/doc/cupyxx/brought"
for file in "${brought[@]}"; do
  path=$(realpath "$(find_library "$file")")
  install -m 644 "$path" "$root/lib/cupyxx/$file"
  patchelf --set-rpath '$ORIGIN' "$root/lib/cupyxx/$file"
  package=$(dpkg -S "*/${path##*/}" | sed -n '1s/:.*//p')
  cp "/usr/share/doc/$package/copyright" "$root/share/doc/cupyxx/brought/$package.copyright"
done
for name in "${libraries[@]}"; do
  stage_runtime "$name" "$root/lib"
  stage_development "$name" "$root/lib" "$root/include"
  stage_documents "$name" "$root/share/doc/$name"
  # shellcheck disable=SC2016 # The dollars are pkg-config's and CMake's.
  describe "$name" "$root/lib" lib '${pcfiledir}/../..' ../../../include '-L${libdir} -Wl,-rpath,${libdir}' \
    '-L${libdir}/cupyxx -Wl,-rpath,${libdir}/cupyxx -l:libdnnl.so.2 -lgomp -ldl -lpthread -lrt -lm' \
    "\${_${name}_lib}/cupyxx/libdnnl.so.2;gomp;dl;pthread;rt;m"
done
stage_examples "$root/share/doc/chainerxx/examples"
mkdir -p "$out"
rm -f "$out"/*.deb "$out"/cupyxx-*.tar.xz
tar -C "$work" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" -c "$top" |
  xz -T0 "-$level" >"$out/$top.tar.xz"

# ---- Debian's packages.
# package NAME LIBRARY DEPENDS TEXT TREE SECTION: builds NAME of what is in TREE.
package() {
  local name=$1 library=$2 depends=$3 text=$4 tree=$5 section=$6
  mkdir -p "$tree/DEBIAN"
  cat >"$tree/DEBIAN/control" <<END
Package: $name
Version: $(version_of "$library" | sed 's/-/~/')
Architecture: amd64
Multi-Arch: same
Section: $section
Priority: optional
Maintainer: $maintainer
Installed-Size: $(du -sk --exclude=DEBIAN "$tree" | cut -f1)
Depends: $depends
Description: ${summary[$library]}
 $text
END
  [[ $section != libs ]] || echo "activate-noawait ldconfig" >"$tree/DEBIAN/triggers"
  dpkg-deb --root-owner-group -Zxz "-z$level" --build "$tree" "$out" >/dev/null
}

# A dependency on a compatible version of library's package: lib$1$2.
compatible() { echo "lib$1$2 (>= $(version_of "$1")), lib$1$2 (<< $(limit_of "$1")~)"; }

for name in "${libraries[@]}"; do
  major=$(major_of "$name")
  runtime=lib$name$major
  tree=$work/deb/$runtime usr=$work/deb/$runtime/usr
  stage_runtime "$name" "$usr/lib/$triplet"
  stage_documents "$name" "$usr/share/doc/$runtime"
  depends=$system_packages
  if [[ $name != cupyxx ]]; then depends="libc6 (>= 2.36), libgcc-s1, libstdc++6 (>= 12)"; fi
  if [[ $name == chainerxx ]]; then depends+=", libjpeg62-turbo, libpng16-16, libprotobuf32"; fi
  for need in ${needs[$name]}; do depends+=", $(compatible "$need" "$(major_of "$need")")"; done
  package "$runtime" "$name" "$depends" "What programs need to run." "$tree" libs

  development=lib$name-dev
  tree=$work/deb/$development usr=$work/deb/$development/usr
  stage_development "$name" "$usr/lib/$triplet" "$usr/include"
  stage_documents "$name" "$usr/share/doc/$development"
  if [[ $name == chainerxx ]]; then
    stage_examples "$usr/share/doc/$development/examples"
  fi
  describe "$name" "$usr/lib/$triplet" "lib/$triplet" /usr ../../../../include "" \
    "-l:libdnnl.so.2 -lgomp -ldl -lpthread -lrt -lm" "/usr/lib/$triplet/libdnnl.so.2;gomp;dl;pthread;rt;m"
  depends="$runtime (= $(version_of "$name" | sed 's/-/~/'))"
  for need in ${needs[$name]}; do depends+=", $(compatible "$need" -dev)"; done
  package "$development" "$name" "$depends" "Headers, the static library, and files for pkg-config and CMake." "$tree" libdevel
done

(cd "$out" && du -h --apparent-size -- *.deb *.tar.xz)
