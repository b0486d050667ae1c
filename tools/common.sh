# SPDX-License-Identifier: MIT
# Sourced by the scripts: where we are, and packages installed when missing.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
export HOME=${HOME:-$(getent passwd "$(id -u)" | cut -d: -f6)}

# The libraries whose checks run. A library is added here together with its folder.
libraries=(cupyxx typecheck chainerxx gradcheck)
# What a check may name because the design does, though its folder is not there yet.
all_libraries=(cupyxx typecheck chainerxx gradcheck)

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

# Programs that build and run, for everybody.
run_packages=(bazel-bootstrap g++ libabsl-dev libdnnl-dev libopenblas-openmp-dev libprotobuf-dev nlohmann-json3-dev
  protobuf-compiler zlib1g-dev dataset-fashion-mnist)
# And for the tests and checks.
test_packages=("${run_packages[@]}" clang-format git libbenchmark-dev libgmock-dev libgtest-dev)
