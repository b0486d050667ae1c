#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every routine of docs/numpy.md beside NumPy, one thread, on the CPU.

    bazel build //benchmarks/cupyxx:numpy_rows
    /usr/bin/python3 benchmarks/numpy_matrix.py [--only=REGEX] [--sizes=100,100000,10000000] [--json=FILE]
    /usr/bin/python3 benchmarks/numpy_matrix.py --check     # only whether every routine has a row; needs no NumPy

Our side is a program that waits for the name of a row and a number of elements; NumPy's side runs the same row here.
They take turns, and each keeps its least time on a processor, which a busy machine does not lengthen; rows that look
slow get more turns. Rows below 1.0 of NumPy's speed are listed at the end, at 10^5 elements and more and at 10^2 apart.
A routine of the document without a row is an error. NumPy is Debian's python3-numpy (1.24).
"""
import argparse
import json
import os
import re
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "OMP_WAIT_POLICY": "passive"}
os.environ.update(ONE_THREAD)

# What the tables of docs/numpy.md name that is no routine of its own, and why there is no row.
NO_ROW = {
    "a constructor, an attribute or a conversion that computes nothing": """
        ndarray a.shape a.strides a.dtype a.ndim a.size a.itemsize a.nbytes a.T a.base a.flags a.flags.writeable n len bool if int list names dtype
        np.shape np.ndim np.size np.float32 np.uint8 np.single np.complex64 t.name t.kind t.char t.itemsize f.types f.nin f.nout f.nargs f.__name__
        f.identity signature subok order axes by linalg.LinAlgError NpzFile npz matrix_and_others""",
    "the method of a routine that has a row": """
        take diagonal sum prod mean var std max min all any argmax argmin ptp cumsum cumprod clip round dot trace
        argsort nonzero searchsorted transpose swapaxes squeeze a.put a.repeat a.choose a.compress a.partition""",
    "files and texts, not arithmetic": """
        a.tofile a.dump a.dumps frombuffer fromfile fromstring loadtxt load save savez savez_compressed savetxt
        set_printoptions get_printoptions str a.tobytes a.byteswap a.resize a.itemset a.flat a.ctypes""",
    "not there": "fromiter frompyfunc vectorize nditer datetime64 np.matrix einsum_path",
    "a view, an iteration, a check or a text": """
        permute_dims matrix_transpose linalg.matrix_transpose linalg.diagonal a.mT unstack lib.stride_tricks.as_strided
        lib.stride_tricks.sliding_window_view ndenumerate ndindex isdtype require astype float np.e np.euler_gamma np.inf np.nan np.pi
        testing.assert_allclose testing.assert_almost_equal testing.assert_array_equal testing.assert_equal
        format_float_positional format_float_scientific genfromtxt""",
    "CuPy's and Chainer's: devices, streams, kernels": """
        CUPY_CACHE_DIR Device Device.id Event Function.linear_launch Module Stream a.get compile_with_cache compute_capability
        Memory MemoryPointer MemoryPool a.data alloc set_allocator
        create_ufunc cublas_handle cupy.asnumpy cupy.ufunc get_elapsed_time synchronize with""",
    "not in NumPy 1.24: scipy's, or NumPy 2's without an older name": """
        psi log_softmax logsumexp softmax vecdot linalg.vecdot matvec vecmat cumulative_prod cumulative_sum unique_all
        unique_counts unique_inverse unique_values linalg.svdvals""",
}
# Rows of expressions; a word of the document is the row that does it.
SAME_AS = {
    "divide": "true_divide", "mod": "remainder", "abs": "absolute", "bitwise_not": "invert", "degrees": "rad2deg",
    "radians": "deg2rad", "np.add": "add", "np.exp": "exp", "np.modf": "modf", "conj": "conjugate", "divmod": "divmod",
    "acos": "arccos", "acosh": "arccosh", "asin": "arcsin", "asinh": "arcsinh", "atan": "arctan", "atan2": "arctan2",
    "atanh": "arctanh", "bitwise_invert": "invert", "bitwise_left_shift": "left_shift", "bitwise_right_shift": "right_shift",
    "pow": "power", "concat": "concatenate", "trapezoid": "trapz", "linalg.cross": "cross", "linalg.outer": "outer",
    "linalg.matmul": "matmul", "linalg.tensordot": "tensordot", "linalg.trace": "trace", "linalg.matrix_norm": "linalg.norm",
    "linalg.vector_norm": "linalg.norm",
    "svd": "linalg.svd", "pinv": "linalg.pinv", "matrix_rank": "linalg.matrix_rank",
}


def words_of(document):
    """The routines that the left column of the tables names."""
    words = []
    for line in document.splitlines():
        if line.startswith("## Deliberate"):
            break
        if not line.startswith("| ") or line.startswith("| NumPy") or line.startswith("| ---"):
            continue
        left = re.split(r"(?<!\\)\|", line)[1]
        for span in re.findall(r"`([^`]+)`", left):
            found = re.match(r"([A-Za-z_][\w.]*)($|\(|\[| )", span)
            if found and not re.match(r"[\w.]+ ?[-+*/@%|&^]", span) and not span.endswith("="):
                words.append(found.group(1))
    return sorted(set(words))


def operations_of(document):
    """The elementwise operations of docs/ops.md."""
    return re.findall(r"^\| `(\w+)` \|", document, re.M)


def read(name):
    with open(os.path.join(HERE, "..", "docs", name), encoding="utf-8") as file:
        return file.read()


def missing(rows):
    """What the documents name and no row does."""
    exempt = {word for words in NO_ROW.values() for word in words.split()}
    there = {name.split(" ")[0] for name in rows} | set(rows)
    lost = []
    for word in words_of(read("numpy.md")) + operations_of(read("ops.md")):
        name = SAME_AS.get(word, word)
        if name not in there and name.removeprefix("a.") not in there and word not in exempt:
            lost.append(word)
    return lost


def arrays(np, n):
    """As numpy_rows.cc makes them."""
    random = np.random
    r = int(n ** 0.5)
    a, b = random.rand(n), random.rand(n)
    k = random.randint(0, 10, n)
    matrix, other = random.rand(r, r), random.rand(r, r)
    c = (a - 0.5) + 1j * (b - 0.5)
    i = random.randint(1, 100, n)
    stack = matrix if n <= 100000 else random.rand(n // 10000, 100, 100)
    side = stack.shape[-1]
    return {
        "np": np, "n": n, "r": r, "a": a, "b": b, "f": a.astype(np.float32), "g": b.astype(np.float32),
        "i": i, "j": random.randint(1, 100, n), "k": k, "idx": random.randint(0, n, n),
        "m": a > 0.5, "c": c, "e": b + 1j * a, "u": random.randint(0, 256, n).astype(np.uint8),
        "s": np.sort(a), "z": np.where(k == 0, np.nan, a), "w": a.copy(), "A": matrix, "B": other, "W": matrix.copy(),
        "K": random.randint(0, r, (r, r)), "S": stack, "P": stack @ np.swapaxes(stack, -1, -2) + np.eye(side) * side,
        "R": random.rand(*stack.shape[:-1], 3), "T": random.rand(n // 3, 3), "xp": np.linspace(0, 1, 1000),
        "fp": random.rand(1000), "v": random.rand(50), "p": random.rand(10), "q": random.randint(0, 10000, 1000),
        "l": random.randint(0, 10000, n), "h": a.astype(np.float16), "x": c.astype(np.complex64),
        "t": random.randint(-100, 100, n).astype(np.int8), "o": i.astype(np.int32), "C": random.rand(n // 100, 10, 10),
        "M": matrix > 0.5, "m1": a > 0.99,
    }


def least_ns(call, seconds):
    """The least time of a call in groups that fill `seconds`; once at least. As numpy_rows.cc does it."""
    clock = time.thread_time_ns
    begin = clock()
    call()
    best = max(clock() - begin, 1)  # the clock may not have moved
    group = int(min(1000, 1 + 1e5 / best))
    while clock() - begin < seconds * 1e9:
        start = clock()
        for _ in range(group):
            call()
        spent = clock() - start
        best = min(best, spent / group) if spent > 0 else best
    return best


class Ours:
    """The program of our side."""

    def __init__(self, program):
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                        env={**os.environ, **ONE_THREAD})

    def least_ns(self, name, n, seconds):
        print(f"{name}\t{n}\t{seconds}", file=self.process.stdin, flush=True)
        answer = self.process.stdout.readline()
        if not answer or answer.startswith("error"):
            raise RuntimeError(f"{name} of {n} elements: {answer.strip() or 'the program has ended'}")
        return float(answer)


def compare(ours, call, name, n, turns=5):
    """Both sides' least times: five turns, fewer of long calls, and one of those that take seconds."""
    seconds = 0.0005 if n <= 1000 else 0.004
    mine, theirs = float("inf"), float("inf")
    for turn in range(turns):
        # A clock that has not moved says nothing.
        theirs = min(theirs, least_ns(call, seconds) or float("inf"))
        mine = min(mine, ours.least_ns(name, n, seconds) or float("inf"))
        if (turn + 1) * (mine + theirs) > (1e9 if turn == 0 else 2e8):
            break
    return max(mine, 1e-3), theirs  # what is measured as nothing is no divisor


