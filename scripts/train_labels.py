#!/usr/bin/env python3
"""Trains the models behind visible blocks and labels (segment/main_model.cc, segment/block_model.cc).

    train_labels.py PRINT_FEATURES main FOLDER [--check]     FOLDER: index.jsonl (file, url, set, text) and html/
    train_labels.py PRINT_FEATURES block FOLDER [--check]    FOLDER: *.blocks.html, pages whose blocks carry data-block

PRINT_FEATURES is the program of that name (tests/segment/print_features.cc). Train main first: its answers are features of block,
so build PRINT_FEATURES again between the two. --check writes nothing: it prints what is reached on sites that were not trained on,
five models each asked about a fifth of the sites, the mean and standard deviation over several ways to deal the sites out. Needs numpy and scikit-learn (Debian: python3-sklearn) and the scoring scripts (pagetext.py,
score_segments.py) in the directory that BLOCKARCH_SCORE names, so that what is learnt from is what is scored."""
import difflib
import glob
import json
import os
import pathlib
import random
import struct
import subprocess
import sys
import tempfile
from collections import Counter
from urllib.parse import urlparse

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier

SCORE = os.environ["BLOCKARCH_SCORE"]
sys.path.insert(0, SCORE)
from pagetext import words, words_of  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
FOLDS = 5
SEEDS = 5  # ways to deal the sites out
# Small on purpose: more and larger trees gain a hundredth here and cost time on every page.
SIZES = {
    "main": {"max_iter": 64, "max_leaf_nodes": 12, "learning_rate": 0.15, "l2_regularization": 5, "min_samples_leaf": 40},
    "block": {"max_iter": 48, "max_leaf_nodes": 10, "learning_rate": 0.13, "l2_regularization": 5, "min_samples_leaf": 20},
}
# Of segment/visible_blocks.cc: kBlockOdds, kRunOdds, kRunWords, kFewWords, and kMainThroughout of segment/label.h.
BLOCK_ODDS, RUN_ODDS, RUN_WORDS, FEW_WORDS, MAIN_THROUGHOUT = 0.37, 0.7, 25, 3, 0.95


def features(program, path):
    """Lines (begin, end, words, box, main odds) and boxes (begin, end, first line, line end, parent, words, asked), with features."""
    raw = subprocess.run([program, path], stdout=subprocess.PIPE, check=True).stdout
    tables, at = [], 0
    for columns in (5, 7):
        count, width = struct.unpack_from("<II", raw, at)
        row = np.dtype([("m", "<u4", columns), ("f", "<f4", width)])
        tables.append(np.frombuffer(raw, row, count, at + 8))
        at += 8 + row.itemsize * count
    return tables


def line_of_words(lines, offsets):
    """For each word of the page the line it stands in, or -1."""
    if not len(lines):
        return np.full(len(offsets), -1)
    line = np.searchsorted(lines["m"][:, 0], offsets, side="right") - 1
    inside = (line >= 0) & (np.asarray(offsets) < lines["m"][np.clip(line, 0, None), 1])
    return np.where(inside, line, -1)


# --- main content ---------------------------------------------------------------------------------------------------------------


def read_main_page(program, folder, entry):
    path = os.path.join(folder, "html", entry["file"])
    lines, _ = features(program, path)
    found = words(open(path, "rb").read())
    page_words, gold = [w for _, w in found], words_of(entry["text"])
    hit = np.zeros(len(page_words), bool)
    for match in difflib.SequenceMatcher(None, page_words, gold, autojunk=False).get_matching_blocks():
        hit[match.a : match.a + match.size] = True
    line = line_of_words(lines, [o for o, _ in found])
    count = np.bincount(line[line >= 0], minlength=len(lines))
    main = np.bincount(line[line >= 0], weights=hit[line >= 0], minlength=len(lines))
    host = urlparse(entry["url"]).hostname or entry["file"]
    return {"group": ".".join(host.split(".")[-2:]), "set": entry["set"], "x": lines["f"], "words": page_words, "line": line,
            "gold": gold, "count": count, "share": main / np.maximum(count, 1)}


def fit_main(pages):
    """A line counts as main by the share of its words that are in the written-down text; every page has the same weight."""
    pages = [p for p in pages if len(p["x"])]
    x, share = np.concatenate([p["x"] for p in pages]), np.concatenate([p["share"] for p in pages])
    weight = np.concatenate([np.maximum(p["count"], 0.3) / max(30, p["count"].sum()) for p in pages])
    return fit("main", np.concatenate([x, x]), np.repeat([1.0, 0.0], len(x)), np.concatenate([weight * share, weight * (1 - share)]))


def pick_main(odds, count):
    """As segment/visible_blocks.cc does: the lines whose expected F is greatest."""
    order = np.argsort(-odds)
    gain, size = np.cumsum((odds * count)[order]), np.cumsum(count[order])
    best = int(np.argmax(2 * gain / (size + gain[-1] + 1e-9)))
    return odds >= odds[order[best]]


