#!/usr/bin/env python3
"""hostile_import.py BLOCKARCH [large]: input that wants to crash an import, fill its memory or leave the archive. Whatever it is, what
is sound around it is imported, the rest is reported, memory stays bounded, and the archive is whole. With "large" the sizes are those
of the wild (a page of 431 MB, 10 million records), without it a tenth or less."""
import gzip
import io
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
import zlib

from harness import Program, require, require_whole
from warc_files import http, record

program = Program(sys.argv[1])
large = len(sys.argv) > 2 and sys.argv[2] == "large"
MOST_MEMORY = 1 << 30
GOOD = "https://example.org/good"
DAY = "2024-01-01T00:00:00Z"


def good(n=0):
    return record("resource", f"{GOOD}{n}", DAY, b"<p>good</p>")


def watch_memory(child):
    """The most memory that the child had, looked at every few milliseconds until it ends. (What the system reports afterwards counts
    the memory of this script too, out of which the child was made.)"""
    most = 0
    while child.poll() is None:
        try:
            status = pathlib.Path(f"/proc/{child.pid}/status").read_text()
            most = max([most] + [int(line.split()[1]) << 10 for line in status.splitlines() if line.startswith("VmHWM")])
        except OSError:
            pass
        time.sleep(0.005)
    return most


def run_import(directory, name, pieces, expect_exit, good_ones=2, extra=()):
    """Imports what the pieces make; (summary, messages)."""
    path = pathlib.Path(directory) / name
    with open(path, "wb") as out:
        for piece in pieces:
            out.write(piece)
    archive = pathlib.Path(directory) / (name + ".ba")
    program.check(directory, "init", archive)
    problems = pathlib.Path(directory) / "problems"
    child = subprocess.Popen([program.path, "-C", archive, "--json", "import", path, "--problems", problems, *extra],
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    usage = watch_memory(child)
    out, errors = child.communicate()
    require(child.returncode == expect_exit, f"{name}: exit {child.returncode}, not {expect_exit}: {errors.decode()[:500]}")
    require(usage < MOST_MEMORY, f"{name}: {usage >> 20} MiB of memory")
    messages = [json.loads(line)["message"] for line in problems.read_text().splitlines()]
    require_whole(program, archive, {}, full=True)
    urls = program.check(archive, "urls", "--json")
    for n in range(good_ones):
        require(f'"{GOOD}{n}"'.encode() in urls, f"{name}: {GOOD}{n} is missing")
    os.unlink(path)
    print(f"{name}: exit {child.returncode}, {len(messages)} problems{': ' + messages[0][:100] if messages else ''}, "
          f"{usage >> 20} MiB")
    return json.loads(out), messages


def zeros(size):
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    piece = b"\0" * (1 << 20)
    out = [packer.compress(piece) for _ in range(size >> 20)]
    return b"".join(out) + packer.flush()


with tempfile.TemporaryDirectory() as directory:
    scale = 1 if large else 10
    http_type = "application/http;msgtype=response"

    bomb = zeros((4 << 30) // scale)
    run_import(directory, "content-bomb.warc",
               [good(0), record("response", "https://example.org/bomb", DAY, http(bomb, "Content-Encoding: gzip"), http_type), good(1)], 0)
    whole = b"WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: https://example.org/z\r\nWARC-Date: " + DAY.encode() + \
        b"\r\nContent-Length: 40000000000\r\n\r\n"
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    member = packer.compress(whole) + b"".join(packer.compress(b"\0" * (1 << 20)) for _ in range((4 << 30) // scale >> 20)) + packer.flush()
    run_import(directory, "record-bomb.warc.gz", [gzip.compress(good(0)), member, gzip.compress(good(1))], 3)
    if shutil.which("zstd"):
        frame = subprocess.run(["zstd", "-q", "-c"], input=whole + bytes((1 << 30) // scale), capture_output=True, check=True).stdout
        pack = lambda data: subprocess.run(["zstd", "-q", "-c"], input=data, capture_output=True, check=True).stdout
        run_import(directory, "record-bomb.warc.zst", [pack(good(0)), frame, pack(good(1))], 3)
        run_import(directory, "zstd-content-bomb.warc",
                   [good(0), record("response", "https://example.org/bomb", DAY, http(pack(bytes((1 << 30) // scale)), "Content-Encoding: zstd"),
                                    http_type), good(1)], 0)
    run_import(directory, "terabyte.warc", [good(0), good(1), record("resource", "https://example.org/tb", DAY, b"x", length=10**12)], 3)
    run_import(directory, "negative.warc", [good(0), record("resource", "https://example.org/n", DAY, b"x", length=-5), good(1)], 3)
    header = b"X-Long: " + b"a" * ((100 << 20) // scale) + b"\r\n"
    long_head = record("resource", "https://example.org/long", DAY, b"x").replace(b"WARC/1.1\r\n", b"WARC/1.1\r\n" + header)
    run_import(directory, "long-head.warc", [good(0), long_head, good(1)], 3)
    page = b"<html><body>" + b"<p>a paragraph of a very long page, again and again</p>\n" * ((431 << 20) // scale // 56) + b"</body></html>"
    run_import(directory, "large-page.warc", [good(0), record("resource", "https://example.org/large", DAY, page), good(1)], 0)
    del page
    odd = [record("resource", url, DAY, b"x") for url in
           (b"https://example.org/\0nul", b"https://example.org/\x01\x02", b"https://example.org/a b", b"no url at all", b"",
            b"https://example.org/" + b"x" * 100000, b"javascript:alert(1)", b"https://[::1", "https://exämple.org/ö".encode())]
    run_import(directory, "odd-urls.warc", [good(0), *odd, good(1)], 3)
    dates = [record("resource", f"https://example.org/d{n}", date, b"x") for n, date in
             enumerate(("0000-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "10000-01-01T00:00:00Z", "2024-13-01T00:00:00Z", "yesterday", ""))]
    run_import(directory, "dates.warc", [good(0), *dates, good(1)], 3)
    tiny = record("resource", "https://example.org/tiny", DAY, b"x")
    count = 10_000_000 // (scale * scale)
    summary, _ = run_import(directory, "tiny.warc", [good(0), *(tiny * 1000 for _ in range(count // 1000)), good(1)], 0)
    require(summary["captures"] == count + 2, f"{summary['captures']} captures of {count + 2}")
    zipped = io.BytesIO()
    with zipfile.ZipFile(zipped, "w") as archive:
        archive.writestr("archive/good.warc", good(0) + good(1))
        archive.writestr("archive/../../../../climbed.warc", good(2))
        archive.writestr("/absolute.warc", good(3))
    run_import(directory, "climbing.wacz", [zipped.getvalue()], 3)
    require(not (pathlib.Path(directory).parent / "climbed.warc").exists(), "a WACZ entry climbed out")
    run_import(directory, "cut.warc.gz", [gzip.compress(good(0)), gzip.compress(good(1)), gzip.compress(good(2))[:-20]], 3)
    run_import(directory, "garbage-between.warc.gz", [gzip.compress(good(0)), os.urandom(5000), gzip.compress(good(1))], 3)
print("all imported what was sound, reported the rest, and stayed within bounds")
