#!/usr/bin/env python3
"""kill_import.py BLOCKARCH [ROUNDS]: an import is killed with SIGKILL at a random moment, checked, and run again to its end, which
must leave the archive that an undisturbed import leaves: the same versions at the same times. Ctrl-C (SIGINT) takes turns with it."""
import json
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

from harness import Program, require, require_whole
from warc_files import http, record

program = Program(sys.argv[1])
rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 40
chance = random.Random(20261118)
PAGES = 1500


def make_warc(path):
    words = [f"word{chance.randrange(10**6)}" for _ in range(4000)]
    with open(path, "wb") as out:
        for n in range(PAGES):
            url = f"https://example.org/{n % 40}"
            day = f"2024-01-{1 + n // 40 // 24:02}T{n // 40 % 24:02}:00:00Z"
            text = " ".join(words[(n % 40) * 90:(n % 40) * 90 + 600])
            body = "".join(f"<div><p>{text[k:k + 400]}</p></div>" for k in range(0, len(text), 400))
            body = f"<html><body><h1>{n // 80}</h1>{body}</body></html>".encode()
            out.write(record("response", url, day, http(body, f"Date: {day}"), content_type="application/http;msgtype=response"))


def whole_log(archive):
    lines = []
    for url in program.check(archive, "urls", "--json").splitlines():
        name = json.loads(url)["url"]
        for line in program.check(archive, "log", name, "--all", "--json").splitlines():
            entry = json.loads(line)
            lines.append((name, entry["time"], entry["version"], json.dumps(entry["metadata"], sort_keys=True)))
    return lines


with tempfile.TemporaryDirectory() as directory:
    directory = pathlib.Path(directory)
    warc = directory / "in.warc"
    make_warc(warc)
    undisturbed = directory / "undisturbed"
    program.check(directory, "init", undisturbed)
    begin = time.monotonic()
    program.check(undisturbed, "import", warc)
    usual = time.monotonic() - begin
    expected = whole_log(undisturbed)
    require(len(expected) == PAGES, f"{len(expected)} captures of {PAGES}")
    ended = {"killed": 0, "stopped": 0, "finished": 0}
    for number in range(rounds):
        archive = directory / f"archive{number}"
        program.check(directory, "init", archive)
        child = subprocess.Popen([program.path, "-C", archive, "import", warc], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        sent = signal.SIGINT if number % 4 == 3 else signal.SIGKILL
        try:
            child.wait(timeout=chance.uniform(0, 1.1 * usual))
        except subprocess.TimeoutExpired:
            child.send_signal(sent)
        _, errors = child.communicate()
        if child.returncode == 0:
            ended["finished"] += 1
        elif sent == signal.SIGINT:
            require(child.returncode in (130, -signal.SIGINT), f"round {number}: exit {child.returncode} after SIGINT: {errors}")
            ended["stopped"] += 1
        else:
            require(child.returncode == -signal.SIGKILL, f"round {number}: exit {child.returncode}: {errors}")
            ended["killed"] += 1
        require_whole(program, archive, {}, full=True)
        program.check(archive, "import", warc)
        require(whole_log(archive) == expected, f"round {number}: another archive than the undisturbed one")
        require_whole(program, archive, {}, full=number % 5 == 0)
    require(ended["killed"] >= rounds // 4, f"only {ended['killed']} of {rounds} were killed: the moments are badly chosen")
print(f"{rounds} imports of {PAGES} captures: {ended['killed']} killed, {ended['stopped']} stopped, {ended['finished']} finished first; "
      "each clean, and after a second run the same archive")