def check_main(pages):
    scores = [{} for _ in range(SEEDS)]
    for seed in range(SEEDS):
        for train, test in folds(pages, seed):
            model = fit_main(train)
            for page in test:
                chosen = pick_main(model.predict_proba(page["x"])[:, 1], page["count"]) if len(page["x"]) else np.zeros(0, bool)
                got = Counter(w for w, l in zip(page["words"], page["line"]) if l >= 0 and chosen[l])
                both, want = sum((got & Counter(page["gold"])).values()), len(page["gold"])
                scores[seed].setdefault(page["set"], []).append(2 * both / max(1, sum(got.values()) + want))
    for of_seed in scores:
        of_seed["all"] = sum(of_seed.values(), [])
    for name in sorted(scores[0]):
        print(f"{name:20} pages {len(scores[0][name]):4} F {mean_and_spread([np.mean(of_seed[name]) for of_seed in scores])}")


# --- blocks ---------------------------------------------------------------------------------------------------------------------


def scorer():
    """The functions of score_segments.py, which is a program: all but its last line, which runs it."""
    source = pathlib.Path(SCORE, "score_segments.py").read_text().rstrip()
    names = {"__file__": os.path.join(SCORE, "score_segments.py")}
    exec(compile(source[: source.rindex("\n")], "score_segments.py", "exec"), names)
    return names


def read_block_page(program, path, score):
    page, ranges = score["gold"](open(path, "rb").read())
    with tempfile.NamedTemporaryFile(suffix=".html") as file:
        file.write(page)
        file.flush()
        lines, boxes = features(program, file.name)
    offsets = [o for o, _ in words(page)]
    gold = score["as_words"](ranges, offsets)
    asked = np.flatnonzero(boxes["m"][:, 6] == 1)
    spans = zip(*(np.searchsorted(offsets, boxes["m"][asked, k]).tolist() for k in (0, 1)))
    marked = [b > a and any(score["jaccard"]((a, b), g) >= 0.8 for g in gold) for a, b in spans]
    x, odds = boxes["f"][asked], np.ascontiguousarray(lines["m"][:, 4]).view("<f4")
    boxes = dict(zip(("begin", "end", "first", "line_end", "parent", "words"), boxes["m"].T.tolist()))
    lines = dict(zip(("begin", "end", "words", "box"), lines["m"].T.tolist()), odds=odds)
    # Each page is of a site of its own.
    return {"group": path, "x": x, "y": np.array(marked, bool), "asked": asked.tolist(), "boxes": boxes, "lines": lines,
            "main": pick_main(lines["odds"], np.array(lines["words"])) if len(odds) else [], "gold": gold, "offsets": offsets}


def main_runs(page, chosen):
    """BlockFinder::add_main_runs of segment/visible_blocks.cc."""
    lines, boxes, main = page["lines"], page["boxes"], page["main"]
    of_box = [0] * len(boxes["begin"])
    for box in range(1, len(of_box)):
        of_box[box] = box if box in chosen else of_box[boxes["parent"][box]]
    owner = [of_box[box] for box in lines["box"]]
    main_before = np.concatenate([[0], np.cumsum(np.where(main, lines["words"], 0))])
    sums = [np.concatenate([[0], np.cumsum(np.array(lines["words"]) * odds)]) for odds in (lines["odds"], 1)]
    runs, i, count = [], 0, len(owner)
    while i < count:
        own, end = owner[i], i + 1
        if not main[i] or (own and main_before[boxes["line_end"][own]] - main_before[boxes["first"][own]]
                           >= MAIN_THROUGHOUT * boxes["words"][own]):
            i = end
            continue
        for line in range(end, count):
            if owner[line] != own or (not main[line] and (lines["words"][line] > FEW_WORDS or line > end)):
                break
            end = line + 1 if main[line] else end
        odds, size = (s[end] - s[i] for s in sums)
        if size and odds / size >= RUN_ODDS and main_before[end] - main_before[i] >= RUN_WORDS:
            begin, last = lines["begin"][i], lines["end"][end - 1]
            for box in (lines["box"][i], lines["box"][end - 1]):
                while box not in (own, 0) and boxes["first"][box] >= i and boxes["line_end"][box] <= end:
                    begin, last, box = min(begin, boxes["begin"][box]), max(last, boxes["end"][box]), boxes["parent"][box]
            runs.append((begin, last))
        i = end
    return runs


def visible_blocks(page, odds):
    """What segment/visible_blocks.cc shows that has words, as byte ranges."""
    chosen = {box for box, odds_of_box in zip(page["asked"], odds) if odds_of_box > BLOCK_ODDS}
    ranges = {(page["boxes"]["begin"][box], page["boxes"]["end"][box]) for box in chosen} | set(main_runs(page, chosen))
    kept, around = [], []
    for begin, end in sorted(ranges, key=lambda r: (r[0], -r[1])):
        while around and around[-1] <= begin:
            around.pop()
        if begin < end and not (around and end > around[-1]):
            kept.append((begin, end))
            around.append(end)
    return kept


