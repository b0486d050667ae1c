#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes cupyxx/testing/options_rows.inc: every public routine and method, with a list W in the place of each parameter.

    tools/options_rows.py [ROOT]

Reads the declarations in the public headers. Each row names the structs of options that the parameter may be made of,
and the call; cupyxx/testing/options_test.cc fills W with fields. tools/checks/options.sh holds that the committed rows are these.
"""
import glob
import os
import re
import sys

from headers import class_body, declarations, segments, stripped

# Values, kernels and internals: what has no routine with options of arrays.
SKIPPED = {
    "complex.h", "cupyxx.h", "device.h", "dtype.h", "error.h", "export.h", "fuse.h", "half.h", "kernel.h",
    "literal_kernel.h", "memoize.h", "scalar.h", "shape.h", "testing.h", "version.h",
}
VALUES = {
    "ndarray": "arr<A>()", "Operand": "arr<A>()", "ArrayLike": "arr<A>()", "Param": "arr<A>()", "Scalar": "num<A>()", "Shape": "extents<A>()",
    "Strides": "extents<A>()", "SizeList": "extents<A>()", "Axes": "num<A>()", "Sections": "num<A>()",
    "PadWidth": "num<A>()", "double": "real<A>()", "float": "real<A>()", "bool": "flag<A>()", "dtype": "type<A>()",
    "slice": "range<A>()", "std::vector<std::int64_t>": "numbers<A>()", "std::span<std::int64_t>": "numbers<A>()",
    "int": "num<A>()", "std::int64_t": "num<A>()", "std::uint64_t": "num<A>()", "std::optional<int>": "num<A>()",
    "internal::Int": "num<A>()", "internal::Int64": "num<A>()", "internal::UInt64": "num<A>()",
    "std::optional<std::int64_t>": "num<A>()",
}


# Parameters of templates, by their constraints.
TEMPLATES = {
    "std::same_as<slice>": "range<A>()", "std::convertible_to<std::string_view>": "text<A>()",
    "std::same_as<bool>": "flag<A>()", "std::convertible_to<cupyxx::dtype>": "type<A>()", "internal::AxisNumber": "num<A>()", "std::integral": "num<A>()",
    "internal::ExtentNumber": "num<A>()",
}


def kind(parameter, template):
    """("options", struct), ("value", expression), or None for what no row knows."""
    parameter = parameter.split("=")[0].strip()
    if re.match(r"(const )?O&? ", parameter):
        struct = re.search(r"(?:same_as|OptionsOrDtype)<([\w:]+)> O", template)
        return ("options", struct.group(1)) if struct else None
    match = re.match(r"(?:const )?(\w)&? \w+$", parameter)
    if match:
        concept = re.search(r"([\w:]+(?:<[\w:]+>)?) %s\b" % match.group(1), template)
        return ("value", TEMPLATES[concept.group(1)]) if concept and concept.group(1) in TEMPLATES else None
    name = re.sub(r"\b\w+$", "", parameter).strip() if " " in parameter else parameter
    name = name.replace("const ", "").replace("&", "").replace("cupyxx::", "").strip()
    if name.endswith(("Options", "OptionsN")):
        return ("options", name)
    if name in VALUES:
        return ("value", VALUES[name])
    if "ndarray>" in name and "*" not in name and "initializer_list" not in name:
        return ("value", "list<A>()")
    if "string" in name:
        return ("value", "text<A>()")
    return None


def main():
    os.chdir(sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.abspath(__file__)) + "/..")
    routines = []  # (prefix of the call, namespace of its options, name, parameters, template)
    for header in sorted(glob.glob("cupyxx/*.h")):
        if os.path.basename(header) in SKIPPED:
            continue
        text = stripped(open(header).read())
        for namespace, segment in segments(text):
            if namespace.startswith("cupyxx") and "internal" not in namespace and "testing" not in namespace:
                for _, name, params, template in declarations(segment):
                    routines.append((namespace + "::", namespace, name, params, template))
        if header == "cupyxx/ndarray.h":
            for _, name, params, template in declarations(class_body(text, "ndarray")):
                routines.append(("arr<A>().", "cupyxx", name, params, template))
    rows = {}
    for prefix, namespace, name, params, template in routines:
        kinds = [kind(p, template) for p in params]
        if name.startswith("operator") or (template and None in kinds and not any(k and k[0] == "options" for k in kinds)):
            continue
        for i, k in enumerate(kinds):
            if k is None or any(x is None or x[0] != "value" for x in kinds[:i]):
                continue
            rest = []
            for p, x in zip(params[i + 1:], kinds[i + 1:]):
                if "=" in p:
                    break
                rest.append(x[1] if x and x[0] == "value" else None)
            if None in rest:
                continue
            call = "%s%s(%s)" % (prefix, name, ", ".join([x[1] for x in kinds[:i]] + ["W"] + rest))
            structs = rows.setdefault(call, set())
            if k[0] == "options":
                structs.add(k[1] if "::" in k[1] else namespace + "::" + k[1])
    for call, structs in rows.items():
        # A number may also go where an array goes.
        structs |= rows.get(call.replace("real<A>()", "arr<A>()"), set())
        print("ROW((%s), %s)" % (", ".join(sorted(structs)), call))


if __name__ == "__main__":
    main()
