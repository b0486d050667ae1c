# SPDX-License-Identifier: MIT
"""Every external repository, for our own WORKSPACE and for those of our users.

    local_repository(name = "cupyxx", path = "/path/to/cupyxx")
    load("@cupyxx//bazel:repositories.bzl", "cupyxx_repositories")
    cupyxx_repositories()

Nothing is downloaded: libraries come from the distribution, CUDA from the installed toolkit.
"""

load("//bazel:cuda.bzl", "cuda_repository")

def _system_repository_impl(ctx):
    for path in ctx.attr.needs:
        if not ctx.path(path).exists:
            fail("%s: %s is missing; install it with: apt-get install %s" % (ctx.name, path, ctx.attr.package))
    for label, path in ctx.attr.files.items():
        ctx.symlink(label, path)
    for path, link in ctx.attr.links.items():
        ctx.symlink(path, link)

system_repository = repository_rule(
    doc = "A repository of small files of ours over what the distribution installs.",
    implementation = _system_repository_impl,
    local = True,
    attrs = {
        "files": attr.label_keyed_string_dict(doc = "Our files, and their places in the repository."),
        "links": attr.string_dict(doc = "System folders, and their places in the repository."),
        "needs": attr.string_list(doc = "Files that must be installed."),
        "package": attr.string(doc = "The Debian package that installs them."),
    },
)

def _maybe(name, rule = system_repository, **kwargs):
    """A repository, unless the workspace has one of that name."""
    if name not in native.existing_rules():
        rule(name = name, **kwargs)

def _overlay(name, needs, package, links = {}):
    _maybe(
        name = name,
        files = {"@cupyxx//third_party:%s.BUILD" % name: "BUILD.bazel"},
        links = links,
        needs = needs,
        package = package,
    )

def _rules(name, folder, source):
    """The repository `name`, which Bazel's own tools load, with nothing but Bazel's native rules."""
    _maybe(
        name = name,
        files = {
            "@cupyxx//third_party:rules/%s" % source: folder + "/defs.bzl",
            "@cupyxx//third_party:rules/empty.BUILD": folder + "/BUILD.bazel",
        },
    )

def cupyxx_repositories():
    """Declares what cupyxx, chainerxx, typecheck and gradcheck need; each is looked at on first use only."""
    lib = "/usr/lib/x86_64-linux-gnu/"

    _overlay("absl", ["/usr/include/absl/base/config.h", lib + "libabsl_base.a"], "libabsl-dev")
    _overlay("benchmark", ["/usr/include/benchmark/benchmark.h"], "libbenchmark-dev")
    _overlay("googletest", ["/usr/include/gtest/gtest.h", "/usr/include/gmock/gmock.h"], "libgtest-dev libgmock-dev")
    _overlay("libjpeg", ["/usr/include/jpeglib.h"], "libjpeg-dev")
    _overlay("libpng", ["/usr/include/png.h"], "libpng-dev")
    _overlay("nlohmann_json", ["/usr/include/nlohmann/json.hpp"], "nlohmann-json3-dev")
    _overlay("onednn", ["/usr/include/dnnl.hpp"], "libdnnl-dev")
    _overlay("protobuf", ["/usr/include/google/protobuf/message.h", "/usr/bin/protoc"], "libprotobuf-dev protobuf-compiler")
    _overlay("zlib", ["/usr/include/zlib.h"], "zlib1g-dev")

    openblas = "/usr/include/x86_64-linux-gnu/openblas-openmp"
    _overlay("openblas", [openblas + "/cblas.h"], "libopenblas-openmp-dev", {openblas: "include"})

    _maybe("cuda", cuda_repository)

    _rules("rules_cc", "cc", "cc.bzl")
    _rules("rules_java", "java", "java.bzl")
    _rules("rules_proto", "proto", "proto.bzl")
    _maybe(
        name = "remote_coverage_tools",
        files = {"@cupyxx//third_party:rules/remote_coverage_tools.BUILD": "BUILD.bazel"},
    )
