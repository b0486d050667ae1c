# SPDX-License-Identifier: MIT
"""Finds the CUDA toolkit: CUDA_HOME, CUDA_PATH, then the usual places. Without one, everything builds for the CPU only."""

_PLACES = [
    "/usr/local/cuda",
    "/usr/lib/cuda",
    "/opt/cuda",
    "/usr/lib/nvidia-cuda-toolkit",
]

def _folder_of(ctx, home, folders, file):
    for folder in folders:
        if ctx.path("%s/%s/%s" % (home, folder, file)).exists:
            return "%s/%s" % (home, folder)
    return None

def _find(ctx):
    named = [ctx.os.environ[v] for v in ["CUDA_HOME", "CUDA_PATH"] if ctx.os.environ.get(v)]
    for home in named + _PLACES:
        include = _folder_of(ctx, home, ["include", "targets/x86_64-linux/include"], "cuda_runtime_api.h")
        lib = _folder_of(ctx, home, ["lib64", "targets/x86_64-linux/lib", "lib"], "libcudart_static.a")
        if include and lib:
            return struct(home = home, include = include, lib = lib)
    if named:
        # buildifier: disable=print
        print(("\nno CUDA toolkit in %s (CUDA_HOME, CUDA_PATH) nor in the usual places, so we build for the CPU only; " +
               "a toolkit has include/cuda_runtime_api.h and lib64/libcudart_static.a") % " or ".join(named))
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
