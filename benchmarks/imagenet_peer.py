#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A training step of a network of examples/imagenet in PyTorch: the peer of benchmarks/chainerxx/imagenet_step.

    python3 benchmarks/imagenet_peer.py --arch=NAME [--device=cuda|cpu] [--batch=32] [--steps=20] [--tf32] [--tune]

The same layers: response normalisation, auxiliary classifiers and dropout where the network has them, ReLU with
inplace=False. float32 sums; --tf32 allows TF32 in convolutions, as Tf32Scope does on the other side. --tune lets cuDNN
try its algorithms first. Prints the median time of a step and, on a GPU, the most memory that PyTorch's allocator ever
handed out, parameters included.
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


class Network(nn.Module):
    insize = 224

    def forward(self, x, t):
        return F.cross_entropy(self.predict(x), t)


class LinearLayers(nn.Module):
    """Three linear layers with dropout."""

    def __init__(self, features, width6, width7):
        super().__init__()
        self.fc6, self.fc7, self.fc8 = nn.Linear(features, width6), nn.Linear(width6, width7), nn.Linear(width7, 1000)

    def forward(self, h):
        h = F.dropout(relu(self.fc6(h.flatten(1))), 0.5, self.training)
        return self.fc8(F.dropout(relu(self.fc7(h)), 0.5, self.training))


class Response(nn.Module):
    def forward(self, x):
        return response_norm(x)


class Alex(Network):
    insize = 227

    def __init__(self, norm1=None, norm2=None):
        super().__init__()
        self.conv1, self.norm1 = nn.Conv2d(3, 96, 11, 4), norm1 or Response()
        self.conv2, self.norm2 = nn.Conv2d(96, 256, 5, padding=2), norm2 or Response()
        self.conv3 = nn.Conv2d(256, 384, 3, padding=1)
        self.conv4 = nn.Conv2d(384, 384, 3, padding=1)
        self.conv5 = nn.Conv2d(384, 256, 3, padding=1)
        self.linear = LinearLayers(256 * 6 * 6, 4096, 4096)

    def predict(self, x):
        h = halved(relu(self.norm1(self.conv1(x))))
        h = halved(relu(self.norm2(self.conv2(h))))
        return self.linear(halved(relu(self.conv5(relu(self.conv4(relu(self.conv3(h))))))))


def alexbn():
    return Alex(nn.BatchNorm2d(96), nn.BatchNorm2d(256))


class NIN(Network):
    insize = 227

    def __init__(self):
        super().__init__()

        def block(conv, width, out):
            return nn.Sequential(conv, nn.ReLU(), nn.Conv2d(width, width, 1), nn.ReLU(), nn.Conv2d(width, out, 1),
                                 nn.ReLU())

        self.conv1 = block(nn.Conv2d(3, 96, 11, 4), 96, 96)
        self.conv2 = block(nn.Conv2d(96, 256, 5, padding=2), 256, 256)
        self.conv3 = block(nn.Conv2d(256, 384, 3, padding=1), 384, 384)
        self.conv4 = block(nn.Conv2d(384, 1024, 3, padding=1), 1024, 1000)

    def predict(self, x):
        h = halved(self.conv3(halved(self.conv2(halved(self.conv1(x))))))
        return F.avg_pool2d(self.conv4(F.dropout(h, 0.5, self.training)), 6).flatten(1)


class OverFeat(Network):
    insize = 231

    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(3, 96, 11, 4), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(96, 256, 5), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(256, 512, 3, padding=1), nn.ReLU(), nn.Conv2d(512, 1024, 3, padding=1), nn.ReLU(),
            nn.Conv2d(1024, 1024, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2))
        self.linear = LinearLayers(1024 * 6 * 6, 3072, 4096)

    def predict(self, x):
        return self.linear(self.features(x))


class VGG(Network):
    def __init__(self, depths):
        super().__init__()
        layers, channels = [], 3
        for depth, width in zip(depths, (64, 128, 256, 512, 512)):
            for _ in range(depth):
                layers += [nn.Conv2d(channels, width, 3, padding=1), nn.ReLU()]
                channels = width
            layers.append(nn.MaxPool2d(2))
        self.features = nn.Sequential(*layers)
        self.linear = LinearLayers(512 * 7 * 7, 4096, 4096)

    def predict(self, x):
        return self.linear(self.features(x))


