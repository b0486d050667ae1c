#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The networks of examples/convnet and examples/ptb in PyTorch, for accuracies and perplexities to compare with.

   examples_peer.py convnet --data=/usr/share/datasets/fashion-mnist [--precision=bfloat16]
   examples_peer.py ptb --train=words.txt --epochs=6

The words of a text stand between white space; the last twentieth of them measures, as in train_ptb.
"""
import argparse
import gzip
import math
import os
import time

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F


def idx(path):
    with gzip.open(path) if os.path.exists(path) else open(path[:-3], "rb") as file:
        bytes_ = file.read()
    ndim = bytes_[3]
    shape = np.frombuffer(bytes_, ">i4", ndim, 4)
    return torch.from_numpy(np.frombuffer(bytes_, np.uint8, offset=4 + 4 * ndim).reshape(shape).copy())


def block(inputs, outputs):
    layers = []
    for size in (inputs, outputs):
        layers += [nn.Conv2d(size, outputs, 3, padding=1, bias=False), nn.BatchNorm2d(outputs), nn.ReLU()]
    return nn.Sequential(*layers, nn.MaxPool2d(2))


def convnet(args):
    data = [idx(os.path.join(args.data, name + "-ubyte.gz")).cuda()
            for name in ("train-images-idx3", "train-labels-idx1", "t10k-images-idx3", "t10k-labels-idx1")]
    train_x, test_x = (data[i].float().div(255).reshape(-1, 1, 28, 28) for i in (0, 2))
    train_t, test_t = data[1].long(), data[3].long()
    model = nn.Sequential(block(1, 32), block(32, 64), nn.Flatten(), nn.Linear(64 * 49, 128), nn.ReLU(), nn.Dropout(0.5),
                          nn.Linear(128, 10)).cuda()
    optimizer = torch.optim.Adam(model.parameters(), fused=True)
    narrow = torch.autocast("cuda", torch.bfloat16, enabled=args.precision == "bfloat16")
    for epoch in range(args.epochs or 5):
        model.train()
        begin, total = time.perf_counter(), 0
        for rows in torch.randperm(len(train_x), device="cuda").split(100):
            optimizer.zero_grad()
            with narrow:
                loss = F.cross_entropy(model(train_x[rows]), train_t[rows])
            loss.backward()
            optimizer.step()
            total += loss.detach()
        torch.cuda.synchronize()
        seconds = time.perf_counter() - begin
        model.eval()
        with torch.no_grad(), narrow:
            right = sum(int((model(x).argmax(1) == t).sum()) for x, t in zip(test_x.split(1000), test_t.split(1000)))
        print(f"epoch {epoch + 1}: loss {float(total) / 600:.4f}, test accuracy {right / len(test_x):.4f}, {seconds:.1f} s", flush=True)


class LanguageModel(nn.Module):
    def __init__(self, words, units):
        super().__init__()
        self.embed, self.out = nn.Embedding(words, units), nn.Linear(units, words)
        self.lstm, self.drop = nn.LSTM(units, units, 2, dropout=0.5), nn.Dropout(0.5)
        for p in self.parameters():
            nn.init.uniform_(p, -0.1, 0.1)

    def forward(self, words, memory):
        y, memory = self.lstm(self.drop(self.embed(words)), memory)
        return self.out(self.drop(y)), memory


def encoded(path):
    numbers, words = {}, []
    with open(path) as file:
        for line in file:
            line = line.split()
            words += [numbers.setdefault(w, len(numbers)) for w in line + (["<eos>"] if line else [])]
    return words, len(numbers)


def columns(words, count):
    rows = len(words) // count
    return torch.tensor(words[:rows * count]).reshape(count, rows).t().contiguous().cuda()


def ptb(args):
    words, kinds = encoded(args.train)
    cut = len(words) - len(words) // 20
    text, valid = columns(words[:cut], 20), columns(words[cut:], 1)
    model = LanguageModel(kinds, args.units).cuda()
    rate = 1.0
    for epoch in range(1, (args.epochs or 6) + 1):
        model.train()
        begin, total, memory = time.perf_counter(), 0, None
        for i in range(0, len(text) - 1, 35):
            x, t = text[i:min(i + 35, len(text) - 1)], text[i + 1:i + 36]
            scores, memory = model(x, memory)
            memory = tuple(m.detach() for m in memory)
            loss = F.cross_entropy(scores.flatten(0, 1), t.flatten()) * len(x)
            model.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 5)
            with torch.no_grad():
                torch._foreach_add_(list(model.parameters()), [p.grad for p in model.parameters()], alpha=-rate)
            total += loss.detach()
        torch.cuda.synchronize()
        seconds = time.perf_counter() - begin
        model.eval()
        with torch.no_grad():
            memory, sum_ = None, 0
            for i in range(0, len(valid) - 1, 1000):
                x, t = valid[i:min(i + 1000, len(valid) - 1)], valid[i + 1:i + 1001]
                scores, memory = model(x, memory)
                sum_ += float(F.cross_entropy(scores.flatten(0, 1), t.flatten(), reduction="sum"))
        print(f"epoch {epoch}: perplexity {math.exp(float(total) / (len(text) - 1)):.2f}, of the valid text "
              f"{math.exp(sum_ / (len(valid) - 1)):.2f}, {seconds:.1f} s", flush=True)
        if epoch >= 6:
            rate /= 1.2


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("network", choices=("convnet", "ptb"))
    parser.add_argument("--data", default="/usr/share/datasets/fashion-mnist")
    parser.add_argument("--train", default="")
    parser.add_argument("--precision", default="float32", choices=("float32", "bfloat16"))
    parser.add_argument("--epochs", type=int, default=0)
    parser.add_argument("--units", type=int, default=650)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    {"convnet": convnet, "ptb": ptb}[args.network](args)


if __name__ == "__main__":
    main()
