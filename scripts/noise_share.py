#!/usr/bin/env python3
"""noise_share.py BLOCKARCH ARCHIVE [--by BASIS] [--samples N]: for each URL, how many of its versions differ from the one before by
noise only. With --samples, N random pairs of each sort to be read by eye: names for 'blockarch diff'."""
import argparse
import json
import random
import subprocess

parser = argparse.ArgumentParser()
parser.add_argument("program")
parser.add_argument("archive")
parser.add_argument("--by", default="content")
parser.add_argument("--samples", type=int, default=0)
options = parser.parse_args()


def lines(*words):
    done = subprocess.run([options.program, "-C", options.archive, *words, "--json"], check=True, stdout=subprocess.PIPE)
    return [json.loads(line) for line in done.stdout.splitlines()]


random.seed(1)
total = noise = 0
pairs = {True: [], False: []}
print(f"{'versions':>8} {'noise':>6} {'share':>6} {'returns':>7}  URL")
for url in (entry["url"] for entry in lines("urls")):
    entries = lines("log", url, "--reverse", "--all", "--by", options.by)
    changes = entries[1:]
    only = sum(not entry["significant"] for entry in changes)
    returns = sum("returned_to" in entry for entry in changes)
    for before, after in zip(entries, changes):
        pairs[after["significant"]].append((f"{url}@{before['time']}", f"{url}@{after['time']}"))
    total += len(changes)
    noise += only
    share = f"{100 * only / len(changes):.1f}%" if changes else "-"
    print(f"{len(changes):>8} {only:>6} {share:>6} {returns:>7}  {url}", flush=True)
print(f"{total:>8} {noise:>6} {100 * noise / max(total, 1):>5.1f}%")
for significant, list_ in pairs.items():
    for before, after in random.sample(list_, min(options.samples, len(list_))):
        print("significant" if significant else "noise", before, after)
