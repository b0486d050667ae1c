#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The benchmark matrix of arrays on a GPU: our programs beside PyTorch and CuPy, and the goals.

    python3 benchmarks/matrix.py --run=bazel-bin/benchmarks/ --out=FOLDER [--only=REGEX]
    python3 benchmarks/peers.py --json=FOLDER/peers.jsonl
    python3 benchmarks/function_peers.py --only=linear >>FOLDER/peers.jsonl
    python3 benchmarks/matrix.py --out=FOLDER [--check]

The first command runs our programs with what the matrix needs of them and keeps Google Benchmark's JSON in FOLDER; the
last one merges it with the peers' lines. A row has our value, the best peer's, their ratio (above 1: we are faster),
the share of the physical limit of the same run, and the goals. Rates of memory are measured against the better of our
copy and PyTorch's. `--check` fails when a row misses a goal. With `--separator=_` the programs are called
`benchmarks_cupyxx_elementwise` instead of `benchmarks/cupyxx/elementwise`. Standard library only.
"""
import argparse
import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass

N26 = 1 << 26
COPY_OURS = ("cupyxx/elementwise", f"Copy/float32/{N26}")
COPY_PEERS = "copy 2^26"


@dataclass
class Row:
    """One line: which of our benchmarks, which row of peers.py, and what is asked for."""
    number: int
    name: str
    program: str
    benchmark: str
    unit: str  # TB/s, TFLOP/s, GB/s: more is better; ns, us: less is better
    peers: str = ""
    ratio: float = 0  # over the best peer
    share: float = 0  # of the copy rate
    most: float = 0  # for times
    least: float = 0  # for rates
    counter: str = ""

    def is_time(self):
        return self.unit in ("ns", "us")

    def goal(self):
        parts = []
        if self.ratio:
            parts.append(f">= {self.ratio:g}x")
        if self.share:
            parts.append(f">= {self.share:g} of the copy")
        if self.most:
            parts.append(f"<= {self.most:g} {self.unit}")
        if self.least:
            parts.append(f">= {self.least:g} {self.unit}")
        return ", ".join(parts)


def rate(number, name, program, benchmark, peers, ratio, share):
    return Row(number, name, "cupyxx/" + program, benchmark, "TB/s", peers, ratio, share)


def product(number, name, benchmark, peers, ratio):
    return Row(number, name, "cupyxx/matmul", benchmark, "TFLOP/s", peers, ratio, counter="FLOP/s")


def small(number, name, benchmark, peers, ratio, most, counter="call_ns"):
    return Row(number, name, "cupyxx/small_arrays", benchmark, "ns", peers, ratio, most=most, counter=counter)


def copies(direction, kind):
    benchmark = f"To{'Device' if direction == 'device' else 'Host'}/{kind}/"
    name = f"to {direction}, {kind}, "
    return [Row(38, name + "256 MiB", "cupyxx/transfers", f"{benchmark}{256 << 20}", "GB/s", name + "256 MiB", 1),
            Row(38, name + "4 KiB", "cupyxx/transfers", f"{benchmark}{4 << 10}", "us", name + "4 KiB", 1)]


ROWS = [
    small(1, "add of 16 floats, new array, above a bare launch", "AddNewAboveBareLaunch", "", 0, 300, "above_cuda_ns"),
    small(1, "add of 16 floats, new array", "AddNewAboveBareLaunch", "add of 16 floats, new", 1, 0),
    small(2, "sum of 16 floats, above a bare launch", "SumAboveBareLaunch", "", 0, 400, "above_cuda_ns"),
    small(2, "sum of 16 floats", "SumAboveBareLaunch", "sum of 16 floats", 1, 0),
    small(3, "slice of two axes", "Slice", "slice", 3, 25, ""),
    Row(4, "allocate and free 1 KiB", "cupyxx/pool_blocks", "TakeAndGive/1024", "ns", "allocate and free 1 KiB",
        most=40),
    Row(4, "allocate and free 1 MiB", "cupyxx/pool_blocks", "TakeAndGive/1048576", "ns", "allocate and free 1 MiB",
        most=40),
    Row(5, "random mix of blocks, p99 of a call", "cupyxx/pool_blocks", "RandomMix/live:10000/log:0", "ns",
        most=300, counter="p99_call_ns"),
    Row(5, "random mix of blocks, p99 of a pair", "cupyxx/pool_blocks", "RandomMix/live:10000/log:0", "ns",
        "random mix of blocks, p99", 1, counter="p99_ns"),
    small(6, "matmul 2x2", "MatmulAboveBareLaunch", "matmul 2x2", 2.3, 4000),
    rate(7, "add 2^26 float32", "elementwise", f"Add/float32/{N26}", "add 2^26", 1, 0.97),
    rate(8, "exp 2^26 float32", "elementwise", f"Exp/float32/{N26}", "exp 2^26", 1.02, 0.96),
    rate(9, "add 2^27 float16", "elementwise", f"Add/float16/{1 << 27}", "add 2^27 float16", 1.02, 0.95),
    rate(9, "add 2^28 int8", "elementwise", f"Add/int8/{1 << 28}", "add 2^28 int8", 1.02, 0.95),
    rate(10, "fused (x-y)*(x-y)*z+1, 2^26", "fusion", f"ChainFused/{N26}", "fused chain (x-y)*(x-y)*z+1", 1.03, 0.95),
    rate(10, "the same as text, ElementwiseKernel", "user_kernels", f"Chain/float32/{N26}", "chain (x-y)*(x-y)*z+1",
         1.03, 0.95),
    rate(10, "the same, a row and a column operand", "user_kernels", "ChainBroadcast", "", 0, 0.95),
    rate(10, "the same, a transposed operand", "user_kernels", "ChainTransposed", "", 0, 0.9),
    rate(10, "a user's L2 norm of rows", "user_kernels", "Norm/rows", "norm of rows", 1, 0.93),
    rate(11, "cast float32 to float16", "elementwise", f"CastToFloat16/{N26}", "cast float32 to float16", 1.03, 0.96),
    rate(12, "row broadcast", "elementwise", "AddRow/float32", "row broadcast", 1.5, 0.95),
    rate(12, "row broadcast int8", "elementwise", "AddRow/int8", "row broadcast int8", 1.5, 0.95),
    rate(12, "column broadcast", "elementwise", "AddColumn", "column broadcast", 1.5, 0.95),
    rate(13, "transposed copy float32", "elementwise", "CopyTransposed/float32", "transposed copy float32", 3.4, 0.9),
    rate(13, "transposed copy float16", "elementwise", "CopyTransposed/float16", "transposed copy float16", 3.4, 0.9),
    rate(13, "transposed copy uint8", "elementwise", "CopyTransposed/uint8", "transposed copy uint8", 3.4, 0.9),
    rate(13, "transposed copy float64", "elementwise", "CopyTransposed/float64", "transposed copy float64", 1, 0.9),
    rate(14, "add of every other column", "elementwise", "AddStrided", "add of every other column", 1.15, 0.92),
    rate(15, "sum 2^26 float32", "reductions", f"SumAll/float32/{N26}", "sum 2^26", 1.12, 0.95),
    rate(15, "sum 2^26 float16", "reductions", f"SumAll/float16/{N26}", "sum 2^26 float16", 1.25, 0.95),
    rate(15, "sum 2^30 float32", "reductions", f"SumAll/large/{1 << 30}", "sum 2^30", 1, 0.95),
    rate(16, "sum axis 0", "reductions", "SumOf/axis0", "sum axis 0", 1.2, 0.95),
    rate(16, "sum axis 1", "reductions", "SumOf/axis1", "sum axis 1", 1.08, 0.95),
    rate(17, "sum of short rows, 8M x 8", "reductions", "SumOf/short_rows", "sum of short rows", 1.15, 0.93),
    rate(18, "sum (0, 2, 3) of NCHW", "reductions", "SumOf/channels", "sum over channels", 1.8, 0.92),
    rate(19, "argmax of rows", "reductions", "ArgmaxRows", "argmax of rows", 1.85, 0.92),
    rate(19, "variance of rows", "reductions", "VarRows", "variance of rows", 1.85, 0.92),
    rate(20, "cumsum 2^26 float32", "sorting", f"RunningSum/float32/{N26}", "running sum", 1.3, 0.85),
    rate(20, "sort 2^26 uint32", "sorting", f"Sort/uint32/{N26}", "sort of 32-bit words", 0.8, 0),
    rate(21, "take rows", "gather", "TakeRows/long_rows", "take rows", 1.03, 0.95),
    rate(21, "select by mask", "gather", "Select", "select by mask", 1.3, 0),
    Row(22, "uniform 2^26 float32", "cupyxx/random", f"Uniform/float32/{N26}", "TB/s", "uniform 2^26", 1.6, least=3.6),
    Row(22, "normal 2^26 float32", "cupyxx/random", f"Normal/float32/{N26}", "TB/s", "normal 2^26", 1.5, least=3.4),
    rate(23, "concatenate 2 x 256 MB", "gather", "Concatenate", "concatenate", 1.05, 0.96),
    product(24, "matmul 8192^3 float32", "LargeMatmul/float32/8192/8192/8192", "matmul 8192^3 float32", 0.99),
    product(24, "matmul 8192^3 bfloat16", "LargeMatmul/bfloat16/8192/8192/8192", "matmul 8192^3 bfloat16", 0.99),
    product(24, "matmul 8192^3 float16", "LargeMatmul/float16/8192/8192/8192", "matmul 8192^3 float16", 0.99),
    product(24, "matmul 4096^3 float64", "LargeMatmul/float64/4096/4096/4096", "matmul 4096^3 float64", 0.99),
    *[Row(25, name, "chainerxx/functions", name, "us", name, ratio)
      for name, ratio in (("linear, bias, ReLU 100x784x1000 float32, both ways", 2),
                          ("linear, bias, ReLU 8192x4096x4096 float32, both ways", 1.02))],
    product(26, "matmul 512 x 64^3 float32", "BatchedMatmul/512/64", "matmul 512 x 64^3", 1),
    *[row for direction in ("device", "host") for kind in ("pinned", "ordinary") for row in copies(direction, kind)],
]


def matches(row, name):
    """Whether a benchmark is the row's; Google Benchmark appends /real_time and the like."""
    return name == row.benchmark or name.startswith(row.benchmark + "/")


