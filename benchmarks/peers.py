#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What PyTorch, CuPy and NumPy take for the rows of docs/performance.md.

    python3 benchmarks/peers.py [--torch] [--cupy] [--numpy] [--only=REGEX] [--json=FILE]

Prints `row | peer | value unit` lines and, with --json, appends them to a file as one JSON object each, which
matrix.py reads. A row that a peer cannot do is left out with a note. Not needed to build, run or test anything here.
"""
import argparse
import json
import random
import re
import subprocess
import sys
import time

options = argparse.Namespace(only="", json=None)


def median(values):
    values = sorted(values)
    return values[len(values) // 2]


def host_ns(call, sync, calls=300, groups=20):
    """Nanoseconds of one call in a queue that never runs dry."""
    for _ in range(50):
        call()
    sync()
    times = []
    for _ in range(groups):
        start = time.perf_counter_ns()
        for _ in range(calls):
            call()
        times.append((time.perf_counter_ns() - start) / calls)
        sync()
    return median(times)


def step_us(call, sync, calls=100, groups=20):
    """Microseconds of one call, the wait for the device after `calls` of them included."""
    for _ in range(min(20, calls)):
        call()
    sync()
    times = []
    for _ in range(groups):
        start = time.perf_counter_ns()
        for _ in range(calls):
            call()
        sync()
        times.append((time.perf_counter_ns() - start) / calls / 1e3)
    return median(times)


def wanted(row):
    return re.search(options.only, row) is not None


def show(row, peer, value, unit):
    print(f"{row} | {peer} | {value:.4g} {unit}", flush=True)
    if options.json:
        with open(options.json, "a", encoding="utf-8") as file:
            file.write(json.dumps({"row": row, "peer": peer, "value": value, "unit": unit}) + "\n")


def measure(row, peer, timed, unit):
    """Shows what `timed` returns, unless the row is not asked for or the peer cannot do it."""
    if not wanted(row):
        return
    try:
        show(row, peer, timed(), unit)
    except Exception as error:  # whatever a peer throws, the other rows go on
        print(f"{row} | {peer} | {type(error).__name__}: {str(error).splitlines()[:1]}", file=sys.stderr)


def bandwidth(row, peer, call, sync, bytes_moved, calls=20):
    measure(row, peer, lambda: bytes_moved / step_us(call, sync, calls, 10) / 1e6, "TB/s")


def arithmetic(row, peer, call, sync, flops, calls=5):
    measure(row, peer, lambda: flops / step_us(call, sync, calls, 6) / 1e6, "TFLOP/s")


def host(row, peer, call, sync):
    measure(row, peer, lambda: host_ns(call, sync), "ns")


def transfer(row, peer, call, sync, nbytes):
    """Each copy is waited for."""
    small = nbytes < 1 << 20

    def timed():
        us = step_us(lambda: (call(), sync()), sync, 100 if small else 3, 5)
        return us if small else nbytes / us / 1e3

    measure(row, peer, timed, "us" if small else "GB/s")


def random_mix_ns(allocate, live=10000, pairs=20000):
    """The 99th percentile of freeing one of many blocks of 1 B to 2 MiB and taking another."""
    blocks = [allocate(random.randint(1, 2 << 20)) for _ in range(live)]
    times = []
    for i in range(pairs):
        at, size = random.randrange(live), random.randint(1, 2 << 20)
        start = time.perf_counter_ns()
        blocks[at] = None
        blocks[at] = allocate(size)
        if i >= pairs // 2:
            times.append(time.perf_counter_ns() - start)
    return sorted(times)[len(times) * 99 // 100]


def torch_rows():
    import torch
    peer = "PyTorch " + torch.__version__
    sync = torch.cuda.synchronize
    torch.backends.cuda.matmul.allow_tf32 = False
    a, b = torch.rand(16, device="cuda"), torch.rand(16, device="cuda")
    c = torch.empty(16, device="cuda")
    host("add of 16 floats, out", peer, lambda: torch.add(a, b, out=c), sync)
    host("add of 16 floats, new", peer, lambda: a + b, sync)
    m = torch.rand(2, 2, device="cuda")
    host("matmul 2x2", peer, lambda: m @ m, sync)
    x, y = torch.rand(1 << 26, device="cuda"), torch.rand(1 << 26, device="cuda")
    z = torch.empty_like(x)
    n = x.numel() * 4
    bandwidth("add 2^26", peer, lambda: torch.add(x, y, out=z), sync, 3 * n)
    bandwidth("copy 2^26", peer, lambda: z.copy_(x), sync, 2 * n)
    bandwidth("exp 2^26", peer, lambda: torch.exp(x, out=z), sync, 2 * n)
    bandwidth("sum 2^26", peer, lambda: x.sum(), sync, n)
    bandwidth("uniform 2^26", peer, lambda: z.uniform_(), sync, n)
    bandwidth("normal 2^26", peer, lambda: z.normal_(), sync, n)
    bandwidth("exponential 2^26", peer, lambda: z.exponential_(), sync, n)
    words = torch.empty(x.numel(), dtype=torch.int32, device="cuda")
    bandwidth("integers below 1000, int32, 2^26", peer, lambda: words.random_(0, 1000), sync, n)
    s = x.view(8192, 8192)
    bandwidth("sum axis 0", peer, lambda: s.sum(0), sync, n)
    bandwidth("sum axis 1", peer, lambda: s.sum(1), sync, n)
    torch_layouts(torch, peer, sync)
    torch_types(torch, peer, sync)
    torch_products(torch, peer, sync)
    torch_memory(torch, peer, sync)
    for units in (100, 1000):
        net = torch.nn.Sequential(torch.nn.Linear(784, units), torch.nn.ReLU(),
                                  torch.nn.Linear(units, units), torch.nn.ReLU(),
                                  torch.nn.Linear(units, 10)).cuda()
        images = torch.rand(100, 784, device="cuda")
        labels = torch.randint(0, 10, (100,), device="cuda")
        loss = torch.nn.CrossEntropyLoss()
        for name, make in (("SGD", lambda p: torch.optim.SGD(p, lr=0.01)),
                           ("Adam", lambda p: torch.optim.Adam(p, fused=True))):
            optimizer = make(net.parameters())

            def step():
                optimizer.zero_grad()
                loss(net(images), labels).backward()
                optimizer.step()

            measure(f"MLP step, {units} units, {name}", peer, lambda: step_us(step, sync), "us")


def torch_layouts(torch, peer, sync):
    """Broadcasts, transposes, reductions along odd axes, gathers: benchmarks/cupyxx."""
    rows = lambda name, call, moved: bandwidth(name, peer, call, sync, moved)
    a, b, c = (torch.rand(8192, 8192, device="cuda") for _ in range(3))
    out, n = torch.empty_like(a), a.numel() * 4
    rows("row broadcast", lambda: torch.add(a, b[0], out=out), 2 * n)
    rows("column broadcast", lambda: torch.add(a, b[0].view(8192, 1), out=out), 2 * n)
    half = torch.empty(8192, 4096, device="cuda")
    rows("add of every other column", lambda: torch.add(a[:, ::2], a[:, 1::2], out=half), 1.5 * n)
    rows("add of a transpose", lambda: torch.add(a, a.t(), out=out), 3 * n)
    rows("chain (x-y)*(x-y)*z+1", lambda: (a - b) * (a - b) * c + 1, 4 * n)
    for name in ("float32", "float16", "uint8", "float64"):
        x = a.to(getattr(torch, name))
        y = torch.empty_like(x)
        rows(f"transposed copy {name}", lambda: y.copy_(x.t()), 2 * x.numel() * x.element_size())
    rows("norm of rows", lambda: torch.linalg.vector_norm(a, dim=1), n)
    rows("norm of columns", lambda: torch.linalg.vector_norm(a, dim=0), n)
    rows("argmax of rows", lambda: a.argmax(1), n)
    rows("variance of rows", lambda: a.var(1), n)
    short = a.view(1 << 23, 8)
    rows("sum of short rows", lambda: short.sum(1), 1.125 * n)
    channels = a.view(64, 256, 64, 64)
    rows("sum over channels", lambda: channels.sum((0, 2, 3)), n)
    at = torch.randperm(8192, device="cuda")
    rows("take rows", lambda: a[at], 2 * n)
    mask = a > 0.5
    rows("where", lambda: torch.where(mask, a, b), 3.25 * n)
    rows("select by mask", lambda: a[mask], 1.75 * n)
    rows("running sum", lambda: torch.cumsum(a.view(-1), 0), 2 * n)
    rows("concatenate", lambda: torch.cat((a, b)), 4 * n)
    words = torch.randint(-1 << 31, 1 << 31, (1 << 26,), dtype=torch.int32, device="cuda")
    bandwidth("sort of 32-bit words", peer, lambda: torch.sort(words), sync, 2 * n, calls=5)
    bandwidth("sort float32", peer, lambda: torch.sort(a.view(-1)), sync, 2 * n, calls=5)
    compiled = torch.compile(lambda x, y, z: (x - y) * (x - y) * z + 1)
    bandwidth("fused chain (x-y)*(x-y)*z+1", peer + " compile", lambda: compiled(a, b, c), sync, 4 * n)


def torch_types(torch, peer, sync):
    """Elementwise operations and sums of other types and sizes."""
    rows = lambda name, call, moved: bandwidth(name, peer, call, sync, moved)
    x = torch.rand(1 << 30, device="cuda")
    rows("sum 2^30", lambda: x.sum(), 4 << 30)
    half = x[:1 << 27].half()
    rows("sum 2^26 float16", lambda: half[:1 << 26].sum(), 2 << 26)
    other_half, halves = half.flip(0), torch.empty_like(half)
    rows("add 2^27 float16", lambda: torch.add(half, other_half, out=halves), 6 << 27)
    rows("cast float32 to float16", lambda: halves[:1 << 26].copy_(x[:1 << 26]), 6 << 26)
    byte = torch.randint(0, 100, (1 << 28,), dtype=torch.int8, device="cuda")
    other, result = byte.clone(), torch.empty_like(byte)
    rows("add 2^28 int8", lambda: torch.add(byte, other, out=result), 3 << 28)
    matrix = byte[:1 << 26].view(8192, 8192)
    bytes_out = torch.empty_like(matrix)
    rows("row broadcast int8", lambda: torch.add(matrix, matrix[0], out=bytes_out), 2 << 26)


def torch_products(torch, peer, sync):
    n = 8192
    for name, dtype, tf32 in (("float32", torch.float32, False), ("TF32", torch.float32, True),
                              ("bfloat16", torch.bfloat16, False), ("float16", torch.float16, False)):
        torch.backends.cuda.matmul.allow_tf32 = tf32
        a, b = (torch.rand(n, n, device="cuda").to(dtype) for _ in range(2))
        c = torch.empty_like(a)
        arithmetic(f"matmul 8192^3 {name}", peer, lambda: torch.mm(a, b, out=c), sync, 2 * n**3)
    torch.backends.cuda.matmul.allow_tf32 = False
    a = torch.rand(4096, 4096, dtype=torch.float64, device="cuda")
    arithmetic("matmul 4096^3 float64", peer, lambda: a @ a, sync, 2 * 4096**3)
    small = torch.rand(512, 64, 64, device="cuda")
    out = torch.empty_like(small)
    arithmetic("matmul 512 x 64^3", peer, lambda: torch.bmm(small, small, out=out), sync, 2 * 512 * 64**3, calls=20)


def torch_memory(torch, peer, sync):
    a = torch.rand(16, 16, device="cuda")
    row = a[0]
    host("sum of 16 floats", peer, lambda: row.sum(), sync)
    host("slice", peer, lambda: a[2:9, 1:15:2], sync)
    for name, nbytes in (("1 KiB", 1 << 10), ("1 MiB", 1 << 20)):
        host(f"allocate and free {name}", peer, lambda: torch.empty(nbytes, dtype=torch.uint8, device="cuda"), sync)
    allocate = lambda size: torch.empty(size, dtype=torch.uint8, device="cuda")
    measure("random mix of blocks, p99", peer, lambda: random_mix_ns(allocate), "ns")
    for size, nbytes in (("4 KiB", 4 << 10), ("256 MiB", 256 << 20)):
        there = torch.zeros(nbytes, dtype=torch.uint8, device="cuda")
        for kind in ("pinned", "ordinary"):
            here = torch.ones(nbytes, dtype=torch.uint8, pin_memory=kind == "pinned")
            transfer(f"to device, {kind}, {size}", peer, lambda: there.copy_(here), sync, nbytes)
            transfer(f"to host, {kind}, {size}", peer, lambda: here.copy_(there), sync, nbytes)


def cupy_layouts(cp, peer, sync):
    rows = lambda name, call, moved: bandwidth(name, peer, call, sync, moved)
    a, b, c = (cp.random.rand(8192, 8192, dtype=cp.float32) for _ in range(3))
    out, n = cp.empty_like(a), a.nbytes
    rows("row broadcast", lambda: cp.add(a, b[0], out=out), 2 * n)
    rows("column broadcast", lambda: cp.add(a, b[0][:, None], out=out), 2 * n)
    rows("add of a transpose", lambda: cp.add(a, a.T, out=out), 3 * n)
    rows("transposed copy float32", lambda: cp.copyto(out, a.T), 2 * n)
    chain = cp.ElementwiseKernel("T x, T y, T z", "T out", "out = (x - y) * (x - y) * z + 1", "chain")
    rows("chain (x-y)*(x-y)*z+1", lambda: chain(a, b, c, out), 4 * n)
    norm = cp.ReductionKernel("T x", "T y", "x * x", "a + b", "y = sqrt(a)", "0", "l2norm")
    rows("norm of rows", lambda: norm(a, axis=1), n)
    rows("norm of columns", lambda: norm(a, axis=0), n)
    rows("argmax of rows", lambda: a.argmax(1), n)
    rows("variance of rows", lambda: a.var(1), n)
    short = a.reshape(1 << 23, 8)
    rows("sum of short rows", lambda: short.sum(1), 1.125 * n)
    channels = a.reshape(64, 256, 64, 64)
    rows("sum over channels", lambda: channels.sum((0, 2, 3)), n)
    at = cp.random.permutation(8192)
    rows("take rows", lambda: a.take(at, axis=0), 2 * n)
    mask = a > 0.5
    rows("select by mask", lambda: a[mask], 1.75 * n)
    rows("running sum", lambda: cp.cumsum(a), 2 * n)
    rows("concatenate", lambda: cp.concatenate((a, b)), 4 * n)
    half = cp.empty((8192, 4096), dtype=cp.float32)
    rows("add of every other column", lambda: cp.add(a[:, ::2], a[:, 1::2], out=half), 1.5 * n)
    words = cp.random.randint(0, 1 << 32, 1 << 26, dtype=cp.uint32)
    bandwidth("sort of 32-bit words", peer, lambda: cp.sort(words), sync, 2 * n, calls=5)
    bandwidth("sort float32", peer, lambda: cp.sort(a.ravel()), sync, 2 * n, calls=5)


def cupy_types(cp, peer, sync):
    rows = lambda name, call, moved: bandwidth(name, peer, call, sync, moved)
    x = cp.random.rand(1 << 30, dtype=cp.float32)
    rows("sum 2^30", lambda: x.sum(), 4 << 30)
    half = x[:1 << 27].astype(cp.float16)
    rows("sum 2^26 float16", lambda: half[:1 << 26].sum(), 2 << 26)
    other_half, halves = half[::-1].copy(), cp.empty_like(half)
    rows("add 2^27 float16", lambda: cp.add(half, other_half, out=halves), 6 << 27)
    rows("cast float32 to float16", lambda: cp.copyto(halves[:1 << 26], x[:1 << 26], casting="unsafe"), 6 << 26)
    byte = cp.random.randint(0, 100, 1 << 28).astype(cp.int8)
    other, result = byte.copy(), cp.empty_like(byte)
    rows("add 2^28 int8", lambda: cp.add(byte, other, out=result), 3 << 28)


def cupy_products(cp, peer, sync):
    for n, name, dtype in ((8192, "float32", cp.float32), (8192, "float16", cp.float16), (4096, "float64", cp.float64)):
        a = cp.random.rand(n, n).astype(dtype)
        arithmetic(f"matmul {n}^3 {name}", peer, lambda: a @ a, sync, 2 * n**3)
    small = cp.random.rand(512, 64, 64).astype(cp.float32)
    arithmetic("matmul 512 x 64^3", peer, lambda: small @ small, sync, 2 * 512 * 64**3, calls=20)


def cupy_memory(cp, peer, sync):
    a = cp.random.rand(16, 16).astype(cp.float32)
    row = a[0]
    host("sum of 16 floats", peer, lambda: row.sum(), sync)
    host("slice", peer, lambda: a[2:9, 1:15:2], sync)
    for name, nbytes in (("1 KiB", 1 << 10), ("1 MiB", 1 << 20)):
        host(f"allocate and free {name}", peer, lambda: cp.cuda.alloc(nbytes), sync)
    measure("random mix of blocks, p99", peer, lambda: random_mix_ns(cp.cuda.alloc), "ns")


def cupy_rows():
    import cupy as cp
    peer = "CuPy " + cp.__version__
    sync = cp.cuda.Device().synchronize
    a, b, c = (cp.random.rand(16).astype(cp.float32) for _ in range(3))
    host("add of 16 floats, out", peer, lambda: cp.add(a, b, out=c), sync)
    host("add of 16 floats, new", peer, lambda: a + b, sync)
    m = cp.random.rand(2, 2).astype(cp.float32)
    host("matmul 2x2", peer, lambda: m @ m, sync)
    x, y, z = (cp.random.rand(1 << 26, dtype=cp.float32) for _ in range(3))
    n = x.nbytes
    bandwidth("add 2^26", peer, lambda: cp.add(x, y, out=z), sync, 3 * n)
    bandwidth("copy 2^26", peer, lambda: cp.copyto(z, x), sync, 2 * n)
    bandwidth("exp 2^26", peer, lambda: cp.exp(x, out=z), sync, 2 * n)
    bandwidth("sum 2^26", peer, lambda: x.sum(), sync, n)
    rng = cp.random.default_rng(1)
    bandwidth("uniform 2^26", peer, lambda: rng.random(out=z, dtype=cp.float32), sync, n)
    bandwidth("normal 2^26", peer, lambda: rng.standard_normal(out=z, dtype=cp.float32), sync, n)
    bandwidth("exponential 2^26", peer, lambda: rng.standard_exponential(out=z, dtype=cp.float32), sync, n)
    bandwidth("integers below 1000, int32, 2^26", peer, lambda: rng.integers(0, 1000, 1 << 26, dtype=cp.int32), sync, n)
    s = x.reshape(8192, 8192)
    bandwidth("sum axis 0", peer, lambda: s.sum(0), sync, n)
    bandwidth("sum axis 1", peer, lambda: s.sum(1), sync, n)
    cupy_layouts(cp, peer, sync)
    cupy_types(cp, peer, sync)
    cupy_products(cp, peer, sync)
    cupy_memory(cp, peer, sync)


def numpy_rows():
    import numpy as np
    peer = "NumPy " + np.__version__
    rng = np.random.default_rng(0)
    wait = lambda: None
    a, b, c = (rng.random(16, dtype=np.float32) for _ in range(3))
    host("add of 16 floats, out", peer, lambda: np.add(a, b, out=c), wait)
    host("add of 16 floats, new", peer, lambda: a + b, wait)
    host("slice", peer, lambda: a[2:5], wait)
    x, y = rng.random(1 << 26, dtype=np.float32), rng.random(1 << 26, dtype=np.float32)
    z = np.empty_like(x)
    s = x.reshape(8192, 8192)
    for row, call, streams in (("add 2^26", lambda: np.add(x, y, out=z), 3),
                               ("exp 2^26", lambda: np.exp(x, out=z), 2),
                               ("sum 2^26", lambda: x.sum(), 1),
                               ("uniform 2^26", lambda: rng.random(out=z, dtype=np.float32), 1),
                               ("normal 2^26", lambda: rng.standard_normal(out=z, dtype=np.float32), 1),
                               ("sum axis 0", lambda: s.sum(0), 1),
                               ("sum axis 1", lambda: s.sum(1), 1),
                               ("transposed copy 8192^2", lambda: s.T.copy(), 2)):
        measure(row, peer, lambda: streams * x.nbytes / step_us(call, wait, 1, 3) / 1e3, "GB/s")
    for n in (64, 1000, 1001, 1024, 1009, 1 << 16, 1 << 20):
        reals = rng.random((max(1, (1 << 18) // n), n))
        numbers, frequencies = reals + 0j, np.fft.rfft(reals)
        for row, call in ((f"fft of rows of {n}", lambda: np.fft.fft(numbers)),
                          (f"ifft of rows of {n}", lambda: np.fft.ifft(numbers)),
                          (f"rfft of rows of {n}", lambda: np.fft.rfft(reals)),
                          (f"irfft of rows of {n}", lambda: np.fft.irfft(frequencies, n))):
            measure(row, peer, lambda: step_us(call, wait, 1, 3), "us")


START = "import cupy as cp; x = cp.arange(10, dtype='f'); print(float(((x - 1) * 2 + cp.exp(x)).sum()))"


def start_rows():
    """Whole processes, the second with a warm kernel cache."""
    for row in ("start, cold cache or as found", "start, warm cache"):
        start = time.perf_counter()
        subprocess.run([sys.executable, "-c", START], check=True, capture_output=True)
        show(row, "CuPy", (time.perf_counter() - start) * 1e3, "ms")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for peer in ("torch", "cupy", "numpy"):
        parser.add_argument(f"--{peer}", action="store_true")
    parser.add_argument("--only", default="", help="rows whose names hold this expression")
    parser.add_argument("--json", help="a file to which the rows are appended")
    parser.parse_args(namespace=options)
    if not (options.torch or options.cupy or options.numpy):
        options.torch = options.cupy = True
    if options.torch:
        torch_rows()
    if options.numpy:
        numpy_rows()
    if options.cupy:
        cupy_rows()
        if wanted("start"):
            start_rows()


if __name__ == "__main__":
    main()
