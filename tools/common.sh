# SPDX-License-Identifier: MIT
# Sourced by the scripts: where we are, and packages installed when missing.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
export HOME=${HOME:-$(getent passwd "$(id -u)" | cut -d: -f6)}

# The libraries whose checks run. A library is added here together with its folder.
libraries=(cupyxx typecheck chainerxx gradcheck)

die() {
  echo "${0##*/}: $*" >&2
  exit 1
}

is_library() {
  local library
  for library in "${libraries[@]}"; do
    [[ $library == "$1" ]] && return 0
  done
  return 1
}

# The files of the repository that match the patterns and exist, new ones included.
repository_files() {
  local file
  git -C "$root" ls-files --cached --others --exclude-standard -- "$@" | sort -u | while read -r file; do
    if [[ -f $root/$file ]]; then echo "$file"; fi
  done
}

# The C++ files that clang-format lays out. Of one, which is generated, it would need more memory than machines have.
formatted_files() {
  repository_files '*.h' '*.cc' | grep -vFx chainerxx/parameter_calls.h
}

# Headers that users include: all of the libraries but those of internal folders, of tests and of fuzzing, those that a
# BUILD file has among the sources of a target, and those of a package that only its library sees, unless a filegroup
# hands them on (its sources are what it hands on).
public_headers() {
  local header
  for header in $(repository_files "${libraries[@]/%//*.h}" | grep -vE '/(internal|testing|testdata|ops|fuzz)/|/test_[a-z_]*\.h$|_test\.h$'); do
    awk -v name="\"${header##*/}\"" '
      /^[a-z_]+\(/ { rule = $0 }
      /default_visibility = .*(private|__subpackages__)"\]/ { hidden = 1 }
      /^ *srcs = \[/ { sources = rule !~ /^filegroup/ }
      rule ~ /^filegroup/ && (index($0, name) || index($0, "glob([\"*.h\"])")) { handed = 1 }
      sources && index($0, name) { found = 1 }
      /\]/ { sources = 0 }
      END { exit found || hidden && !handed }' "${header%/*}/BUILD.bazel" && echo "$header"
  done
}

# Installs those of the named Debian packages that are missing. Costs a few milliseconds when none is.
install_missing() {
  local package missing=() sudo=()
  for package in "$@"; do
    [[ $(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null) == installed ]] || missing+=("$package")
  done
  ((${#missing[@]})) || return 0

  if [[ $(id -u) != 0 ]]; then
    command -v sudo >/dev/null || die "missing packages: ${missing[*]}; install them as root, there is no sudo here"
    sudo=(sudo)
  fi
  local apt=("${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -y)
  echo "installing ${missing[*]}"
  # The lists are fetched only when they do not know the packages, or know files that are gone.
  if ! apt-cache show "${missing[@]}" >/dev/null 2>&1 ||
    ! "${apt[@]}" install --no-install-recommends "${missing[@]}" </dev/null; then
    "${apt[@]}" update </dev/null || die "apt-get update failed; missing packages: ${missing[*]}"
    "${apt[@]}" install --no-install-recommends "${missing[@]}" </dev/null ||
      die "apt-get could not install: ${missing[*]}"
  fi
}

# private_folder PATH: makes the folder for this user alone, and dies where another one has put it there.
private_folder() {
  mkdir -p -m 700 "$1"
  [[ ! -L $1 && -O $1 && -z $(find "$1" -maxdepth 0 -perm /022) ]] ||
    die "$1 is a link, another user's, or others may write it"
}

# The library of the flavour we use: Debian keeps OpenBLAS's flavours in folders of their own.
find_library() {
  local folder
  for folder in /usr/lib/x86_64-linux-gnu/openblas-openmp /usr/lib/x86_64-linux-gnu; do
    if [[ -e $folder/$1 ]]; then
      echo "$folder/$1"
      return
    fi
  done
  die "$1 is not installed"
}

# collect_libraries FILE FOLDER CXX_FOLDER: copies what FILE is linked with, without glibc; libstdc++ apart, for machines
# whose own is older or absent.
collect_libraries() {
  local name path
  while read -r name path; do
    case $name in
      libc.so.* | libm.so.* | libmvec.so.* | libdl.so.* | librt.so.* | libpthread.so.* | libresolv.so.* | libutil.so.*) ;;
      libstdc++.so.* | libgcc_s.so.*) cp -L --update "$path" "$3/$name" ;;
      *) cp -L --update "$path" "$2/$name" ;;
    esac
  done < <(ldd "$1" | sed -nE 's/^\s*(\S+) => (\/\S+) \(.*/\1 \2/p')
  if ldd "$1" | grep 'not found'; then die "$1: see the missing libraries above"; fi
}

# Whether this machine has an NVIDIA GPU and its driver (or Windows' for its Linux).
has_gpu() { [[ -e /dev/nvidiactl || -e /proc/driver/nvidia/version || -e /dev/dxg ]]; }

# The instruction set of this processor, as --//bazel:instruction_set names it.
instruction_set() {
  local flags one name needed
  flags=" $(grep -m1 '^flags' /proc/cpuinfo) "
  while read -r name needed; do
    for one in $needed; do
      [[ $flags == *" $one "* ]] || continue 2
    done
    echo "$name"
    return
  done <<<'avx512 avx2 fma f16c bmi2 avx512f avx512bw avx512cd avx512dq avx512vl
avx2 avx2 fma f16c bmi2
baseline'
}

# Turns the output of `bazel build --curses=no` into one line with the time left: rewritten on a terminal, else a new
# one every ten seconds.
show_progress() {
  local line done_ all text last=-10 started=$SECONDS shown=false
  while IFS= read -r line; do
    [[ $line =~ ^\[([0-9,]+)\ /\ ([0-9,]+)\] ]] || continue
    done_=${BASH_REMATCH[1]//,/} all=${BASH_REMATCH[2]//,/}
    ((all > 0 && SECONDS > started)) || continue
    text="building: $((100 * done_ / all)) %"
    if ((done_ > all / 20)); then
      local left=$(((SECONDS - started) * (all - done_) / done_))
      text+=", $((left / 60)):$(printf %02d $((left % 60))) left"
    fi
    if [[ -t 1 ]]; then
      printf '\r%-40s' "$text"
      shown=true
    elif ((SECONDS - last >= 10)); then
      echo "$text"
      last=$SECONDS
    fi
  done
  if $shown; then printf '\r%-40s\r' ""; fi
}

# Programs that build and run, for everybody.
run_packages=(bazel-bootstrap g++ libabsl-dev libdnnl-dev libopenblas-openmp-dev libprotobuf-dev nlohmann-json3-dev
  protobuf-compiler zlib1g-dev dataset-fashion-mnist)
# And for the tests and checks.
test_packages=("${run_packages[@]}" clang-format git libbenchmark-dev libgmock-dev libgtest-dev libjpeg-dev libpng-dev locales
  openmpi-bin python3)

# count_tests NAME LOG STATUS WHAT: counts the targets in a log of bazel test, WHAT, which ended with STATUS, in `passed` and
# `failed`; NAME stands before what failed.
count_tests() {
  local target line bad=0
  while read -r target line; do
    case $line in
      PASSED* | "(cached) PASSED"*) passed=$((passed + 1)) ;;
      *) failed+=("$1 $target: $line") bad=$((bad + 1)) ;;
    esac
  done < <(grep -E '^//[^ ]+ +(\(cached\) )?(PASSED|FAILED|TIMEOUT|FLAKY|NO STATUS|INCOMPLETE)' "$2")
  if (($3 != 0 && bad == 0)); then failed+=("$1: $4 ended with status $3"); fi
}

# Of what bazel test says: neither tests that passed nor what it is about to do.
news_of_tests() {
  grep --line-buffered -Ev ' (PASSED|NO STATUS)( in |$)|^(Loading|Analyzing): |^INFO: |^\[0 / |^Starting local |^$'
}
