#!/usr/bin/env python3
"""repair_faults.py BLOCKARCH FAILING_IO [full | POINTS]: `fsck --repair` of archives damaged in several ways, with an I/O call that
fails, kills or loses what was not synced. A second repair then ends where an undisturbed one ends: the same captures with the same
bytes, the same verdict of the check, and of a damaged pack every byte is still somewhere. Nothing that could be read before the
repair is missing after the fault. `full`: every single call; else about POINTS calls (3) of each damage and mode."""
import concurrent.futures
import errno
import pathlib
import shutil
import sys
import tempfile

from harness import Program, at, require
from upkeep_archive import CAPTURES, SITES, build, judge, points_of

program = Program(sys.argv[1])
library = str(pathlib.Path(sys.argv[2]).resolve())
asked = sys.argv[3] if len(sys.argv) > 3 else "3"
most = None if asked == "full" else int(asked)
only = sys.argv[4:]
MODES = [("once", errno.EIO), ("forever", errno.ENOSPC), ("short", errno.ENOSPC), ("kill", errno.EIO), ("torn", errno.EIO),
         ("lost", errno.EIO), ("lost-bytes", errno.EIO), ("lost-names", errno.EIO)]


def packs(archive):
    return sorted((archive / "packs").glob("*.pack"), key=lambda path: path.stat().st_size)


def flip(path, places):
    data = bytearray(path.read_bytes())
    for share in places:
        data[int(len(data) * share)] ^= 0x20
    path.write_bytes(data)


def garble_format(archive):
    (archive / "format").write_bytes(b"blockarch 999\n")


def lose_current(archive):
    program.check(archive, "pack", "--all")
    (archive / "current").write_bytes(b"nonsense")


def damage_frames(archive):
    flip(packs(archive)[0], (0.3,))


def damage_directory(archive):
    flip(packs(archive)[-1], (0.97,))


def lose_pack(archive):
    packs(archive)[0].unlink()


DAMAGES = {
    "a garbled format": (garble_format, ()),
    "a lost current": (lose_current, ()),
    "damaged frames": (damage_frames, ()),
    "damaged frames, lost captures dropped": (damage_frames, ("--drop-lost",)),
    "a damaged directory": (damage_directory, ()),
    "a missing pack": (lose_pack, ()),
    "a missing pack, lost captures dropped": (lose_pack, ("--drop-lost",)),
}


def readable(archive):
    """The captures that come back, by name, from an archive that may not open at all."""
    names = [f"{url}@{at(n)}" for url in SITES for n in range(CAPTURES)]
    rest = program.run(archive, "cat", "--batch", data="".join(name + "\n" for name in names).encode()).stdout
    found = {}
    for name in names:
        head, _, rest = rest.partition(b"\n")
        if not head or head.endswith((b" missing", b" damaged")):
            continue
        size = int(head.split()[-1])
        found[name], rest = rest[:size], rest[size + 1:]
    return found


def everything(archive):
    return {path.read_bytes() for path in archive.rglob("*") if path.is_file()}


class Repair:
    def __init__(self, name, base, options):
        self.name, self.base = name, base
        self.command = ("fsck", "--repair", *options)
        self.readable = readable(base)
        self.packs = {path.read_bytes() for path in packs(base)}
        with tempfile.TemporaryDirectory() as directory:
            archive = pathlib.Path(directory) / "archive"
            shutil.copytree(base, archive)
            self.code = program.run(archive, *self.command).returncode
            require(self.code in (0, 5), f"{name}: an undisturbed repair gave {self.code}")
            self.check_code, self.answer = self.outcome(archive, name)
        require(self.check_code == 0 or not options, f"{name}: not clean after everything lost was dropped")

    def outcome(self, archive, what):
        code = program.run(archive, "fsck", "--full").returncode
        there = everything(archive)
        for pack in self.packs:
            require(pack in there, f"{what}: a pack is nowhere to be found")
        return code, readable(archive)

    def run(self, n, mode, number=errno.EIO):
        what = f"{self.name}, call {n} {mode} {errno.errorcode[number]}"
        with tempfile.TemporaryDirectory() as directory:
            archive = pathlib.Path(directory) / "archive"
            shutil.copytree(self.base, archive)
            count = pathlib.Path(directory) / "count"
            env = {"LD_PRELOAD": library, "FAILING_IO_DIR": str(archive), "FAILING_IO_AT": str(n), "FAILING_IO_MODE": mode,
                   "FAILING_IO_ERRNO": str(number), "FAILING_IO_COUNT": str(count)}
            done = program.run(archive, *self.command, env=env)
            counted = int(count.read_text() or 0)
            if counted >= n and done.returncode != self.code:
                judge(what, done, mode, True)
            elif counted < n:
                require(done.returncode == self.code, f"{what}: no call failed, but exit {done.returncode}: {done.stderr}")
            now = readable(archive)
            for name, content in self.readable.items():
                require(now.get(name) == content, f"{what}: {name} could be read before the repair")
            again = program.run(archive, *self.command)
            # What the first one dropped already, the second one does not name.
            require(again.returncode in (self.code, self.check_code), f"{what}: the second repair gave {again.returncode}: {again.stderr}")
            require(self.outcome(archive, what) == (self.check_code, self.answer), f"{what}: another archive than without the fault")
            return counted


with tempfile.TemporaryDirectory() as directory:
    whole = pathlib.Path(directory) / "whole"
    build(program, whole)
    faults = 0
    for name, (damage, options) in DAMAGES.items():
        if only and name not in only:
            continue
        base = pathlib.Path(directory) / "damaged"
        shutil.copytree(whole, base)
        damage(base)
        repair = Repair(name, base, options)
        total = repair.run(10**9, "once")
        require(total > 0, f"{name}: a repair without I/O")
        done = 0
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            for place, (mode, number) in enumerate(MODES):
                points = points_of(total, most, 2 * place)
                list(pool.map(lambda n: repair.run(n, mode, number), points))
                done += len(points)
        print(f"{name}: {total} calls; {done} faults; {len(repair.readable)} captures readable before, exit {repair.code}", flush=True)
        faults += done
        shutil.rmtree(base)
print(f"{faults} faults, a second repair ended like an undisturbed one after every one")
