#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Uses what tools/dist.sh made as somebody would who has nothing else of ours: the archive, unpacked into a folder whose
# name has spaces, and the packages, installed by apt into a copy of this system that goes away again. Commands are those
# that docs/install.md and README.md print.
#   tools/dist/check.sh OUTDIR
# Needs cmake and pkg-config; the parts on other roots need root (elsewhere they are left out, and it says so).
set -euo pipefail
cd "$(dirname "$0")/../.."
source tools/common.sh

(($# == 1)) || die "usage: tools/dist/check.sh OUTDIR"
out=$(realpath "$1")
install_missing binutils clang-14 cmake pkg-config python3-clang-14 xz-utils
programs=$root/tools/dist/programs
users=$root/tools/user_workspaces
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset CXXFLAGS LDFLAGS LD_LIBRARY_PATH PKG_CONFIG_PATH CMAKE_PREFIX_PATH
export OMP_WAIT_POLICY=passive

bad=0
complain() {
  echo "FAILED $*"
  bad=$((bad + 1))
}
# seconds COMMAND...: runs it, its output in $work/log; `took` says what it cost, in milliseconds of one core: what it
# takes on a machine that has nothing else to do.
seconds() {
  local status=0 TIMEFORMAT='%U %S' user system
  { time "$@" >"$work/log" 2>&1; } 2>"$work/times" || status=$?
  read -r user system <"$work/times"
  took=$((10#${user/./} + 10#${system/./}))
  return "$status"
}
show_log() { sed 's/^/    /' "$work/log" | tail -n 15; }

# ---- What the pages print.
# commands PAGE HEADING: the lines that the section has its reader type.
commands() {
  awk -v heading="## $2" '
    /^## / { inside = $0 == heading }
    /^ *```/ { fenced = !fenced }
    inside && !fenced && sub(/^    /, "") { print; found = 1 }
    END { exit !found }' "$1" || die "$1 has no commands under \"$2\""
}
debian=$(commands docs/install.md "Debian 12")
elsewhere=$(commands docs/install.md "Any other Linux of 2023 or later")
pictures=$(commands docs/install.md "Folders of pictures")
static=$(commands docs/install.md pkg-config)
readme=$(commands README.md "In your own program")
awk '/^```/ { inside = $0 == "```cmake"; next } inside' docs/install.md >"$work/CMakeLists.txt"
[[ -s $work/CMakeLists.txt ]] || die "docs/install.md has no CMakeLists.txt"

# A folder of pictures; the means are those of the pixels that the Python Imaging Library reads (testdata/*.rgb).
mkdir -p "$work"/pictures/{cats,dogs}
cp chainerxx/datasets/images/testdata/rgb.jpg "$work/pictures/cats/a.jpg"
cp chainerxx/datasets/images/testdata/rgb.png "$work/pictures/dogs/b.png"
cat >"$work/pictures.txt" <<'END'
cats/a.jpg: a picture of cats, (3, 17, 23), mean 122.046
dogs/b.png: a picture of dogs, (3, 17, 23), mean 121.913
a batch: (2, 3, 32, 32) float32, labels [0 1]
END

# ---- Sizes.
check_size() {
  local bytes
  bytes=$(stat -c %s "$1")
  ((bytes <= $2 << 20)) || complain "${1##*/} has $bytes bytes, more than $2 MB"
}
for file in "$out"/lib*[0-9]_*.deb; do check_size "$file" 35; done
for file in "$out"/lib*-dev_*.deb; do check_size "$file" 90; done

# ---- The archive: one folder, which works from anywhere.
place="$work/a place with spaces"
mkdir "$place"
tar -C "$place" -xf "$out"/cupyxx-*.tar.xz
folders=("$place"/*)
((${#folders[@]} == 1)) || complain "the archive has ${#folders[@]} folders at its top"
prefix=${folders[0]}

# Nothing is linked but what every distribution has and what lies beside.
while read -r file; do
  while read -r name path; do
    case $name in
      libc.so.6 | libm.so.6 | libmvec.so.1 | libdl.so.2 | librt.so.1 | libpthread.so.0) ;;
      libstdc++.so.6 | libgcc_s.so.1 | libgomp.so.1) ;;
      *) [[ $path == "$prefix/"* ]] || complain "${file#"$prefix/"} finds $name in ${path:-no place}" ;;
    esac
  done < <(ldd "$file" | sed -nE 's/^\s*(\S+) => (.*[^ ])( \(0x.*)?$/\1 \2/p')
done < <(find "$prefix/lib" -type f -name '*.so.*')

# Nothing is defined twice: chainerxx has no copy of cupyxx.
twice=$(for name in "${libraries[@]}"; do nm -D --defined-only "$prefix/lib/lib$name.so.0" | awk '$2 ~ /[TDB]/ { print $3 }'; done | sort | uniq -d)
[[ -z $twice ]] || complain "defined in two libraries: ${twice//$'\n'/ }"

# All headers at once, by themselves: nothing of ours, of Bazel's or of third parties is needed.
(cd "$prefix/include" && find . -name '*.h' | sed 's|^\./\(.*\)|#include "\1"|' | sort) >"$work/headers.cc"
seconds g++ -std=c++20 -fsyntax-only -Wall -Wextra -Werror -I"$prefix/include" "$work/headers.cc" ||
  { complain "the installed headers do not compile"; show_log; }
foreign=$(g++ -std=c++20 -M -I"$prefix/include" "$work/headers.cc" | tr ' ' '\n' |
  grep -E '^/usr/(local/)?include/(absl|google|gtest|nlohmann|cuda|oneapi|dnnl|openmpi|png|jpeg|zlib)' || true)
[[ -z $foreign ]] || complain "public headers include those of third parties: ${foreign//$'\n'/ }"

tools/dist/exports.py "$prefix" || complain "what the headers declare is not exported"

# run_program NAME PROGRAM EXPECTED: runs and compares; EXPECTED may be empty. All is to be done in ten seconds. The
# program is given `arguments`.
arguments=()
run_program() {
  local output compiled=$took
  if ! seconds "$2" "${arguments[@]}"; then
    complain "$1 ends with an error"
    show_log
    return
  fi
  output=$(cat "$work/log")
  if ((compiled + took > 10000)); then
    complain "$1 takes $compiled ms to compile and $took ms to run"
  elif [[ -n $3 && $output != "$(cat "$3")" ]]; then
    complain "$1 prints '$output' instead of '$(cat "$3")'"
  else
    echo "$1: compiled in $compiled ms, run in $took ms"
  fi
}

# with_pkg_config NAME SOURCE PACKAGE EXPECTED [OPTION...]: a program of one source.
with_pkg_config() {
  local name=$1 source=$2 package=$3 expected=$4 options
  shift 4
  # pkg-config writes a space of a path as "\ ", for a shell that reads it.
  options=$(pkg-config --cflags --libs "$package") || { complain "pkg-config does not know $package"; return; }
  if seconds eval "g++ $* '$source' $options -o '$work/program'"; then
    run_program "$name" "$work/program" "$expected"
  else
    complain "$name: g++ $source $options"
    show_log
  fi
}

# with_cmake NAME SOURCE TARGET EXPECTED: the project of docs/install.md, with this source and target.
with_cmake() {
  local name=$1 source=$2 target=$3 expected=$4
  rm -rf "$work/project"
  mkdir "$work/project"
  cp "$source" "$work/project/main.cc"
  sed "s/chainerxx::chainerxx/$target/" "$work/CMakeLists.txt" >"$work/project/CMakeLists.txt"
  if seconds bash -c 'cd "$0" && cmake -S . -B build "$@" && cmake --build build' "$work/project" "-DCMAKE_PREFIX_PATH=$prefix"; then
    run_program "$name" "$work/project/build/mine" "$expected"
  else
    complain "$name"
    show_log
  fi
}

export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
# The README's own program.
awk '/^```/ { inside = !inside; next } inside && $0 == "// hello.cc" { found = 1 } inside && found' README.md >"$work/hello.cc"
with_pkg_config "README's hello.cc" "$work/hello.cc" cupyxx "$users/cupyxx/expected.txt"
for name in typecheck gradcheck chainerxx; do
  with_pkg_config "$name" "$users/$name/hello.cc" "$name" "$users/$name/expected.txt" -O0
done
with_pkg_config "train.cc" "$programs/train.cc" chainerxx "" -O2 -fvisibility=hidden
with_cmake "train.cc with CMake, static" "$programs/train.cc" chainerxx::chainerxx_static ""
with_cmake "train.cc with CMake" "$programs/train.cc" chainerxx::chainerxx ""
cp "$work/project/build/mine" "$work/train"

# Folders of pictures, for which libjpeg and libpng are brought along.
arguments=("$work/pictures")
with_pkg_config "pictures.cc, static" "$programs/pictures.cc" chainerxx_static "$work/pictures.txt"
with_cmake "pictures.cc with CMake" "$programs/pictures.cc" chainerxx::chainerxx "$work/pictures.txt"
with_pkg_config "pictures.cc" "$programs/pictures.cc" chainerxx "$work/pictures.txt"
arguments=()
cp "$work/program" "$work/show_pictures"

# The page's own commands for the archive.
mkdir "$work/elsewhere"
ln -s "$out"/cupyxx-*.tar.xz "$work/elsewhere"
printf '%s\n' 'cd "$1"' "$elsewhere" "rm train" "$static" ./train >"$work/elsewhere.sh"
if seconds bash -euo pipefail "$work/elsewhere.sh" "$work/elsewhere"; then
  echo "archive: used as docs/install.md says, in $took ms"
else
  complain "the commands of docs/install.md for the archive"
  show_log
fi

# What the archive brings along is what is used: products and decompositions by OpenBLAS and oneDNN.
with_pkg_config "products.cc" "$programs/products.cc" cupyxx ""
cp "$work/program" "$work/products"

# ---- A library of another version: the program says so and what to do.
g++ -c -fPIC -DCUPYXX_LIBRARY=cupyxx -DMAJOR=0 -DMINOR=7 -DPATCH=0 tools/dist/version_check.cc -o "$work/other.o"
eval "g++ '$work/hello.cc' '$work/other.o' $(pkg-config --cflags --libs cupyxx) -o '$work/program'"
if "$work/program" >"$work/log" 2>&1; then complain "a program for another version runs"; fi
grep -qE "^cupyxx: .*/program was linked with version 0\.7\.0, but finds version $(cat cupyxx/VERSION), .*/libcupyxx.so.0; install cupyxx 0\.7\.0, or " "$work/log" ||
  { complain "a program for another version says:"; show_log; }

# ---- Other roots: this system with changes that go away.
# on_root SCRIPT: runs it in a copy; OUTDIR is /mnt there, this script's folder where it is here.
on_root() {
  mkdir -p "$work/root"
  unshare -m bash -euc '
    copy=$1/root/merged
    mount -t tmpfs tmpfs "$1/root"
    mkdir "$1"/root/{upper,work,merged}
    mount -t overlay overlay -o "lowerdir=/,upperdir=$1/root/upper,workdir=$1/root/work" "$copy"
    mkdir -p "$copy$1"
    mount --bind "$1" "$copy$1"
    mount --bind "$2" "$copy/mnt"
    mount -t proc proc "$copy/proc"
    mount --rbind /dev "$copy/dev"
    chroot "$copy" bash -euo pipefail -c "$3" _ "$1"' _ "$work" "$out" "$1"
}

if [[ $(id -u) != 0 ]] || ! on_root true 2>"$work/log"; then
  echo "left out, since this is not root or mounts nothing: packages installed by apt, the archive on a bare system"
  show_log
else
  # The packages, with the commands of the pages. apt asks nothing.
  cat >"$work/packages.sh" <<END
unset PKG_CONFIG_PATH
export DEBIAN_FRONTEND=noninteractive
echo 'APT::Get::Assume-Yes "true"; APT::Install-Recommends "false"; Dpkg::Use-Pty "0";' >/etc/apt/apt.conf.d/99check
mkdir /tmp/mine
cd /tmp/mine
ln -s /mnt/*.deb .
$debian
rm train
$static
./train
rm train
$readme
${pictures/FOLDER/$work/pictures} | tee shown.txt
diff shown.txt "$work/pictures.txt"
cp train.cc main.cc
cp "$work/CMakeLists.txt" .
cmake -S . -B build
cmake --build build
build/mine
dpkg --purge libchainerxx-dev libcupyxx-dev libtypecheck-dev libgradcheck-dev
[[ ! -e /usr/include/cupyxx ]]
build/mine
rm /usr/lib/x86_64-linux-gnu/libtypecheck.so.0
if build/mine; then exit 1; fi
END
  if seconds on_root 'bash -euo pipefail "$1/packages.sh"'; then
    echo "packages: installed by apt, used with pkg-config and CMake, and removed, in $took ms"
  else
    complain "the packages"
    show_log
  fi

  # The archive where nothing is installed that it brings along, and no compiler.
  if seconds on_root '
    rm -rf {/usr,}/lib/x86_64-linux-gnu/{libdnnl,libopenblas,openblas-openmp,libgfortran,libquadmath,libOpenCL,libprotobuf,libjpeg,libpng,libz.}*
    rm -rf /usr/local/cuda* /usr/bin/g++* /usr/include
    "$1/train"
    "$1/products"
    "$1/show_pictures" "$1/pictures" | diff - "$1/pictures.txt"'; then
    echo "archive: its programs run on a system without what it brings along"
  else
    complain "the archive on a bare system"
    show_log
  fi
fi
if ((bad > 0)); then echo "$bad checks of the packages failed"; fi
((bad == 0))
