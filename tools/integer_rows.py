#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes cupyxx/testing/integer_rows.inc: every public routine and method, with W in the place of each integer.

    tools/integer_rows.py [ROOT]

Reads the declarations in the public headers; cupyxx/testing/integers_test.cc puts numbers of all types there. Places
where another overload takes a floating number are left out. tools/checks/options.sh holds that the committed rows are these.
"""
import glob
import os
import re
import sys

from headers import class_body, declarations, segments, stripped
from options_rows import SKIPPED, kind

INTEGERS = {"internal::Int", "internal::Int64", "internal::UInt64", "Shape", "Strides", "Axes", "Sections"}
NUMBERS = {"double", "float", "Operand", "Param", "ParamArgument", "Scalar"}
CLASSES = [
    ("cupyxx/ndarray.h", "ndarray", "object<A>()."), ("cupyxx/ufunc.h", "ufunc", "operation<A>()."),
    ("cupyxx/random/random_state.h", "RandomState", "state<A>()."),
]


def type_of(parameter, template):
    parameter = parameter.split("=")[0].strip()
    name = re.sub(r"\b\w+$", "", parameter).strip() if " " in parameter else parameter
    name = name.replace("const ", "").replace("&", "").replace("cupyxx::", "").strip()
    concept = re.search(r"([\w:]+(?:<[\w:]+>)?) %s\b" % re.escape(name), template)
    return concept.group(1) if concept and name.isalnum() else name


def main():
    os.chdir(sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.abspath(__file__)) + "/..")
    routines = []  # (prefix of the call, name, parameters, template)
    for header in sorted(glob.glob("cupyxx/*.h")):
        if os.path.basename(header) in SKIPPED:
            continue
        for namespace, segment in segments(stripped(open(header).read())):
            if namespace.startswith("cupyxx") and "internal" not in namespace and "testing" not in namespace:
                routines += [(namespace + "::",) + d[1:] for d in declarations(segment)]
    for header, name, prefix in CLASSES:
        body = class_body(stripped(open(header).read()), name).split("private:")[0]
        routines += [(prefix,) + d[1:] for d in declarations(body)]
    numbers = set()  # places that take floating numbers
    for prefix, name, params, template in routines:
        numbers |= {(prefix + name, i) for i, p in enumerate(params) if type_of(p, template) in NUMBERS}
    rows = {}
    for prefix, name, params, template in routines:
        kinds = [kind(p, template) for p in params]
        for i, p in enumerate(params):
            integer = type_of(p, template) in INTEGERS | {"internal::AxisNumber", "internal::ExtentNumber", "std::integral"}
            if not integer or (prefix + name, i) in numbers or name.startswith("operator"):
                continue
            needed = kinds[:i] + [k for q, k in zip(params[i + 1:], kinds[i + 1:]) if "=" not in q]
            if all(k and k[0] == "value" for k in needed):
                values = [k[1] for k in needed]
                rows["%s%s(%s)" % (prefix, name, ", ".join(values[:i] + ["W"] + values[i:]))] = None
    for call in rows:
        print("ROW(%s)" % call)


main()
