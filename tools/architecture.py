#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws docs/architecture.svg: the components of the repository and their dependencies, from the build graph.

    tools/architecture.py            writes the drawing
    tools/architecture.py --check    ends with 1 where the committed one is another
    tools/architecture.py --edges    prints all edges between components with an example of each

A component (ROOMS below) is a folder, or a few targets of one. An arrow means "uses"; arrows
that follow from others are left out. Hold the mouse over a component to see all. Edges to a component above are red.
Tests and what is for them alone are not drawn.
"""
import collections
import html
import re
import subprocess
import sys
import xml.etree.ElementTree

OUTPUT = "docs/architecture.svg"

# What is drawn, from the top: a title for each level and its rooms, with what is in them. A target belongs to the room
# with the longest of the patterns that match the start of its label.
ROOMS = [
    ("programs", [
        ("examples", "tour, images, a language model", ["//examples/"]),
        ("conformance", "cases of NumPy, Chainer, Caffe", ["//conformance/", "//conformance:"]),
        ("benchmarks", "what is said about speed", ["//benchmarks/", "//benchmarks:"]),
    ]),
    ("chainerxx", [
        ("chainerxx/functions", "layers, activations, losses", [
            "//chainerxx/functions/", "//chainerxx/functions:", "//chainerxx:chainerxx", "//chainerxx:computational_graph",
            "//chainerxx:serializers", "//chainerxx:capture", "//chainerxx:cuda", "//chainerxx/utils"]),
        ("chainerxx/optimizers", "update rules, schedules", ["//chainerxx/optimizers"]),
    ]),
    ("", [
        ("chainerxx", "Variable, Function, FunctionSet", ["//chainerxx:"]),
    ]),
    ("", [
        ("chainerxx/internal", "graph, kernels, host loops", ["//chainerxx/internal"]),
    ]),
    ("gradcheck, typecheck", [
        ("gradcheck", "gradients by finite differences", ["//gradcheck:", "//gradcheck/"]),
        ("typecheck", "conditions that print themselves", ["//typecheck:", "//typecheck/"]),
    ]),
    ("cupyxx", [
        ("chapters", "math, sorting, linalg, io, random", [
            "//cupyxx:", "//cupyxx/", "//cupyxx/core:methods"]),
    ]),
    ("", [
        ("kernel/user_kernel", "kernels given as text", ["//cupyxx/kernel/user_kernel"]),
        ("kernel/raw_kernel", "CUDA kernels of users", ["//cupyxx/kernel/raw_kernel"]),
        ("kernel/fusion", "fuse(): operations in one", ["//cupyxx/kernel/fusion"]),
        ("internal/random", "streams of numbers", ["//cupyxx/internal/random"]),
        ("internal/printing", "arrays as text", ["//cupyxx/internal/printing"]),
    ]),
    ("", [
        ("extension", "operations, kernels of others", ["//cupyxx/extension"]),
        ("core", "indexing, assignment, creation", ["//cupyxx/core"]),
    ]),
    ("backends", [
        ("internal/cpu", "loops, threads, BLAS, LAPACK", ["//cupyxx/internal/cpu"]),
        ("internal/gpu", "launches, memory, streams", ["//cupyxx/internal/gpu"]),
        ("internal/jit", "programs, NVRTC, caches, bundle", ["//cupyxx/internal/jit"]),
    ]),
    ("", [
        ("array", "the handle, its body, views", [
            "//cupyxx/core:array", "//cupyxx/core:body", "//cupyxx/core:foreign_storage"]),
    ]),
    ("", [
        ("internal", "what backends are handed", ["//cupyxx/internal:"]),
        ("runtime", "memory, pools, streams", [
            "//cupyxx/internal/cpu:allocator", "//cupyxx/internal/gpu:runtime", "//cupyxx/internal/gpu/memory:pool",
            "//cupyxx/internal/gpu:check"]),
        ("internal/kernels", "device code", ["//cupyxx/internal/kernels"]),
        ("cuda", "devices, streams, pools of users", ["//cupyxx/cuda"]),
    ]),
    ("", [
        ("ops", "one struct for each operation", ["//cupyxx/ops"]),
        ("internal/diagnostics", "notes of launches and memory", ["//cupyxx/internal/diagnostics"]),
        ("internal/io", "npy, safe writing", ["//cupyxx/internal/io"]),
    ]),
    ("", [
        ("values", "dtype, shape, scalar, errors", [
            "//cupyxx:" + name for name in ("export", "error", "linalg_error", "dtype", "shape", "scalar", "device",
                                            "version", "message")] + ["//cupyxx/core:owned", "//cupyxx/values"]),
    ]),
]
# Folders of cupyxx/internal that have no place above are drawn beside the backends.
OTHERS = "backends"

WIDTH, LEFT, BOX_WIDTH, BOX_HEIGHT, GAP = 1180, 96, 200, 42, 46


def build_graph():
    """The labels of all libraries and programs that are not for tests, with what each names in its attributes."""
    text = subprocess.run(
        ["bazel", "query", "--noshow_progress", "--ui_event_filters=-info,-warning", "--noimplicit_deps", "--output=xml",
         "attr(testonly, 0, kind('cc_library|cc_binary|_link_only', //...))"],
        stdout=subprocess.PIPE, check=True).stdout
    # Bazel says 1.1, which Python's parser refuses.
    tree = xml.etree.ElementTree.fromstring(text.replace(b'version="1.1"', b'version="1.0"', 1))
    return {rule.get("name"): [label.get("name") for label in rule.iter("rule-input")] for rule in tree.iter("rule")}


def room_of(label, levels):
    """The room of a label, or None for what is not drawn."""
    best, best_length = None, 0
    for _, rooms in levels:
        for name, _, patterns in rooms:
            for pattern in patterns:
                # What a macro makes beside a target is named after it: dtype_impl, dtype_link, memory_pool_header.
                matches = label.startswith(pattern) and (
                    pattern[-1] in "/:" or re.match(r"(_impl|_link|_headers?|[/:]|$)", label[len(pattern):]))
                if matches and len(pattern) > best_length:
                    best, best_length = name, len(pattern)
    return best


def place_others(graph):
    """ROOMS, and the folders of cupyxx/internal that it does not know."""
    levels = [(title, list(rooms)) for title, rooms in ROOMS]
    known = {pattern for _, rooms in levels for _, _, patterns in rooms for pattern in patterns}
    for folder in sorted({match.group(1) for match in (re.match(r"//cupyxx/(internal/\w+)", label) for label in graph) if match}):
        if "//cupyxx/" + folder not in known:
            next(rooms for title, rooms in levels if title == OTHERS).append((folder, "", ["//cupyxx/" + folder]))
    return levels


def room_edges(graph, levels):
    """{(user, used): [(label, label), ...]} between rooms."""
    rooms = {label: room_of(label, levels) for label in graph}
    edges = collections.defaultdict(list)
    for user, labels in graph.items():
        for used in labels:
            if used in graph and rooms[user] and rooms[used] and rooms[user] != rooms[used]:
                edges[rooms[user], rooms[used]].append((user, used))
    return {edge: sorted(set(examples)) for edge, examples in sorted(edges.items())}


def without_those_that_follow(edges, level):
    """The downward edges that no chain of other downward edges stands for."""
    down = {(a, b) for a, b in edges if level[a] < level[b]}
    below = collections.defaultdict(set)
    for room in sorted(level, key=lambda r: -level[r]):
        for a, b in down:
            if a == room:
                below[a] |= {b} | below[b]
    return {(a, b) for a, b in down if not any((a, c) in down and b in below[c] for c in level if c != b)}


def order_rooms(levels, arrows):
    """The rooms of each level from left to right, those that belong together above each other."""
    rows = [[name for name, _, _ in rooms] for _, rooms in levels]
    x = {name: (i + 0.5) / len(row) for row in rows for i, name in enumerate(row)}
    for sweep in range(6):
        for row in rows if sweep % 2 == 0 else rows[::-1]:
            def middle(name):
                near = [x[b if a == name else a] for a, b in sorted(arrows) if name in (a, b)]
                return sum(near) / len(near) if near else x[name]
            row.sort(key=lambda name: (round(middle(name), 6), name))
            for i, name in enumerate(row):
                x[name] = (i + 0.5) / len(row)
    return rows, x


def draw(graph):
    levels = place_others(graph)
    edges = room_edges(graph, levels)
    used = {room for edge in edges for room in edge}
    levels = [(title, [room for room in rooms if room[0] in used]) for title, rooms in levels]
    levels = [(title, rooms) for title, rooms in levels if rooms]
    level = {name: i for i, (_, rooms) in enumerate(levels) for name, _, _ in rooms}
    what = {name: text for _, rooms in levels for name, text, _ in rooms}
    down = without_those_that_follow(edges, level)
    up = {(a, b) for a, b in edges if level[a] > level[b]}
    beside = {(a, b) for a, b in edges if level[a] == level[b]}
    rows, place = order_rooms(levels, down)

    def left(name):
        return LEFT + place[name] * (WIDTH - LEFT - 16) - BOX_WIDTH / 2

    def top(name):
        return 40 + level[name] * (BOX_HEIGHT + GAP)

    height = 40 + len(levels) * (BOX_HEIGHT + GAP) + 30
    out = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif">' % (WIDTH, height),
           '<!-- Made by tools/architecture.py from the build graph; do not edit. -->',
           '<defs>']
    for color in ("#5b6b7d", "#c0392b", "#9aa7b4"):
        out.append('<marker id="m%s" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
                   '<path d="M0,0 L8,4 L0,8 z" fill="%s"/></marker>' % (color[1:], color))
    out += ['</defs>', '<rect width="%d" height="%d" fill="#ffffff"/>' % (WIDTH, height)]
    # The bands of the libraries.
    starts = [i for i, (title, _) in enumerate(levels) if title] + [len(levels)]
    for index, (first, end) in enumerate(zip(starts, starts[1:])):
        y = 40 + first * (BOX_HEIGHT + GAP) - GAP / 2
        out.append('<rect x="4" y="%.1f" width="%d" height="%.1f" rx="6" fill="%s"/>' % (
            y, WIDTH - 8, (end - first) * (BOX_HEIGHT + GAP) - 4, ("#f2f5f8", "#e8eef4")[index % 2]))
        out.append('<text x="14" y="%.1f" font-size="13" font-weight="bold" fill="#44566c">%s</text>' % (
            y + 20, html.escape(levels[first][0])))

    def ends(a, b, kind):
        """The ports of an arrow: spread along the sides, in the order of where they lead."""
        def port(name, side, other):
            ports = sorted({(place[q if p == name else p], p, q) for p, q in kind
                            if name in (p, q) and (side == "bottom") == (level[q if p == name else p] > level[name])})
            index = next(i for i, (_, p, q) in enumerate(ports) if {p, q} == {name, other})
            return left(name) + BOX_WIDTH * (index + 1) / (len(ports) + 1)
        going_down = level[a] < level[b]
        return (port(a, "bottom" if going_down else "top", b), top(a) + (BOX_HEIGHT if going_down else 0),
                port(b, "top" if going_down else "bottom", a), top(b) + (0 if going_down else BOX_HEIGHT))

    for kind, color, dash in ((down, "#5b6b7d", ""), (up, "#c0392b", ' stroke-dasharray="5 3"')):
        for a, b in sorted(kind):
            x1, y1, x2, y2 = ends(a, b, kind)
            bend = (y2 - y1) * 0.45
            title = "%s uses %s: %s" % (a, b, "; ".join("%s uses %s" % pair for pair in edges[a, b][:3]))
            out.append('<path d="M%.1f,%.1f C%.1f,%.1f %.1f,%.1f %.1f,%.1f" fill="none" stroke="%s" stroke-width="1.3"%s '
                       'marker-end="url(#m%s)"><title>%s</title></path>' % (
                           x1, y1, x1, y1 + bend, x2, y2 - bend, x2, y2, color, dash, color[1:], html.escape(title)))
    for a, b in sorted(beside):
        going_right = place[a] < place[b]
        x1 = left(a) + (BOX_WIDTH if going_right else 0)
        x2 = left(b) + (0 if going_right else BOX_WIDTH)
        y = top(a) + BOX_HEIGHT / 2 + (-7 if going_right else 7)
        dip = 0 if abs(x2 - x1) < BOX_WIDTH else BOX_HEIGHT
        out.append('<path d="M%.1f,%.1f C%.1f,%.1f %.1f,%.1f %.1f,%.1f" fill="none" stroke="#9aa7b4" stroke-width="1.3" '
                   'marker-end="url(#m9aa7b4)"><title>%s uses %s</title></path>' % (
                       x1, y, x1, y + dip, x2, y + dip, x2, y, a, b))
    for row in rows:
        for name in row:
            all_used = sorted(b for a, b in edges if a == name)
            users = sorted(a for a, b in edges if b == name)
            title = "%s uses %s; used by %s" % (name, ", ".join(all_used) or "nothing", ", ".join(users) or "nobody")
            out.append('<g><title>%s</title><rect x="%.1f" y="%.1f" width="%d" height="%d" rx="5" fill="#ffffff" '
                       'stroke="#44566c"/>' % (html.escape(title), left(name), top(name), BOX_WIDTH, BOX_HEIGHT))
            out.append('<text x="%.1f" y="%.1f" font-size="14" text-anchor="middle" fill="#16202b">%s</text>' % (
                left(name) + BOX_WIDTH / 2, top(name) + (18 if what[name] else 26), html.escape(name)))
            if what[name]:
                out.append('<text x="%.1f" y="%.1f" font-size="11" text-anchor="middle" fill="#5b6b7d">%s</text>' % (
                    left(name) + BOX_WIDTH / 2, top(name) + 34, html.escape(what[name])))
            out.append('</g>')
    out.append('<text x="14" y="%d" font-size="12" fill="#44566c">An arrow means "uses"; those that follow from others are '
               'left out. Red: uses a component above its own (%d of %d edges).</text>' % (height - 10, len(up), len(edges)))
    out.append('</svg>')
    return "\n".join(out) + "\n", edges, level


def main():
    drawing, edges, level = draw(build_graph())
    if sys.argv[1:] == ["--edges"]:
        for (a, b), examples in edges.items():
            print("%s %-22s %-22s %4d  %s -> %s" % (" ^"[level[a] > level[b]], a, b, len(examples), *examples[0]))
        return 0
    if sys.argv[1:] == ["--check"]:
        with open(OUTPUT, encoding="utf-8") as file:
            same = file.read() == drawing
        print("%s: %d rooms, %d edges%s" % (OUTPUT, len(level), len(edges),
                                            "" if same else "; not as the build graph is: run tools/architecture.py"))
        return 0 if same else 1
    if sys.argv[1:]:
        sys.exit(__doc__)
    with open(OUTPUT, "w", encoding="utf-8") as file:
        file.write(drawing)
    return 0


sys.exit(main())
