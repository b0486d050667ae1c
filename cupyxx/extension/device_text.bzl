# SPDX-License-Identifier: MIT
"""Device-safe headers as text, from which kernels are compiled."""

load("//bazel:cx.bzl", "cx_embed_text")

def cupyxx_device_text(name, hdrs, namespace, **kwargs):
    """A library with `<name>.h`, which has the text of device-safe headers for KernelLibrary::add_texts:

        add_device_texts(NAMESPACE::kFiles, NAMESPACE::kFilesCount);

    Args:
      name: the library; its header is `<name>.h` in this package.
      hdrs: headers, which include each other and those of cupyxx/ops by their paths in the repository.
      namespace: the C++ namespace of the two.
      **kwargs: common attributes (visibility, testonly, tags).
    """
    cx_embed_text(
        name = name,
        srcs = hdrs,
        namespace = namespace,
        **kwargs
    )
