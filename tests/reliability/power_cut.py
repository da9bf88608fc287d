#!/usr/bin/env python3
"""power_cut.py BLOCKARCH FAILING_IO [full | POINTS]: the power goes at an I/O call of add, pack, gc, prune, forget or erase, and right
after the command has said that it is done: all that was not synced is lost, bytes and names, or bytes alone, or names alone. What
was acknowledged is there afterwards, and else what upkeep_faults.py asks for. `full`: at every single call; else at about POINTS
calls (4) of each command and mode."""
import os
import pathlib
import subprocess
import sys
import tempfile

from harness import Program, at, require
from upkeep_archive import ERASED, SITES, Expected, Loop, build, content, points_of, require_expected_bytes

program = Program(sys.argv[1])
library = str(pathlib.Path(sys.argv[2]).resolve())
asked = sys.argv[3] if len(sys.argv) > 3 else "4"
most = None if asked == "full" else int(asked)
only = sys.argv[4:]
MODES = ("lost", "lost-bytes", "lost-names")
COMMANDS = {
    "add": ("add", SITES[0], "-", "--time", at(6)),
    "pack": ("pack",),
    "pack --all": ("pack", "--all"),
    "prune": ("prune", "--keep-last", "2"),
    "forget": ("forget", SITES[0]),
    "gc": ("gc", "--grace", "0"),
    "gc --now": ("gc", "--grace", "0", "--now"),
    "erase": ("erase", ERASED, "--reason", "a test", "--by", "the loop"),
}

# What was there and what is written without a sync, with one, and with one of the directory too.
TRIAL = """
import os, sys
os.chdir(sys.argv[1])
def write(name, text, sync=False):
    file = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.write(file, text)
    if sync: os.fsync(file)
def sync_directory():
    os.fsync(os.open(".", os.O_RDONLY))
write("kept", b"kept", sync=True)
write("empty", b"lost")
os.rename("old", "renamed")
sync_directory()
write("overwritten", b"lost")
write("nameless", b"lost", sync=True)
os.unlink("removed")
os.rename("from", "to")
"""


def require_that_it_loses(mode, expected):
    """The loop would show nothing if the library lost nothing."""
    with tempfile.TemporaryDirectory() as directory:
        place = pathlib.Path(directory) / "place"
        place.mkdir()
        for name in ("old", "overwritten", "removed", "from", "to"):
            (place / name).write_bytes(name.encode())
        env = {**os.environ, "LD_PRELOAD": library, "FAILING_IO_DIR": str(place), "FAILING_IO_MODE": mode}
        subprocess.run([sys.executable, "-c", TRIAL, str(place)], env=env, check=True)
        there = {path.name: path.read_bytes().decode() for path in place.iterdir()}
        require(there == expected, f"{mode} leaves {there} instead of {expected}")


ALWAYS = {"kept": "kept", "renamed": "old"}
OLD_NAMES = {"removed": "removed", "from": "from", "to": "to"}
NEW_NAMES = {"nameless": "lost", "to": "from"}
require_that_it_loses("lost", {**ALWAYS, **OLD_NAMES, "empty": "", "overwritten": "overwritten"})
require_that_it_loses("lost-bytes", {**ALWAYS, **NEW_NAMES, "empty": "", "overwritten": "overwritten"})
require_that_it_loses("lost-names", {**ALWAYS, **OLD_NAMES, "empty": "lost", "overwritten": "lost"})

faults = 0
with tempfile.TemporaryDirectory() as directory:
    base = pathlib.Path(directory) / "base"
    build(program, base)
    require_expected_bytes(Expected(program, base))
    for name, command in COMMANDS.items():
        if only and name not in only:
            continue
        loop = Loop(program, library, base, name, command, data=content(SITES[0], 50) if name == "add" else b"")
        total = loop.count()
        done = 0
        for place, mode in enumerate(MODES):
            # One beyond the last call is the end of the command.
            points = sorted({*points_of(total, most, 2 * place), total + 1})
            loop.over(points, mode)
            done += len(points)
        print(f"{name}: {total} calls; {done} power cuts", flush=True)
        faults += done
print(f"{faults} power cuts, nothing acknowledged was lost and the archive was whole after every one")
