# SPDX-License-Identifier: MIT
# Writes cases of NumPy's order K: the strides that NumPy gives to results of operands that lie in
# memory in any way.
#
#     python3 make_order_k.py [COUNT [SEED]] > order_k.txt
#
# A line is `OPERATION[/NUMBER] SHAPE:STRIDES ... > STRIDES`. Operands are float64, masks bool, and
# their strides count elements; those of the result are bytes, `-` along axes of extent 1.
import random
import sys

import numpy as np
from numpy.lib.stride_tricks import as_strided

LIMIT = 6  # axes


def operand(rng, shape):
    """Strides, in elements, of an array of a shape: a permuted, cut, repeated part of another."""
    ndim = len(shape)
    order = list(range(ndim))
    kind = rng.random()
    if kind < 0.3:
        order.reverse()
    elif kind < 0.8:
        rng.shuffle(order)
    strides = [0] * ndim
    step = 1
    for axis in reversed(order):
        cut = rng.choice([1, 1, 1, 1, 2, 3])
        sign = rng.choice([1, 1, 1, 1, 1, -1])
        strides[axis] = sign * step * cut
        step *= shape[axis] * cut + rng.choice([0, 0, 0, 1])
        if rng.random() < 0.08:
            strides[axis] = 0
    return strides


def lay(shape, strides, dtype):
    low = sum(min(0, (n - 1) * s) for n, s in zip(shape, strides))
    high = sum(max(0, (n - 1) * s) for n, s in zip(shape, strides))
    memory = np.zeros(high - low + 1, dtype)
    size = memory.itemsize
    return as_strided(memory[-low:], shape, [s * size for s in strides])


def broadcast_part(rng, shape):
    """A shape that broadcasts to another."""
    part = [1 if rng.random() < 0.15 else n for n in shape]
    return part[rng.choice([0, 0, 0, 1, 2]) if len(part) > 2 else 0:]


def case(rng):
    ndim = rng.choice([1, 2, 2, 3, 3, 3, 4, 4, 4, 5, LIMIT])
    shape = [rng.choice([1, 2, 2, 3, 3, 4]) for _ in range(ndim)]
    op = rng.choice(['negative', 'add', 'add', 'add', 'less', 'where', 'clip', 'masked', 'modf',
                     'copy', 'astype', 'empty_like', 'concatenate', 'stack', 'sum', 'sum', 'mean',
                     'keepdims', 'accumulate'])
    shared = operand(rng, shape)

    def make(part, dtype=np.float64):
        strides = operand(rng, part)
        if rng.random() < 0.35 and len(part) == ndim:
            strides = [s if n > 1 else rng.choice([1, 7]) for s, n in zip(shared, part)]
        return list(part), strides, lay(part, strides, dtype)

    number = None
    if op in ('add', 'less'):
        ops = [make(broadcast_part(rng, shape)), make(broadcast_part(rng, shape))]
        result = getattr(np, op)(ops[0][2], ops[1][2])
    elif op == 'where':
        ops = [make(broadcast_part(rng, shape), bool), make(broadcast_part(rng, shape)),
               make(broadcast_part(rng, shape))]
        result = np.where(*[o[2] for o in ops])
    elif op == 'clip':
        ops = [make(broadcast_part(rng, shape)) for _ in range(3)]
        result = np.clip(*[o[2] for o in ops])
    elif op == 'masked':
        ops = [make(broadcast_part(rng, shape)), make(broadcast_part(rng, shape)),
               make(broadcast_part(rng, shape), bool)]
        result = np.add(ops[0][2], ops[1][2], where=ops[2][2])
    elif op in ('concatenate', 'stack'):
        number = rng.randrange(ndim + (op == 'stack'))
        ops = [make(shape) for _ in range(rng.choice([1, 2, 3]))]
        result = getattr(np, op)([o[2] for o in ops], number)
    elif op in ('sum', 'mean', 'keepdims'):
        number = rng.randrange(1 << ndim)
        ops = [make(shape)]
        axes = tuple(i for i in range(ndim) if number >> i & 1)
        if op == 'mean':
            result = ops[0][2].mean(axes)
        else:
            result = ops[0][2].sum(axes, keepdims=op == 'keepdims')
    elif op == 'accumulate':
        number = rng.randrange(ndim)
        ops = [make(shape)]
        result = np.maximum.accumulate(ops[0][2], number)
    else:
        ops = [make(shape)]
        x = ops[0][2]
        result = {'negative': lambda: np.negative(x), 'modf': lambda: np.modf(x)[1],
                  'copy': lambda: np.copy(x), 'astype': lambda: x.astype(np.float32),
                  'empty_like': lambda: np.empty_like(x)}[op]()
    result = np.asarray(result)
    name = op if number is None else f'{op}/{number}'
    operands = ' '.join(','.join(map(str, s)) + ':' + ','.join(map(str, t)) for s, t, _ in ops)
    strides = ','.join(str(t) if n > 1 else '-' for n, t in zip(result.shape, result.strides))
    return f'{name} {operands} > {strides}'


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 600
    rng = random.Random(int(sys.argv[2]) if len(sys.argv) > 2 else 14)
    for _ in range(count):
        print(case(rng))


main()
