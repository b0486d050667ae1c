#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Whether the networks of examples/imagenet compute what PyTorch's do from the same weights and images.

    python3 benchmarks/network_truth.py --run=bazel-bin/benchmarks/chainerxx/network_truth [--only=alex,nin] [--precision=float32]

For each network: scores, loss and the gradients of all parameters of ours beside PyTorch's in float64 on the same
device; the largest difference as a share of the largest magnitude of that array, and the same of PyTorch's in float32:
batch normalisation of few images makes rounding large. Networks without dropout are compared in training, the others as
they are used. Ends with status 1 when a share exceeds the bound of the precision and three times PyTorch's own.
"""
import argparse
import collections
import os
import shlex
import subprocess
import sys
import tempfile

import numpy as np
import torch

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import imagenet_peer  # noqa: E402

TRAINS = ("googlenetbn", "resnet50")
BOUNDS = {"float32": 2e-3, "tf32": 5e-2, "bfloat16": 0.3, "float16": 5e-2}


def as_paths_stand(names):
    """InceptionBN makes its first path, which it may lack, behind the others."""
    first = {}
    for place, name in enumerate(names):
        first.setdefault(name.split("/")[2], place)

    def key(name):
        _, number, module, *rest = name.split("/")
        normalised = "conv" + module[2:]  # AlexBN makes its layers of normalisation behind all others
        if module.startswith("bn") and normalised in first:
            return first[normalised], True, number
        is_first_path = module.startswith("inc") and rest and rest[0] in ("conv1", "conv1n")
        return first[module], not is_first_path, number

    return sorted(names, key=key)


def same_shapes_in_order(names, arrays, model):
    """Pairs parameters: those of one shape belong together in the order in which they were made."""
    waiting = collections.defaultdict(collections.deque)
    for name in as_paths_stand(names):
        waiting[arrays[name].shape].append(name)
    return {key: waiting[tuple(parameter.shape)].popleft() for key, parameter in model.named_parameters()}


def share(found, expected, least=1e-30):
    found, expected = np.asarray(found, np.float64), np.asarray(expected, np.float64)
    return float(np.abs(found - expected).max() / max(np.abs(expected).max(), least))


def scores_of(model, x):
    if isinstance(model, imagenet_peer.AuxiliaryNetwork):
        return model.last(model.second(model.first(x)))
    return model.predict(x)


def gradients_of(arch, arrays, pairs_of, dtype):
    model = imagenet_peer.NETWORKS[arch]().to(dtype).cuda()
    model.train(arch in TRAINS)
    pairs = pairs_of(model)
    with torch.no_grad():
        for key, parameter in model.named_parameters():
            parameter.copy_(torch.from_numpy(arrays[pairs[key]]).to(dtype))
    x = torch.from_numpy(arrays["x"]).to(dtype).cuda()
    loss = model(x, torch.from_numpy(arrays["t"]).long().cuda())
    loss.backward()
    scores = None  # in training the moments of two passes differ
    if arch not in TRAINS:
        with torch.no_grad():
            scores = scores_of(model, x).cpu()
    wanted = {key: parameter.grad.cpu() for key, parameter in model.named_parameters() if parameter.grad is not None}
    return pairs, loss.detach().cpu(), scores, wanted


def compare(arch, arrays):
    names = sorted(name for name in arrays if name.startswith("parameter/"))
    pairs, loss, scores, wanted = gradients_of(arch, arrays, lambda m: same_shapes_in_order(names, arrays, m),
                                               torch.float64)
    theirs = gradients_of(arch, arrays, lambda _: pairs, torch.float32)[3]
    # The gradient of a bias in front of batch normalisation is 0: what is found there is compared with the others.
    least = 1e-4 * max(float(gradient.abs().max()) for gradient in wanted.values())
    found = {key: share(arrays[pairs[key].replace("parameter", "gradient", 1)], gradient, least)
             for key, gradient in wanted.items()}
    own = max(share(theirs[key], gradient, least) for key, gradient in wanted.items())
    worst = max(found, key=found.get)
    return (share(arrays["scores"], scores) if scores is not None else 0.0, share(arrays["loss"], loss), found[worst],
            own, worst)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--run", required=True)
    parser.add_argument("--only", default=",".join(imagenet_peer.NETWORKS))
    parser.add_argument("--precision", default="float32")
    args = parser.parse_args()
    failed = []
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = False
    print(f"{'network':12} {'scores':>9} {'loss':>9} {'gradients':>9} {'PyTorch':>9}  worst of")
    for arch in args.only.split(","):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "truth.npz")
            subprocess.run(shlex.split(args.run) + [f"--arch={arch}", f"--out={path}", "--device=cuda:0",
                                                    f"--precision={args.precision}"],
                           check=True, stdout=subprocess.DEVNULL)
            with np.load(path) as file:
                arrays = dict(file)
        scores, loss, gradient, own, worst = compare(arch, arrays)
        print(f"{arch:12} {scores:9.1e} {loss:9.1e} {gradient:9.1e} {own:9.1e}  {worst}", flush=True)
        bound = BOUNDS[args.precision]
        if not (scores <= bound and loss <= bound and gradient <= max(bound, 3 * own)):
            failed.append(arch)
        torch.cuda.empty_cache()
    if failed:
        sys.exit(f"beyond {BOUNDS[args.precision]}: {', '.join(failed)}")


if __name__ == "__main__":
    main()