def listed(program):
    """Of each row of our program NumPy's expression and the largest size."""
    text = subprocess.run([program, "--list"], check=True, stdout=subprocess.PIPE, text=True).stdout
    return {name: (numpy, float(most)) for name, numpy, most in (line.split("\t") for line in text.splitlines())}


def is_numpys(np, expression):
    """Whether NumPy has the function that an expression calls first."""
    called = re.match(r"np\.(\w+)\(", expression)
    return called is None or hasattr(np, called.group(1))


def measure(rows, options):
    """(row, elements, our ns, NumPy's ns) of all rows; prints each."""
    import warnings

    import numpy as np
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    ours = Ours(options.program)
    results = []
    # scipy.special's functions, which are operations like the others.
    alone = [name for name, (numpy, _) in rows.items() if not is_numpys(np, numpy)]
    print(f"not in NumPy, so not measured: {', '.join(alone)}", flush=True)
    rows = {name: row for name, row in rows.items() if name not in alone}
    for n in map(int, options.sizes.split(",")):
        names = arrays(np, n)
        for name, (numpy, most) in rows.items():
            if n > most or not re.search(options.only, name):
                continue
            call = eval(f"lambda: {numpy}", names)
            mine, theirs = compare(ours, call, name, n)
            for _ in range(options.again):
                if theirs < mine:  # other programs push either side out of the caches at times
                    pair = compare(ours, call, name, n, turns=15)
                    mine, theirs = min(mine, pair[0]), min(theirs, pair[1])
            results.append((name, n, mine, theirs))
            print(f"{name} | {n} | {mine / 1e3:.4g} us | {theirs / 1e3:.4g} us | {theirs / mine:.2f}", flush=True)
    return results


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=os.path.join(HERE, "..", "bazel-bin/benchmarks/cupyxx/numpy_rows"))
    parser.add_argument("--only", default="", help="run the rows whose names hold this expression")
    parser.add_argument("--sizes", default="100,100000,10000000")
    parser.add_argument("--again", type=int, default=3, help="how often rows that look slow are measured again")
    parser.add_argument("--json", help="write the results here, too")
    parser.add_argument("--check", action="store_true", help="only look for routines without a row")
    options = parser.parse_args()
    rows = listed(options.program)
    lost = missing(rows)
    if lost:
        sys.exit("Without a row: " + ", ".join(lost))
    if options.check:
        print(f"{len(rows)} rows; every routine of docs/numpy.md and docs/ops.md has one.")
        return
    begin = time.time()
    results = measure(rows, options)
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(results, file)
    slower = sorted((theirs / mine, name, n, mine, theirs) for name, n, mine, theirs in results if theirs < mine)
    print(f"\n{len(results)} rows in {time.time() - begin:.0f} s; below 1.0 of NumPy's speed:")
    for title, chosen in (("10^5 elements and more", [row for row in slower if row[2] > 1000]),
                          ("fewer", [row for row in slower if row[2] <= 1000])):
        print(f"\n{title}: {len(chosen)}\n\n| ratio | row | elements | ours | NumPy |\n| --- | --- | --- | --- | --- |")
        for ratio, name, n, mine, theirs in chosen:
            print(f"| {ratio:.2f} | {name} | {n} | {mine / 1e3:.4g} us | {theirs / 1e3:.4g} us |")


if __name__ == "__main__":
    main()