class Bottleneck(nn.Module):
    def __init__(self, channels, width, stride, projection):
        super().__init__()
        self.path = nn.Sequential(
            nn.Conv2d(channels, width, 1, bias=False), nn.BatchNorm2d(width), nn.ReLU(),
            nn.Conv2d(width, width, 3, stride, 1, bias=False), nn.BatchNorm2d(width), nn.ReLU(),
            nn.Conv2d(width, 4 * width, 1, bias=False), nn.BatchNorm2d(4 * width))
        self.projection = nn.Identity() if not projection else nn.Sequential(
            nn.Conv2d(channels, 4 * width, 1, stride, bias=False), nn.BatchNorm2d(4 * width))

    def forward(self, x):
        return relu(self.path(x) + self.projection(x))


class ResNet50(Network):
    def __init__(self):
        super().__init__()
        self.conv1, self.bn1 = nn.Conv2d(3, 64, 7, 2, 3), nn.BatchNorm2d(64)
        blocks, channels = [], 64
        for depth, width, stride in ((3, 64, 1), (4, 128, 2), (6, 256, 2), (3, 512, 2)):
            for i in range(depth):
                blocks.append(Bottleneck(channels, width, stride if i == 0 else 1, i == 0))
                channels = 4 * width
        self.blocks, self.fc = nn.Sequential(*blocks), nn.Linear(2048, 1000)

    def predict(self, x):
        return self.fc(F.avg_pool2d(self.blocks(halved(relu(self.bn1(self.conv1(x))))), 7).flatten(1))


class AuxiliaryNetwork(Network):
    """Three parts, with classifiers behind the first and the second."""

    def forward(self, x, t):
        h = self.first(x)
        loss1 = F.cross_entropy(self.auxiliary1(h), t)
        h = self.second(h)
        return 0.3 * (loss1 + F.cross_entropy(self.auxiliary2(h), t)) + F.cross_entropy(self.last(h), t)


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
    def __init__(self, channels):
        super().__init__()
        self.conv = nn.Conv2d(channels, 128, 1)
        self.fc1 = nn.Linear(4 * 4 * 128, 1024)
        self.fc2 = nn.Linear(1024, 1000)

    def forward(self, x):
        h = relu(self.conv(F.avg_pool2d(x, 5, 3)))
        return self.fc2(relu(self.fc1(h.flatten(1))))


class GoogLeNet(AuxiliaryNetwork):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(3, 64, 7, 2, 3)
        self.conv2_reduce = nn.Conv2d(64, 64, 1)
        self.conv2 = nn.Conv2d(64, 192, 3, padding=1)
        self.low = nn.Sequential(Inception(192, 64, 96, 128, 16, 32, 32), Inception(256, 128, 128, 192, 32, 96, 64))
        self.inc4a = Inception(480, 192, 96, 208, 16, 48, 64)
        self.second = nn.Sequential(Inception(512, 160, 112, 224, 24, 64, 64), Inception(512, 128, 128, 256, 24, 64, 64),
                                    Inception(512, 112, 144, 288, 32, 64, 64))
        self.inc4e = Inception(528, 256, 160, 320, 32, 128, 128)
        self.high = nn.Sequential(Inception(832, 256, 160, 320, 32, 128, 128),
                                  Inception(832, 384, 192, 384, 48, 128, 128))
        self.auxiliary1, self.auxiliary2 = Classifier(512), Classifier(528)
        self.fc = nn.Linear(1024, 1000)

    def first(self, x):
        h = response_norm(halved(relu(self.conv1(x))))
        h = relu(self.conv2(relu(self.conv2_reduce(h))))
        return self.inc4a(halved(self.low(halved(response_norm(h)))))

    def last(self, h):
        h = F.avg_pool2d(self.high(halved(self.inc4e(h))), 7, 1)
        return self.fc(F.dropout(h, 0.4, self.training).flatten(1))


