#!/usr/bin/env python3
"""upkeep_faults.py BLOCKARCH FAILING_IO [full | POINTS]: I/O calls of pack, gc, prune, forget and erase fail in turn, or are where
the process is killed. After each the archive holds what it held before or after the command and nothing between, is clean, and
the next gc and pack leave nothing lying about. `full`: every single call; else about POINTS calls (4) of each command and mode,
other ones for each mode."""
import errno
import pathlib
import sys
import tempfile

from harness import Program
from upkeep_archive import ERASED, SITES, Expected, Loop, build, build_wide, points_of, require_expected_bytes

program = Program(sys.argv[1])
library = str(pathlib.Path(sys.argv[2]).resolve())
asked = sys.argv[3] if len(sys.argv) > 3 else "4"
most = None if asked == "full" else int(asked)
only = sys.argv[4:]
MODES = [("once", errno.EIO), ("once", errno.ENOSPC), ("forever", errno.ENOSPC), ("forever", errno.EIO), ("short", errno.ENOSPC),
         ("kill", errno.EIO), ("torn", errno.EIO)]
SHRINKING = "pack, and tables anew"
COMMANDS = {
    "pack": ("pack",),
    SHRINKING: ("pack",),
    "pack --all": ("pack", "--all"),
    "prune": ("prune", "--keep-last", "2"),
    "forget": ("forget", SITES[0]),
    "gc": ("gc", "--grace", "0"),
    "gc --now": ("gc", "--grace", "0", "--now"),
    "erase": ("erase", ERASED, "--reason", "a test", "--by", "the loop"),
}
READING = ("pack", SHRINKING, "pack --all", "gc", "gc --now", "erase")

faults = 0
with tempfile.TemporaryDirectory() as directory:
    base = pathlib.Path(directory) / "base"
    build(program, base)
    require_expected_bytes(Expected(program, base))
    wide = pathlib.Path(directory) / "wide"
    build_wide(program, wide)
    for name, command in COMMANDS.items():
        if only and name not in only:
            continue
        loop = Loop(program, library, wide if name == SHRINKING else base, name, command)
        total, with_reads = loop.count(), loop.count(reads=True)
        done = 0
        for place, (mode, number) in enumerate(MODES):
            points = points_of(total, most, 3 * place)
            loop.over(points, mode, number)
            done += len(points)
        if name in READING:
            points = points_of(with_reads, most, 1)
            loop.over(points, "once", errno.EIO, reads=True)
            done += len(points)
        print(f"{name}: {total} calls, {with_reads} with reads; {done} faults", flush=True)
        faults += done
print(f"{faults} faults, the archive was whole after every one")
