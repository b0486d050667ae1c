#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What PyTorch, CuPy and NumPy take for the rows of docs/performance.md.

    python3 benchmarks/peers.py [--torch] [--cupy] [--numpy]

Prints `row | peer | value unit` lines. Not needed to build, run or test anything here.
"""
import subprocess
import sys
import time


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


def show(row, peer, value, unit):
    print(f"{row} | {peer} | {value:.4g} {unit}", flush=True)


def bandwidth(row, peer, call, sync, bytes_moved):
    show(row, peer, bytes_moved / step_us(call, sync, 20, 10) / 1e6, "TB/s")


def torch_rows():
    import torch
    peer = "PyTorch " + torch.__version__
    sync = torch.cuda.synchronize
    torch.backends.cuda.matmul.allow_tf32 = False
    a, b = torch.rand(16, device="cuda"), torch.rand(16, device="cuda")
    c = torch.empty(16, device="cuda")
    show("add of 16 floats, out", peer, host_ns(lambda: torch.add(a, b, out=c), sync), "ns")
    show("add of 16 floats, new", peer, host_ns(lambda: a + b, sync), "ns")
    m = torch.rand(2, 2, device="cuda")
    show("matmul 2x2", peer, host_ns(lambda: m @ m, sync), "ns")
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

            show(f"MLP step, {units} units, {name}", peer, step_us(step, sync), "us")


def torch_layouts(torch, peer, sync):
    """Broadcasts, transposes, reductions along odd axes, gathers: benchmarks/cupyxx."""
    rows = lambda name, call, moved: bandwidth(name, peer, call, sync, moved)
    a, b = torch.rand(8192, 8192, device="cuda"), torch.rand(8192, 8192, device="cuda")
    out, n = torch.empty_like(a), a.numel() * 4
    rows("row broadcast", lambda: torch.add(a, b[0], out=out), 2 * n)
    rows("column broadcast", lambda: torch.add(a, b[0].view(8192, 1), out=out), 2 * n)
    half = torch.empty(8192, 4096, device="cuda")
    rows("add of every other column", lambda: torch.add(a[:, ::2], a[:, 1::2], out=half), 1.5 * n)
    rows("add of a transpose", lambda: torch.add(a, a.t(), out=out), 3 * n)
    rows("chain (x-y)*(x-y)*z+1", lambda: (a - b) * (a - b) * a + 1, 4 * n)
    for dtype in (torch.float32, torch.float16, torch.uint8, torch.float64):
        x = a.to(dtype)
        y = torch.empty_like(x)
        rows(f"transposed copy {dtype}", lambda: y.copy_(x.t()), 2 * x.numel() * x.element_size())
    rows("norm of rows", lambda: torch.linalg.vector_norm(a, dim=1), n)
    rows("norm of columns", lambda: torch.linalg.vector_norm(a, dim=0), n)
    rows("argmax of rows", lambda: a.argmax(1), n)
    rows("variance of rows", lambda: a.var(1), n)
    short = a.view(1 << 23, 8)
    rows("sum of short rows", lambda: short.sum(1), n)
    channels = a.view(64, 256, 64, 64)
    rows("sum over channels", lambda: channels.sum((0, 2, 3)), n)
    at = torch.randperm(8192, device="cuda")
    rows("take rows", lambda: a[at], 2 * n)
    mask = a > 0.5
    rows("where", lambda: torch.where(mask, a, b), 3.25 * n)
    rows("select by mask", lambda: a[mask], 1.75 * n)
    rows("running sum", lambda: torch.cumsum(a.view(-1), 0), 2 * n)
    rows("concatenate", lambda: torch.cat((a, b)), 4 * n)


def cupy_layouts(cp, peer, sync):
    rows = lambda name, call, moved: bandwidth(name, peer, call, sync, moved)
    a, b = (cp.random.rand(8192, 8192, dtype=cp.float32) for _ in range(2))
    out, n = cp.empty_like(a), a.nbytes
    rows("row broadcast", lambda: cp.add(a, b[0], out=out), 2 * n)
    rows("column broadcast", lambda: cp.add(a, b[0][:, None], out=out), 2 * n)
    rows("add of a transpose", lambda: cp.add(a, a.T, out=out), 3 * n)
    rows("transposed copy", lambda: cp.copyto(out, a.T), 2 * n)
    chain = cp.ElementwiseKernel("T x, T y, T z", "T out", "out = (x - y) * (x - y) * z + 1", "chain")
    rows("chain (x-y)*(x-y)*z+1", lambda: chain(a, b, a, out), 4 * n)
    norm = cp.ReductionKernel("T x", "T y", "x * x", "a + b", "y = sqrt(a)", "0", "l2norm")
    rows("norm of rows", lambda: norm(a, axis=1), n)
    rows("norm of columns", lambda: norm(a, axis=0), n)
    rows("argmax of rows", lambda: a.argmax(1), n)
    rows("variance of rows", lambda: a.var(1), n)
    short = a.reshape(1 << 23, 8)
    rows("sum of short rows", lambda: short.sum(1), n)
    channels = a.reshape(64, 256, 64, 64)
    rows("sum over channels", lambda: channels.sum((0, 2, 3)), n)
    at = cp.random.permutation(8192)
    rows("take rows", lambda: a.take(at, axis=0), 2 * n)


def cupy_rows():
    import cupy as cp
    peer = "CuPy " + cp.__version__
    sync = cp.cuda.Device().synchronize
    a, b, c = (cp.random.rand(16).astype(cp.float32) for _ in range(3))
    show("add of 16 floats, out", peer, host_ns(lambda: cp.add(a, b, out=c), sync), "ns")
    show("add of 16 floats, new", peer, host_ns(lambda: a + b, sync), "ns")
    m = cp.random.rand(2, 2).astype(cp.float32)
    show("matmul 2x2", peer, host_ns(lambda: m @ m, sync), "ns")
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


def numpy_rows():
    import numpy as np
    peer = "NumPy " + np.__version__
    rng = np.random.default_rng(0)
    wait = lambda: None
    a, b, c = (rng.random(16, dtype=np.float32) for _ in range(3))
    show("add of 16 floats, out", peer, host_ns(lambda: np.add(a, b, out=c), wait), "ns")
    show("add of 16 floats, new", peer, host_ns(lambda: a + b, wait), "ns")
    show("slice", peer, host_ns(lambda: a[2:5], wait), "ns")
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
        show(row, peer, streams * x.nbytes / step_us(call, wait, 1, 3) / 1e3, "GB/s")


START = "import cupy as cp; x = cp.arange(10, dtype='f'); print(float(((x - 1) * 2 + cp.exp(x)).sum()))"


def start_rows():
    """Whole processes, the second with a warm kernel cache."""
    for row in ("start, cold cache or as found", "start, warm cache"):
        start = time.perf_counter()
        subprocess.run([sys.executable, "-c", START], check=True, capture_output=True)
        show(row, "CuPy", (time.perf_counter() - start) * 1e3, "ms")


if __name__ == "__main__":
    chosen = sys.argv[1:] or ["--torch", "--cupy"]
    if "--torch" in chosen:
        torch_rows()
    if "--numpy" in chosen:
        numpy_rows()
    if "--cupy" in chosen:
        cupy_rows()
        start_rows()