def json_path(folder, program):
    return os.path.join(folder, program.replace("/", "_") + ".json")


def escaped(name):
    """For Google Benchmark's expressions, which know fewer escapes than Python's."""
    return re.sub(r"([.^$*+?()\[\]{}|\\])", r"\\\1", name)


def run_programs(prefix, separator, folder, only):
    os.makedirs(folder, exist_ok=True)
    programs = {}
    for program, benchmark in [COPY_OURS] + [(row.program, row.benchmark) for row in ROWS if re.search(only, row.name)]:
        programs.setdefault(program, set()).add(escaped(benchmark))
    for program, benchmarks in programs.items():
        subprocess.run([prefix + program.replace("/", separator), "--device=cuda", "--benchmark_min_time=0.02",
                        f"--benchmark_filter=^({'|'.join(sorted(benchmarks))})(/|$)",
                        f"--benchmark_out={json_path(folder, program)}", "--benchmark_out_format=json"], check=False)


def value_of(benchmark, row):
    """In the row's unit."""
    if row.counter:
        return benchmark[row.counter] / (1e12 if row.unit == "TFLOP/s" else 1)
    if row.is_time():
        to_ns = {"ns": 1, "us": 1e3, "ms": 1e6}[benchmark["time_unit"]]
        return benchmark["real_time"] * to_ns / (1e3 if row.unit == "us" else 1)
    return benchmark["bytes_per_second"] / (1e12 if row.unit == "TB/s" else 1e9)


