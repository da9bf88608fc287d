#!/usr/bin/env python3
"""apply_diff.py OLD < DIFF: the new page, made from the old page's bytes and what 'blockarch diff --json' printed."""
import base64
import json
import sys


def apply(old, edits):
    parts = []
    for edit in edits:
        if "copy" in edit:
            begin, end = edit["copy"]
            if not 0 <= begin <= end <= len(old):
                raise SystemExit(f"apply_diff: the old page has no bytes {begin} to {end}: is it the right one?")
            parts.append(old[begin:end])
        elif "content" in edit:
            parts.append(edit["content"].encode())
        else:
            parts.append(base64.b64decode(edit["content_base64"]))
    return b"".join(parts)


if __name__ == "__main__":
    with open(sys.argv[1], "rb") as file:
        sys.stdout.buffer.write(apply(file.read(), json.load(sys.stdin)["edits"]))
