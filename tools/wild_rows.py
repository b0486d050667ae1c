#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the calls of every public routine with drawn arguments: cupyxx/testing/wild has what draws them.

    tools/wild_rows.py OUTDIR PARTS

Reads the declarations in the public headers and writes OUTDIR/rows_0.cc ... A routine that is neither called nor named
in SKIPPED with its reason is an error, and so is a routine of docs/reference/cupyxx.md that the headers do not show.
"""
import glob
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from headers import class_body, declarations, segments, stripped
from wild import called_names, drawn_types, emit, parameter, passed, structs_of, with_holes

# Headers without routines of arrays.
HEADERS = {
    "comm.h": "talks to other processes",
    "complex.h": "a number",
    "cupyxx.h": "includes the others",
    "device.h": "changes the device under the driver",
    "export.h": "macros",
    "error.h": "what is thrown",
    "fuse.h": "records C++ functions",
    "half.h": "a number",
    "kernel.h": "sources of kernels are trusted",
    "diagnostics.h": "times functions, prints the machine, empties the cache",
    "literal_kernel.h": "checked when compiled",
    "memoize.h": "takes a C++ function",
    "message.h": "texts",
    "testing.h": "tests use them",
    "version.h": "a constant", "random_state.h": "its methods are random.h's routines", "generator.h": "its methods are random.h's routines",
}
# Routines that no row calls.
SKIPPED = {
    "get_array_module": "what it makes is made by creation.h", "create_ufunc": "takes C++ functions",
    "apply_along_axis": "takes a C++ function", "apply_over_axes": "takes a C++ function",
    "fromfunction": "takes a C++ function", "piecewise": "takes a C++ function",
    "fromiter": "takes a C++ range", "from_host_buffer": "takes an address, which is trusted",
    "frombuffer": "takes an address, which is trusted", "from_memory": "takes an address, which is trusted",
    "from_dlpack": "takes an address, which is trusted", "to_dlpack": "hands out an address",
    "to_dlpack_unversioned": "hands out an address",
    "empty_pinned": "page-locked memory is the machine's", "zeros_pinned": "page-locked memory is the machine's",
    "copy_async": "the stream's, with arrays that must live",
    "use_device": "changes the device under the driver", "current_device": "not of arrays",
    "set_printoptions": "changes what all threads print", "get_printoptions": "not of arrays", "PrintTo": "as printing",
    "seed": "changes the state under the driver", "get_state": "not of arrays", "set_state": "changes the state under the driver",
    "set_random_state": "changes the state under the driver", "name": "not of arrays",
    "reset_states": "changes the state under the driver",
    "dtype_of": "a constant", "isscalar": "a constant",
    "to_gpu": "the driver chooses devices", "to": "the driver chooses devices",
    "begin": "an iterator", "end": "an iterator", "span": "an address", "broadcast_shapes": "of shapes, as every row's",
    "getitem": "the rows of indexing below", "setitem": "the rows of indexing below",
    "record_fused": "records C++ functions", "fuse": "records C++ functions",
    "contiguous_strides": "of extents that arrays have",
    "mask_indices": "takes a C++ function",
    "normalize_axis": "as every row's axis", "str": "operator<<", "nbytes": "shape and itemsize",
}
# What changes its arguments, by the place of the argument; 0 is the array whose method it is.
TARGETS = {
    "put": 0, "place": 0, "putmask": 0, "copyto": 0, "fill_diagonal": 0, "shuffle": 0, "scatter_add": 0, "fill": 0,
    "set": 0, "set_shape": 0, "set_writeable": 0, "put_along_axis": 0, "nan_to_num": 0,
}
METHOD_TARGETS = {"sort", "partition", "resize", "put", "fill", "set", "set_shape", "set_writeable"}

# Forms that no declaration shows: operators, indices, conversions, the methods of ufuncs.
BINARY = ["+", "-", "*", "/", "%", "<<", ">>", "&", "|", "^", "<", "<=", ">", ">=", "==", "!="]
EXTRA = [("a %s b" % o, ["ndarray", "ndarray"], "x0 %s x1" % o, -1) for o in BINARY]
EXTRA += [("a %s number" % o, ["ndarray", "Scalar"], "x0 %s x1" % o, -1) for o in BINARY]
EXTRA += [("%sa" % o, ["ndarray"], "%sx0" % o, -1) for o in "-+~"]
EXTRA += [("a %s= b" % o, ["ndarray", "ndarray"], "static_cast<void>(x0 %s= x1)" % o, 0) for o in BINARY[:10]]
EXTRA += [
    ("a(index...)", ["ndarray", "std::vector<Index>"], "ndarray(x0.getitem(x1))", -1),
    ("a(index...) = value", ["ndarray", "std::vector<Index>", "Operand"], "x0.setitem(x1, x2)", 0),
    ("a(mask)", ["ndarray", "ndarray"], "ndarray(x0(x1))", -1),
    ("a(array) = value", ["ndarray", "ndarray", "Operand"], "static_cast<void>(x0(x1) = x2)", 0),
    ("a(array) += value", ["ndarray", "ndarray", "ndarray"], "static_cast<void>(x0(x1) += x2)", 0),
    ("a(slice)", ["ndarray", "slice"], "ndarray(x0(x1))", -1),
    ("for (row : a)", ["ndarray"], "rows_of(x0)", -1),
    ("a.to_vector<double>()", ["ndarray"], "x0.template to_vector<double>()", -1),
    ("a.to_vector<std::int8_t>()", ["ndarray"], "x0.template to_vector<std::int8_t>()", -1),
    ("a.item<double>()", ["ndarray"], "x0.template item<double>()", -1),
    ("bool(a)", ["ndarray"], "static_cast<bool>(x0)", -1),
    ("std::cout << a", ["ndarray"], "printed(x0)", -1),
    ("asnumpy(a)", ["ndarray"], "asnumpy(x0)", -1),
    ("result_type(a, b)", ["ndarray", "ndarray"], "result_type(x0, x1)", -1),
    ("ndarray(shape, dtype, memory, strides, offset)", ["Shape", "dtype", "ndarray", "Strides", "std::int64_t"],
     "ndarray(x0, x1, x2, x3, x4)", -1),
    ("array(std::vector<double>)", ["std::vector<double>", "dtype"], "array(x0, x1)", -1),
    ("ufunc::call", ["AnyUfunc", "ndarray", "ndarray", "UfuncOptions"], "called(x0, x1, x2, x3)", -1),
    ("ufunc::reduce", ["AnyUfunc", "ndarray", "Axes", "ReduceOptions"], "x0.reduce(x1, x2, x3)", -1),
    ("ufunc::accumulate", ["AnyUfunc", "ndarray", "int", "AccumulateOptions"], "x0.accumulate(x1, x2, x3)", -1),
    ("ufunc::reduceat", ["AnyUfunc", "ndarray", "ndarray", "int", "AccumulateOptions"], "x0.reduceat(x1, x2, x3, x4)", -1),
    ("ufunc::outer", ["AnyUfunc", "ndarray", "ndarray", "UfuncOptions"], "x0.outer(x1, x2, x3)", -1),
    ("ufunc::at", ["AnyUfunc", "ndarray", "Index", "Operand"], "x0.at(x1, x2, x3)", 1),
]


def row(namespace, name, params, head, method):
    drawn = drawn_types(params, head)
    if drawn is None:
        return None
    drawn = ["ndarray"] * method + drawn
    values = passed(len(drawn))
    call = "%s.%s(%s)" % (values[0], name, ", ".join(values[1:])) if method else "%s::%s(%s)" % (namespace, name, ", ".join(values))
    target = -1
    if method and name in METHOD_TARGETS:
        target = 0
    elif not method and name in TARGETS:
        target = TARGETS[name]
    names = [""] * method + [parameter(text)[1] for text in params]
    if target < 0 and "out" in names:
        target = names.index("out")
    text = "%s(%s)" % (("ndarray::" if method else namespace + "::") + name, ", ".join(params))
    return text, namespace, drawn, call, target


def main():
    outdir, parts = os.path.abspath(sys.argv[1]), int(sys.argv[2])
    os.chdir(os.path.dirname(os.path.abspath(__file__)) + "/..")
    rows, structs, seen, names, missing = [], [], set(), set(), []
    headers = sorted(glob.glob("cupyxx/*.h") + glob.glob("cupyxx/random/*.h") + glob.glob("cupyxx/values/*.h"))
    for path in headers:
        base = os.path.basename(path)
        text = stripped(open(path).read())
        for namespace, segment in segments(text):
            if not namespace.startswith("cupyxx") or "internal" in namespace or "testing" in namespace or "/random/" in path or "/values/" in path:
                continue
            for _, name, params, head in declarations(segment):
                names.add(name)
                if base not in HEADERS and name not in SKIPPED:
                    seen.add(name)
                    forms = [(params, head)]
                    if "OptionsOrDtype" in head:
                        forms.append((params[:-1] + ["const O& dtype"], re.sub(r"OptionsOrDtype<\w+> O = \w+", "DtypeArgument O", head)))
                    rows += filter(None, (row(namespace, name, *form, False) for form in forms))
            for match in re.finditer(r"inline constexpr Ufunc<ops::\w+(?:, (\d))?(?:, (\d))?> (\w+)", segment):
                names.add(match.group(3))
                if match.group(2):
                    continue
                params = ["const Operand& x", "const Operand& y"][:int(match.group(1) or 1)] + ["const UfuncOptions& options"]
                made = row(namespace, match.group(3), params, "", False)
                rows.append((made[0], made[1], [d.replace("UfuncOptions", "cupyxx::UfuncOptions") for d in made[2]]) + made[3:])
                seen.add(match.group(3))
        if base not in HEADERS:
            structs += structs_of(text)
        if base == "ndarray.h":
            for _, name, params, head in declarations(class_body(text, "ndarray").split("private:")[0]):
                names.add(name)
                if name in SKIPPED or name.startswith("operator"):
                    continue
                made = row("cupyxx", name, params, head, True)
                if made:
                    rows.append(made)
                    seen.add("ndarray::" + name)
                else:
                    missing.append("ndarray::" + name) if name != "to_vector" else None
    for text, drawn, call, target in EXTRA:
        rows.append((text, "cupyxx", drawn, with_holes(call), target))
    called = called_names(rows) | {"to_vector", "asnumpy", "result_type"}
    for name in sorted(seen):
        if name.split("::")[-1] not in called:
            missing.append(name)
    missing = sorted({m for m in missing if m not in seen or m.split("::")[-1] not in called})
    heading = ""
    for line in open("docs/reference/cupyxx.md"):
        match = re.match(r"## `cupyxx/(.*)`", line)
        heading = match.group(1) if match else heading
        match = re.match(r"\* `(?:template <.*?> )?(?:inline |constexpr )*[\w:<>]+ (\w+)\((.*)\)( const)?`", line)
        if match:
            names.add(match.group(1))
        if match and "/" not in heading and heading not in HEADERS and match.group(1) not in called | set(SKIPPED) | {"requires"}:
            missing.append("%s: %s" % (heading, match.group(1)))
    stale = sorted((set(SKIPPED) | set(TARGETS) | METHOD_TARGETS) - names)
    if stale:
        sys.exit("wild_rows.py: no header declares " + ", ".join(stale))
    if missing:
        sys.exit("wild_rows.py: no row calls\n  " + "\n  ".join(missing))
    emit(rows, structs, outdir, parts, "wild_rows.py", "cupyxx/testing/wild/rows.h", ["cupyxx::testing::wild"])
    print("%d calls" % len(rows), file=sys.stderr)


main()
