# SPDX-License-Identifier: MIT
"""The rules of this repository: one place for compiler options, device variants and embedded files."""

load("//bazel:embed.bzl", _cx_embed_data = "cx_embed_data", _cx_embed_text = "cx_embed_text")

cx_embed_data = _cx_embed_data
cx_embed_text = _cx_embed_text

COPTS = [
    "-std=c++20",
    "-Wall",
    "-Wextra",
    "-Wshadow",
    "-Wpointer-arith",
    "-Wnon-virtual-dtor",
    "-Werror",
    "-fvisibility=hidden",
    "-fvisibility-inlines-hidden",
    "-ffp-contract=off",
    "-fno-math-errno",
]

def cx_library(name, copts = [], **kwargs):
    """A cc_library with our compiler options.

    Args:
      name: the target.
      copts: added after ours.
      **kwargs: as of cc_library.
    """
    native.cc_library(
        name = name,
        copts = COPTS + copts,
        linkstatic = True,
        **kwargs
    )

def cx_binary(name, copts = [], **kwargs):
    """A cc_binary with our compiler options, our libraries linked in."""
    native.cc_binary(
        name = name,
        copts = COPTS + copts,
        linkstatic = True,
        **kwargs
    )

def cx_test(name, srcs, deps = [], data = [], size = "small", devices = ["cpu", "cuda"], copts = [], env = {}, tags = [], **kwargs):
    """A GoogleTest per device from sources that are compiled once.

    Makes `name` (CPU), `name_cuda` (tagged "gpu", so left out by default: see .bazelrc) and the library `name_lib`
    that cx_test_binary links again. CUPYXX_TEST_DEVICES tells the test which devices it must use.

    Args:
      name: the CPU variant.
      srcs: sources.
      deps: what the sources include; GoogleTest is added.
      data: files read at run time.
      size: as of cc_test.
      devices: "cpu", "cuda" or both.
      copts: added after ours.
      env: environment of the test.
      tags: tags of every variant.
      **kwargs: other attributes of cc_test (timeout, shard_count, args, flaky, ...).
    """
    for device in devices:
        if device not in ["cpu", "cuda"]:
            fail("cx_test %s: devices are \"cpu\" and \"cuda\", not %r" % (name, device))

    native.cc_library(
        name = name + "_lib",
        testonly = True,
        srcs = srcs,
        copts = COPTS + copts,
        data = data,
        linkstatic = True,
        tags = tags,
        deps = deps + ["@googletest//:gtest"],
        alwayslink = True,
    )
    for device in devices:
        native.cc_test(
            name = name if device == "cpu" else name + "_cuda",
            size = size,
            env = dict(env, CUPYXX_TEST_DEVICES = device),
            linkstatic = True,
            tags = tags + (["gpu"] if device == "cuda" else []),
            deps = [
                ":%s_lib" % name,
                "@googletest//:gtest_main",
            ],
            **kwargs
        )

def cx_test_binary(name, tests, tags = [], **kwargs):
    """One binary with the cases of many cx_tests, for machines without Bazel.

    Args:
      name: the binary.
      tests: labels of cx_tests (their CPU names).
      tags: tags.
      **kwargs: as of cc_binary.
    """
    native.cc_binary(
        name = name,
        testonly = True,
        linkstatic = True,
        tags = tags,
        deps = [_lib(test) for test in tests] + ["@googletest//:gtest_main"],
        **kwargs
    )

def _lib(test):
    if ":" not in test:
        test = "%s:%s" % (test, test.split("/")[-1])
    return test + "_lib"

def cx_benchmark(name, srcs, deps = [], copts = [], **kwargs):
    """A Google Benchmark binary; `bazel run` it."""
    native.cc_binary(
        name = name,
        testonly = True,
        srcs = srcs,
        copts = COPTS + copts,
        linkstatic = True,
        deps = deps + ["@benchmark//:benchmark_main"],
        **kwargs
    )
