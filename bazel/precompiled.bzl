# SPDX-License-Identifier: MIT
"""Headers of others that are read by the compiler once, not once per source."""

load("@bazel_tools//tools/cpp:toolchain_utils.bzl", "find_cpp_toolchain")

def _precompiled_header_impl(ctx):
    header = ctx.actions.declare_file(ctx.label.name + ".h")
    compiled = ctx.actions.declare_file(ctx.label.name + ".h.gch")
    ctx.actions.write(header, "".join(["#include <%s>\n" % name for name in ctx.attr.headers]))

    toolchain = find_cpp_toolchain(ctx)
    features = cc_common.configure_features(
        ctx = ctx,
        cc_toolchain = toolchain,
        requested_features = ctx.features,
        unsupported_features = ctx.disabled_features,
    )
    variables = cc_common.create_compile_variables(
        cc_toolchain = toolchain,
        feature_configuration = features,
        use_pic = True,
        user_compile_flags = ctx.fragments.cpp.copts + ctx.fragments.cpp.cxxopts + ctx.attr.copts,
    )
    ctx.actions.run(
        executable = cc_common.get_tool_for_action(feature_configuration = features, action_name = "c++-compile"),
        arguments = cc_common.get_memory_inefficient_command_line(
            feature_configuration = features,
            action_name = "c++-compile",
            variables = variables,
        ) + ["-x", "c++-header", header.path, "-o", compiled.path],
        env = cc_common.get_environment_variables(
            feature_configuration = features,
            action_name = "c++-compile",
            variables = variables,
        ),
        inputs = depset([header], transitive = [toolchain.all_files]),
        outputs = [compiled],
        mnemonic = "CppPrecompile",
        progress_message = "Compiling %s" % header.short_path,
    )
    return [CcInfo(compilation_context = cc_common.create_compilation_context(headers = depset([header, compiled])))]

precompiled_header = rule(
    doc = """Includes of the system, compiled ahead. A source that begins with them is compiled with `-include PACKAGE/NAME.h`.

GCC takes NAME.h.gch where the options of the source are those of this rule, and reads NAME.h where they are not.""",
    implementation = _precompiled_header_impl,
    attrs = {
        "headers": attr.string_list(doc = "What stands between < and >.", mandatory = True),
        "copts": attr.string_list(doc = "Options of the sources that use it."),
        "_cc_toolchain": attr.label(default = Label("@bazel_tools//tools/cpp:current_cc_toolchain")),
    },
    fragments = ["cpp"],
    toolchains = ["@bazel_tools//tools/cpp:toolchain_type"],
    provides = [CcInfo],
)
