# SPDX-License-Identifier: MIT
"""Examples whose output is held by a file."""

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
