#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Training steps on the host beside PyTorch, in turns on one machine.

    bazel build -c opt //benchmarks/chainerxx/...
    python3 benchmarks/training_peers.py [--rounds=N] [--seconds=S] [--only=TEXT] [BIN_FOLDER]

Every round times each of our programs and then the same network in PyTorch, for about as long, with the same number of
threads (OMP_NUM_THREADS, 2 by default). A row ends with the median and the least of all rounds of both sides; the ratio
is theirs over ours. Other work on the machine hits both sides alike. Needs PyTorch (Debian: python3-torch), which
nothing else here does.
"""
import argparse
import json
import os
import subprocess
import time

os.environ.setdefault("OMP_NUM_THREADS", "2")
os.environ.setdefault("OMP_WAIT_POLICY", "passive")

import torch  # noqa: E402  (reads the environment)

BATCH = 100


def mlp(units):
    return torch.nn.Sequential(torch.nn.Linear(784, units), torch.nn.ReLU(), torch.nn.Linear(units, units),
                               torch.nn.ReLU(), torch.nn.Linear(units, 10))


def lenet():
    return torch.nn.Sequential(torch.nn.Conv2d(1, 20, 5), torch.nn.ReLU(), torch.nn.MaxPool2d(2),
                               torch.nn.Conv2d(20, 50, 5), torch.nn.ReLU(), torch.nn.MaxPool2d(2),
                               torch.nn.Flatten(), torch.nn.Linear(800, 500), torch.nn.ReLU(),
                               torch.nn.Linear(500, 10))


def sgd(parameters):
    return torch.optim.SGD(parameters, lr=0.01)


def adam(parameters):
    return torch.optim.Adam(parameters, foreach=False)


def step_of(network, shape, make_optimizer):
    images, labels = torch.rand(BATCH, *shape), torch.randint(0, 10, (BATCH,))
    optimizer, loss = make_optimizer(network.parameters()), torch.nn.CrossEntropyLoss()

    def step():
        optimizer.zero_grad()
        loss(network(images), labels).backward()
        optimizer.step()

    return step


ROWS = [
    ("MLP 784-100-100-10, SGD", "mlp_step", "Step<chainerxx::optimizers::SGD>/100/", lambda: step_of(mlp(100), (784,), sgd)),
    ("MLP 784-1000-1000-10, SGD", "mlp_step", "Step<chainerxx::optimizers::SGD>/1000/", lambda: step_of(mlp(1000), (784,), sgd)),
    ("MLP 784-1000-1000-10, Adam", "mlp_step", "Step<chainerxx::optimizers::Adam>/1000/", lambda: step_of(mlp(1000), (784,), adam)),
    ("LeNet, SGD", "lenet_step", "Step<chainerxx::optimizers::SGD>", lambda: step_of(lenet(), (1, 28, 28), sgd)),
    ("LeNet, Adam", "lenet_step", "Step<chainerxx::optimizers::Adam>", lambda: step_of(lenet(), (1, 28, 28), adam)),
]


def ours_ms(program, name, seconds):
    output = subprocess.run([program, f"--benchmark_filter=^{name}", f"--benchmark_min_time={seconds}",
                             "--benchmark_format=json"], check=True, capture_output=True, text=True).stdout
    return json.loads(output)["benchmarks"][0]["real_time"] / 1e6


def theirs_ms(step, seconds):
    for _ in range(3):
        step()
    calls, start = 0, time.perf_counter()
    while time.perf_counter() - start < seconds:
        step()
        calls += 1
    return (time.perf_counter() - start) / calls * 1e3


def median(values):
    return sorted(values)[len(values) // 2]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--seconds", type=float, default=0.3)
    parser.add_argument("--only", default="")
    parser.add_argument("bin", nargs="?", default="bazel-bin/benchmarks/chainerxx")
    args = parser.parse_args()
    torch.set_num_threads(int(os.environ["OMP_NUM_THREADS"]))
    rows = [row for row in ROWS if args.only in row[0]]
    steps = [make() for _, _, _, make in rows]
    times = [([], []) for _ in rows]
    for _ in range(args.rounds):
        for (_, program, name, _), step, (ours, theirs) in zip(rows, steps, times):
            ours.append(ours_ms(os.path.join(args.bin, program), name, args.seconds))
            theirs.append(theirs_ms(step, args.seconds))
    print(f"PyTorch {torch.__version__}, {torch.get_num_threads()} threads, {args.rounds} rounds of {args.seconds} s")
    print("row | ours median, least ms | PyTorch median, least ms | ratio of medians, of the least")
    for (row, *_), (ours, theirs) in zip(rows, times):
        print(f"{row} | {median(ours):.3f}, {min(ours):.3f} | {median(theirs):.3f}, {min(theirs):.3f} | "
              f"{median(theirs) / median(ours):.2f}, {min(theirs) / min(ours):.2f}")


if __name__ == "__main__":
    main()
