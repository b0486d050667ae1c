#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# All tests that need no GPU under sanitizers, built without CUDA and for this processor alone. Tests that measure the memory
# of the process (tag resident_set) are left out: freed blocks stay in it there.
#   tools/sanitize.sh [asan_ubsan|asan|ubsan|tsan ...] [-- TARGET...]
# Default: asan_ubsan, one build for both, then tsan; all targets. What is suppressed, and why: tools/sanitizers. Ends with
# one line `N passed, N failed`, over all sanitizers. SANITIZE_JOBS is how much Bazel does at a time.
set -euo pipefail
cd "$(dirname "$0")/.."
source tools/common.sh

sanitizers=()
while (($#)) && [[ $1 != -- ]]; do
  [[ $1 == asan_ubsan || $1 == asan || $1 == ubsan || $1 == tsan ]] || die "no sanitizer is called $1"
  sanitizers+=("$1")
  shift
done
((${#sanitizers[@]})) || sanitizers=(asan_ubsan tsan)
targets=("${@:2}")
((${#targets[@]})) || targets=(//cupyxx/... //typecheck/... //chainerxx/... //gradcheck/...)

logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT
passed=0
failed=()

# run SANITIZER OPTION...: its tests, counted.
run() {
  local name=$1 status=0
  printf '\n== %s\n' "$name"
  set +e
  bazel test --config="$name" --config=cpu --//bazel:instruction_set="$(instruction_set)" "${@:2}" \
    ${SANITIZE_JOBS:+--jobs="$SANITIZE_JOBS"} --keep_going --test_summary=short --test_tag_filters=-gpu,-resident_set \
    --test_timeout=600,1200,1800,3600 --output_filter='^//none' --curses=no --noshow_loading_progress --show_progress_rate_limit=60 \
    -- "${targets[@]}" 2>&1 | tee "$logs/$name" | news_of_tests
  status=${PIPESTATUS[0]}
  set -e
  count_tests "$name" "$logs/$name" "$status" "bazel test"
}

for sanitizer in "${sanitizers[@]}"; do
  # Frames that outlive their functions are not looked for: g++ 12 gives those that it watches no room for vectors of 64
  # bytes (its defect 110027), so that sound programs end.
  options=(--test_env=ASAN_OPTIONS=allocator_may_return_null=1:max_allocation_size_mb=16384:detect_stack_use_after_return=0:detect_leaks=1
    --test_env=LSAN_OPTIONS=suppressions="$root/tools/sanitizers/leaks":print_suppressions=0
    --test_env=UBSAN_OPTIONS=print_stacktrace=1)
  if [[ $sanitizer == tsan ]]; then
    # Teams of several threads, and room for what they do at the same time.
    options=(--test_env=OMP_NUM_THREADS=4
      --test_env=TSAN_OPTIONS=suppressions="$root/tools/sanitizers/races":history_size=4:halt_on_error=0:allocator_may_return_null=1:max_allocation_size_mb=16384)
  fi
  run "$sanitizer" "${options[@]}"
done

echo
for item in "${failed[@]}"; do echo "FAILED $item"; done
echo "$passed passed, ${#failed[@]} failed"
((${#failed[@]} == 0))
