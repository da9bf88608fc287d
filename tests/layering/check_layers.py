#!/usr/bin/env python3
"""Checks that dependencies between directories point one way, and that third-party headers stay out of ours.

    check_layers.py ROOT

Every `#include "dir/…"` is compared with the table below, which is the picture in docs/architecture.md."""
import pathlib
import re
import sys

ALLOWED = {
    "base": [],
    "warc": ["base"],
    "objects": ["base"],
    "pack": ["objects", "base"],
    "refs": ["objects", "base"],
    "segment": ["objects", "base"],
    "engine": ["refs", "segment", "pack", "objects", "base"],
    "history": ["engine", "refs", "segment", "pack", "objects", "base"],
    "transfer": ["engine", "warc", "refs", "segment", "pack", "objects", "base"],
    "fsck": ["refs", "segment", "pack", "objects", "base"],
    "cli": ["engine", "history", "transfer", "fsck", "refs", "segment", "pack", "objects", "warc", "base"],
    "bench": ["engine", "history", "transfer", "refs", "segment", "pack", "objects", "warc", "base"],
    "tests": ["cli", "engine", "history", "transfer", "fsck", "refs", "segment", "pack", "objects", "warc", "base"],
}
THIRD_PARTY = re.compile(
    r"#include <(lexbor|lmdb|blake3|zstd|libdeflate|pugixml|fmt|CLI|nlohmann|uchardet|unicode|re2|git2|zlib|brotli|archive|archive_entry|openssl|libstemmer)[/.]")
# They stand for a third-party header and are included where it would be: in .cc files.
STAND_INS = {"transfer/git_library.h", "warc/zip_library.h"}
OWN = re.compile(r'#include "([a-z_]+)/')


def includes_stand_in(line):
    return any(line == f'#include "{name}"' for name in STAND_INS)


def main(root):
    problems = []
    files = 0
    for directory in ALLOWED:
        for path in sorted((root / directory).rglob("*")):
            if path.suffix not in (".h", ".cc", ".c"):
                continue
            files += 1
            for number, line in enumerate(path.read_text().splitlines(), 1):
                where = f"{path.relative_to(root)}:{number}"
                own = OWN.match(line)
                if own and own[1] != directory and own[1] not in ALLOWED[directory]:
                    problems.append(f"{where}: {directory} must not include {own[1]}")
                in_our_header = path.suffix == ".h" and str(path.relative_to(root)) not in STAND_INS
                if in_our_header and directory not in ("tests", "cli") and (THIRD_PARTY.match(line) or includes_stand_in(line)):
                    problems.append(f"{where}: a third-party header in one of ours")
    for top in sorted(p.name for p in root.iterdir() if p.is_dir()):
        if any((root / top).glob("*.cc")) and top not in ALLOWED:
            problems.append(f"{top}/ has no place in the table of layers")
    print("\n".join(problems) or f"{files} files keep to their layers")
    return 1 if problems or files == 0 else 0


sys.exit(main(pathlib.Path(sys.argv[1])))
