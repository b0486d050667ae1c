# SPDX-License-Identifier: MIT
"""Kernels of users: elementwise, reductions, raw, fused, and what they are cached in."""

load("//bazel:cx.bzl", "cx_library")

def cupyxx_kernels():
    """Declares them."""
    cx_library(
        name = "kernel",
        srcs = ["kernel.cc"],
        hdrs = ["kernel.h"],
        private_deps = [
            ":error",
            "//cupyxx/internal/user_kernel",
        ],
        deps = [":array"],
    )

    cx_library(
        name = "user_ufunc",
        srcs = ["user_ufunc.cc"],
        hdrs = ["user_ufunc.h"],
        private_deps = [
            ":error",
            "//cupyxx/internal:arrays",
            "//cupyxx/internal:op_info",
            "//cupyxx/internal:resolve",
            "//cupyxx/internal/jit:elementwise_source",
            "//cupyxx/internal/user_kernel",
        ],
        deps = [":array"],
    )

    cx_library(
        name = "literal_kernel",
        hdrs = ["literal_kernel.h"],
        deps = [":kernel"],
    )

    # What the compiler that the test runs must find.
    native.filegroup(
        name = "header_files",
        srcs = native.glob(["*.h"]),
        visibility = ["//cupyxx:__subpackages__"],
    )

    cx_library(
        name = "memoize",
        srcs = ["memoize.cc"],
        hdrs = ["memoize.h"],
        private_deps = [":array"],
        deps = [":export"],
    )

    cx_library(
        name = "kernel_cache",
        srcs = ["kernel_cache.cc"],
        hdrs = ["kernel_cache.h"],
        private_deps = [
            "//cupyxx/internal/jit:cache",
            "//cupyxx/internal/jit:compile",
            "//cupyxx/internal/jit:kernel",
        ],
        deps = [":export"],
    )

    cx_library(
        name = "fuse_header",
        hdrs = ["fuse.h"],
        visibility = ["//cupyxx:__subpackages__"],
        deps = [":array"],
    )

    cx_library(
        name = "fuse",
        private_deps = ["//cupyxx/internal/fusion"],
        deps = [":fuse_header"],
    )

    cx_library(
        name = "raw_kernel_header",
        hdrs = ["raw_kernel.h"],
        visibility = ["//cupyxx:__subpackages__"],
        deps = [":array"],
    )

    cx_library(
        name = "raw_kernel",
        srcs = ["raw_kernel.cc"],
        private_deps = [
            ":error",
            "//cupyxx/internal:body",
            "//cupyxx/internal/gpu:runtime",
            "//cupyxx/internal/io:byte_source",
            "//cupyxx/internal/jit",
            "//cupyxx/internal/raw_kernel:arguments",
            "//cupyxx/internal/raw_kernel:signature",
        ],
        deps = [":raw_kernel_header"],
    )
