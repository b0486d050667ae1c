# SPDX-License-Identifier: MIT
"""Loops that are compiled once per instruction set."""

load("//bazel:cx.bzl", "cx_library")

# What GCC needs to vectorise them without the licences of -ffast-math.
_COPTS = [
    "-O3",
    "-fopenmp-simd",
    # A short loop across a line of the processor's cache of decoded instructions takes twice its time.
    "-falign-loops=32",
    "-fno-trapping-math",
    "-DCUPYXX_VECTOR_MATH",
]

ARCHITECTURES = {
    "baseline": [],
    "avx2": ["-march=x86-64-v3"],
    "avx512": [
        "-march=x86-64-v4",
        "-mprefer-vector-width=512",
    ],
}

# Labels of this repository, also where a user's BUILD file asks for loops.
_ONLY = {arch: str(Label("//bazel:only_" + arch)) for arch in ARCHITECTURES}

def _select(prefix, otherwise):
    """A list of PREFIX + architecture where the build has one alone."""
    values = {_ONLY[arch]: [prefix + arch] for arch in ARCHITECTURES}
    values["//conditions:default"] = otherwise
    return select(values)

# Tells the sources which instruction set there is alone.
ONLY_ARCHITECTURE = _select("CUPYXX_ONLY_ARCH=", [])

# For targets that choose among the instruction sets of a build: target_compatible_with, and they are left out where there
# is one alone.
NEEDS_ALL_ARCHITECTURES = select(dict(
    {label: ["//bazel:absent"] for label in _ONLY.values()},
    **{"//conditions:default": []}
))

def compiled_architectures(prefix):
    """The targets of the instruction sets that this build has: all, or that of --//bazel:instruction_set."""
    return _select(prefix, [prefix + arch for arch in ARCHITECTURES])

def cpu_loops(name, srcs, deps, hdrs = [], copts = [], **kwargs):
    """Compiles `srcs` for every instruction set of the build, with CUPYXX_ARCH naming it; all are behind `name`.

    cupyxx/extension/instruction_set.h shows how the sources look and how the best of them is called.

    Args:
      name: the library.
      srcs: sources and private headers.
      deps: what they include.
      hdrs: headers for those who call the loops.
      copts: added after ours.
      **kwargs: common attributes (visibility, testonly, tags).
    """
    inner = dict(kwargs, visibility = ["//visibility:private"])
    for arch, arch_copts in ARCHITECTURES.items():
        cx_library(
            name = "%s_%s" % (name, arch),
            srcs = srcs,
            hdrs = hdrs,
            copts = _COPTS + arch_copts + copts + ["-DCUPYXX_ARCH=" + arch],
            linkopts = ["-lm"],
            deps = deps,
            **inner
        )
    cx_library(
        name = name,
        hdrs = hdrs,
        deps = (deps if hdrs else []) + compiled_architectures(":%s_" % name),
        **kwargs
    )
