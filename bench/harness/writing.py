"""Workloads about keeping captures: size, import, pack, memory, scale."""
import json
import os

from . import measure
from .results import add, column
from .stores import BORG_CHUNKS, Skipped, Stores

BYTES = column("bytes", "bytes", "bytes", "low")
SECONDS = column("seconds", "time", "s", "low")
CPU = column("cpu", "processor time", "s", "low")
MEMORY = column("memory", "peak memory", "bytes", "low")


def rows(result, table, stores, entries):
    """Adds a row for each (system, steps, ours or variant) whose steps could be done: times add up, sizes are the
    last step's, memory the largest."""
    for system, steps, kind in entries:
        try:
            done = [stores.step(step) for step in steps]
        except Skipped as why:
            result.skip(system, str(why))
            continue
        values = {"bytes": done[-1].get("bytes"), "seconds": sum(d["seconds"] for d in done),
                  "cpu": sum(d["cpu"] for d in done), "memory": max(d["memory"] for d in done)}
        index = stores.index()
        values["rate"] = index.payload_bytes / 1e6 / values["seconds"]
        values["captures"] = index.count / values["seconds"]
        if values["bytes"]:
            values["per_capture"] = values["bytes"] / index.count
        add(table, system, values, ours=kind == "ours", variant=kind == "variant")


def about(stores):
    index = stores.index()
    return (f"{index.count:,} captures of {len(index.by_url()):,} URLs, {index.payload_bytes / 1e6:,.0f} MB of payloads, "
            f"{index.distinct:,} of them distinct")


def size(result, stores, setup):
    table = result.table("Bytes on disk, all files", [
        BYTES, column("per_capture", "bytes a capture", "")], note=about(stores) +
        f". borg (chunks {BORG_CHUNKS}, zstd 19) and restic (its chunks cannot be smaller than 512 KiB; compression max) are "
        "given the plain WARC file. WARC.gz is our own export, revisit records for payloads it has already. Solid zstd "
        "is `-19 --long=31` of the plain WARC, from which nothing can be read without reading what comes before.")
    rows(result, table, stores, [
        ("blockarch", ["ours-pack"], "ours"),
        ("blockarch as imported", ["ours-import"], "variant"),
        ("blockarch before it packs", ["ours-loose"], "variant"),
        ("git, gc --aggressive", ["git-aggressive"], "peer"),
        ("git, repack -adf", ["git-repack"], "peer"),
        ("git, as imported", ["git-import"], "peer"),
        ("WARC.gz with revisits", ["ours-warcgz"], "peer"),
        ("borg", ["borg"], "peer"),
        ("restic", ["restic"], "peer"),
        ("solid zstd -19 --long=31", ["zstd"], "peer")])
    result.plot("bars", name="size", title=f"Bytes on disk: {result.data['corpus']}", unit="bytes", key="bytes", table=0)


def import_(result, stores, setup):
    table = result.table("From a WARC file into the store", [
        SECONDS, CPU, column("captures", "captures/s", "", "high"), column("rate", "payload", "MB/s", "high")],
        note=about(stores) + ". git's fast-import stream is made beforehand and not counted; borg and restic read the WARC "
        "file. Ours checks digests, segments every page and is durable at the end.")
    rows(result, table, stores, [
        ("blockarch import --no-pack", ["ours-loose"], "ours"),
        ("git fast-import", ["git-import"], "peer"),
        ("borg create", ["borg"], "peer"),
        ("restic backup", ["restic"], "peer")])
    both = result.table("Import and pack together", [SECONDS, CPU, BYTES],
                        note="`import` by itself packs on its way and in the end.")
    rows(result, both, stores, [
        ("blockarch import --no-pack, pack --all", ["ours-loose", "ours-pack"], "ours"),
        ("blockarch import", ["ours-import"], "variant"),
        ("git fast-import, repack -adf", ["git-import", "git-repack"], "peer"),
        ("git fast-import, gc --aggressive", ["git-import", "git-aggressive"], "peer")])
    result.plot("bars", name="import", title=f"Captures imported a second: {result.data['corpus']}", unit="", key="captures",
                table=0)


def pack(result, stores, setup):
    table = result.table("Making the store small", [SECONDS, CPU, BYTES, MEMORY])
    rows(result, table, stores, [
        ("blockarch pack --all", ["ours-pack"], "ours"),
        ("git repack -adf", ["git-repack"], "peer"),
        ("git gc --aggressive", ["git-aggressive"], "peer"),
        ("solid zstd -19 --long=31", ["zstd"], "peer")])
    new = result.table("After one hundredth of new captures", [SECONDS, CPU],
                       note="Everything but the last hundredth of the captures was packed; then those are imported and packed.")
    rows(result, new, stores, [
        ("blockarch pack --all, everything", ["ours-pack"], "ours"),
        ("blockarch pack, the new ones", ["ours-pack-new"], "peer")])


