#!/usr/bin/env python3
"""kill_loop.py BLOCKARCH [ROUNDS]: `add` is killed with SIGKILL at a random moment, again and again. After each the archive opens,
holds every capture that was acknowledged, and passes its integrity check."""
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

from harness import URL, Program, at, page, require, require_whole, times

program = Program(sys.argv[1])
rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 200
chance = random.Random(20241118)
acknowledged = {}
killed = unacknowledged_but_there = 0

with tempfile.TemporaryDirectory() as directory:
    archive = pathlib.Path(directory) / "archive"
    program.check(directory, "init", archive)
    begin = time.monotonic()
    program.check(archive, "add", URL, "-", "--time", at(0), data=page(0))
    usual = time.monotonic() - begin
    acknowledged[0] = page(0)
    for number in range(1, rounds + 1):
        source = pathlib.Path(directory) / "page.html"
        source.write_bytes(page(number))
        child = subprocess.Popen([program.path, "-C", archive, "add", URL, source, "--time", at(number)],
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        try:
            child.wait(timeout=chance.uniform(0, 1.3 * usual))
        except subprocess.TimeoutExpired:
            child.send_signal(signal.SIGKILL)
        out, _ = child.communicate()
        if child.returncode == 0:
            acknowledged[number] = page(number)
        else:
            require(child.returncode == -signal.SIGKILL, f"round {number} ended with {child.returncode}")
            killed += 1
        there = len(times(program, archive))
        require(there >= len(acknowledged), f"round {number}: {len(acknowledged)} acknowledged, {there} there")
        unacknowledged_but_there = there - len(acknowledged)
        require_whole(program, archive, acknowledged if number % 10 == 0 else {number - 1: acknowledged[number - 1]}
                      if number - 1 in acknowledged else {}, full=number % 10 == 0)
    require_whole(program, archive, acknowledged)
require(killed >= rounds // 5, f"only {killed} of {rounds} were killed: the moments are badly chosen")
print(f"{rounds} runs of add, {killed} killed; {len(acknowledged)} acknowledged captures all there, "
      f"{unacknowledged_but_there} more were committed but killed before they could say so")
