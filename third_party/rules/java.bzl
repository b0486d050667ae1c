# SPDX-License-Identifier: MIT
"""What Bazel's own tools load from @rules_java: the native rules under their usual names."""

java_binary = native.java_binary
java_import = native.java_import
java_library = native.java_library
java_proto_library = native.java_proto_library
java_runtime = native.java_runtime
java_toolchain = native.java_toolchain
