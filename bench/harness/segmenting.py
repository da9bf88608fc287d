"""Workloads about cutting pages: our segmenters against the bare parser, main content against Readability."""
import json
import os
import subprocess
import sys

from . import corpora, measure
from .results import add, column
from .stores import Skipped


def segment(result, stores, setup):
    table = result.table("Payload bytes a second of processor time, one thread", [
        column("rate", "speed", "MB/s", "high"), column("page", "a page", "ms", "low")],
        note="Pages spread evenly over the corpus, each system on all of them in turn, the median of the rounds. `auto` with its "
        "objects is what an import does for a page: parse, cut, split, hash.")
    found = json.loads(measure.output([setup.helper("blockarch_segment_speed"), stores.warc, str(setup.pages),
                                       str(setup.rounds)]))
    for row in found["systems"]:
        add(table, row["name"], {"rate": found["bytes"] / 1e6 / row["seconds"],
                                 "page": row["seconds"] * 1e3 / found["pages"]},
            ours=row["name"] == "auto", variant=row["name"] not in ("auto", "lexbor, bare"))


def scoring(setup):
    """The scoring code that comes with the corpus."""
    sys.path.insert(0, os.path.join(corpora.folder(setup.root), "score"))
    import pagetext
    return pagetext


def f1(got, want):
    from collections import Counter
    got, want = Counter(got), Counter(want)
    common = sum((got & want).values())
    return 2 * common / max(1, sum(got.values()) + sum(want.values()))


def main_content(result, _, setup):
    """Its own pages: those whose main text people wrote down."""
    if setup.tiny:
        raise corpora.Missing("main content is not looked for at the tiny size")
    folder = corpora.unpacked("main-content", setup)
    try:
        pagetext = scoring(setup)
    except ImportError:
        raise corpora.Missing("the corpus has no scoring code beside it") from None
    folder = next(path for path, _, names in os.walk(folder) if "index.jsonl" in names)
    with open(os.path.join(folder, "index.jsonl"), encoding="utf8") as file:
        pages = [json.loads(line) for line in file]
    pages = pages[::max(1, len(pages) // setup.main_pages)]
    paths = [os.path.join(folder, "html", page["file"]) for page in pages]
    wanted = [pagetext.words_of(page["text"]) for page in pages]
    table = result.table(f"Main content of {len(pages)} pages", [
        column("f", "F1 of words, mean", "", "high"), column("ms", "a page", "ms", "low")],
        note="The corpus's own scoring; processor time. Ours labels every block of the page in that time; Readability's includes jsdom's parse.")
    scores, times = [], json.loads(measure.output([setup.helper("blockarch_segment_speed"), "--files", *paths]))
    for path, want in zip(paths, wanted):
        blocks = json.loads(measure.output([setup.program, "segment", "--json", path]))["blocks"]
        keep = [(block["start"], block["end"]) for block in blocks if block["label"] == "main"]
        with open(path, "rb") as file:
            words = pagetext.words(file.read())
            scores.append(f1([w for o, w in words if any(a <= o < b for a, b in keep)], want))
    add(table, "blockarch segment", {"f": sum(scores) / len(scores), "ms": times["describe_seconds"] * 1e3 / len(paths)},
        ours=True)
    try:
        add(table, "Mozilla Readability", readability(pagetext, paths, wanted, setup))
    except Skipped as why:
        result.skip("Mozilla Readability", str(why))


def readability(pagetext, paths, wanted, setup):
    modules = os.path.join(setup.root, "build", "bench", "node_modules")
    if not measure.have("node") or not os.path.isdir(os.path.join(modules, "@mozilla", "readability")):
        raise Skipped("@mozilla/readability and jsdom are not there (scripts/setup --bench)")
    script = os.path.join(setup.root, "bench", "readability.js")
    answers = []
    at_once = 40  # what jsdom made of a page stays in memory until its process ends
    for first in range(0, len(paths), at_once):
        done = subprocess.run(["node", script, *paths[first:first + at_once]], capture_output=True,
                              env={**os.environ, "NODE_PATH": modules})
        if done.returncode != 0:
            raise Skipped(f"its process ended with {done.returncode}")
        answers += [json.loads(line) for line in done.stdout.splitlines()]
    scores = [f1(pagetext.words_of(answer["text"]), want) for answer, want in zip(answers, wanted)]
    return {"f": sum(scores) / len(scores), "ms": sum(answer["ms"] for answer in answers) / len(answers)}
