# SPDX-License-Identifier: MIT
"""GPT-2 in PyTorch: the peer of benchmarks/chainerxx/gpt_step, for training_matrix.py."""
import torch
from torch import nn
from torch.nn import functional as F


class Block(nn.Module):
    def __init__(self, units, heads):
        super().__init__()
        self.heads = heads
        self.norm, self.norm_of_layers = nn.LayerNorm(units), nn.LayerNorm(units)
        self.projection, self.output = nn.Linear(units, 3 * units), nn.Linear(units, units)
        self.wide, self.narrow = nn.Linear(units, 4 * units), nn.Linear(4 * units, units)

    def forward(self, h):
        n, t, units = h.shape
        parts = self.projection(self.norm(h)).view(n, t, 3, self.heads, units // self.heads)
        query, key, value = parts.permute(2, 0, 3, 1, 4)
        attended = F.scaled_dot_product_attention(query, key, value, is_causal=True)
        h = h + self.output(attended.transpose(1, 2).reshape(n, t, units))
        return h + self.narrow(F.gelu(self.wide(self.norm_of_layers(h)), approximate="tanh"))


class Gpt(nn.Module):
    """The size called 124M, with the embedding of the tokens as last layer."""

    def __init__(self, tokens=50304, length=1024, units=768, layers=12, heads=12):
        super().__init__()
        self.tokens, self.positions = nn.Embedding(tokens, units), nn.Embedding(length, units)
        self.blocks = nn.ModuleList(Block(units, heads) for _ in range(layers))
        self.norm = nn.LayerNorm(units)
        for parameter in self.parameters():
            if parameter.ndim > 1:
                nn.init.normal_(parameter, 0, 0.02)

    def forward(self, x, t):
        h = self.tokens(x) + self.positions.weight[:x.shape[1]]
        for block in self.blocks:
            h = block(h)
        scores = F.linear(self.norm(h), self.tokens.weight).flatten(0, 1)
        return F.cross_entropy(scores.float(), t.flatten())


def make_step(model, batch=16, length=1024):
    """A step as GPTs are trained: AdamW in one launch, gradients clipped at a norm of 1."""
    forward = model
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-4, fused=True)
    x, t = (torch.randint(0, 50257, (batch, length), device="cuda") for _ in range(2))

    def step(forward=forward, autocast=None):
        with torch.autocast("cuda", torch.bfloat16, enabled=autocast == "bfloat16"):
            loss = forward(x, t)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0, foreach=True)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)

    return step
