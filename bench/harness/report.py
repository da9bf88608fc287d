"""From the results in a folder to a report: Markdown with plots as SVG files, and one HTML page that holds everything."""
import argparse
import os

from . import corpora, results, svg
from .document import Document
from .remarks import WHY

ORDER = ["size", "import", "pack", "checkout", "log", "diff", "segment", "main", "memory", "scale"]
TITLES = {"size": "Size", "import": "Import", "pack": "Pack", "checkout": "Checkout", "log": "Log and as-of",
          "diff": "Diff", "segment": "Segmenting", "main": "Main content", "memory": "Memory", "scale": "Scale"}


def place(data):
    order = list(corpora.HISTORIES)
    return (ORDER.index(data["workload"]), order.index(data["corpus"]) if data["corpus"] in order else len(order))


def find_row(found, workload, corpus, table, system):
    for data in found:
        if data["workload"] == workload and data["corpus"] == corpus and len(data["tables"]) > table:
            return next((row for row in data["tables"][table]["rows"] if row["system"] == system), None)
    return None


def over_corpora(found, key, workload, table, ours, peer):
    """(corpora where both are known, our sum, the peer's)."""
    names, mine, theirs = [], 0, 0
    for data in found:
        if data["workload"] != workload:
            continue
        a = find_row(found, workload, data["corpus"], table, ours)
        b = find_row(found, workload, data["corpus"], table, peer)
        if a and b:
            names.append(data["corpus"])
            mine, theirs = mine + a[key], theirs + b[key]
    return names, mine, theirs


def summary(document, found):
    rows = [["", "ours", "peer", "ours to peer", "corpora"]]
    for words, key, unit, workload, table, ours, peer in (
            ("bytes, against git gc --aggressive", "bytes", "bytes", "size", 0, "blockarch", "git, gc --aggressive"),
            ("bytes, against git repack -adf", "bytes", "bytes", "size", 0, "blockarch", "git, repack -adf"),
            ("bytes, against WARC.gz with revisits", "bytes", "bytes", "size", 0, "blockarch", "WARC.gz with revisits"),
            ("bytes, against solid zstd -19", "bytes", "bytes", "size", 0, "blockarch", "solid zstd -19 --long=31"),
            ("import and pack, against git's import and repack", "seconds", "s", "import", 1,
             "blockarch import --no-pack, pack --all", "git fast-import, repack -adf"),
            ("import and pack, against git's import and gc --aggressive", "seconds", "s", "import", 1,
             "blockarch import --no-pack, pack --all", "git fast-import, gc --aggressive")):
        names, mine, theirs = over_corpora(found, key, workload, table, ours, peer)
        if names:
            rows.append([words, results.format_value(mine, unit), results.format_value(theirs, unit),
                         f"{mine / theirs:.2f}", ", ".join(names)])
    if len(rows) > 1:
        document.heading(2, "In all")
        document.paragraph("Sums over the corpora named. Below 1, ours is smaller or faster.")
        document.table(rows)


def behind(document, found):
    """What a reader should know first: where something else is better, and why."""
    items = []
    for data in found:
        for table in data["tables"]:
            for system, label, ratio in results.behind(table):
                better = next(col["better"] for col in table["columns"] if col["label"] == label)
                times = 1 / ratio if better == "low" else ratio
                items.append((data["workload"], system, f"{data['corpus']}: {table['title']}: **{system}**, {label}: "
                              f"{times:.2f} times better than ours"))
    document.heading(2, "Where a peer is ahead")
    if not items:
        document.paragraph("Nowhere in these results.")
    for workload in ORDER:
        mine = [words for name, _, words in items if name == workload]
        if mine:
            document.paragraph(f"**{TITLES[workload]}.** {WHY.get(workload, '')}".strip())
            document.bullets(mine)


def draw(plot, data):
    if plot["kind"] == "quantiles":
        return svg.quantiles(plot["title"], plot["series"]) if plot["series"] else None
    if plot["kind"] == "lines":
        return svg.lines(plot["title"], plot["x"], plot["series"])
    rows = [(row["system"], row[plot["key"]], row["ours"]) for row in data["tables"][plot["table"]]["rows"]
            if row.get(plot["key"])]
    return svg.bars(plot["title"], rows, lambda value: results.format_value(value, plot["unit"]))


def section(document, data):
    document.heading(3, data["corpus"])
    place_ = data["machine"]
    dates = sorted(date for date in data.get("steps", {}).values() if date)
    stores = f" Stores made from {dates[0]} to {dates[-1]}." if dates else ""
    document.paragraph(f"{place_['date']}, commit {place_['commit']}, {place_['build']} build, load {place_['load']:.1f} at the "
                       f"start.{stores}")
    document.command(data["command"])
    for plot in data["plots"]:
        drawn = draw(plot, data)
        if drawn:
            document.picture(f"{plot['name']}-{data['corpus']}", plot["title"], drawn)
    for table in data["tables"]:
        if table["rows"]:
            document.paragraph(f"**{table['title']}**")
            document.table(results.lines(table))
            document.paragraph(table["note"])
    if data["skipped"]:
        document.paragraph("Not run: " + "; ".join(f"{item['system']} ({item['why']})" for item in data["skipped"]) + ".")


def write(found):
    document = Document()
    newest = max(found, key=lambda data: data["machine"]["date"])["machine"]
    document.heading(1, "Benchmarks")
    document.paragraph("Ours beside what people use today, on the same captures, by the command printed above each table. "
                       "“To ours” is the peer's figure divided by ours. Made by `bench/blockarch_bench report`; nothing here is "
                       "written by hand but the remarks where a peer is ahead.")
    document.paragraph(f"Machine: {newest['processor']}, {newest['cores']} cores, {newest['memory'] / 2**30:.0f} GiB, "
                       f"{newest['system']}. Peers: {', '.join(newest['peers'].values())}. Other work may have run on the "
                       "machine meanwhile: the load at the start of each workload is given, and processor time says more "
                       "than the clock where it was high.")
    summary(document, found)
    for workload in ORDER:
        mine = [data for data in found if data["workload"] == workload]
        if mine:
            document.heading(2, TITLES[workload])
            for data in mine:
                section(document, data)
    behind(document, found)
    return document


def main(arguments):
    parser = argparse.ArgumentParser(prog="blockarch_bench report")
    parser.add_argument("--results", required=True, help="a folder of results")
    parser.add_argument("--output", required=True, help="a folder: benchmarks.md, benchmarks.html, benchmarks/*.svg")
    parser.add_argument("--no-html", action="store_true", help="only Markdown and its plots")
    options = parser.parse_args(arguments)
    found = sorted(results.load(options.results), key=place)
    if not found:
        parser.error(f"no results in {options.results}")
    document = write(found)
    pictures = os.path.join(options.output, "benchmarks")
    os.makedirs(pictures, exist_ok=True)
    for name, drawn in document.pictures().items():
        with open(os.path.join(pictures, name + ".svg"), "w") as file:
            file.write(drawn)
    with open(os.path.join(options.output, "benchmarks.md"), "w") as file:
        file.write(document.markdown("benchmarks"))
    if not options.no_html:
        with open(os.path.join(options.output, "benchmarks.html"), "w") as file:
            file.write(document.html("blockarch: benchmarks"))
    print(f"report of {len(found)} results in {options.output}")
    return 0