def memory(result, stores, setup):
    table = result.table("Peak memory", [MEMORY], note="Resident pages as the kernel counts them, mapped files included.")
    rows(result, table, stores, [
        ("blockarch import", ["ours-import"], "ours"),
        ("blockarch import --no-pack", ["ours-loose"], "variant"),
        ("blockarch pack --all", ["ours-pack"], "variant"),
        ("git fast-import", ["git-import"], "peer"),
        ("git repack -adf", ["git-repack"], "peer"),
        ("git gc --aggressive", ["git-aggressive"], "peer"),
        ("borg create", ["borg"], "peer"),
        ("restic backup", ["restic"], "peer"),
        ("solid zstd -19 --long=31", ["zstd"], "peer")])


def scale(result, _, setup):
    """Its own captures: made-up ones, twenty to a URL, in three sizes."""
    columns = [column("bytes_per", "bytes a capture", "", "low"),
               column("import_per", "import --no-pack, a capture", "ms", "low"),
               column("pack_per", "pack --all, a capture", "ms", "low"),
               column("both_per", "import with packing, a capture", "ms", "low"), column("log", "log of a URL", "ms", "low"),
               column("as_of", "as of a date", "ms", "low"), column("fsck_per", "fsck, a capture", "ms", "low"),
               column("gc_per", "gc, a capture", "ms", "low"), column("memory", "peak memory", "bytes", "low")]
    table = result.table("Cost of a capture as the archive grows", columns,
                         note="Synthetic captures (blockarch_generate, seed 1), twenty to a URL. Flat means that the ratios stay near 1.")
    points = []
    for count in setup.scales:
        stores = Stores(f"synthetic-{count}", setup)
        values = scale_row(result, stores, count, setup)
        add(table, f"blockarch, {count:,} captures", values, ours=not points)
        points.append(values)
    if setup.scale_git:
        scale_git(result, setup)
    result.plot("lines", name="scale", title="Cost of a capture as the archive grows, first size = 1",
                x=list(setup.scales), series={
                    label: [point[key] / points[0][key] for point in points]
                    for key, label in (("bytes_per", "bytes"), ("import_per", "import"), ("pack_per", "pack --all"),
                                       ("log", "log"), ("as_of", "as of"))})


def scale_row(result, stores, count, setup):
    import_step, pack_step = stores.step("ours-loose"), stores.step("ours-pack")
    packing_import = stores.step("ours-import")
    fsck = stores.ours("ours", "fsck", accept=(0, 5))
    if fsck["code"] != 0:
        result.skip("fsck", "it found damage, so its time says nothing")
    try:
        gc = stores.ours("ours", "gc")["seconds"] * 1e3 / count
    except measure.Failed:
        gc = None
        result.skip("gc", "this build has no gc command")
    listed = measure.output([setup.program, "-C", stores.path("ours"), "urls", "--json"]).splitlines()
    urls = [json.loads(line)["url"] for line in listed[::max(1, len(listed) // 25)]]
    log = [stores.ours("ours", "log", url)["seconds"] * 1e3 for url in urls]
    # 4: nothing was captured before the date.
    as_of = [stores.ours("ours", "show", url + "@2022-01-01", accept=(0, 4))["seconds"] * 1e3 for url in urls]
    values = {"bytes_per": pack_step["bytes"] / count, "import_per": import_step["seconds"] * 1e3 / count,
              "pack_per": pack_step["seconds"] * 1e3 / count, "log": measure.quantile(log, 0.5),
              "as_of": measure.quantile(as_of, 0.5), "gc_per": gc,
              "both_per": packing_import["seconds"] * 1e3 / count,
              "memory": max(packing_import["memory"], pack_step["memory"], fsck["memory"])}
    values["fsck_per"] = fsck["seconds"] * 1e3 / count if fsck["code"] == 0 else None
    if not setup.keep and count > 200000:
        os.unlink(stores.warc)
    return values


def scale_git(result, setup):
    table = result.table("The same in git", [column("bytes_per", "bytes a capture", "", "low"),
                                             column("import_per", "import, a capture", "ms", "low"),
                                             column("pack_per", "repack, a capture", "ms", "low")])
    for count in setup.scales:
        if count > setup.scale_git:
            result.skip(f"git, {count:,} captures", "git is only asked up to --scale-git captures")
            continue
        stores = Stores(f"synthetic-{count}", setup)
        for system, steps, ours in (("blockarch", ("ours-loose", "ours-pack"), True),
                                    ("git fast-import, repack -adf", ("git-import", "git-repack"), False)):
            try:
                first, second = (stores.step(step) for step in steps)
            except Skipped as why:
                result.skip(system, str(why))
                continue
            add(table, f"{system}, {count:,}", {"bytes_per": second["bytes"] / count,
                                               "import_per": first["seconds"] * 1e3 / count,
                                               "pack_per": second["seconds"] * 1e3 / count},
                ours=ours and not any(row["ours"] for row in table["rows"]), variant=ours)
