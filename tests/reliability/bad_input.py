#!/usr/bin/env python3
"""bad_input.py BLOCKARCH: what people and the web throw at the program. A clear line, the right exit code, nothing lost."""
import os
import pathlib
import resource
import subprocess
import sys
import tempfile

from warc_files import record
from harness import URL, Program, at, page, require, require_whole

program = Program(sys.argv[1])
kept = {0: page(0), 1: page(1)}
cases = 0


def expect(code, archive, *arguments, data=b"", says=None):
    global cases
    cases += 1
    done = program.run(archive, *arguments, data=data, timeout=600)
    text = done.stderr.decode(errors="replace")
    require(done.returncode == code, f"{arguments} gave {done.returncode} instead of {code}: {text}")
    if code:
        require(text.startswith("blockarch: "), f"{arguments} says {text!r}")
    if says:
        require(says in text, f"{arguments} says {text!r}, which has no {says!r}")
    return done


def round_trip(archive, name, data, *options):
    url = f"https://hostile.example/{name}"
    expect(0, archive, "add", url, "-", "--time", at(0), *options, data=data)
    require(program.check(archive, "checkout", url) == data, f"{name} came back with other bytes")


with tempfile.TemporaryDirectory() as directory:
    root = pathlib.Path(directory)
    archive = root / "archive"
    program.check(root, "init", archive)
    for n, data in kept.items():
        program.check(archive, "add", URL, "-", "--time", at(n), data=data)

    expect(10, root / "nowhere", "log", URL)
    (root / "file").write_text("x")
    expect(10, root / "file", "log", URL)
    expect(10, root, "log", URL)
    expect(2, archive, "add", "not a url", "-", data=b"x")
    expect(2, archive, "add", "example.com", "-", data=b"x", says="https://")
    expect(2, archive, "add", "https://exa mple.com/", "-", data=b"x")
    expect(2, archive, "add", URL, "-", "--time", "yesterdayish", data=b"x")
    expect(2, archive, "add", URL, "-", "--time", "2024-02-30", data=b"x")
    expect(2, archive, "checkout", URL, "--at", "soon")
    expect(1, archive, "add", URL, root / "missing.html", says="missing.html")
    expect(4, archive, "log", "https://nowhere.example/")
    expect(4, archive, "checkout", URL, "--at", "1999", says="first")
    expect(4, archive, "cat", "0123456789abcdef")

    round_trip(archive, "empty", b"")
    round_trip(archive, "charset", b"<p>\xe9\xff</p>" * 100, "--type", "text/html; charset=x-unknown")
    round_trip(archive, "utf8", b"<p>\xff\xfe\xc3(</p>" * 1000, "--type", "text/html; charset=utf-8")
    round_trip(archive, "deep", b"<div>" * 100_000 + b"x" + b"</div>" * 100_000)
    round_trip(archive, "deep-xml", b"<?xml version='1.0'?>" + b"<a>" * 100_000 + b"</a>" * 100_000, "--type", "application/xml")
    round_trip(archive, "formatting", b"".join(b"<b id=%d><p>" % i for i in range(50_000)))
    round_trip(archive, "siblings", b"<p>x" * 1_000_000)
    round_trip(archive, "attribute", b"<p title='" + b"x" * 10_000_000 + b"'>y</p>")
    round_trip(archive, "nul", bytes(1_000_000))

    require_whole(program, archive, kept)

    if os.geteuid() == 0 and subprocess.run(["mkdir", "-p", root / "small"]).returncode == 0 and subprocess.run(
            ["mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", root / "small"], capture_output=True).returncode == 0:
        try:
            full = root / "small" / "archive"
            program.check(root, "init", full)
            for n, data in kept.items():
                program.check(full, "add", URL, "-", "--time", at(n), data=data)
            noise = os.urandom(5_000_000)
            expect(1, full, "add", URL, "-", "--time", at(5), data=noise, says="space")
            require_whole(program, full, kept)
            program.check(full, "add", URL, "-", "--time", at(6), data=page(6))
            require_whole(program, full, {**kept, 6: page(6)})
            # An import that does not fit: what it had committed stays, and so does everything before it.
            warc = root / "noise.warc"
            warc.write_bytes(b"".join(record("resource", f"https://example.org/{n}", "2024-01-01T00:00:00Z", os.urandom(100_000))
                                      for n in range(60)))
            expect(1, full, "import", warc, says="space")
            require_whole(program, full, {**kept, 6: page(6)})
        finally:
            subprocess.run(["umount", root / "small"], check=True)
    else:
        print("full disk: skipped, a small tmpfs cannot be mounted here")
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
print(f"{cases} bad inputs answered, nothing lost; {peak} MiB of memory at most")
