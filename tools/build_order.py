#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Lists of labels and files in BUILD files and .bzl files, in buildifier's order.

    tools/build_order.py          names what is out of order; ends with 1 if there is any
    tools/build_order.py --fix    puts it in order

In order are the literal lists of deps, private_deps, srcs and hdrs, those that are added to others or chosen by select()
too: files, then ":a", then "//b", then "@c", each alphabetically, none twice. A comment above an element begins a new part,
as in buildifier. load() stands before everything else, the names that it loads in order.
"""
import ast
import re
import subprocess
import sys

ATTRIBUTES = {"deps", "private_deps", "srcs", "hdrs"}


def sort_key(text):
    """Buildifier's: by kind, then by the parts between ":" and "."."""
    kind = next((i for i, start in ((1, ":"), (2, "//"), (3, "@")) if text.startswith(start)), 0)
    return kind, text.replace(":", ".").split("."), text


def string_list(node):
    return isinstance(node, ast.List) and all(isinstance(e, ast.Constant) and isinstance(e.value, str) for e in node.elts)


def literal_lists(node):
    """The lists of strings that a value is made of."""
    if string_list(node):
        yield node
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        yield from literal_lists(node.left)
        yield from literal_lists(node.right)
    elif isinstance(node, ast.Call) and getattr(node.func, "id", "") == "select" and node.args and isinstance(node.args[0], ast.Dict):
        for value in node.args[0].values:
            yield from literal_lists(value)


class File:
    def __init__(self, path):
        self.path = path
        with open(path, encoding="utf-8") as file:
            self.lines = file.read().split("\n")
        self.tree = ast.parse("\n".join(self.lines), path)
        self.findings = []

    def report(self, line, what):
        self.findings.append("%s:%d: %s" % (self.path, line, what))

    def sort_list(self, name, node):
        if len(node.elts) < 2:
            return
        rows = [e.lineno for e in node.elts]
        if len(set(rows)) == 1:
            values = [e.value for e in node.elts]
            ordered = sorted(set(values), key=sort_key)
            if values != ordered:
                row, first, last = rows[0] - 1, node.elts[0].col_offset, node.elts[-1].end_col_offset
                line = self.lines[row]
                self.lines[row] = line[:first] + ", ".join('"%s"' % v for v in ordered) + line[last:]
                self.report(rows[0], "%s out of order" % name)
            return
        if len(set(rows)) != len(rows) or any(e.end_lineno != e.lineno for e in node.elts):
            self.report(rows[0], "%s: one element a line, or all on one" % name)
            return
        # Parts without a line of something else between: sorted each by itself, with what stands behind an element.
        parts = [[node.elts[0]]]
        for before, element in zip(node.elts, node.elts[1:]):
            if element.lineno == before.lineno + 1:
                parts[-1].append(element)
            else:
                parts.append([element])
        for part in parts:
            ordered = sorted({e.value: e for e in reversed(part)}.values(), key=lambda e: sort_key(e.value))
            if ordered == part:
                continue
            texts = [self.lines[e.lineno - 1] for e in ordered]
            # The last element may lack its comma.
            texts = [re.sub(r'^(\s*"[^"]*")(?!,)', r"\1,", text) for text in texts]
            first, last = part[0].lineno - 1, part[-1].lineno
            self.lines[first:last] = texts + [None] * (last - first - len(texts))
            self.report(first + 1, "%s out of order" % name)

    def sort_loads(self):
        seen_other = False
        for statement in self.tree.body:
            value = statement.value if isinstance(statement, ast.Expr) else None
            if isinstance(value, ast.Constant):
                continue  # a docstring
            if not (isinstance(value, ast.Call) and getattr(value.func, "id", "") == "load"):
                seen_other = True
                continue
            if seen_other:
                self.report(statement.lineno, "load() stands behind something else; move it by hand")
            names = value.args[1:]
            if names and not value.keywords and all(n.lineno == names[0].lineno for n in names):
                ordered = sorted({n.value for n in names})
                if [n.value for n in names] != ordered:
                    row, first, last = names[0].lineno - 1, names[0].col_offset, names[-1].end_col_offset
                    line = self.lines[row]
                    self.lines[row] = line[:first] + ", ".join('"%s"' % v for v in ordered) + line[last:]
                    self.report(statement.lineno, "the names of load() out of order")

    def run(self):
        self.sort_loads()
        for node in ast.walk(self.tree):
            for keyword in node.keywords if isinstance(node, ast.Call) else ():
                if keyword.arg in ATTRIBUTES:
                    for lists in literal_lists(keyword.value):
                        self.sort_list(keyword.arg, lists)
        return self.findings

    def write(self):
        with open(self.path, "w", encoding="utf-8") as file:
            file.write("\n".join(line for line in self.lines if line is not None))


def main():
    if sys.argv[1:] not in ([], ["--fix"]):
        sys.exit(__doc__)
    paths = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard", "--", "BUILD.bazel",
                            "*/BUILD.bazel", "*.bzl", "*.BUILD"], stdout=subprocess.PIPE, text=True, check=True).stdout.split()
    files, findings = 0, []
    for path in sorted(set(paths)):
        try:
            file = File(path)
        except FileNotFoundError:
            continue  # deleted, and not yet committed
        files += 1
        found = file.run()
        if found and sys.argv[1:] == ["--fix"]:
            file.write()
            found = File(path).run()  # what is left for a hand
        findings += found
    print("\n".join(findings + ["%d files, %d lists or loads out of order" % (files, len(findings))]))
    return 1 if findings else 0


sys.exit(main())
