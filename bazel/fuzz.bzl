# SPDX-License-Identifier: MIT
"""Fuzzing targets: replayed over their corpora by every `bazel test`, run for long by tools/fuzz.sh."""

load("//bazel:cx.bzl", "COPTS")

def cx_fuzz_test(name, corpus = [], deps = []):
    """A target of cupyxx/testing/fuzz/target.h from `<name>.cc`, and a test that runs it over its corpus.

    The corpus is what lies in the folder `corpus/<name without _fuzz>`, and the files of `corpus`. Makes `name`, the
    test, and the library `name_lib` for cx_fuzz_program.

    Args:
      name: ends with _fuzz, as the source does.
      corpus: further files.
      deps: what the source includes; the target itself is added.
    """
    own = native.glob(["corpus/%s/**" % name[:-len("_fuzz")]])
    native.filegroup(
        name = name + "_corpus",
        testonly = True,
        srcs = own + corpus,
    )
    native.cc_library(
        name = name + "_lib",
        testonly = True,
        srcs = [name + ".cc"],
        copts = COPTS,
        linkstatic = True,
        alwayslink = True,
        deps = deps + ["//cupyxx/testing/fuzz:target"],
    )
    native.cc_test(
        name = name,
        size = "small",
        args = ["$(locations :%s_corpus)" % name],
        data = [":%s_corpus" % name],
        linkstatic = True,
        deps = [
            ":%s_lib" % name,
            "//cupyxx/testing/fuzz:replay_main",
        ],
    )

def cx_fuzz_program(name, tests):
    """The program that libFuzzer drives, with the targets of all `tests`; for --config=fuzz alone.

    Args:
      name: the program.
      tests: labels of cx_fuzz_tests.
    """
    native.cc_binary(
        name = name,
        testonly = True,
        linkstatic = True,
        linkopts = ["-fsanitize=fuzzer"],
        tags = ["manual"],
        target_compatible_with = select({
            "//bazel:fuzzing": [],
            "//conditions:default": ["//bazel:absent"],
        }),
        deps = [test + "_lib" for test in tests] + ["//cupyxx/testing/fuzz:fuzzer_main"],
    )
