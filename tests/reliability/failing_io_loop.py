#!/usr/bin/env python3
"""failing_io_loop.py BLOCKARCH FAILING_IO: every single I/O call of init, add and tag fails in turn, or is where the process is
killed. Each run must end in success or in one clear line with a non-zero exit, and leave the archive whole, with the state before
or after the command and nothing between."""
import errno
import os
import pathlib
import shutil
import sys
import tempfile

from harness import URL, Program, at, page, require, require_whole, times

program = Program(sys.argv[1])
library = str(pathlib.Path(sys.argv[2]).resolve())
MODES = [("once", errno.EIO), ("once", errno.ENOSPC), ("forever", errno.ENOSPC), ("forever", errno.EIO), ("short", errno.ENOSPC),
         ("kill", errno.EIO), ("torn", errno.EIO)]
MOST_CALLS = 1000


def loop(name, make, command, data, before, after):
    """`make` puts an archive at a path; the command is run on it with call N failing, for N = 1, 2, … until none fails."""
    runs = {}
    for mode, number in MODES:
        for n in range(1, MOST_CALLS + 1):
            with tempfile.TemporaryDirectory() as directory:
                archive = pathlib.Path(directory) / "archive"
                make(archive)
                count = pathlib.Path(directory) / "count"
                env = {"LD_PRELOAD": library, "FAILING_IO_DIR": str(archive), "FAILING_IO_AT": str(n), "FAILING_IO_MODE": mode,
                       "FAILING_IO_ERRNO": str(number), "FAILING_IO_COUNT": str(count)}
                done = program.run(archive, *command(archive), data=data, env=env)
                counted = int(count.read_text() or 0) if count.exists() else 0
                what = f"{name}, call {n} {mode} {errno.errorcode[number]}"
                killed = mode in ("kill", "torn")
                if counted >= n:
                    judge(what, done, killed)
                    check(what, archive, done.returncode == 0, before, after)
                else:
                    require(done.returncode == 0, f"{what}: no call failed, but exit {done.returncode}: {done.stderr}")
                    check(what, archive, True, before, after)
                    runs[f"{mode} {errno.errorcode[number]}"] = n - 1
                    break
        else:
            sys.exit(f"FAILED: {name} did not end within {MOST_CALLS} calls")
    print(f"{name}: " + ", ".join(f"{count} calls {mode}" for mode, count in runs.items()))
    return sum(runs.values())


def judge(what, done, killed):
    if done.returncode == 0:
        return
    if killed:
        require(done.returncode == -9, f"{what}: exit {done.returncode}")
        return
    require(done.returncode in (1, 5, 11), f"{what}: exit {done.returncode}: {done.stderr}")
    first = done.stderr.decode().splitlines()[:1]
    require(first and first[0].startswith("blockarch: ") and len(first[0]) > 20, f"{what}: says {done.stderr}")


def check(what, archive, succeeded, before, after):
    if before is None and not (archive / "format").exists():
        require(not succeeded, f"{what}: success without an archive")
        # An init that was cut short can be run again.
        program.check(archive, "init", archive)
        succeeded = True
    there = len(times(program, archive))
    allowed = [len(after)] if succeeded else [len(before or {}), len(after)]
    require(there in allowed, f"{what}: {there} captures, expected one of {allowed}")
    require_whole(program, archive, after if there == len(after) else before, what=what)


with tempfile.TemporaryDirectory() as directory:
    empty, filled = pathlib.Path(directory) / "empty", pathlib.Path(directory) / "filled"
    program.check(directory, "init", empty)
    shutil.copytree(empty, filled)
    for n in range(3):
        program.check(filled, "add", URL, "-", "--time", at(n), data=page(n))
    three = {n: page(n) for n in range(3)}
    total = 0
    total += loop("init", lambda path: None, lambda path: ("init", path), b"", None, {})
    total += loop("first add", lambda path: shutil.copytree(empty, path), lambda path: ("add", URL, "-", "--time", at(0)), page(0),
                  {}, {0: page(0)})
    total += loop("add", lambda path: shutil.copytree(filled, path), lambda path: ("add", URL, "-", "--time", at(3)), page(3),
                  three, {**three, 3: page(3)})
    total += loop("unchanged add", lambda path: shutil.copytree(filled, path), lambda path: ("add", URL, "-", "--time", at(9)),
                  page(2), three, {**three, 9: page(2)})
    total += loop("tag", lambda path: shutil.copytree(filled, path), lambda path: ("tag", "name", "--at", "2024"), b"", three, three)
print(f"{total} faults, the archive was whole after every one")
