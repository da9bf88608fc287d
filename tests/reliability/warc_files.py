"""WARC records, made by hand so that they can be wrong in any way."""


def http(body, *fields, status="200 OK"):
    lines = [f"HTTP/1.1 {status}", "Content-Type: text/html; charset=utf-8", *fields]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


def record(kind, url, date, block, content_type="text/html", length=None, more=()):
    fields = ["WARC/1.1", f"WARC-Type: {kind}", f"WARC-Record-ID: <urn:x:{abs(hash((kind, url, date)))}>", f"WARC-Date: {date}",
              f"Content-Type: {content_type}", f"Content-Length: {len(block) if length is None else length}", *more]
    head = "\r\n".join(fields).encode()
    uri = url if isinstance(url, bytes) else url.encode()
    return head + b"\r\nWARC-Target-URI: " + uri + b"\r\n\r\n" + block + b"\r\n\r\n"
