"""What the reliability loops share: running the program, pages to capture, and what must hold afterwards."""
import json
import os
import pathlib
import random
import subprocess
import sys

URL = "https://example.com/page"


class Program:
    def __init__(self, path):
        self.path = str(pathlib.Path(path).resolve())

    def run(self, archive, *arguments, data=b"", env=None, timeout=120):
        return subprocess.run([self.path, "-C", str(archive), *map(str, arguments)], input=data, capture_output=True,
                              env={**os.environ, **(env or {})}, timeout=timeout)

    def check(self, archive, *arguments, data=b""):
        done = self.run(archive, *arguments, data=data)
        require(done.returncode == 0, f"{arguments} gave {done.returncode}: {done.stderr.decode(errors='replace')}")
        return done.stdout


def require(holds, message):
    if not holds:
        sys.exit(f"FAILED: {message}")


def page(number, paragraphs=30):
    """A page whose every number differs from the next in one paragraph."""
    words = random.Random(1)
    parts = ["<!DOCTYPE html><html><head><title>Page</title></head><body><main>\n"]
    for p in range(paragraphs):
        text = " ".join(f"word{words.randrange(1000)}" for _ in range(50))
        parts.append(f"<h2>Section {p}</h2><p>{text}{f' edit {number}' if p == number % paragraphs else ''}</p>\n")
    return ("".join(parts) + "</main></body></html>\n").encode()


def at(number):
    return f"@{1_700_000_000 + number * 3600}"


def times(program, archive):
    """The times of all captures, as the log tells them."""
    done = program.run(archive, "log", URL, "--all", "--json")
    if done.returncode == 4:
        return []
    require(done.returncode == 0, f"log gave {done.returncode}: {done.stderr.decode(errors='replace')}")
    return [json.loads(line)["time"] for line in done.stdout.splitlines()]


def require_whole(program, archive, captures, full=True, what=""):
    """The archive is clean and holds exactly these bytes for these captures: {number: bytes}."""
    done = program.run(archive, "fsck", *(["--full"] if full else []))
    require(done.returncode == 0, f"{what} fsck gave {done.returncode}:\n{(done.stdout + done.stderr).decode(errors='replace')}")
    names = "".join(f"{URL}@{at(n)}\n" for n in captures)
    answer = program.check(archive, "cat", "--batch", data=names.encode())
    for number, expected in captures.items():
        head, _, answer = answer.partition(b"\n")
        require(not head.endswith(b"missing"), f"{what} capture {number} is gone")
        size = int(head.split()[-1])
        require(answer[:size] == expected, f"{what} capture {number} came back with other bytes")
        answer = answer[size + 1:]
