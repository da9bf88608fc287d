"""Two builds against each other: every measurement of one is followed by the same of the other, in turns that swap, so
that whatever else the machine does hits both; the median of the pairs' ratios is what counts."""
import argparse
import math
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

from . import captures, corpora, measure
from .reading import Batch, our_name, read_all


class Build:
    def __init__(self, given, letter, folder):
        self.program = find_program(given)
        self.letter, self.archive = letter, os.path.join(folder, letter)

    def run(self, *arguments, **options):
        return measure.run([self.program, "-C", self.archive, *arguments], **options)

    def fresh(self):
        shutil.rmtree(self.archive, ignore_errors=True)
        measure.run([self.program, "init", self.archive])


def find_program(given):
    """A program, or a build directory that has one."""
    for path in (given, os.path.join(given, "cli", "blockarch")):
        if os.path.isfile(path) and os.access(path, os.X_OK):
            return os.path.abspath(path)
    sys.exit(f"blockarch_bench compare: no program at {given}")


def import_(build, setup):
    build.fresh()
    return build.run("import", setup.warc, accept=(0, 3))


def pack(build, setup):
    """Packing everything again costs the same each time."""
    return build.run("pack", "--all")


def checkout(build, setup):
    batch = Batch([build.program, "-C", build.archive, "cat", "--batch"])
    errors = []
    times = read_all(batch, setup.rows, our_name, errors)
    batch.close()
    if errors:
        raise measure.Failed(f"{build.letter} gave {len(errors)} wrong answers, first {our_name(errors[0])}")
    return {"seconds": sum(times) / 1e3, "cpu": None}


def log(build, setup):
    taken = [build.run("log", url) for url in setup.urls]
    return {"seconds": sum(t["seconds"] for t in taken), "cpu": sum(t["cpu"] for t in taken)}


def segment(build, setup):
    taken = [measure.run([build.program, "segment", "--json", page]) for page in setup.pages]
    return {"seconds": sum(t["seconds"] for t in taken), "cpu": sum(t["cpu"] for t in taken)}


WORKLOADS = {"import": import_, "pack": pack, "checkout": checkout, "log": log, "segment": segment}


def instructions(build, name, setup):
    """Instructions by callgrind, which do not depend on what else runs. One thread, so that nothing waits."""
    with tempfile.TemporaryDirectory() as folder:
        wrap = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/out", build.program, "-C", build.archive]
        stdin = None
        if name == "import":
            build.fresh()
            command = [*wrap, "import", "--threads", "1", setup.warc]
        elif name == "pack":
            command = [*wrap, "pack", "--all", "--threads", "1"]
        elif name == "checkout":
            command = [*wrap, "cat", "--batch"]
            stdin = b"".join(our_name(row) + b"\n" for row in setup.rows)
        elif name == "log":
            command = [*wrap, "log", setup.urls[0]]
        else:
            command = [*wrap[:-2], "segment", "--json", setup.pages[0]]
        done = subprocess.run(command, input=stdin, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=stdin is None)
    text = done.stderr if isinstance(done.stderr, str) else done.stderr.decode(errors="replace")
    found = re.search(r"refs:\s+([\d,]+)|Collected : (\d+)", text)
    if done.returncode not in (0, 3) or not found:
        raise measure.Failed(f"callgrind on {name}: {text.strip()[-300:]}")
    return int((found[1] or found[2]).replace(",", ""))


def prepare(options, folder):
    options.work, options.root = folder, os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
    options.helper = lambda name: os.path.join(os.path.dirname(os.path.dirname(options.a.program)), "bench", name)
    measure.LAUNCHER = options.helper("blockarch_launch")
    if not os.path.exists(measure.LAUNCHER):
        sys.exit(f"blockarch_bench compare: A needs its build directory ({measure.LAUNCHER} is not there)")
    options.warc = corpora.captures_file(options.corpus, options)
    index = captures.Index.of(options.warc, os.path.join(folder, "index.json"))
    rand = random.Random(14)
    options.rows = rand.sample(index.rows, min(options.sample, len(index.rows)))
    options.urls = rand.sample(sorted(index.by_url()), min(10, len(index.by_url())))
    options.pages = []
    with open(options.warc, "rb") as file:
        for row in options.rows[:10]:
            file.seek(row[2])
            options.pages.append(os.path.join(folder, f"page{len(options.pages)}.html"))
            with open(options.pages[-1], "wb") as out:
                out.write(file.read(row[3]))


