# SPDX-License-Identifier: MIT
"""What a program can learn about itself: times and what it runs on."""

load("//bazel:cx.bzl", "cx_library")

def cupyxx_diagnostics():
    """Declares it."""
    # Times, ranges, and what a process runs on.
    cx_library(
        name = "profiler",
        srcs = ["profiler.cc"],
        hdrs = ["profiler.h"],
        private_deps = [
            ":array",
            ":error",
            "//cupyxx/cuda",
        ],
        deps = [
            ":export",
            "//cupyxx/cuda:nvtx",
        ],
    )

    cx_library(
        name = "runtime_info",
        srcs = ["runtime_info.cc"],
        hdrs = ["runtime_info.h"],
        private_deps = [
            ":kernel_cache",
            ":version",
            "//cupyxx/cuda",
            "//cupyxx/cuda:memory",
            "//cupyxx/internal/cpu:arch",
            "//cupyxx/internal/cpu:parallel",
            "//cupyxx/internal/diagnostics:bytes",
            "//cupyxx/internal/diagnostics:libraries",
            "//cupyxx/internal/gpu:runtime",
            "//cupyxx/internal/jit",
        ],
        deps = [":export"],
    )
