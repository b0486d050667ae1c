#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws docs/guide/parallel_cost.svg: the time of an all-reduce over up to 1,024 GPUs, by the alpha-beta model.

    tools/parallel_cost.py                     # with the constants below
    tools/parallel_cost.py --alpha=5 --beta=50 # between machines: microseconds, GB/s

Within a machine of 8 the constants are those that PyTorch's all-reduce had on 4 H200 with NVLink: a bus bandwidth of 354 GB/s at 1 GiB, and
21 us for 4 KiB, of which 15 us are taken for the launch and 1 us for each of 6 steps. Between machines nothing was measured: 5 us and
50 GB/s, a network of 400 Gbit/s for each GPU, are assumptions.
"""
import argparse
import math
import pathlib

IN_MACHINE = 8
LAUNCH = 15e-6  # seconds before the first byte goes


def ring(p, n, alpha, beta):
    """Seconds of an all-reduce of n bytes over p ranks in a ring."""
    return 2 * (p - 1) * alpha + 2 * n * (p - 1) / p / beta


def tree(p, n, alpha, beta):
    """The same in a double binary tree, whose two halves keep both directions busy."""
    return 2 * math.log2(p) * alpha + 2 * n / beta


def time(p, n, algorithm, links):
    """Within a machine a ring over NVLink, then between the machines on the part of each GPU."""
    (alpha_in, beta_in), (alpha_out, beta_out) = links
    inside = min(p, IN_MACHINE)
    machines = max(1, p // IN_MACHINE)
    total = LAUNCH + (ring(inside, n, alpha_in, beta_in) if inside > 1 else 0)
    if machines > 1:
        total += algorithm(machines, n / inside, alpha_out, beta_out)
    return total


def draw(links):
    width, height, left, bottom = 720, 400, 70, 50
    ranks = [2**k for k in range(1, 11)]
    sizes = [(4 << 10, "4 KiB"), (1 << 20, "1 MiB"), (25 << 20, "25 MiB"), (1 << 30, "1 GiB")]
    low, high = 1e-5, 1e-1

    def x(p):
        return left + (width - left - 90) * (math.log2(p) - 1) / 9

    def y(seconds):
        return height - bottom - (height - bottom - 20) * math.log10(seconds / low) / math.log10(high / low)

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif" font-size="12">',
           f'<rect width="{width}" height="{height}" fill="white"/>']
    for p in ranks:
        out.append(f'<line x1="{x(p):.1f}" y1="20" x2="{x(p):.1f}" y2="{height - bottom}" stroke="#ddd"/>')
        out.append(f'<text x="{x(p):.1f}" y="{height - bottom + 18}" text-anchor="middle">{p}</text>')
    for exponent in range(-5, 0):
        at = y(10.0**exponent)
        label = f"{10.0**(exponent + 6):g} us" if exponent < -3 else f"{10.0**(exponent + 3):g} ms"
        out.append(f'<line x1="{left}" y1="{at:.1f}" x2="{width - 90}" y2="{at:.1f}" stroke="#ddd"/>')
        out.append(f'<text x="{left - 6}" y="{at + 4:.1f}" text-anchor="end">{label}</text>')
    for algorithm, dash in ((ring, ""), (tree, ' stroke-dasharray="5 4"')):
        for (n, name), colour in zip(sizes, ("#1b6ca8", "#2a9d4a", "#c77d0a", "#b3261e")):
            points = " ".join(f"{x(p):.1f},{y(time(p, n, algorithm, links)):.1f}" for p in ranks)
            out.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"{dash}/>')
            if algorithm is ring:
                out.append(f'<text x="{width - 84}" y="{y(time(1024, n, algorithm, links)) + 4:.1f}" fill="{colour}">{name}</text>')
    out.append(f'<text x="{(width + left - 90) / 2:.0f}" y="{height - 12}" text-anchor="middle">GPUs, 8 a machine; '
               "whole lines: ring between machines, dashed: tree</text>")
    out.append("</svg>")
    return "\n".join(out) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--alpha", type=float, default=5, help="between machines, microseconds")
    parser.add_argument("--beta", type=float, default=50, help="between machines, GB/s for each GPU")
    options = parser.parse_args()
    links = ((1e-6, 354e9), (options.alpha * 1e-6, options.beta * 1e9))
    target = pathlib.Path(__file__).resolve().parent.parent / "docs/guide/parallel_cost.svg"
    target.write_text(draw(links))


if __name__ == "__main__":
    main()
