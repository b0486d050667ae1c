#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs clang-tidy over sources, or remembers what it said of the same text: tools/tidy.sh calls it.

    tools/tidy.py SOURCE... [--flags FLAG...]

What it said is kept in ~/.cache/cupyxx/tidy by the hash of the source, of all headers of the repository that it reaches, of
.clang-tidy, of the flags and of clang-tidy's version. Ends with `N sources, M findings, K from the cache`.
"""
import concurrent.futures
import functools
import hashlib
import os
import pathlib
import re
import subprocess
import sys
import time

CACHE = pathlib.Path(os.path.expanduser("~/.cache/cupyxx/tidy"))
DAYS = 60  # entries that nobody has asked for so long are removed
# A header that tells where the toolkit is, in Bazel's folder beside execroot; what tools/dist/link.sh passes.
MADE = ["-isystem", "bazel-out/../../../external/cuda", "-DMAJOR=0", "-DMINOR=0", "-DPATCH=0"]
INCLUDE = re.compile(rb'^[ \t]*#[ \t]*include[ \t]+"([^"]+)"', re.MULTILINE)


def version():
    """Without the processor, which clang-tidy names beside it: flags say for which one is compiled."""
    said = subprocess.run(["clang-tidy", "--version"], stdout=subprocess.PIPE, check=True).stdout
    return re.sub(rb"(?m)^ *Host CPU:.*\n?", b"", said)


@functools.lru_cache(maxsize=None)
def read(path):
    """The text of a file and the files that it includes by their path in the repository or among what was built."""
    text = pathlib.Path(path).read_bytes()
    included = []
    for name in INCLUDE.findall(text):
        name = name.decode()
        for place in (name, os.path.join("bazel-bin", name), os.path.join(os.path.dirname(path), name)):
            if os.path.isfile(place):
                included.append(place)
                break
    return text, tuple(included)


def reached(path):
    """A source and all that it includes, by and by."""
    found, waiting = {path}, [path]
    while waiting:
        for other in read(waiting.pop())[1]:
            if other not in found:
                found.add(other)
                waiting.append(other)
    return sorted(found)


def key_of(source, common):
    key = hashlib.sha256(common)
    for path in reached(source):
        key.update(path.encode() + b"\0" + hashlib.sha256(read(path)[0]).digest())
    return key.hexdigest()


def tidy(source, flags, common):
    """What clang-tidy says of a source, and whether it had said so before."""
    entry = CACHE / key_of(source, common)
    try:
        text = entry.read_text()
        os.utime(entry)
        return text, True
    except FileNotFoundError:
        pass
    done = subprocess.run(["clang-tidy", "--quiet", source, "--"] + flags + MADE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, errors="replace")
    # As in every checkout of the repository.
    text = re.sub(r"(?m)^(%s/)?(\./)?" % re.escape(os.getcwd()), "", done.stdout.strip())
    if done.returncode != 0 and not text:
        text = "%s: clang-tidy ended with %d: %s" % (source, done.returncode, done.stderr.strip())
    made = entry.with_name("%s.%d" % (entry.name, os.getpid()))
    made.write_text(text)
    made.replace(entry)
    return text, False


def main():
    sources, _, flags = " ".join(sys.argv[1:]).partition("--flags")
    sources, flags = sources.split(), flags.split()
    CACHE.mkdir(mode=0o700, parents=True, exist_ok=True)
    common = version() + pathlib.Path(".clang-tidy").read_bytes() + " ".join(flags).encode()
    findings, cached, done = set(), 0, 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for text, known in pool.map(lambda source: tidy(source, flags, common), sources):
            done += 1
            cached += known
            # A header's finding comes once for each source that includes it.
            for part in re.split(r"\n(?=\S+:\d+:\d+: (?:error|warning):)", text):
                if re.search(r"(error|warning):|clang-tidy ended", part) and part not in findings:
                    findings.add(part)
                    print(part, flush=True)
            if sys.stderr.isatty():
                print("\r%d of %d" % (done, len(sources)), end="", file=sys.stderr, flush=True)
    for entry in CACHE.iterdir():
        if time.time() - entry.stat().st_mtime > DAYS * 86400:
            entry.unlink(missing_ok=True)
    print("%d sources, %d findings, %d from the cache" % (len(sources), len(findings), cached))
    return 1 if findings else 0


sys.exit(main())
