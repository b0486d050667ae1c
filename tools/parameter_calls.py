#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes chainerxx/parameter_calls.h: every public routine of cupyxx that gives arrays, of layers' arrays.

    tools/parameter_calls.py [ROOT]

Reads the declarations in the public headers of cupyxx. A routine is left out where chainerxx/parameter_functions.h has it with
its gradient, or where its results are constants by their meaning; tools/checks/options.sh holds that the committed header is this.
"""
import glob
import os
import re
import sys

from headers import declarations, segments, stripped

SKIPPED = {"complex.h", "cupyxx.h", "device.h", "diagnostics.h", "dtype.h", "error.h", "export.h", "fuse.h", "half.h", "kernel.h", "literal_kernel.h",
           "memoize.h", "ndarray.h", "random_sizes.h", "scalar.h", "shape.h", "testing.h", "ufunc.h", "version.h"}
# With gradients, in parameter_functions.h.
BY_HAND = {"amax", "amin", "clip", "cumprod", "cumsum", "max", "mean", "min", "prod", "ravel", "reshape", "squeeze", "std", "sum",
           "swapaxes", "transpose", "var", "linalg::norm"}
# There, too: names that linalg shares with cupyxx, which templates could not tell apart.
# All their forms by lists stand in parameter_lists.h.
SHARED = {"linalg::cross", "linalg::diagonal", "linalg::outer", "linalg::trace"}
# How a constant is written, new arrays like another one, samples, and what other programs are given.
CONSTANTS = {"array", "asanyarray", "asarray", "asarray_chkfinite", "ascontiguousarray", "asfortranarray", "asnumpy", "copy", "empty_like",
             "from_dlpack", "full", "full_like", "ones_like", "require", "zeros_like", "empty_like_pinned", "zeros_like_pinned"}
SAMPLES = {"random::choice", "random::permutation"}  # of random these alone are of the elements of an array
# Places, counts and truth values.
INDICES = set("""all any argmax argmin argpartition argsort argwhere count_nonzero diag_indices_from digitize flatnonzero in1d
isclose iscomplex isin isneginf isposinf isreal ix_ lexsort linalg::matrix_rank mask_indices nanargmax nanargmin nonzero packbits
ravel_multi_index searchsorted tril_indices_from triu_indices_from unpackbits unravel_index""".split())
NO_ARRAYS = {"void", "bool", "std::string", "std::ostream&", "int", "double", "dtype", "cupyxx::dtype", "std::int64_t", "Shape",
             "cuda::MemoryPointer", "DlpackTensor", "DlpackUnversionedTensor", "return"}
BY_VALUE = {"internal::Int", "internal::Int64", "cupyxx::dtype", "dtype", "bool", "double", "int", "char", "std::int64_t"}


def type_and_constraint(parameter, template):
    """The type of a parameter without const and &, and what its template says of it."""
    text = parameter.split("=")[0].strip()
    text = re.sub(r"\b\w+$", "", text).strip() if re.search(r"[\s&>]\w+$", text) else text
    text = re.sub(r"^const |&$", "", text.strip()).strip()
    text = text.replace("internal::WidthPair", "internal::PadPair<std::int64_t, internal::Int64>")
    text = text.replace("internal::EinsumLabels", "std::initializer_list<int>")
    match = re.search(r"([\w:]+(?:<[^<>]*(?:<[^<>]*>)?[^<>]*>)?)(\.\.\.)? %s\b" % re.escape(text), template)
    return text, match.group(1) if match else ""


def default(text, template, classes):
    """The type that stands for lists in the place of a parameter of a template."""
    match = re.search(r"\b%s = ([\w:]+)" % re.escape(text), template)
    return match.group(1) if match and match.group(1).replace("cupyxx::", "") in classes and match.group(1) != "None" else None


def kind(parameter, template, classes):
    """"array", "either" (an array or a list), "braces", "other"; None for what no form is made of."""
    text, constraint = type_and_constraint(parameter, template)
    if "..." in parameter or "ndarray>" in text and "initializer_list<ndarray" not in text or "(*" in parameter or "&&" in parameter:
        return None
    if text in ("ndarray", "random::Param", "Param") or constraint in ("std::derived_from<ndarray>", "internal::PlainArray"):
        return "array"
    if text == "None":
        return "other"
    if text in ("ArrayLike", "Operand"):
        return "either"
    if "initializer_list<ndarray" in text or "initializer_list<internal::ListedArray" in text or "initializer_list<ArrayLike" in text or "initializer_list<Operand" in text:
        return "list"
    if text.startswith("std::initializer_list") or text in classes or default(text, template, classes) or "Options" in constraint:
        return "braces"
    return "other"


def forms(name, params, template, classes):
    """For each number of arguments and choice of lists: (template parameters, parameters, which are generic)."""
    kinds = [kind(p, template, classes) for p in params]
    if None in kinds or "list" in kinds or not any(k in ("array", "either") for k in kinds):
        return
    least = max([i + 1 for i, p in enumerate(params) if "=" not in p], default=0)
    either = [i for i, k in enumerate(kinds) if k == "either"]
    for count in range(max(least, 1), len(params) + 1):
        for choice in range(1 << len(either)):
            listed = {i for j, i in enumerate(either) if choice >> j & 1 and i < count}
            if any(i >= count and choice >> j & 1 for j, i in enumerate(either)):
                continue
            braced = listed | {i for i in range(count) if kinds[i] == "braces"}
            arrays = [i for i in range(count) if kinds[i] in ("array", "either") and i not in listed]
            if not braced or not arrays:
                continue
            heads, texts = [], []
            for i in range(count):
                text, constraint = type_and_constraint(params[i], template)
                if i not in braced:
                    heads.append("class A%d" % i)
                    texts.append("A%d" % i)
                elif default(text, template, classes):
                    heads.append("std::same_as<%s> O%d = %s" % (default(text, template, classes), i, default(text, template, classes)))
                    texts.append("O%d" % i)
                else:
                    inner = re.search(r"<(\w)>", text)
                    if inner:
                        concept = re.search(r"([\w:]+) %s\b" % inner.group(1), template)
                        heads.append("%s %s" % (concept.group(1) if concept else "class", inner.group(1)))
                    texts.append(text)
            heads = list(dict.fromkeys(heads))
            yield heads, texts, [i for i in range(count) if i not in braced]


def macro(heads, texts, generic):
    names = "".join("abcdfghk"[i] for i in range(len(texts)))
    return (", ".join(heads), ", ".join("const %s& %s" % (t, n) for t, n in zip(texts, names)),
            ", ".join("chainerxx::internal::plain<OfLayer>(%s)" % names[i] if i in generic else names[i] for i in range(len(texts))),
            ", ".join("A%d" % i for i in generic), ", ".join(names[i] for i in generic))


def main():
    os.chdir(sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.abspath(__file__)) + "/..")
    found = {}  # namespace -> name -> signatures
    classes, structs = {}, {}  # "namespace::Name" -> "class" or "struct"; results by their fields
    for header in sorted(glob.glob("cupyxx/*.h") + glob.glob("cupyxx/core/*.h") + glob.glob("cupyxx/random/*.h")):
        text = stripped(open(header).read())
        for namespace, segment in segments(text):
            if not namespace.startswith("cupyxx"):
                continue
            for match in re.finditer(r"(?<!enum )\b(class|struct)(?: CUPYXX_API)? (\w+)\s*(?:final)?\s*(?::|$|;)", segment):
                classes.setdefault(namespace + "::" + match.group(2), match.group(1))
            if os.path.dirname(header) != "cupyxx" or os.path.basename(header) in SKIPPED or "internal" in namespace or "testing" in namespace:
                continue
            for returned, name, params, template in declarations(segment):
                if returned in NO_ARRAYS or name.startswith("operator"):
                    continue
                found.setdefault(namespace, {}).setdefault(name, []).append((returned, params, template))
        for match in re.finditer(r"struct (\w+Result|PolyfitCovariance|UniqueWith\w+) \{(.*?)\n\};", text, re.S):
            structs[match.group(1)] = re.findall(r"^\s*(ndarray|Arrays|std::int64_t|double) (\w+);", match.group(2), re.M), "operator[]" in match.group(2)
    write(found, classes, structs)


def write(found, classes, structs):
    used, lines, results = set(), [], []
    for namespace, names in found.items():
        rows = []
        for name, signatures in names.items():
            short = (namespace + "::" + name)[len("cupyxx::"):]
            if short in BY_HAND | SHARED | CONSTANTS | INDICES or (short.startswith("random::") and short not in SAMPLES):
                continue
            lists = [p for _, params, _ in signatures for p in params if re.search("ndarray>|ListedArray>", p)]
            calls = "CHAINERXX_CALL_WITH_FUNCTION" if any("&&" in p for _, params, _ in signatures for p in params) else "CHAINERXX_CALL"
            row = ["%s(%s, %s)" % (calls, name, short)] if len(lists) < len(signatures) or name == "broadcast_arrays" else []
            local = {c[len(n):] for n in (namespace + "::", "cupyxx::") for c in classes if c.startswith(n)}
            seen = set()
            for returned, params, template in signatures:
                if structs.get(returned, ((),))[0] and (namespace, returned, short) not in results:
                    results.append((namespace, returned, short))
                for heads, texts, generic in forms(name, params, template, local):
                    if (tuple(texts), tuple(heads)) in seen:
                        continue
                    seen.add((tuple(texts), tuple(heads)))
                    for text in texts + [h.split()[-1] for h in heads]:
                        for n in (namespace + "::", "cupyxx::"):
                            if n + text in classes:
                                used.add((n + text, classes[n + text]))
                                break
                    row.append("CHAINERXX_FORM(%s, %s, (%s), (%s), (%s), (%s), (%s))" % ((name, short) + macro(heads, texts, generic)))
            if row:
                rows.append(" ".join(row))
        if rows:
            lines += ["", "namespace %s {" % namespace]
            lines += [line for line in ["/// A layer's array for the routines of this namespace.",
                                        "struct OfLayer : ndarray {",
                                        "  explicit OfLayer(const ndarray& a) : ndarray(a) {}",
                                        "};"] if namespace != "cupyxx"]
            lines += rows + ["}  // namespace " + namespace]
    print(HEAD)
    for namespace in list(dict.fromkeys(list(found) + sorted(u[0].rpartition("::")[0] for u in used))):
        own = sorted(u for u in used if u[0].rpartition("::")[0] == namespace)
        own += sorted({(namespace + "::" + r, "struct") for n, r, _ in results if n == namespace})
        if own:
            print("\nnamespace %s {" % namespace)
            print(" ".join("%s %s;" % (what, name.rpartition("::")[2]) for name, what in own))
            print("}  // namespace " + namespace)
    print("\nnamespace cupyxx {\nnamespace internal {\ntemplate <class T, class Number> struct PadPair;\n}  // namespace internal")
    print("/// A layer's array for the routines of this namespace.\nusing OfLayer = const ndarray&;\n}  // namespace cupyxx")
    print("\nnamespace chainerxx::internal {")
    done = set()
    for namespace, returned, short in results:
        if returned in done:
            continue
        done.add(returned)
        fields, has_places = structs[returned]
        full = namespace + "::" + returned
        types = {"ndarray": "ParameterTerm", "Arrays": "ParameterTerms"}
        print("template <>\nstruct ResultOf<%s> {" % full)
        print("  template <class R>\n  ResultOf(std::string_view of_name, const TermSide& of, const R& all) : %s {}" % ", ".join(
            "%s(%s)" % (n, {"ndarray": "array_term(of_name, of, all.%s)" % n, "Arrays": "of_name, of, all.%s" % n}.get(t, "all." + n)) for t, n in fields))
        print("  " + " ".join("%s %s;" % (types.get(t, t), n) for t, n in fields))
        print("  template <std::same_as<%s> R>\n  operator R() const { return R{%s}; }  // NOLINT(google-explicit-constructor)" % (
            full, ", ".join(n for _, n in fields)))
        if has_places:
            print("  template <class R = %s>\n  ParameterTerm operator[](cupyxx::internal::Int part) const {" % full)
            print("    return array_term(\"%s\", term_side(%s), static_cast<R>(*this)[part]);\n  }" % (short, fields[0][1]))
        print("};")
    print("}  // namespace chainerxx::internal")
    print("\n".join(lines))
    print("\n#undef CHAINERXX_CALL\n#undef CHAINERXX_CALL_WITH_FUNCTION\n#undef CHAINERXX_FORM\n#undef CHAINERXX_LIST\n// clang-format on")


HEAD = """// SPDX-License-Identifier: MIT
// Every routine of cupyxx that gives arrays, of layers' arrays: an array, and a TypeError where a variable is expected. Made by
// tools/parameter_calls.py from the headers of cupyxx. Those with gradients stand in parameter_functions.h.
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <type_traits>

#include "chainerxx/parameter_results.h"
#include "cupyxx/core/list_types.h"
#include "cupyxx/ndarray.h"
#include "cupyxx/shape.h"

// clang-format off
#define CHAINERXX_LIST(...) __VA_ARGS__
#define CHAINERXX_CALL(name, text) \\
  template <class... A> requires chainerxx::internal::WithParameters<A...> \\
  auto name(const A&... a) { return chainerxx::internal::made_of(#text, name(chainerxx::internal::plain<OfLayer>(a)...), a...); }
#define CHAINERXX_CALL_WITH_FUNCTION(name, text) \\
  template <class... A> requires chainerxx::internal::WithParameters<std::remove_cvref_t<A>...> \\
  auto name(A&&... a) { return chainerxx::internal::made_of(#text, name(chainerxx::internal::plain<OfLayer>(a)...), a...); }
#define CHAINERXX_FORM(name, text, heads, parameters, arguments, types, values) \\
  template <CHAINERXX_LIST heads> requires chainerxx::internal::WithParameters<CHAINERXX_LIST types> \\
  auto name parameters { return chainerxx::internal::made_of(#text, name arguments, CHAINERXX_LIST values); }"""


if __name__ == "__main__":
    main()