def our_value(folder, row):
    """None where the program did not run or the benchmark failed."""
    path = json_path(folder, row.program)
    if not os.path.exists(path) or os.path.getsize(path) == 0:
        return None
    with open(path, encoding="utf-8") as file:
        for benchmark in json.load(file)["benchmarks"]:
            if matches(row, benchmark["name"]) and not benchmark.get("error_occurred"):
                return value_of(benchmark, row)
    return None


def peer_values(folder):
    """Of each row of peers.py the peers' values."""
    values = {}
    path = os.path.join(folder, "peers.jsonl")
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            for line in map(json.loads, file):
                values.setdefault(line["row"], []).append((line["value"], line["peer"]))
    return values


def judged(row, ours, best, copy):
    """The ratio and the share as numbers or None, and whether every goal that can be judged is met."""
    ratio = share = None
    if best is not None:
        ratio = best[0] / ours if row.is_time() else ours / best[0]
    if row.unit == "TB/s" and copy:
        share = ours / copy
    met = ((ratio is None or ratio >= row.ratio) and (share is None or share >= row.share) and
           (not row.most or ours <= row.most) and ours >= row.least)
    return ratio, share, met


def merge(folder):
    """Prints the table; the number of missed goals."""
    peers = peer_values(folder)
    copies_of_run = [our_value(folder, Row(0, "copy", *COPY_OURS, "TB/s"))] + [v for v, _ in peers.get(COPY_PEERS, [])]
    copy = max((value for value in copies_of_run if value), default=0)
    print(f"Copy rate of the run: {copy:.2f} TB/s\n")
    print("| # | row | ours | best peer | ratio | share | goal | |\n| --- | --- | --- | --- | --- | --- | --- | --- |")
    missed = 0
    for row in ROWS:
        ours = our_value(folder, row)
        if ours is None:
            continue
        choose = min if row.is_time() else max
        best = choose(peers[row.peers]) if row.peers in peers else None
        ratio, share, met = judged(row, ours, best, copy)
        missed += not met
        cells = [str(row.number), row.name, f"{ours:.4g} {row.unit}", f"{best[0]:.4g} {best[1]}" if best else "",
                 f"{ratio:.2f}" if ratio else "", f"{share:.2f}" if share else "", row.goal(), "" if met else "missed"]
        print("| " + " | ".join(cells) + " |")
    print(f"\n{missed} of the rows above miss their goals.")
    return missed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", required=True, help="the folder of the JSON files")
    parser.add_argument("--run", help="where our programs are; without it the results are merged")
    parser.add_argument("--separator", default="/", help="between the parts of a program's name")
    parser.add_argument("--only", default="", help="run the rows whose names hold this expression")
    parser.add_argument("--check", action="store_true", help="fail when a goal is missed")
    options = parser.parse_args()
    if options.run:
        run_programs(options.run, options.separator, options.out, options.only)
    elif merge(options.out) and options.check:
        sys.exit(1)


if __name__ == "__main__":
    main()
