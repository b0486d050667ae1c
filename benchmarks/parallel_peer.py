#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A training step by PyTorch's DistributedDataParallel beside that of one GPU: the peer of chainerxx/parallel_step.

    python3 benchmarks/parallel_peer.py [--gpus=2] [--network=resnet50|gpt] [--batch=64] [--precisions=tf32,bfloat16]
                                        [--modes=eager,compiled,eager+hook,compiled+hook] [--steps=10] [--rounds=5]

Each process has a GPU and a batch of its own. ResNet-50 is channels last with SGD, GPT-2 has AdamW and clipped gradients,
both optimizers one launch; bfloat16 by autocast; gradients are views of the buckets, and with "hook" travel as bfloat16.
A line a mode: the median time of a step in ms, of the slowest process, for one GPU (without DistributedDataParallel) and
for all, and the first over the second.
"""
import argparse
import os
import socket
import statistics
import sys
import time

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch.nn.parallel import DistributedDataParallel

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def resnet50(batch):
    import imagenet_peer
    model = imagenet_peer.NETWORKS["resnet50"]().cuda().to(memory_format=torch.channels_last)
    x = torch.rand(batch, 3, 224, 224, device="cuda").to(memory_format=torch.channels_last)
    t = torch.randint(0, 1000, (batch,), device="cuda")
    return model, torch.optim.SGD(model.parameters(), lr=0.01, fused=True), (x, t), False


def gpt(batch):
    import gpt_peer
    model = gpt_peer.Gpt().cuda()
    x, t = (torch.randint(0, 50257, (batch, 1024), device="cuda") for _ in range(2))
    return model, torch.optim.AdamW(model.parameters(), lr=3e-4, fused=True), (x, t), True


def make_step(args, precision, mode, size):
    model, optimizer, data, clips = {"resnet50": resnet50, "gpt": gpt}[args.network](args.batch)
    forward = model
    if size > 1:
        forward = DistributedDataParallel(model, device_ids=[torch.cuda.current_device()], gradient_as_bucket_view=True)
        if mode.endswith("+hook"):
            from torch.distributed.algorithms.ddp_comm_hooks import default_hooks
            forward.register_comm_hook(None, default_hooks.bf16_compress_hook)
    if mode.startswith("compiled"):
        forward = torch.compile(forward)

    def step():
        with torch.autocast("cuda", torch.bfloat16, enabled=precision == "bfloat16"):
            loss = forward(*data)
        loss.backward()
        if clips:
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0, foreach=True)
        optimizer.step()
        optimizer.zero_grad(set_to_none=size == 1)

    return step


def meet(size):
    torch.cuda.synchronize()
    if size > 1:
        dist.barrier()
        torch.cuda.synchronize()


def time_of(step, args, size):
    for _ in range(8):
        step()
    times = []
    for _ in range(args.rounds):
        meet(size)
        start = time.perf_counter()
        for _ in range(args.steps):
            step()
        meet(size)
        times.append((time.perf_counter() - start) * 1e3 / args.steps)
    return statistics.median(times)


def work(rank, size, port, args, precision, mode, results):
    torch.cuda.set_device(rank)
    torch.backends.cudnn.benchmark = True
    torch.backends.cudnn.allow_tf32 = torch.backends.cuda.matmul.allow_tf32 = True
    if size > 1:
        dist.init_process_group("nccl", init_method=f"tcp://127.0.0.1:{port}", rank=rank, world_size=size)
    ms = time_of(make_step(args, precision, mode, size), args, size)
    if rank == 0:
        results.put(ms)
    if size > 1:
        dist.destroy_process_group()


def measure(args, precision, mode, size):
    results = mp.get_context("spawn").SimpleQueue()
    mp.spawn(work, (size, free_port(), args, precision, mode, results), nprocs=size)
    return results.get()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--gpus", type=int, default=torch.cuda.device_count())
    parser.add_argument("--network", choices=("resnet50", "gpt"), default="resnet50")
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--precisions", default="tf32,bfloat16")
    parser.add_argument("--modes", default="eager,compiled,eager+hook,compiled+hook")
    parser.add_argument("--steps", type=int, default=10)
    parser.add_argument("--rounds", type=int, default=5)
    args = parser.parse_args()
    for precision in args.precisions.split(","):
        alone = {}
        for mode in args.modes.split(","):
            kind = mode.split("+")[0]
            try:
                if kind not in alone:
                    alone[kind] = measure(args, precision, kind, 1)
                ms = measure(args, precision, mode, args.gpus)
            except Exception as error:  # a mode that PyTorch cannot run is no peer
                print(f"{args.network} {precision} {mode}: {str(error)[-300:]}", file=sys.stderr)
                continue
            print(f"{args.network} {precision} {mode}, {args.batch} a GPU, PyTorch {torch.__version__}: {alone[kind]:.3f} ms "
                  f"on 1, {ms:.3f} ms on {args.gpus} GPUs, {alone[kind] / ms:.3f}", flush=True)


if __name__ == "__main__":
    main()