def pairs(name, options):
    """(seconds of A, of B) and of processor time, once for each run; who goes first alternates."""
    seconds, cpu = [], []
    for turn in range(options.runs):
        order = (options.a, options.b) if turn % 2 == 0 else (options.b, options.a)
        taken = {build.letter: WORKLOADS[name](build, options) for build in order}
        seconds.append((taken["A"]["seconds"], taken["B"]["seconds"]))
        cpu.append((taken["A"]["cpu"], taken["B"]["cpu"]))
    return seconds, cpu


def ratios(taken):
    return sorted(b / a for a, b in taken if a and b)


def verdict(found):
    """A sign test: so many pairs agree that chance would do it in less than one case of twenty."""
    n, below = len(found), sum(ratio < 1 for ratio in found)
    more = max(below, n - below)
    by_chance = 2 * sum(math.comb(n, k) for k in range(more, n + 1)) / 2 ** n
    if n < 6:
        return "too few runs to say"
    return "no difference seen" if by_chance >= 0.05 else "B is faster" if below == more else "A is faster"


def line(name, what, taken):
    """The median ratio, the quarters below and above it, and whether the runs agree."""
    found = ratios(taken)
    if not found:
        return
    half = found[len(found) // 2] if len(found) % 2 else (found[len(found) // 2 - 1] + found[len(found) // 2]) / 2
    low, high = measure.quantile(found, 0.25), measure.quantile(found, 0.75)
    best = [min(side) for side in zip(*taken)]
    print(f"{name:10} {what:10} A {best[0]:9.3f} s  B {best[1]:9.3f} s  B/A {half:.3f} ({low:.3f}–{high:.3f})  {verdict(found)}", flush=True)


def main(arguments):
    parser = argparse.ArgumentParser(prog="blockarch_bench compare", description="B/A below 1: B is faster. The seconds are "
                                     "the best of the runs, the ratio is the median over pairs of runs, with its quartiles.")
    parser.add_argument("a", help="a build directory, or a blockarch in one")
    parser.add_argument("b", help="the other one")
    parser.add_argument("workloads", nargs="*", metavar="WORKLOAD", help=f"of {', '.join(WORKLOADS)} (all)")
    parser.add_argument("--corpus", default="synthetic-5000", help="as of the workloads (synthetic-5000)")
    parser.add_argument("--plain", metavar="DIR", help="corpora that are expanded already")
    parser.add_argument("--runs", type=int, default=9)
    parser.add_argument("--sample", type=int, default=500, help="captures that checkout reads")
    parser.add_argument("--callgrind", action="store_true", help="count instructions instead (slow: take a small corpus)")
    options = parser.parse_args(arguments)
    names = options.workloads or list(WORKLOADS)
    if unknown := [name for name in names if name not in WORKLOADS]:
        parser.error(f"no workload {unknown[0]}")
    folder = tempfile.mkdtemp(prefix="blockarch_compare.")
    try:
        options.a, options.b = Build(options.a, "A", folder), Build(options.b, "B", folder)
        prepare(options, folder)
        compare(names, options)
    except (measure.Failed, corpora.Missing) as why:
        sys.exit(f"blockarch_bench compare: {why}")
    finally:
        shutil.rmtree(folder)
    return 0


def compare(names, options):
    for build in (options.a, options.b):
        import_(build, options)
        pack(build, options)
    for name in names:
        if options.callgrind:
            a, b = (instructions(build, name, options) for build in (options.a, options.b))
            print(f"{name:10} instructions  A {a:,}  B {b:,}  B/A {b / a:.4f}", flush=True)
            continue
        seconds, cpu = pairs(name, options)
        line(name, "clock", seconds)
        line(name, "processor", cpu)
        if name == "import":  # the archives that the others read are packed
            for build in (options.a, options.b):
                pack(build, options)
