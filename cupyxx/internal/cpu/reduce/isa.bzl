# SPDX-License-Identifier: MIT
"""The inner loops of reductions, once per instruction set."""

load("//bazel:cx.bzl", "cx_library")

def reduce_loops(name, table, copts = []):
    """Compiles the loops for one instruction set.

    Args:
      name: the target and the namespace of the loops.
      table: the ReduceIsa that reaches them.
      copts: what switches the instruction set on.
    """
    cx_library(
        name = name,
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
        copts = copts + [
            "-O3",
            "-DCUPYXX_ISA=" + name,
            "-DCUPYXX_ISA_TABLE=" + table,
        ],
        visibility = ["//visibility:private"],
        deps = [":loops"],
    )
