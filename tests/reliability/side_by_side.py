#!/usr/bin/env python3
"""side_by_side.py BLOCKARCH [SECONDS]: imports, one after another; beside them pack, pack --all, prune and gc without grace, in
turn and without a pause; and two readers, one that opens the archive anew all the time and one that stays. No reader may get an
error or other bytes, no command may fail, and in the end every capture is there, the archive clean and nothing left lying about."""
import datetime
import pathlib
import random
import subprocess
import sys
import tempfile
import threading
import time
import traceback

from harness import Program, page, require
from upkeep_archive import require_clean, require_no_leftovers
from warc_files import http, record

program = Program(sys.argv[1])
seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 8
URLS = 12
PER_IMPORT = 60
WAIT = ("--wait", "600")
PRUNED = "https://pruned.example/"

ends = time.monotonic() + seconds
failed = threading.Event()
lock = threading.Lock()
acknowledged = []  # (URL@time, bytes)
counts = {"imports": 0, "reads": 0, "reads of one that stays": 0}


def going():
    return time.monotonic() < ends and not failed.is_set()


def count(what, how_many=1):
    with lock:
        counts[what] = counts.get(what, 0) + how_many


def body_of(n):
    return page(n, paragraphs=8) + f"<!-- {n % URLS} -->".encode()


def moment(n):
    return (datetime.datetime(2024, 1, 1) + datetime.timedelta(minutes=n)).strftime("%Y-%m-%dT%H:%M:%SZ")


def write_warc(path, first):
    """Some captures to stay, and some of a URL that is pruned all the time."""
    captures = []
    with open(path, "wb") as out:
        for n in range(first, first + PER_IMPORT):
            url = f"https://example.org/{n % URLS}" if n % 4 else PRUNED
            out.write(record("response", url, moment(n), http(body_of(n)), content_type="application/http;msgtype=response"))
            if n % 4:
                captures.append((f"{url}@{moment(n)}", body_of(n)))
    return captures


def import_all(archive):
    warc = archive.parent / "in.warc"
    first = 0
    while going():
        captures = write_warc(warc, first)
        program_check(archive, "import", warc)
        with lock:
            acknowledged.extend(captures)
        count("imports")
        first += PER_IMPORT


def program_check(archive, *command):
    done = program.run(archive, *command, *WAIT, timeout=1200)
    require(done.returncode == 0, f"{command} gave {done.returncode}: {done.stderr.decode(errors='replace')}")


def upkeep(archive):
    while going():
        for command in (("pack",), ("prune", PRUNED, "--keep-last", "1"), ("gc", "--grace", "0"), ("pack",), ("pack", "--all"),
                        ("gc", "--grace", "0", "--now")):
            if not going():
                return
            program_check(archive, *command)
            count(" ".join(word for word in command if word != PRUNED))


def some_captures(chance, how_many):
    with lock:
        return chance.sample(acknowledged, min(how_many, len(acknowledged)))


def read_one(reader, name, expected):
    reader.stdin.write(name.encode() + b"\n")
    reader.stdin.flush()
    head = reader.stdout.readline()
    if not head:
        _, errors = reader.communicate()
        require(False, f"a reader ended with {reader.returncode} when asked for {name}: {errors.decode(errors='replace')}")
    require(not head.endswith(b"missing\n"), f"a reader was told {head!r} of {name}")
    size = int(head.split()[-1])
    require(reader.stdout.read(size + 1)[:size] == expected, f"a reader got other bytes of {name}")


def read(archive, seed, rounds, how_many, what):
    """A reader that reads `how_many` captures `rounds` times before it ends and another begins."""
    chance = random.Random(seed)
    while going():
        captures = some_captures(chance, how_many)
        if not captures:
            time.sleep(0.05)
            continue
        reader = subprocess.Popen([program.path, "-C", archive, "cat", "--batch"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE)
        for _ in range(rounds):
            for name, expected in captures:
                read_one(reader, name, expected)
                count(what)
            if rounds > 1:
                time.sleep(0.02)
        _, errors = reader.communicate()
        require(reader.returncode == 0, f"a reader ended with {reader.returncode}: {errors}")


def in_thread(task, *arguments):
    def run():
        try:
            task(*arguments)
        except BaseException as error:  # also what require() raises
            if not isinstance(error, SystemExit):
                traceback.print_exc()
            print(error, file=sys.stderr)
            failed.set()
    thread = threading.Thread(target=run)
    thread.start()
    return thread


with tempfile.TemporaryDirectory() as directory:
    archive = pathlib.Path(directory) / "archive"
    program.check(directory, "init", archive)
    threads = [in_thread(import_all, archive), in_thread(upkeep, archive), in_thread(read, archive, 1, 1, 20, "reads"),
               in_thread(read, archive, 2, 50, 5, "reads of one that stays")]
    for thread in threads:
        thread.join()
    require(not failed.is_set(), "something went wrong side by side")
    require_clean(program, archive, "in the end", "--full")
    reader = subprocess.Popen([program.path, "-C", archive, "cat", "--batch"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    for name, expected in acknowledged:
        read_one(reader, name, expected)
    reader.communicate()
    require_no_leftovers(program, archive, "in the end")
    require_clean(program, archive, "after the last gc", "--full")
require(acknowledged, "nothing was imported in the time there was")
print(f"{seconds:.0f} s: {len(acknowledged)} captures, all there; " + ", ".join(f"{n} {what}" for what, n in counts.items()))
