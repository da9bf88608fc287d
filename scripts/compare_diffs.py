#!/usr/bin/env python3
"""compare_diffs.py BLOCKARCH ARCHIVE... [--pairs N]: random pairs of consecutive versions. Applies the edits of each diff to the old
bytes and compares the result with the new ones; measures the diff, in a process of its own, against 'git diff --word-diff --no-index'
of the same two files, and both against a process that does nothing of either kind."""
import argparse
import json
import pathlib
import random
import statistics
import subprocess
import tempfile
import time

from apply_diff import apply

parser = argparse.ArgumentParser()
parser.add_argument("program")
parser.add_argument("archives", nargs="+")
parser.add_argument("--pairs", type=int, default=500)
options = parser.parse_args()


def run(*words):
    begin = time.perf_counter()
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return time.perf_counter() - begin, done.stdout


def of(archive, *words):
    return run(options.program, "-C", archive, *words)[1]


random.seed(1)
pairs = []
for archive in options.archives:
    found = []
    for url in (json.loads(line)["url"] for line in of(archive, "urls", "--json").splitlines()):
        log = [json.loads(line)["version"] for line in of(archive, "log", url, "--json").splitlines()]
        found += [(archive, old, new) for new, old in zip(log, log[1:])]
    pairs += random.sample(found, min(len(found), options.pairs // len(options.archives)))

times = {"diff": [], "diff --json": [], "git diff --word-diff": [], "blockarch --version": [], "git --version": []}
wrong = incomplete = 0
with tempfile.TemporaryDirectory() as directory:
    old_file, new_file = (pathlib.Path(directory) / name for name in ("old", "new"))
    for archive, old, new in pairs:
        old_bytes, new_bytes = of(archive, "cat", old), of(archive, "cat", new)
        old_file.write_bytes(old_bytes)
        new_file.write_bytes(new_bytes)
        times["diff"].append(run(options.program, "-C", archive, "diff", old, new)[0])
        seconds, answer = run(options.program, "-C", archive, "diff", old, new, "--json")
        times["diff --json"].append(seconds)
        times["git diff --word-diff"].append(run("git", "diff", "--no-index", "--word-diff", str(old_file), str(new_file))[0])
        times["blockarch --version"].append(run(options.program, "--version")[0])
        times["git --version"].append(run("git", "--version")[0])
        diff = json.loads(answer)
        incomplete += not diff["complete"]
        if apply(old_bytes, diff["edits"]) != new_bytes:
            wrong += 1
            print("wrong:", archive, old, new)
print(f"{len(pairs)} pairs, {wrong} wrong, {incomplete} incomplete")
for name, list_ in times.items():
    list_.sort()
    print(f"{name:22} median {1000 * statistics.median(list_):7.1f} ms   p95 {1000 * list_[len(list_) * 95 // 100]:7.1f} ms"
          f"   max {1000 * list_[-1]:7.1f} ms")
