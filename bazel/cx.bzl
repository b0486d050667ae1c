# SPDX-License-Identifier: MIT
"""The rules of this repository: one place for compiler options, device variants and embedded files."""

load("//bazel:embed.bzl", _cx_embed_data = "cx_embed_data", _cx_embed_text = "cx_embed_text")

cx_embed_data = _cx_embed_data
cx_embed_text = _cx_embed_text

# What a target needs in every workspace, whatever the user's mode: they come after the mode's own options. Warnings are
# ours alone and stand in .bazelrc.
COPTS = [
    "-std=c++20",
    "-O2",
    "-fvisibility=hidden",
    "-fvisibility-inlines-hidden",
    "-ffp-contract=off",
    "-fno-math-errno",
    # Calls within the libraries stay direct where their objects become shared libraries.
    "-fno-semantic-interposition",
] + select({
    # What g++ has no warning for, so that the libraries are as quiet with Clang.
    str(Label("//bazel:clang")): [
        "-Wno-bitwise-conditional-parentheses",
        "-Wno-bitwise-instead-of-logical",
        "-Wno-gnu-inline-cpp-without-extern",
        "-Wno-pass-failed",
        "-Wno-potentially-evaluated-expression",
        "-Wno-undefined-var-template",
        "-Wno-unknown-pragmas",
    ],
    "//conditions:default": [],
})

# Tests run their own code once: to optimise it costs more than it saves.
TEST_COPTS = COPTS + ["-O0"]

def _precompiled(name):
    """Options and dependencies of sources that begin with a header of //bazel/precompiled, where the build has them."""
    on = str(Label("//bazel:with_precompiled_headers"))
    return struct(
        copts = select({
            on: ["-include", "bazel/precompiled/%s.h" % name],
            "//conditions:default": [],
        }),
        deps = select({
            on: [str(Label("//bazel/precompiled:" + name))],
            "//conditions:default": [],
        }),
    )

_STANDARD = _precompiled("standard")
_GTEST = _precompiled("gtest")
_NONE = struct(copts = [], deps = [])

def _link_only_impl(ctx):
    return [
        CcInfo(linking_context = ctx.attr.dep[CcInfo].linking_context),
        DefaultInfo(runfiles = ctx.attr.dep[DefaultInfo].default_runfiles),
    ]

_link_only = rule(
    doc = "A C++ library to link, without its headers and those of what it depends on.",
    implementation = _link_only_impl,
    attrs = {"dep": attr.label(providers = [CcInfo], mandatory = True)},
    provides = [CcInfo],
)

def cx_library(
        name,
        srcs = [],
        hdrs = [],
        textual_hdrs = [],
        deps = [],
        private_deps = [],
        copts = [],
        linkopts = [],
        data = [],
        alwayslink = False,
        **kwargs):
    """A cc_library with our compiler options, whose private dependencies stay private.

    What only the sources include goes into `private_deps`: whoever depends on this library is linked with it, but does
    not see its headers and is not compiled again when they change, or when CUDA is switched off.

    Args:
      name: the target.
      srcs: sources and private headers.
      hdrs: public headers.
      textual_hdrs: as of cc_library.
      deps: what the public headers include.
      private_deps: what only the sources include.
      copts: added after ours.
      linkopts: as of cc_library.
      data: files read at run time.
      alwayslink: as of cc_library.
      **kwargs: common attributes (visibility, testonly, tags) and defines.
    """

    # With other options GCC would not take what was compiled with ours.
    precompiled = _STANDARD if srcs and not copts else _NONE
    if not private_deps:
        native.cc_library(
            name = name,
            srcs = srcs,
            hdrs = hdrs,
            textual_hdrs = textual_hdrs,
            deps = deps + precompiled.deps,
            copts = COPTS + copts + precompiled.copts,
            linkopts = linkopts,
            data = data,
            alwayslink = alwayslink,
            linkstatic = True,
            **kwargs
        )
        return

    inner = dict(kwargs, visibility = ["//visibility:private"])
    native.cc_library(
        name = name + "_impl",
        srcs = srcs,
        hdrs = hdrs,
        textual_hdrs = textual_hdrs,
        deps = deps + private_deps + precompiled.deps,
        copts = COPTS + copts + precompiled.copts,
        linkopts = linkopts,
        data = data,
        alwayslink = alwayslink,
        linkstatic = True,
        **inner
    )
    inner.pop("defines", None)
    _link_only(name = name + "_link", dep = name + "_impl", **inner)
    native.cc_library(
        name = name,
        hdrs = hdrs,
        textual_hdrs = textual_hdrs,
        deps = deps + [name + "_link"],
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
    that tools/gpu_bundle.sh links again. CUPYXX_TEST_DEVICES tells the test which devices it must use.

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
    precompiled = _NONE if "-O2" in copts else _GTEST

    native.cc_library(
        name = name + "_lib",
        testonly = True,
        srcs = srcs,
        copts = TEST_COPTS + copts + precompiled.copts,
        data = data,
        linkstatic = True,
        tags = tags,
        visibility = ["//:__subpackages__"],
        deps = deps + ["@googletest//:gtest"] + precompiled.deps,
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

def cx_test_binary(name, tests):
    """One binary with the cases of many cx_tests, for machines without Bazel: tools/gpu_bundle.sh declares them.

    Args:
      name: the binary.
      tests: labels of cx_tests (their CPU names).
    """
    native.cc_binary(
        name = name,
        testonly = True,
        linkstatic = True,
        tags = ["manual"],
        deps = [test + "_lib" for test in tests] + ["@googletest//:gtest_main"],
    )

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

# The architectures in kernel bundles; kernels of others are compiled at run time.
_BUNDLE_ARCHITECTURES = ["sm_90"]

def cx_kernel_bundle(name, maker, namespace, **kwargs):
    """Kernels compiled when we build, as data: include `<name>.h`, as of cx_embed_data.

    A change of one operation compiles that operation's kernels only: the keys in the cache are of all that is compiled.

    Args:
      name: the library.
      maker: a binary with the main() of cupyxx/internal/jit/bundle_maker.h.
      namespace: the C++ namespace of the function `name`.
      **kwargs: as of cc_library.
    """

    # The program is a source here, not a tool: as a tool all of the library would be compiled a second time. Bazel's own
    # sandbox, which a user's workspace has by default, would not let it keep what it compiled.
    native.genrule(
        name = name + "_file",
        srcs = [maker],
        tags = ["no-sandbox"],
        outs = [name + ".bin"],
        cmd = "CUPYXX_CACHE_DIR=~/.cache/cupyxx/bundle $(location %s) $@ %s" % (maker, " ".join(_BUNDLE_ARCHITECTURES)),
    )
    cx_embed_data(
        name = name,
        src = name + ".bin",
        namespace = namespace,
        **kwargs
    )

def cx_proto_library(name, src, **kwargs):
    """The C++ code of one .proto file, which imports no other: include `<package>/<stem>.pb.h`.

    Args:
      name: the library.
      src: the .proto file, in this package.
      **kwargs: as of cc_library.
    """
    stem = src[:-len(".proto")]
    native.genrule(
        name = name + "_source",
        srcs = [src],
        outs = [stem + ".pb.cc", stem + ".pb.h"],
        cmd = "/usr/bin/protoc --proto_path=$$(dirname $<) --cpp_out=$(RULEDIR) $<",
    )
    native.cc_library(
        name = name,
        srcs = [stem + ".pb.cc"],
        hdrs = [stem + ".pb.h"],
        copts = ["-std=c++20", "-fvisibility=hidden", "-w"],
        linkstatic = True,
        deps = ["@protobuf"],
        **kwargs
    )
