# SPDX-License-Identifier: MIT
"""Makes calls with drawn arguments from declarations in headers: what the lists of wild calls share.

A row is (text, namespace, types that are drawn, call, place of the argument that changes or -1, what is done first).
"""
import re

from headers import segments

# Types for the parameters of templates, by the concept or the name.
TEMPLATES = {
    "DtypeArgument": "cupyxx::dtype", "random::DtypeArgument": "cupyxx::dtype", "ParamArgument": "cupyxx::random::Param",
    "internal::AxisLike": "int", "internal::AxisNumbers": "cupyxx::Shape", "internal::SizeLike": "Size2D", "std::integral": "std::int64_t",
    "std::floating_point": "double", "cupyxx::internal::ShapeArgument": "cupyxx::Shape", "internal::ShapeOrNone": "cupyxx::Shape",
}
# What stands for numbers in argument lists.
INTEGERS = {"StartOfBias": "double", "internal::Int": "int", "internal::Int64": "std::int64_t", "internal::UInt64": "std::uint64_t"}
# Not drawn: pointers, functions, lists that a vector stands for, vectors of arrays where one of variables does, devices.
NOT_DRAWN = re.compile(
    r"initializer_list|\*|\.\.\.|&&|Stream|Device\b|MemoryPointer|GridRange\)|\(&|HostList|ArrayLike|MixedList|vector<[AI]>|DlpackTensor|slice range\[")


def holes(kind):
    """The type that is drawn for a parameter's type."""
    kind = re.sub(r"\bconst\b|&", "", kind).strip()
    kind = INTEGERS.get(kind, kind)
    kind = re.sub(r"std::span< ?([\w:]+) ?>", r"std::vector<\1>", kind)
    return " ".join(kind.split())


def substitutions(head):
    """Types for the parameters of a template, or None where a row cannot choose them."""
    found = {}
    for part in re.split(r",(?![^<]*>)", head):
        default = part.partition("=")[2].strip()
        part = part.split("=")[0].strip()
        match = re.match(r"(?:std::same_as|OptionsOrDtype)<([\w:]+)> (\w+)$", part)
        if match and match.group(1).endswith("ArrayLike"):
            return None
        if match:
            found[match.group(2)] = match.group(1)
            continue
        match = re.match(r"([\w:]+) (\w+)$", part)
        if match and match.group(1) in TEMPLATES:
            found[match.group(2)] = TEMPLATES[match.group(1)]
        elif part == "class High":
            found["High"] = "cupyxx::random::Param"
        elif match and match.group(1) == "class" and default:
            found[match.group(2)] = default
        elif part:
            return None
    return found


def parameter(text):
    """(type, name) of a parameter."""
    text = text.split("=")[0].strip()
    match = re.match(r"(.*?)\b(\w+)$", text)
    if not match or not match.group(1).strip():
        return text, ""
    return match.group(1).strip(), match.group(2)


def drawn_types(params, head):
    """The types that are drawn for parameters, or None where one cannot be drawn."""
    substituted = substitutions(head) if head else {}
    if substituted is None:
        return None
    drawn = []
    for text in params:
        kind, param = parameter(text)
        if NOT_DRAWN.search(text):
            return None
        kind = holes(kind)
        kind = substituted.get(kind, kind)
        if param in ("path", "file", "filename") and "string" in kind:
            kind = "Path"
        elif kind in ("std::string", "std::string_view"):
            kind = "Text"
        elif "ostream" in kind:
            kind = "Sink"
        elif "istream" in kind:
            kind = "Source"
        drawn.append(kind)
    return drawn


def passed(count, begin=0):
    return ["pass(std::get<%d>(a))" % i for i in range(begin, count)]


def with_holes(call):
    """A call whose arguments are written x0, x1, ..."""
    return re.sub(r"\bx(\d)", r"pass(std::get<\1>(a))", call)


def structs_of(text):
    """(name with namespaces, fields) of each struct of options."""
    # What gives a result's parts by their places is no field.
    text = re.sub(r"(CUPYXX_API )?ndarray operator\[\]\([^)]*\) const( \{[^{}]*\{[^{}]*\}[^{}]*\}|;)", "", text)
    text = re.sub(r"\w+ rest\(\) const \{ return \{[^{}]*\}; \}", "", text)
    for match in re.finditer(r"struct (?:CUPYXX_API )?(\w+) \{([^{}]*)\};", text):
        struct, body = match.groups()
        body = re.sub(r"\[\[\w+\]\]", "", body)
        fields = [re.match(r"([\w:<>, ]+[*&]?) (\w+)( = .*)?$", " ".join(f.split())) for f in body.split(";") if f.strip()]
        namespace = [n for n, s in segments(text) if ("struct " + struct) in s or ("CUPYXX_API " + struct) in s]
        if not namespace or "internal" in namespace[0] or not all(fields):
            continue
        fields = [f.group(2) for f in fields if "*" not in f.group(1) and not f.group(1).endswith("ByName")]
        # A template is what its names stand for.
        names = re.findall(r"using (\w+) = %s<\w+>;" % struct, text) or [struct]
        for name in names:
            yield namespace[0] + "::" + name, fields


def called_names(rows):
    return {r[0] for r in rows} | {re.sub(r"\(.*", "", r[0], flags=re.S).split("::")[-1] for r in rows}


def emit(rows, structs, outdir, parts, script, header, usings):
    for part in range(parts):
        mine = rows[part::parts]
        with open("%s/rows_%d.cc" % (outdir, part), "w") as file:
            file.write('// Made by tools/%s.\n#include "%s"\n' % (script, header))
            file.write("namespace cupyxx::testing::wild {\n")
            for struct, fields in structs:
                file.write("template <> struct Fields<%s> { template <class F> static void each(%s& o, F&& f) { %s } };\n" % (
                    struct, struct, " ".join('f(o.%s, "%s");' % (f, f) for f in fields)))
            file.write("}\n")
            for namespace in sorted({r[1] for r in mine}):
                file.write("namespace %s {\n%sstatic const Rows rows_%d_{\n" % (
                    namespace, "".join("using namespace %s;\n" % u for u in usings), part))
                for text, ns, drawn, call, target, *first in mine:
                    if ns != namespace:
                        continue
                    file.write('  {R"row(%s)row", %d, [](Draw& d) { %s[[maybe_unused]] auto a = drawn<%s>(d); '
                               'return d.call([&]() -> decltype(auto) { return %s; }); }},\n' % (
                                   text, target, "".join(first), ", ".join(drawn), call))
                file.write("};\n}\n")
