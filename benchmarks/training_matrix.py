#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Training steps on a GPU beside the best modes of PyTorch, as one table.

    python3 benchmarks/training_matrix.py --run=PREFIX --out=FOLDER [--only=alex,gpt] [--compile=default,reduce-overhead]
                                          [--no-peers]

PREFIX and a name (imagenet_step, gpt_step, lstm_step) are our programs: bazel-bin/benchmarks/chainerxx/ or, from a bundle of
tools/gpu_bundle.sh, "FOLDER/run.sh benchmarks_chainerxx_". A row is one network with the batch that is usual for it and
one precision. Ours runs eager, captured, and captured with
CHAINERXX_TUNE and CUPYXX_TUNE, which try cuDNN's and cuBLAS's algorithms first; PyTorch runs in each of its modes: plain and channels last, eager and
compiled, LSTMs also as a CUDA graph, cuDNN trying its algorithms first, TF32 in convolutions and products, bfloat16 by autocast, optimizers that are
one launch. The best mode of each side counts. Writes FOLDER/training.json and FOLDER/training.html (bars; opens without
a network) and prints the table. The goal is the smaller of the row's own and 0.95 of the peer's best.
"""
import argparse
import html
import json
import os
import shlex
import statistics
import subprocess
import sys
import time

# Network, batch, goals in ms by precision.
ROWS = [
    ("alex", 128, {"tf32": 6.5, "bfloat16": 4.8}),
    ("overfeat", 128, {"tf32": 10.7, "bfloat16": 6.6}),
    ("vgga", 64, {"tf32": 16.5, "bfloat16": 10.0}),
    ("googlenet", 128, {"tf32": 18.5, "bfloat16": 13.0}),
    ("googlenetbn", 128, {"tf32": 23.0, "bfloat16": 16.0}),
    ("resnet50", 64, {"tf32": 19.0, "bfloat16": 12.5}),
    ("gpt", 16, {"tf32": 80.0, "bfloat16": 30.5}),
    ("lstm", 20, {"tf32": 2.4}),
    ("lstm_loop", 20, {"tf32": 5.0}),
]
PRECISIONS = ("tf32", "bfloat16")
PROGRAMS = {"gpt": "gpt_step", "lstm": "lstm_step", "lstm_loop": "lstm_step"}  # the others: imagenet_step


def ours(prefix, networks):
    """(network, precision) -> {mode: ms}."""
    times = {}
    for program in ("imagenet_step", "gpt_step", "lstm_step"):
        names = [n for n in networks if PROGRAMS.get(n, "imagenet_step") == program]
        if not names:
            continue
        batches = {name: batch for name, batch, _ in ROWS}
        for modes, suffix, tune in (("eager|captured", "", {}),
                                    ("captured", ", tuned", {"CHAINERXX_TUNE": "1", "CUPYXX_TUNE": "1"})):
            wanted = "|".join(f"{n}/({'|'.join(PRECISIONS)})/({modes})/{batches[n]}/" for n in names)
            command = shlex.split(prefix + program) + [f"--benchmark_filter=^({wanted})", "--benchmark_format=json",
                                                       "--benchmark_min_time=0.5"]
            environment = dict(os.environ, CUPYXX_BENCHMARK_DEVICE="cuda", **tune)
            result = subprocess.run(command, capture_output=True, text=True, env=environment)
            if result.returncode != 0:
                print(f"{program} failed:\n{result.stderr[-2000:]}", file=sys.stderr)
                continue
            for row in json.loads(result.stdout)["benchmarks"]:
                network, precision, mode = row["name"].split("/")[:3]
                times.setdefault((network, precision), {})[mode + suffix] = row["real_time"]
    return times


def peer_modes(precision, network, compilers):
    layouts = ("plain",) if network in PROGRAMS else ("plain", "channels last")
    yield from ((layout, None) for layout in layouts)
    if PROGRAMS.get(network) == "lstm_step":
        yield "plain", "CUDA graph"
    yield from ((layouts[-1], compiler) for compiler in compilers)


def time_of(step):
    import torch
    for _ in range(6):
        step()
    torch.cuda.synchronize()
    times = []
    for _ in range(5):
        start = time.perf_counter()
        for _ in range(5):
            step()
        torch.cuda.synchronize()
        times.append((time.perf_counter() - start) / 5e-3)
    return statistics.median(times)


def network_step(network, batch, layout, compiler, autocast):
    import torch
    import imagenet_peer
    model = imagenet_peer.NETWORKS[network]().cuda()
    x = torch.rand(batch, 3, model.insize, model.insize, device="cuda")
    t = torch.randint(0, 1000, (batch,), device="cuda")
    if layout == "channels last":
        model, x = model.to(memory_format=torch.channels_last), x.to(memory_format=torch.channels_last)
    forward = torch.compile(model, mode=compiler) if compiler else model
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01, foreach=True)

    def step():
        optimizer.zero_grad(set_to_none=True)
        with torch.autocast("cuda", torch.bfloat16, enabled=autocast):
            loss = forward(x, t)
        loss.backward()
        optimizer.step()

    return step


def gpt_step(compiler, autocast):
    import torch
    import gpt_peer
    model = gpt_peer.Gpt().cuda()
    step = gpt_peer.make_step(model)
    forward = torch.compile(model, mode=compiler) if compiler else model
    return lambda: step(forward, "bfloat16" if autocast else None)


def peers(networks, compilers):
    """(network, precision) -> {mode: ms}."""
    import torch
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    torch.backends.cudnn.benchmark = True
    torch.backends.cudnn.allow_tf32 = torch.backends.cuda.matmul.allow_tf32 = True
    times = {}
    for network, batch, goals in ROWS:
        if network not in networks:
            continue
        for precision in goals:
            for layout, compiler in peer_modes(precision, network, compilers):
                name = mode_name(layout, compiler)
                try:
                    step = make_step(network, batch, layout, compiler, precision == "bfloat16")
                    times.setdefault((network, precision), {})[name] = time_of(step)
                except Exception as error:  # a mode that PyTorch cannot run is no peer
                    print(f"{network} {precision} {name}: {str(error)[:200]}", file=sys.stderr)
                step = None
                torch.cuda.empty_cache()
                torch._dynamo.reset()
    return times


def lstm_step(network, compiler, autocast):
    import lstm_peer
    if compiler != "CUDA graph":
        return lstm_peer.make_step(network, compiler=compiler, autocast=autocast)
    return lstm_peer.as_graph(lstm_peer.make_step(network, autocast=autocast))


def make_step(network, batch, layout, compiler, autocast):
    program = PROGRAMS.get(network)
    if program == "gpt_step":
        return gpt_step(compiler, autocast)
    if program == "lstm_step":
        return lstm_step(network, compiler, autocast)
    return network_step(network, batch, layout, compiler, autocast)


def mode_name(layout, compiler):
    if compiler == "CUDA graph":
        return f"{layout}, {compiler}"
    return f"{layout}, {'compiled, ' + compiler if compiler else 'eager'}"


def best(modes):
    return min(modes.items(), key=lambda item: item[1]) if modes else (None, None)


def table(own, other):
    rows = []
    for network, batch, goals in ROWS:
        for precision in goals:
            if (network, precision) not in own and (network, precision) not in other:
                continue
            mode, value = best(own.get((network, precision)))
            peer_mode, peer = best(other.get((network, precision)))
            goal = min(goals[precision], 0.95 * peer) if peer else goals[precision]
            rows.append({"network": network, "batch": batch, "precision": precision, "ms": value, "mode": mode,
                         "peer_ms": peer, "peer_mode": peer_mode, "goal_ms": goal,
                         "all": own.get((network, precision), {}), "all_peers": other.get((network, precision), {})})
    return rows


def number(value):
    return f"{value:.2f}" if value is not None else "-"


def page(rows, machine):
    """Bars as plain HTML and CSS."""
    parts = []
    for row in rows:
        longest = max(v for v in (row["ms"], row["peer_ms"], row["goal_ms"]) if v is not None)
        title = html.escape(f"{row['network']}, batch {row['batch']}, {row['precision']}")
        parts.append(f"<h2>{title}</h2>")
        for kind, label, value in (("ours", f"ours, {row['mode']}", row["ms"]),
                                   ("peer", f"PyTorch, {row['peer_mode']}", row["peer_ms"]),
                                   ("goal", "goal", row["goal_ms"])):
            if value is not None:
                parts.append(f'<div class="row"><span class="label">{html.escape(label)}</span><span class="bar {kind}" '
                             f'style="width:{50 * value / longest:.1f}%"></span><span>{value:.2f} ms</span></div>')
    style = ("body{font:16px/1.5 sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1b1b1b;background:#fff}"
             ".row{display:flex;align-items:center;gap:.5rem}.label{width:18rem;flex:none}.bar{height:1.1rem}"
             ".ours{background:#1f6f43}.peer{background:#b5541c}.goal{background:#767676}h2{font-size:1rem;margin:1rem 0 0}")
    return (f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Training steps</title><style>{style}</style>'
            f"</head><body><h1>Training steps, ms (shorter is better)</h1><p>{html.escape(machine)}</p>"
            + "".join(parts) + "</body></html>\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--run", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--only", default="")
    parser.add_argument("--compile", default="default")
    parser.add_argument("--no-peers", action="store_true")
    args = parser.parse_args()
    networks = args.only.split(",") if args.only else [name for name, _, _ in ROWS]
    compilers = [c for c in args.compile.split(",") if c]
    own = ours(args.run, networks)
    other = {} if args.no_peers else peers(networks, compilers)
    rows = table(own, other)
    machine = time.strftime("%Y-%m-%d")
    if not args.no_peers:
        import torch
        machine += (f", {torch.cuda.get_device_name()}, PyTorch {torch.__version__}, "
                    f"cuDNN {torch.backends.cudnn.version()}")
    os.makedirs(args.out, exist_ok=True)
    with open(os.path.join(args.out, "training.json"), "w") as file:
        json.dump({"machine": machine, "rows": rows}, file, indent=1)
    with open(os.path.join(args.out, "training.html"), "w") as file:
        file.write(page(rows, machine))
    print(machine)
    print(f"{'network':12} {'precision':9} {'ours':>8} {'mode':9} {'PyTorch':>8} {'goal':>7}  mode")
    for row in rows:
        print(f"{row['network']:12} {row['precision']:9} {number(row['ms']):>8} {row['mode'] or '-':9} "
              f"{number(row['peer_ms']):>8} {number(row['goal_ms']):>7}  {row['peer_mode'] or '-'}")


if __name__ == "__main__":
    main()
