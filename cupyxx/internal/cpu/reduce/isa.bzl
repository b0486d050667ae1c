# SPDX-License-Identifier: MIT
"""The inner loops of reductions, once per instruction set."""

load("//bazel:cx.bzl", "cx_library")
load("//cupyxx/extension:loops.bzl", "ARCHITECTURES", "compiled_architectures")

# What switches each on. Without fused products: sums have the same bits everywhere.
_COPTS = {
    "baseline": [],
    "avx2": [
        "-mavx2",
        "-mf16c",
    ],
    "avx512": [
        "-mavx512f",
        "-mavx512bw",
        "-mavx512dq",
        "-mpopcnt",
        "-mavx512vl",
        "-mf16c",
        "-mprefer-vector-width=512",
    ],
}

def reduce_loops(name):
    """Compiles the loops for every instruction set; all are behind `name`."""
    for arch in ARCHITECTURES:
        cx_library(
            name = "%s_%s" % (name, arch),
            srcs = [
                "arg_loops.cc",
                "extreme_loops.cc",
                "families.h",
                "isa.cc",
                "lanes.h",
                "moment_loops.cc",
                "sum_loops.cc",
                "truth_loops.cc",
            ],
            copts = _COPTS[arch] + [
                "-O3",
                "-falign-loops=32",
                "-DCUPYXX_ARCH=" + arch,
            ],
            visibility = ["//visibility:private"],
            deps = [":loops"],
        )
    cx_library(
        name = name,
        visibility = ["//visibility:private"],
        deps = compiled_architectures(":%s_" % name),
    )
