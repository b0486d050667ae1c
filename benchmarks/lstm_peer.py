# SPDX-License-Identifier: MIT
"""The language model of benchmarks/chainerxx/lstm_step in PyTorch, for training_matrix.py."""
import torch
from torch import nn
from torch.nn import functional as F

WORDS, UNITS, STEPS = 10000, 650, 35


class Sequence(nn.Module):
    """Both layers in one call of cuDNN."""

    def __init__(self):
        super().__init__()
        self.embed, self.out = nn.Embedding(WORDS, UNITS), nn.Linear(UNITS, WORDS)
        self.lstm = nn.LSTM(UNITS, UNITS, 2)

    def forward(self, words):
        return self.out(self.lstm(self.embed(words))[0])


class Loop(nn.Module):
    """A loop of cells, which are fused kernels behind the products."""

    def __init__(self):
        super().__init__()
        self.embed, self.out = nn.Embedding(WORDS, UNITS), nn.Linear(UNITS, WORDS)
        self.l1, self.l2 = nn.LSTMCell(UNITS, UNITS), nn.LSTMCell(UNITS, UNITS)

    def forward(self, words):
        first = second = None
        scores = []
        for x in self.embed(words):
            first = self.l1(x, first)
            second = self.l2(first[0], second)
            scores.append(self.out(second[0]))
        return torch.stack(scores)


NETWORKS = {"lstm": Sequence, "lstm_loop": Loop}


def make_step(network, texts=20, compiler=None, autocast=False):
    """A step with gradients clipped at a norm of 5 and SGD in one launch."""
    model = NETWORKS[network]().cuda()
    forward = torch.compile(model, mode=compiler) if compiler else model
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, fused=True)
    words, following = (torch.randint(0, WORDS, (STEPS, texts), device="cuda") for _ in range(2))

    def step():
        with torch.autocast("cuda", torch.bfloat16, enabled=autocast):
            scores = forward(words).flatten(0, 1)
        F.cross_entropy(scores.float(), following.flatten()).backward()
        nn.utils.clip_grad_norm_(model.parameters(), 5.0, foreach=True)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)

    return step


def as_graph(step):
    """The step as a CUDA graph."""
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        for _ in range(4):
            step()
    torch.cuda.current_stream().wait_stream(stream)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        step()
    return graph.replay
