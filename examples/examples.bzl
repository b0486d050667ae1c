# SPDX-License-Identifier: MIT
"""Tests that run an example as its user does."""

def example_test(name, binary, golden, args = [], **kwargs):
    """Runs a program and compares what it prints with a file.

    Args:
      name: the test.
      binary: the program.
      golden: the file.
      args: of the program.
      **kwargs: as of sh_test.
    """
    native.sh_test(
        name = name,
        size = "small",
        srcs = ["//examples:compare_output.sh"],
        args = ["$(location %s)" % binary, "$(location %s)" % golden] + args,
        data = [binary, golden],
        **kwargs
    )

def smoke_test(name, binary, expect, args = [], data = [], **kwargs):
    """Runs a program for a few seconds, on the host, and expects a line of its output.

    Args:
      name: the test.
      binary: the program.
      expect: a regular expression, as of grep -E.
      args: of the program; RUNFILES stands for the folder of the files in `data`.
      data: files that it reads.
      **kwargs: as of sh_test.
    """
    native.sh_test(
        name = name,
        size = "small",
        srcs = ["//examples:smoke_test.sh"],
        args = ["$(location %s)" % binary, "'%s'" % expect] + ["'%s'" % arg for arg in args],
        data = [binary] + data,
        **kwargs
    )
