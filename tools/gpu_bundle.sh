#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Packs test, benchmark and example programs for a GPU machine without Bazel: any x86-64 Linux with a glibc not older
# than ours and the CUDA 13 libraries.
#   tools/gpu_bundle.sh OUTDIR [TARGET...]
# A target that ends with ... (//chainerxx/...) is one program of all device tests there, chainerxx_tests: of every cx_test
# with a variant for "cuda", as Bazel knows them. Any other is that program. OUTDIR gets bundle.tar.xz, run.sh (see there)
# and the xz that unpacks it.
set -euo pipefail
cd "$(dirname "$0")/.."
source tools/common.sh

# What is packed when no target is named.
targets=(
  //cupyxx/...
  //gradcheck/...
  //chainerxx/...
  //conformance/...
  //examples/...
  //examples/mnist:train_mnist
  //benchmarks/cupyxx:elementwise
  //benchmarks/cupyxx:first_result
  //benchmarks/cupyxx:fusion
  //benchmarks/cupyxx:gather
  //benchmarks/cupyxx:matmul
  //benchmarks/cupyxx:pool
  //benchmarks/cupyxx:pool_blocks
  //benchmarks/cupyxx:reductions
  //benchmarks/cupyxx:small_arrays
  //benchmarks/cupyxx:sorting
  //benchmarks/cupyxx:transfers
  //benchmarks/cupyxx:user_kernels
  //benchmarks/chainerxx:conv
  //benchmarks/chainerxx:mlp_step
  //benchmarks:cuda_free_zero
  //benchmarks:soak
)
# Packed with the binaries, because they are opened at run time and a bare machine has none.
opened=(libopenblas.so.0)
# Fashion-MNIST goes along with this target; a smaller number of training images makes a smaller archive.
mnist_target=//examples/mnist:train_mnist
mnist_images=${MNIST_IMAGES:-15000}
max_bytes=$((40 << 20))