def normed(channels, out, size, stride=1):
    return nn.Sequential(nn.Conv2d(channels, out, size, stride, size // 2, bias=False), nn.BatchNorm2d(out), nn.ReLU())


class InceptionBN(nn.Module):
    def __init__(self, channels, out1, proj3, out3, proj33, out33, pool, proj_pool=0, stride=1):
        super().__init__()
        paths = [normed(channels, out1, 1)] if out1 else []
        paths.append(nn.Sequential(normed(channels, proj3, 1), normed(proj3, out3, 3, stride)))
        paths.append(nn.Sequential(normed(channels, proj33, 1), normed(proj33, out33, 3),
                                   normed(out33, out33, 3, stride)))
        pool = [nn.MaxPool2d(3, stride, 1) if pool == "max" else nn.AvgPool2d(3, stride, 1)]
        paths.append(nn.Sequential(*pool, *([normed(channels, proj_pool, 1)] if proj_pool else [])))
        self.paths = nn.ModuleList(paths)

    def forward(self, x):
        return torch.cat([path(x) for path in self.paths], 1)


class ClassifierBN(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.conv = normed(channels, 128, 1)
        self.fc = nn.Linear(4 * 4 * 128, 1024, bias=False)
        self.norm = nn.BatchNorm1d(1024)
        self.out = nn.Linear(1024, 1000)

    def forward(self, x):
        return self.out(relu(self.norm(self.fc(self.conv(F.avg_pool2d(x, 5, 3)).flatten(1)))))


class GoogLeNetBN(AuxiliaryNetwork):
    def __init__(self):
        super().__init__()

        def pool():
            return nn.MaxPool2d(3, 2, 1, ceil_mode=True)

        self.first = nn.Sequential(
            normed(3, 64, 7, 2), pool(), normed(64, 192, 3), pool(),
            InceptionBN(192, 64, 64, 64, 64, 96, "avg", 32), InceptionBN(256, 64, 64, 96, 64, 96, "avg", 64),
            InceptionBN(320, 0, 128, 160, 64, 96, "max", stride=2),
            InceptionBN(576, 224, 64, 96, 96, 128, "avg", 128))
        self.second = nn.Sequential(
            InceptionBN(576, 192, 96, 128, 96, 128, "avg", 128), InceptionBN(576, 128, 128, 160, 128, 160, "avg", 128),
            InceptionBN(576, 64, 128, 192, 160, 192, "avg", 128))
        self.last = nn.Sequential(
            InceptionBN(576, 0, 128, 192, 192, 256, "max", stride=2),
            InceptionBN(1024, 352, 192, 320, 160, 224, "avg", 128),
            InceptionBN(1024, 352, 192, 320, 192, 224, "max", 128), nn.AvgPool2d(7), nn.Flatten(), nn.Linear(1024, 1000))
        self.auxiliary1, self.auxiliary2 = ClassifierBN(576), ClassifierBN(576)


NETWORKS = {"alex": Alex, "alexbn": alexbn, "nin": NIN, "googlenet": GoogLeNet, "googlenetbn": GoogLeNetBN,
            "overfeat": OverFeat, "vgga": lambda: VGG((1, 1, 2, 2, 2)), "vgg16": lambda: VGG((2, 2, 3, 3, 3)),
            "resnet50": ResNet50}


def step_times(model, batch, steps, device):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    x = torch.rand(batch, 3, model.insize, model.insize, device=device)
    t = torch.randint(0, 1000, (batch,), device=device)
    times = []
    for _ in range(steps + 3):
        start = time.perf_counter()
        optimizer.zero_grad(set_to_none=False)
        model(x, t).backward()
        optimizer.step()
        if device.startswith("cuda"):
            torch.cuda.synchronize()
        times.append((time.perf_counter() - start) * 1e3)
    return times[3:]


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--arch", choices=NETWORKS, required=True)
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--tf32", action="store_true")
    parser.add_argument("--tune", action="store_true")
    args = parser.parse_args(arguments)
    torch.backends.cuda.matmul.allow_tf32 = False
    torch.backends.cudnn.allow_tf32 = args.tf32
    torch.backends.cudnn.benchmark = args.tune
    if args.device.startswith("cuda"):
        torch.cuda.reset_peak_memory_stats()
    model = NETWORKS[args.arch]().to(args.device)
    times = sorted(step_times(model, args.batch, args.steps, args.device))
    print(f"{args.arch} in PyTorch {torch.__version__} on {args.device}, batch {args.batch}, TF32 "
          f"{'in convolutions' if args.tf32 else 'off'}{', tuned' if args.tune else ''}, parameters "
          f"{sum(p.numel() for p in model.parameters())}: {times[len(times) // 2]:.2f} ms a step")
    if args.device.startswith("cuda"):
        mib = 1 << 20
        print(f"peak_MiB {torch.cuda.max_memory_allocated() / mib:.1f} allocated, "
              f"{torch.cuda.max_memory_reserved() / mib:.1f} reserved")


if __name__ == "__main__":
    main()
