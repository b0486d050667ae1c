#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""PyTorch's side of benchmarks/chainerxx/functions, whose rows have the same names.

    python3 benchmarks/function_peers.py [--compile] [--only=TEXT]

Prints a JSON line {"row", "peer", "value", "unit"} per row: microseconds of one call in a queue that never runs dry.
--compile adds the rows that torch.compile makes faster. Needs PyTorch and a GPU; not needed to build, run or test
anything here.
"""
import argparse
import json
import time

import torch
from torch import nn
from torch.nn import functional as F

GPU = torch.device("cuda")
FLOAT, HALF = torch.float32, torch.float16
TYPE_NAMES = {FLOAT: "float32", HALF: "float16", torch.bfloat16: "bfloat16"}
arguments = argparse.Namespace(compile=False, only="")


def normal(*shape, dtype=FLOAT):
    return torch.randn(*shape, device=GPU).to(dtype)


def microseconds(call, calls=10, groups=9):
    for _ in range(3):
        call()
    torch.cuda.synchronize()
    times = []
    for _ in range(groups):
        start = time.perf_counter()
        for _ in range(calls):
            call()
        torch.cuda.synchronize()
        times.append((time.perf_counter() - start) / calls * 1e6)
    return sorted(times)[len(times) // 2]


def show(row, peer, call):
    if arguments.only not in row:
        return
    line = {"row": row, "peer": peer, "value": round(microseconds(call), 2), "unit": "us"}
    print(json.dumps(line), flush=True)


def rows(name, function, inputs, parameters=(), ways=("forward", "both ways"), compiled=False):
    """A function forward, and forward with the gradients of `inputs` and `parameters`."""
    if arguments.only not in name + ", " + ", ".join(ways):
        return
    kinds = [("PyTorch", function)]
    if compiled and arguments.compile:
        kinds.append(("torch.compile", torch.compile(function)))
    leaves = [x for x in (*inputs, *parameters) if x.is_floating_point()]
    for peer, call in kinds:
        if "forward" in ways:
            with torch.no_grad():
                show(name + ", forward", peer, lambda: call(*inputs))
        if "both ways" in ways:
            for x in leaves:
                x.requires_grad_()
            y = call(*inputs)
            gy = torch.ones_like(y) if y.ndim == 0 else torch.randn_like(y)
            del y
            show(name + ", both ways", peer, lambda: torch.autograd.grad(call(*inputs), leaves, gy))


def softmax_rows():
    for dtype in (FLOAT, HALF):
        for shape in ((8192, 8192), (32768, 1024)):
            rows(f"softmax {shape[0]}x{shape[1]} {TYPE_NAMES[dtype]}", lambda x: torch.softmax(x, 1),
                 [normal(*shape, dtype=dtype)], compiled=True)
        labels = torch.randint(0, 50257, (4096,), device=GPU)
        rows(f"softmax cross entropy 4096x50257 {TYPE_NAMES[dtype]}", lambda x: F.cross_entropy(x, labels),
             [normal(4096, 50257, dtype=dtype)], ways=("both ways",), compiled=True)


def normalization_rows():
    for shape in ((32768, 1024), (4096, 8192)):
        rows(f"layer norm {shape[0]}x{shape[1]} float32", lambda x, g, b, n=shape[1]: F.layer_norm(x, (n,), g, b),
             [normal(*shape), normal(shape[1]), normal(shape[1])], compiled=True)
    for layout, form in (("NCHW", torch.contiguous_format), ("NHWC", torch.channels_last)):
        bn = nn.BatchNorm2d(256, device=GPU)
        x, shortcut = (normal(64, 256, 56, 56).to(memory_format=form) for _ in range(2))
        size = f"64x256x56x56 {layout} float32"
        rows(f"batch norm, ReLU {size}", lambda a: F.relu(bn(a)), [x], bn.parameters(), compiled=True)
        rows(f"batch norm, add, ReLU {size}", lambda a, b: F.relu(bn(a) + b), [x, shortcut], bn.parameters(),
             compiled=True)


def image_rows():
    rows("max pool 3/2 64x64x112x112 float32", lambda x: F.max_pool2d(x, 3, 2, 1), [normal(64, 64, 112, 112)])
    torch.backends.cudnn.benchmark = True
    torch.backends.cudnn.allow_tf32 = True
    for name, dtype in (("TF32", FLOAT), ("float16", HALF)):
        for channels, side in ((64, 56), (256, 14)):
            for form, layout in ((torch.contiguous_format, ""), (torch.channels_last, " NHWC")):
                x = normal(64, channels, side, side, dtype=dtype).to(memory_format=form)
                layer = nn.Conv2d(channels, channels, 3, padding=1, device=GPU, dtype=dtype).to(memory_format=form)
                size = f"{channels}x{side} {name}{layout}"
                rows(f"conv 3x3 {size}", lambda a: F.conv2d(a, layer.weight, padding=1), [x], [layer.weight])
                rows(f"conv 3x3, bias, ReLU {size}", lambda a: F.relu(layer(a)), [x], layer.parameters())


def connection_rows():
    for dtype in (FLOAT, HALF):
        for batch, wide, out in ((100, 784, 1000), (8192, 4096, 4096)):
            layer = nn.Linear(wide, out, device=GPU, dtype=dtype)
            rows(f"linear, bias, ReLU {batch}x{wide}x{out} {TYPE_NAMES[dtype]}", lambda a: F.relu(layer(a)),
                 [normal(batch, wide, dtype=dtype)], layer.parameters())
    rows("dropout 2^26 float32", lambda x: F.dropout(x, 0.5), [normal(1 << 26)], compiled=True)
    for count in (700, 20000):
        ids = torch.randint(0, 10000, (count,), device=GPU)
        rows(f"embedding 10000x650, {count} ids float32", lambda W: F.embedding(ids, W), [normal(10000, 650)],
             ways=("both ways",))


def self_attention(qkv, heads):
    n, length, width = qkv.shape
    q, k, v = qkv.view(n, length, 3, heads, width // (3 * heads)).permute(2, 0, 3, 1, 4)
    y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
    return y.transpose(1, 2).reshape(n, length, width // 3)


def attention_rows():
    for length, heads, depth, dtype in ((1024, 12, 64, torch.bfloat16), (1024, 12, 64, FLOAT),
                                        (2048, 16, 128, torch.bfloat16), (512, 4, 32, HALF)):
        rows(f"attention 16x{heads}x{length}x{depth} {TYPE_NAMES[dtype]}", lambda x, h=heads: self_attention(x, h),
             [normal(16, length, 3 * heads * depth, dtype=dtype)])


def resnet50():
    shapes = []

    def convolution(wide, out, side):
        shapes.extend([(out, wide, side, side), (out,), (out,)])

    convolution(3, 64, 7)
    wide, width = 64, 64
    for blocks in (3, 4, 6, 3):
        for i in range(blocks):
            convolution(wide, width, 1)
            convolution(width, width, 3)
            convolution(width, 4 * width, 1)
            if i == 0:
                convolution(wide, 4 * width, 1)
            wide = 4 * width
        width *= 2
    return shapes + [(1000, 2048), (1000,)]


def update_rows():
    for name, shapes in (("161 tensors of ResNet-50", resnet50()),
                         ("6 tensors of an MLP", [(1000, 784), (1000,), (1000, 1000), (1000,), (10, 1000), (10,)])):
        parameters = [normal(*shape).requires_grad_() for shape in shapes]
        for p in parameters:
            p.grad = torch.randn_like(p)
        for kind in ("fused", "foreach"):
            adam = torch.optim.Adam(parameters, **{kind: True})
            momentum = torch.optim.SGD(parameters, 0.01, momentum=0.9, **{kind: True})
            show(f"Adam, {name}", f"PyTorch {kind}", adam.step)
            show(f"momentum SGD, {name}", f"PyTorch {kind}", momentum.step)


WORDS, UNITS, TEXTS, STEPS = 10000, 650, 20, 35


class Loop(nn.Module):
    """One step after the other."""

    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(WORDS, UNITS)
        self.cells = nn.ModuleList([nn.LSTMCell(UNITS, UNITS), nn.LSTMCell(UNITS, UNITS)])
        self.out = nn.Linear(UNITS, WORDS)

    def forward(self, words):
        first = second = None
        scores = []
        for word in words:
            first = self.cells[0](self.embed(word), first)
            second = self.cells[1](first[0], second)
            scores.append(self.out(second[0]))
        return torch.stack(scores)


class Sequence(nn.Module):
    """All steps in cuDNN's LSTM."""

    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(WORDS, UNITS)
        self.lstm = nn.LSTM(UNITS, UNITS, 2)
        self.out = nn.Linear(UNITS, WORDS)

    def forward(self, words):
        return self.out(self.lstm(self.embed(words))[0])