(($# >= 1)) || die "usage: tools/gpu_bundle.sh OUTDIR [TARGET...]"
out=$(realpath -m "$1")
shift
if (($#)); then targets=("$@"); fi

# The package of the test programs; Git ignores it, and it is there while we build.
tests=.gpu/tests
stage=$(mktemp -d)
trap 'rm -rf "$stage" "$tests"' EXIT
mkdir -p "$out" "$tests" "$stage"/{bin,lib,lib/cxx,root}

# declare_tests PATTERN: the program of the device tests there, in the package; its name goes to `program`.
declare_tests() {
  local labels
  labels=$(bazel query --noshow_progress --ui_event_filters=-info,-warning \
    "kind(cc_test, attr(tags, '[\[ ]gpu[],]', tests($1)))" | sed -n 's/_cuda$//p' | sort)
  [[ -n $labels ]] || die "there are no device tests in $1"
  program=${1#//} program=${program%...} program=${program%/} program=${program//\//_} program=${program:-all}_tests
  printf '\ncx_test_binary(\n    name = "%s",\n    tests = [\n%s\n    ],\n)\n' "$program" \
    "$(sed 's/.*/        "&",/' <<<"$labels")" >>"$tests/BUILD.bazel"
  echo "$program: $(wc -l <<<"$labels") device tests"
}

echo 'load("//bazel:cx.bzl", "cx_test_binary")' >"$tests/BUILD.bazel"
for i in "${!targets[@]}"; do
  if [[ ${targets[i]} == *... ]]; then
    declare_tests "${targets[i]}"
    targets[i]=//$tests:$program
  fi
done

bazel build --noshow_loading_progress --show_progress_rate_limit=60 --curses=no --show_result=0 --build_tag_filters= \
  "${targets[@]}" 2>&1 | { grep -Ev '^(Loading|Analyzing): |^INFO: |^\[0 / |^Starting local |^$' || true; }

with_mnist=false
for target in "${targets[@]}"; do
  package=${target#//} package=${package%%:*}
  [[ $target == *:* ]] && name=${target##*:} || name=${package##*/}
  binary=bazel-bin/$package/$name
  [[ -x $binary && ! -d $binary ]] || die "$target made no program $binary"
  bundled=${package//\//_}
  [[ $name == "${package##*/}" ]] || bundled+=_$name
  if [[ $package == "$tests" ]]; then bundled=$name; fi
  cp -L "$binary" "$stage/bin/$bundled"
  chmod u+w "$stage/bin/$bundled"
  strip "$stage/bin/$bundled"
  collect_libraries "$stage/bin/$bundled" "$stage/lib" "$stage/lib/cxx"

  # Data files keep their places below the folder where the programs are started.
  while read -r place file; do
    place=${place#*/}
    [[ -z $file || -d $file || $file == *.so || $place == "$package/$name" ]] && continue
    mkdir -p "$stage/root/$(dirname "$place")"
    [[ -e $stage/root/$place ]] && continue
    cp -L "$file" "$stage/root/$place"
    # Programs that tests run: stripped, they are the bytes that stand in bin.
    if cmp -s -n 4 "$file" "$binary"; then chmod u+w "$stage/root/$place" && strip "$stage/root/$place"; fi
  done <"$binary.runfiles_manifest"
  if [[ $target == "$mnist_target" || $target == "$mnist_target:"* ]]; then with_mnist=true; fi
done
for name in "${opened[@]}"; do
  library=$(find_library "$name")
  cp -L "$library" "$stage/lib/$name"
  collect_libraries "$library" "$stage/lib" "$stage/lib/cxx"
done

# Kept unpacked here: xz packs images tighter than gzip. run.sh makes .gz files of them again.
if $with_mnist; then
  from=/usr/share/datasets/fashion-mnist
  to=$stage/root/fashion-mnist
  mkdir -p "$to"
  for file in t10k-images-idx3 t10k-labels-idx1 train-images-idx3 train-labels-idx1; do
    zcat "$from/$file-ubyte.gz" >"$to/$file-ubyte"
  done
  if ((mnist_images < 60000)); then
    # An IDX file: 4 bytes of type, the number of items, the item's extents (images only), the items.
    count=$(printf '\\x%02x' $((mnist_images >> 24)) $((mnist_images >> 16 & 255)) $((mnist_images >> 8 & 255)) $((mnist_images & 255)))
    truncate -s $((16 + 784 * mnist_images)) "$to/train-images-idx3-ubyte"
    truncate -s $((8 + mnist_images)) "$to/train-labels-idx1-ubyte"
    for file in train-images-idx3 train-labels-idx1; do
      printf "$count" | dd of="$to/$file-ubyte" bs=1 seek=4 conv=notrunc status=none
    done
  fi
fi

git log -1 --format='%h %s' >"$stage/commit"
git status --porcelain | sed 's/^/changed: /' >>"$stage/commit"
# Programs share most of what they link and the kernel bundle; the dictionary spans them all.
tar -C "$stage" --sort=name --owner=0 --group=0 -c commit bin lib root | xz --x86 --lzma2=preset=9,dict=256MiB -T1 >"$out/bundle.tar.xz"
cp tools/gpu_bundle_run.sh "$out/run.sh"
chmod +x "$out/run.sh"
cp -L "$(command -v xz)" "$out/xz"
cp -L "$(ldd "$(command -v xz)" | sed -nE 's/.* => (.*liblzma\S*) .*/\1/p')" "$out/liblzma.so.5"

echo "unpacked, in KiB:"
(cd "$stage" && du -ak --apparent-size bin lib root | sort -rn | awk '$1 > 200 && $2 ~ /\// { printf "%8d %s\n", $1, $2 }' | sed -n '1,20p')
bytes=$(stat -c %s "$out/bundle.tar.xz")
printf '%s: %d programs, %.1f MiB\n' "$out/bundle.tar.xz" "${#targets[@]}" "$(awk "BEGIN { print $bytes / 1048576 }")"
((bytes <= max_bytes)) || die "over the limit of $((max_bytes >> 20)) MiB; name fewer targets or set MNIST_IMAGES=5000"
