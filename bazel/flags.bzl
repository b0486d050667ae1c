# SPDX-License-Identifier: MIT
"""Build settings, so that no Starlark library is needed for them."""

BoolFlagInfo = provider(fields = ["value"])

def _bool_flag_impl(ctx):
    return BoolFlagInfo(value = ctx.build_setting_value)

bool_flag = rule(
    doc = "A flag given on the command line as --//bazel:name=false.",
    implementation = _bool_flag_impl,
    build_setting = config.bool(flag = True),
)

StringFlagInfo = provider(fields = ["value"])

def _string_flag_impl(ctx):
    value = ctx.build_setting_value
    if value not in ctx.attr.values:
        fail("%s is one of %s, not %r" % (ctx.label, ", ".join(ctx.attr.values), value))
    return StringFlagInfo(value = value)

string_flag = rule(
    doc = "A flag with one of a few values: --//bazel:name=value.",
    implementation = _string_flag_impl,
    build_setting = config.string(flag = True),
    attrs = {"values": attr.string_list(mandatory = True)},
)