def recurrent_rows():
    for form, network in (("loop", Loop), ("sequence", Sequence)):
        for name, tf32 in (("float32", False), ("TF32", True)):
            torch.backends.cudnn.allow_tf32 = torch.backends.cuda.matmul.allow_tf32 = tf32
            model = network().to(GPU)
            text = torch.randint(0, WORDS, (STEPS + 1, TEXTS), device=GPU)
            optimizer = torch.optim.SGD(model.parameters(), 0.1, fused=True)

            def step():
                optimizer.zero_grad()
                F.cross_entropy(model(text[:-1]).view(-1, WORDS), text[1:].reshape(-1)).backward()
                nn.utils.clip_grad_norm_(model.parameters(), 5.0, foreach=True)
                optimizer.step()

            show(f"LSTM 650x2, 20 texts, 35 steps, {form} {name}", "PyTorch", step)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--compile", action="store_true")
    parser.add_argument("--only", default="", help="rows whose names contain this")
    parser.parse_args(namespace=arguments)
    torch.backends.cuda.matmul.allow_tf32 = False
    for family in (softmax_rows, attention_rows, normalization_rows, connection_rows, update_rows, image_rows,
                   recurrent_rows):
        family()
        torch.cuda.empty_cache()


if __name__ == "__main__":
    main()
