# SPDX-License-Identifier: MIT
"""Finds the CUDA toolkit: CUDA_HOME, CUDA_PATH, then the usual places. Without one, everything builds for the CPU only."""

_PLACES = [
    "/usr/local/cuda",
    "/usr/lib/cuda",
    "/opt/cuda",
    "/usr/lib/nvidia-cuda-toolkit",
]

def _library_folder(ctx, home):
    for folder in ["lib64", "targets/x86_64-linux/lib", "lib", "lib/x86_64-linux-gnu"]:
        if ctx.path(home).get_child(folder).get_child("libcudart_static.a").exists:
            return folder
    return None

def _include_folder(ctx, home):
    for folder in ["include", "targets/x86_64-linux/include"]:
        if ctx.path(home).get_child(folder).get_child("cuda_runtime_api.h").exists:
            return folder
    return None

def _find(ctx):
    named = [ctx.os.environ[v] for v in ["CUDA_HOME", "CUDA_PATH"] if ctx.os.environ.get(v)]
    for home in named + _PLACES:
        if not ctx.path(home).exists:
            continue
        include, lib = _include_folder(ctx, home), _library_folder(ctx, home)
        if include and lib:
            return struct(home = home, include = home + "/" + include, lib = home + "/" + lib)
    if named:
        fail("no CUDA toolkit in %s: need include/cuda_runtime_api.h and lib64/libcudart_static.a" % " or ".join(named))
    return None

def _cuda_repository_impl(ctx):
    toolkit = _find(ctx)
    ctx.file("config.bzl", "CUDA_FOUND = %s\n" % bool(toolkit))
    ctx.file("cupyxx_cuda_location.h", "#define CUPYXX_CUDA_HOME \"%s\"\n" % (toolkit.home if toolkit else ""))
    if toolkit:
        ctx.symlink(toolkit.include, "include")
        ctx.symlink(toolkit.lib, "lib")
        ctx.symlink(ctx.attr._overlay, "BUILD.bazel")
    else:
        ctx.symlink(ctx.attr._empty, "BUILD.bazel")

cuda_repository = repository_rule(
    doc = "The repository @cuda; see third_party/cuda.BUILD.",
    implementation = _cuda_repository_impl,
    environ = ["CUDA_HOME", "CUDA_PATH"],
    local = True,
    attrs = {
        "_empty": attr.label(default = "@cupyxx//third_party:cuda_none.BUILD"),
        "_overlay": attr.label(default = "@cupyxx//third_party:cuda.BUILD"),
    },
)
