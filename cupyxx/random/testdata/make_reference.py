#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes reference.h: the first numbers of a stream, from an implementation of Philox in Python's integers and of the
transforms in NumPy's long double."""
import numpy as np

SEED, OFFSET, BLOCKS = 0x299F31D0A4093822, 0xFFFFFFFF - 3, 8  # the counter's carry is among them
MASK = 0xFFFFFFFF


def philox(counter, key):
    c, k = list(counter), list(key)
    for _ in range(10):
        p0, p1 = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
        c = [(p1 >> 32) ^ c[1] ^ k[0], p1 & MASK, (p0 >> 32) ^ c[3] ^ k[1], p0 & MASK]
        k = [(k[0] + 0x9E3779B9) & MASK, (k[1] + 0xBB67AE85) & MASK]
    return c


def block(i, step=0, branch=0):
    at = OFFSET + i
    return philox([at >> 32, at & MASK, step, branch], [SEED & MASK, SEED >> 32])


assert philox([0] * 4, [0] * 2) == [0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8]
L = np.longdouble
PI = L("3.14159265358979323846264338327950288")
words = [w for i in range(BLOCKS) for w in block(i)]
pairs = [words[i] | words[i + 1] << 32 for i in range(0, len(words), 2)]


def normal(u, half_turns, left):
    r = np.sqrt(L(-2) * np.log(u))
    c, s = np.cos(PI * half_turns), np.sin(PI * half_turns)
    return [-r * c if left else r * c, r * s]


def signed(word):
    return word - ((word >> 31) << 32)


def normals32():
    for w0, w1 in zip(words[::2], words[1::2]):
        u = np.float32(np.abs(np.float32(signed(w0))) + np.float32(0.5))
        yield from normal(L(u) / L(2) ** 31, L(signed(w1)) / L(2) ** 32, w0 >> 31)


def normals64():
    for a, b in zip(pairs[::2], pairs[1::2]):
        u = 1 - (a >> 11) * 2.0**-53
        direction = (b << 1) & (2**64 - 1)
        yield from normal(L(u), L((direction >> 12) * 2.0**-52) - L(0.5), b >> 63)


def bounded(low, high):  # closed, by Lemire's method
    count = high - low + 1
    if count <= 1 << 32:
        for i in range(BLOCKS):
            for lane, w in enumerate(block(i)):
                step = 0
                while (w * count & MASK) < (1 << 32) % count:
                    step += 1
                    w = block(i, step, lane + 1)[0]
                yield low + (w * count >> 32)
    else:
        for i in range(BLOCKS):
            b = block(i)
            for lane, w in enumerate([b[0] | b[1] << 32, b[2] | b[3] << 32]):
                step = 0
                while (w * count & (2**64 - 1)) < (1 << 64) % count:
                    step += 1
                    more = block(i, step, lane + 1)
                    w = more[0] | more[1] << 32
                yield low + (w * count >> 64)


def table(out, kind, name, values):
    out.write(f"inline constexpr {kind} {name}[] = {{{', '.join(values)}}};\n")


with open("reference.h", "w") as out:
    out.write("""// SPDX-License-Identifier: MIT
// Written by make_reference.py; not by hand.
// clang-format off
#pragma once

namespace cupyxx::random::testdata {

""")
    out.write(f"inline constexpr unsigned long kSeed = {SEED:#x}ul, kOffset = {OFFSET:#x}ul;\n")
    table(out, "unsigned", "kWords", [f"{w:#x}u" for w in words])
    table(out, "float", "kUniform32", [float((w >> 8) * 2.0**-24).hex() + "f" for w in words])
    table(out, "double", "kUniform64", [float((p >> 11) * 2.0**-53).hex() for p in pairs])
    table(out, "double", "kNormal32", [float(z).hex() for z in normals32()])
    table(out, "double", "kNormal64", [float(z).hex() for z in normals64()])
    table(out, "long", "kDice", [str(v) for v in bounded(1, 6)])
    # A quarter of the words is refused, and half of them.
    table(out, "long", "kManyRefused", [str(v) for v in bounded(-5, 3 * 2**30 - 6)])
    table(out, "unsigned long", "kHalfRefused", [f"{v}ul" for v in bounded(7, 2**63 + 7)])
    out.write("\n}  // namespace cupyxx::random::testdata\n")