def fit_block(pages):
    x, y = np.concatenate([p["x"] for p in pages]), np.concatenate([p["y"] for p in pages])
    return fit("block", x, y, np.ones(len(y)))


def check_block(pages, score):
    f = lambda p, r: 2 * p * r / (p + r)
    match = lambda a, others: any(score["jaccard"](a, b) >= 0.8 for b in others)
    figures = []
    for seed in range(SEEDS):
        right = chosen = found = marked = precision = recall = 0
        for train, test in folds(pages, seed):
            model = fit_block(train)
            for page in test:
                blocks = score["as_words"](visible_blocks(page, model.predict_proba(page["x"])[:, 1]), page["offsets"])
                right += sum(match(b, page["gold"]) for b in blocks)
                found += sum(match(g, blocks) for g in page["gold"])
                chosen, marked = chosen + len(blocks), marked + len(page["gold"])
                ours, theirs = (score["smallest"](sets, len(page["offsets"])) for sets in (blocks, page["gold"]))
                precision += score["bcubed"](ours, theirs) / len(pages)
                recall += score["bcubed"](theirs, ours) / len(pages)
        figures.append((f(right / chosen, found / marked), f(precision, recall)))
    print("match F {}, BCubed F {}".format(*map(mean_and_spread, zip(*figures))))


# --- both -----------------------------------------------------------------------------------------------------------------------


def fit(which, x, y, weight):
    keep = weight > 0
    model = HistGradientBoostingClassifier(max_bins=128, random_state=0, early_stopping=False, **SIZES[which])
    return model.fit(x[keep], y[keep], sample_weight=weight[keep] / weight[keep].mean())


def mean_and_spread(values):
    values = list(values)
    return f"{np.mean(values):.3f} ± {np.std(values):.3f}"


def folds(pages, seed):
    """By site, so that no model is asked about a site that it was trained on."""
    groups = sorted({p["group"] for p in pages})
    random.Random(seed).shuffle(groups)
    fold = {g: i % FOLDS for i, g in enumerate(groups)}
    for k in range(FOLDS):
        yield [p for p in pages if fold[p["group"]] != k], [p for p in pages if fold[p["group"]] == k]


def tree_rows(nodes):
    """A tree in pre-order as segment/models.h wants it."""
    rows = []

    def add(index):
        node = nodes[index]
        if node["is_leaf"]:
            rows.append([255, 0, float(node["value"])])
            return
        at = len(rows)
        rows.append([int(node["feature_idx"]), 0, float(node["num_threshold"])])
        add(node["left"])
        rows[at][1] = len(rows) - at
        add(node["right"])

    add(0)
    for at, row in enumerate(rows):
        if row[0] == 255:
            row[1] = len(rows) - at
    return rows


def write_table(model, which):
    rows = [[255, 1, float(model._baseline_prediction.ravel()[0])]]
    for trees in model._predictors:
        rows += tree_rows(trees[0].nodes)
    lines = ["   "]
    for feature, right, value in rows:
        number = f"{value:.5g}"
        item = f" {{{feature}, {right}, {number if set('.e') & set(number) else number + '.0'}F}},"
        if len(lines[-1]) + len(item) > 116:
            lines.append("   ")
        lines[-1] += item
    name = which.capitalize()
    path = HERE.parent / "segment" / f"{which}_model.cc"
    table = "\n".join(lines)
    path.write_text(f"""// Made by scripts/train_labels.py: {SIZES[which]['max_iter']} trees of {SIZES[which]['max_leaf_nodes']} leaves.
#include "segment/models.h"

namespace blockarch {{
namespace {{

// clang-format off
constexpr ModelNode kNodes[] = {{
{table}
}};
// clang-format on

}}  // namespace

const std::span<const ModelNode> k{name}Model = kNodes;

}}  // namespace blockarch
""")
    print(f"wrote {path}: {len(rows)} nodes")


def main(program, which, folder, *options):
    check = "--check" in options
    if which == "main":
        entries = [json.loads(line) for line in open(os.path.join(folder, "index.jsonl"), encoding="utf8")]
        pages = [read_main_page(program, folder, entry) for entry in entries]
        return check_main(pages) if check else write_table(fit_main(pages), which)
    score = scorer()
    pages = [read_block_page(program, path, score) for path in sorted(glob.glob(os.path.join(folder, "*.blocks.html")))]
    pages = [p for p in pages if p["gold"]]
    return check_block(pages, score) if check else write_table(fit_block(pages), which)


if __name__ == "__main__":
    if len(sys.argv) < 4 or sys.argv[2] not in SIZES:
        sys.exit(__doc__)
    main(*sys.argv[1:])
