# SPDX-License-Identifier: MIT
"""A boolean build setting, so that no Starlark library is needed for it."""

BoolFlagInfo = provider(fields = ["value"])

def _bool_flag_impl(ctx):
    return BoolFlagInfo(value = ctx.build_setting_value)

bool_flag = rule(
    doc = "A flag given on the command line as --//bazel:name=false.",
    implementation = _bool_flag_impl,
    build_setting = config.bool(flag = True),
)
