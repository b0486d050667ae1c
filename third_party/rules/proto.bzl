# SPDX-License-Identifier: MIT
"""What Bazel's own tools load from @rules_proto: the native rules under their usual names."""

ProtoInfo = ProtoInfo
proto_lang_toolchain = native.proto_lang_toolchain
proto_library = native.proto_library
