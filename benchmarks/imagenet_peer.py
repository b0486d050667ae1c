#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A training step of GoogLeNet in PyTorch: the peer of benchmarks/chainerxx/googlenet_step.

    python3 benchmarks/googlenet_peer.py [--device=cuda|cpu] [--batch=32] [--steps=20] [--tf32]

The network of examples/imagenet: response normalisation, two auxiliary classifiers, ReLU with inplace=False, float32
sums unless --tf32. Prints the median time of a step and, on a GPU, the most memory that PyTorch's allocator ever handed
out, parameters included.
"""
import argparse
import time

import torch
from torch import nn
from torch.nn import functional as F


def relu(x):
    return F.relu(x, inplace=False)


def response_norm(x):
    return F.local_response_norm(x, 5, alpha=5e-4, beta=0.75, k=2.0)  # PyTorch divides alpha by the size


def halved(x):
    return F.max_pool2d(x, 3, 2, ceil_mode=True)


class Inception(nn.Module):
    def __init__(self, channels, out1, proj3, out3, proj5, out5, proj_pool):
        super().__init__()
        self.conv1 = nn.Conv2d(channels, out1, 1)
        self.proj3 = nn.Conv2d(channels, proj3, 1)
        self.conv3 = nn.Conv2d(proj3, out3, 3, padding=1)
        self.proj5 = nn.Conv2d(channels, proj5, 1)
        self.conv5 = nn.Conv2d(proj5, out5, 5, padding=2)
        self.projp = nn.Conv2d(channels, proj_pool, 1)

    def forward(self, x):
        return relu(torch.cat((self.conv1(x), self.conv3(relu(self.proj3(x))), self.conv5(relu(self.proj5(x))),
                               self.projp(F.max_pool2d(x, 3, 1, 1))), 1))


class Classifier(nn.Module):
    def __init__(self, channels, classes):
        super().__init__()
        self.conv = nn.Conv2d(channels, 128, 1)
        self.fc1 = nn.Linear(4 * 4 * 128, 1024)
        self.fc2 = nn.Linear(1024, classes)

    def forward(self, x):
        h = relu(self.conv(F.avg_pool2d(x, 5, 3)))
        return self.fc2(relu(self.fc1(h.flatten(1))))


class GoogLeNet(nn.Module):
    def __init__(self, classes=1000):
        super().__init__()
        self.conv1 = nn.Conv2d(3, 64, 7, 2, 3)
        self.conv2_reduce = nn.Conv2d(64, 64, 1)
        self.conv2 = nn.Conv2d(64, 192, 3, padding=1)
        self.low = nn.ModuleList((Inception(192, 64, 96, 128, 16, 32, 32), Inception(256, 128, 128, 192, 32, 96, 64)))
        self.inc4a = Inception(480, 192, 96, 208, 16, 48, 64)
        self.middle = nn.Sequential(Inception(512, 160, 112, 224, 24, 64, 64), Inception(512, 128, 128, 256, 24, 64, 64),
                                    Inception(512, 112, 144, 288, 32, 64, 64))
        self.inc4e = Inception(528, 256, 160, 320, 32, 128, 128)
        self.high = nn.Sequential(Inception(832, 256, 160, 320, 32, 128, 128),
                                  Inception(832, 384, 192, 384, 48, 128, 128))
        self.loss1 = Classifier(512, classes)
        self.loss2 = Classifier(528, classes)
        self.loss3_fc = nn.Linear(1024, classes)

    def forward(self, x, t):
        h = response_norm(halved(relu(self.conv1(x))))
        h = relu(self.conv2(relu(self.conv2_reduce(h))))
        h = halved(response_norm(h))
        h = self.inc4a(halved(self.low[1](self.low[0](h))))
        loss1 = F.cross_entropy(self.loss1(h), t)
        h = self.middle(h)
        loss2 = F.cross_entropy(self.loss2(h), t)
        h = F.avg_pool2d(self.high(halved(self.inc4e(h))), 7, 1)
        scores = self.loss3_fc(F.dropout(h, 0.4).flatten(1))
        return 0.3 * (loss1 + loss2) + F.cross_entropy(scores, t)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--tf32", action="store_true")
    args = parser.parse_args()
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = args.tf32
    model = GoogLeNet().to(args.device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    x = torch.rand(args.batch, 3, 224, 224, device=args.device)
    t = torch.randint(0, 1000, (args.batch,), device=args.device)
    is_cuda = args.device.startswith("cuda")
    times = []
    for _ in range(args.steps + 3):
        start = time.perf_counter()
        optimizer.zero_grad(set_to_none=False)
        model(x, t).backward()
        optimizer.step()
        if is_cuda:
            torch.cuda.synchronize()
        times.append((time.perf_counter() - start) * 1e3)
    times = sorted(times[3:])
    print(f"PyTorch {torch.__version__} on {args.device}, batch {args.batch}, parameters "
          f"{sum(p.numel() for p in model.parameters())}: {times[len(times) // 2]:.2f} ms a step")
    if is_cuda:
        mib = 1 << 20
        print(f"peak_MiB {torch.cuda.max_memory_allocated() / mib:.1f} allocated, "
              f"{torch.cuda.max_memory_reserved() / mib:.1f} reserved")


if __name__ == "__main__":
    main()
