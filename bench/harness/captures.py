"""Captures of a plain WARC file: where each stands, and the stream that gives git the same ones."""
import calendar
import hashlib
import json
import os
import re
import time

LENGTH = re.compile(rb"\r\nContent-Length: (\d+)", re.I)
URI = re.compile(rb"\r\nWARC-Target-URI: (\S+)", re.I)
DATE = re.compile(rb"\r\nWARC-Date: (\S+)", re.I)
KIND = re.compile(rb"\r\nWARC-Type: (\S+)", re.I)


def records(path):
    """Offset of the block, its size, kind, URL and date of each record."""
    with open(path, "rb", buffering=1 << 20) as file:
        while True:
            head = b""
            while not head.endswith(b"\r\n\r\n"):
                line = file.readline()
                if not line:
                    return
                head += line
            length = int(LENGTH.search(head)[1])
            uri, date, kind = URI.search(head), DATE.search(head), KIND.search(head)
            at = file.tell()
            block = file.read(length)
            file.read(4)
            yield at, block, kind[1] if kind else b"", uri[1] if uri else None, date[1] if date else None


def payloads(path):
    """(offset, payload, url, date) of each capture with a body. Revisits have none; git is not given them."""
    for at, block, kind, uri, date in records(path):
        if uri is None or kind not in (b"resource", b"response"):
            continue
        if kind == b"response":
            head, _, block = block.partition(b"\r\n\r\n")
            at += len(head) + 4
        yield at, block, uri, date


def seconds(date):
    return calendar.timegm(time.strptime(date.decode()[:19], "%Y-%m-%dT%H:%M:%S"))


def git_path(url):
    """A directory for each host, which keeps git's trees small, and a file for each URL."""
    scheme, _, rest = url.partition(b"//")
    host, _, path = (rest or scheme).partition(b"/")
    clean = [re.sub(rb"[^A-Za-z0-9._-]+", b"_", part) for part in (host, path)]
    name = clean[1][:80] + b"." + hashlib.sha1(url).hexdigest()[:8].encode()
    return ((clean[0] or b"none") + b"/" + name + b".html").lstrip(b".")


class Index:
    """Every capture: url, date, offset, size, git's blob id. Of captures of one URL in one second the last counts."""

    def __init__(self, rows, count, distinct, payload_bytes):
        self.rows, self.count, self.distinct, self.payload_bytes = rows, count, distinct, payload_bytes

    @staticmethod
    def of(warc, cache):
        stamp = [os.path.getsize(warc), int(os.path.getmtime(warc))]
        if os.path.exists(cache):
            with open(cache) as file:
                kept = json.load(file)
            if kept["stamp"] == stamp:
                return Index(kept["rows"], kept["count"], kept["distinct"], kept["bytes"])
        last, blobs, count, total = {}, set(), 0, 0
        for at, payload, url, date in payloads(warc):
            blob = hashlib.sha1(b"blob %d\0" % len(payload) + payload).hexdigest()
            last[(url.decode(errors="surrogateescape"), date.decode())] = (at, len(payload), blob)
            blobs.add(blob)
            count += 1
            total += len(payload)
        rows = [[*key, *value] for key, value in last.items()]
        rows.sort(key=lambda row: row[1])
        with open(cache, "w") as file:
            json.dump({"stamp": stamp, "rows": rows, "count": count, "distinct": len(blobs), "bytes": total}, file)
        return Index(rows, count, len(blobs), total)

    def by_url(self):
        urls = {}
        for row in self.rows:
            urls.setdefault(row[0], []).append(row)
        return urls


def write_fast_import(warc, out):
    """One commit a capture, one file a URL, as a user of git would keep page history."""
    for _, payload, url, date in payloads(warc):
        message = b"capture " + url
        out.write(b"commit refs/heads/main\ncommitter a <a@b> %d +0000\ndata %d\n%s\nM 100644 inline %s\ndata %d\n"
                  % (seconds(date), len(message), message, git_path(url), len(payload)))
        out.write(payload)
        out.write(b"\n\n")
    out.write(b"done\n")


def offset_of_part(warc, part):
    """Where the last (1 - part) of the captures begins: the start of a record."""
    index, ends = 0, []
    for at, block, _, _, _ in records(warc):
        ends.append(at + len(block) + 4)
        index += 1
    return ends[min(index - 1, max(0, int(index * part) - 1))]
