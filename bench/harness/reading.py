"""Workloads about getting captures back: checkout, log, diff."""
import hashlib
import random
import subprocess
import time

from . import captures, measure
from .results import add, column
from .stores import GIT_ENV, Skipped

P50 = column("p50", "p50", "ms", "low")
P99 = column("p99", "p99", "ms", "low")


def percentiles(times):
    return {"p50": measure.quantile(times, 0.5), "p99": measure.quantile(times, 0.99)}


GIT_STORES = (("git, gc --aggressive", "git-aggressive"), ("git, repack -adf", "git-repack"))


def git_folder(step):
    return "git-repacked" if step == "git-repack" else step


class Batch:
    """A process that answers names on its standard input: `cat --batch` and `git cat-file --batch`."""

    def __init__(self, command, env=None):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, env=env)

    def ask(self, name):
        """The words of the first line of the answer, and the bytes."""
        self.process.stdin.write(name + b"\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline().split()
        if len(answer) < 3 or not answer[-1].isdigit():
            return answer, None
        return answer, self.process.stdout.read(int(answer[-1]) + 1)[:-1]

    def read(self, name):
        """Milliseconds until the whole answer is here, and the bytes."""
        begin = time.perf_counter()
        _, payload = self.ask(name)
        return (time.perf_counter() - begin) * 1e3, payload

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def our_name(row):
    return f"{row[0]}@{row[1]}".encode(errors="surrogateescape")


def version_ids(command, samples):
    """The id of the version that each capture shows, by what it is called."""
    batch = Batch(command)
    ids = {}
    for row in (row for rows in samples.values() for row in rows):
        answer, _ = batch.ask(our_name(row))
        ids[our_name(row)] = answer[0]
    batch.close()
    return ids


def readers(result, stores, samples):
    """(system, ours or a variant of it, its store's folder, how to start a batch, how to read one, how a capture is called)."""
    stores.step("ours-pack")
    program, archive = stores.setup.program, stores.path("ours")
    command = [program, "-C", archive, "cat", "--batch"]
    ids = version_ids(command, samples)
    found = [("blockarch", "ours", archive, lambda: Batch(command),
              lambda row: [program, "-C", archive, "cat", ids[our_name(row)]], lambda row: ids[our_name(row)]),
             ("blockarch, by URL and date", "variant", archive, lambda: Batch(command),
              lambda row: [program, "-C", archive, "cat", our_name(row)], our_name)]
    for system, step in GIT_STORES:
        try:
            stores.step(step)
        except Skipped as why:
            result.skip(system, str(why))
            continue
        repository = stores.path(git_folder(step))
        found.append((system, "peer", repository,
                      lambda r=repository: Batch(["git", "-C", r, "cat-file", "--batch"], env=GIT_ENV),
                      lambda row, r=repository: ["git", "-C", r, "cat-file", "blob", row[4]],
                      lambda row: row[4].encode()))
    return found


def is_right(payload, row):
    return payload is not None and hashlib.sha1(b"blob %d\0" % len(payload) + payload).hexdigest() == row[4]


def read_all(batch, rows, name, row_errors):
    times = []
    for row in rows:
        ms, payload = batch.read(name(row))
        if not is_right(payload, row):
            row_errors.append(row)
        times.append(ms)
    return times


def read_in_turns(systems, batches, rows):
    """Each capture from one system after the other, so that a busy moment of the machine hits all alike; each system is
    first, second and so on equally often, as what ran just before leaves the processor's caches to the next."""
    times, wrong = [[] for _ in systems], [0 for _ in systems]
    for turn, row in enumerate(rows):
        for i in ((turn + place) % len(systems) for place in range(len(systems))):
            ms, payload = batches[i].read(systems[i][5](row))
            times[i].append(ms)
            wrong[i] += not is_right(payload, row)
    return times, wrong


def read_cold_and_warm(systems, rows):
    for system in systems:
        measure.forget(system[2])
    batches = [system[3]() for system in systems]
    measured = {heat: read_in_turns(systems, batches, rows) for heat in ("cold", "warm")}
    for batch in batches:
        batch.close()
    return measured


def chosen(index, setup):
    """Captures by age: any, the newest tenth, the oldest tenth."""
    tenth = max(1, len(index.rows) // 10)
    pools = {"random": index.rows, "newest": index.rows[-tenth:], "oldest": index.rows[:tenth]}
    rand = random.Random(11)
    return {age: rand.sample(pool, min(setup.sample if age == "random" else setup.sample // 4, len(pool)))
            for age, pool in pools.items()}


def checkout(result, stores, setup):
    samples = chosen(stores.index(), setup)
    tables = {}
    for age, rows in samples.items():
        for heat in ("cold", "warm"):
            tables[age, heat] = result.table(
                f"{len(rows):,} captures, {age}, {heat}", [P50, P99, column("wrong", "wrong bytes", "count")],
                note="" if (age, heat) != ("random", "cold") else
                "From one process each: `cat --batch` by version id, and by URL and date; `git cat-file --batch` by blob id. Cold: "
                "a new process, its files dropped from the page cache, the first pass; warm: the second pass. Systems take turns, "
                "capture by capture. All of them and who asks share one core: to wake up another one takes as long as a small "
                "page. Every answer is compared with what was captured.")
    alone = result.table(f"{setup.cold} captures, each by a process of its own, files dropped from the page cache",
                         [P50, P99])
    curves = {}
    systems = readers(result, stores, samples)
    for age, rows in samples.items():
        with measure.one_core():
            measured = read_cold_and_warm(systems, rows)
        for heat, (times, wrong) in measured.items():
            for system, mine, bad in zip(systems, times, wrong):
                add(tables[age, heat], system[0], {**percentiles(mine), "wrong": bad}, ours=system[1] == "ours",
                    variant=system[1] == "variant")
                if age == "random":
                    curves[f"{system[0]}, {heat}"] = [measure.quantile(mine, i / 100) for i in range(1, 100)]
    times = {system[0]: [] for system in systems}
    for row in samples["random"][:setup.cold]:
        for name, kind, folder, _, single, _ in systems:
            measure.forget(folder)
            times[name].append(measure.run(single(row), env=GIT_ENV if kind == "peer" else None)["seconds"] * 1e3)
    for system in systems:
        add(alone, system[0], percentiles(times[system[0]]), ours=system[1] == "ours", variant=system[1] == "variant")
    result.plot("quantiles", name="checkout", title=f"Time of a random checkout: {result.data['corpus']}", series=curves)


def log(result, stores, setup):
    stores.step("ours-pack")
    urls = stores.index().by_url()
    longest = max(urls, key=lambda url: len(urls[url]))
    some = random.Random(12).sample(sorted(urls), min(setup.cold // 2, len(urls)))
    table = result.table("The history of a URL, one process each", [
        P50, P99, column("longest", "the longest", "ms", "low"), column("entries", "its entries", "count")],
        note=f"{len(some)} URLs; `blockarch log URL` and `git log --format='%H %ct' -- FILE`, which both list what changed.")
    as_of = result.table("What a URL showed at a date, one process each", [P50, P99],
                         note="`blockarch show URL@DATE` and `git rev-list -1 --before=DATE main -- FILE`.")

    def once(system, log_command, as_of_command, ours, env=None):
        times = [measure.run(log_command(url), env=env)["seconds"] * 1e3 for url in some]
        entries = len(measure.output(log_command(longest), env=env).splitlines()) - (1 if ours else 0)
        add(table, system, {**percentiles(times),
                            "longest": measure.run(log_command(longest), env=env)["seconds"] * 1e3,
                            "entries": entries}, ours=ours)
        rows = [urls[url][len(urls[url]) // 2] for url in some]
        times = [measure.run(as_of_command(row), env=env)["seconds"] * 1e3 for row in rows]
        add(as_of, system, percentiles(times), ours=ours)

    base = [setup.program, "-C", stores.path("ours")]
    once("blockarch", lambda url: [*base, "log", url], lambda row: [*base, "show", our_name(row)], True)
    try:
        stores.step("git-repack")
    except Skipped as why:
        result.skip("git", str(why))
        return
    git = ["git", "-C", stores.path("git-repacked")]

    def git_log(url):
        return [*git, "log", "--format=%H %ct", "main", "--", captures.git_path(url.encode(errors="surrogateescape"))]

    def git_as_of(row):
        return [*git, "rev-list", "-1", f"--before={row[1]}", "main", "--",
                captures.git_path(row[0].encode(errors="surrogateescape"))]

    once("git", git_log, git_as_of, False, GIT_ENV)
    stores.git("git-repacked", "commit-graph", "write", "--reachable", "--changed-paths")
    once("git with commit-graph of changed paths", git_log, git_as_of, False, GIT_ENV)
    measure.run(["rm", "-rf", stores.path("git-repacked") + "/objects/info/commit-graphs",
                 stores.path("git-repacked") + "/objects/info/commit-graph"])


def neighbours(index, count):
    """Pairs of successive captures of a URL that differ."""
    pairs = [(a, b) for rows in index.by_url().values() for a, b in zip(rows, rows[1:]) if a[4] != b[4]]
    return random.Random(13).sample(pairs, min(count, len(pairs)))


def diff(result, stores, setup):
    stores.step("ours-pack")
    base = [setup.program, "-C", stores.path("ours")]
    if subprocess.run([setup.program, "diff", "--help"], capture_output=True).returncode != 0:
        result.skip("blockarch diff", "this build has no diff command")
        return
    pairs = neighbours(stores.index(), setup.cold)
    table = result.table("What changed between two successive versions, one process each", [P50, P99],
                         note=f"{len(pairs)} pairs. Ours finds the blocks of both pages, matches them also where they moved, and "
                         "compares their words; git compares lines, or words within them.")

    def once(system, command, ours=False, variant=False, env=None):
        times = [measure.run(command(a, b), env=env, accept=(0, 1))["seconds"] * 1e3 for a, b in pairs]
        add(table, system, percentiles(times), ours=ours,
            variant=variant)

    once("blockarch diff", lambda a, b: [*base, "diff", our_name(a), our_name(b)], ours=True)
    once("blockarch diff --stat", lambda a, b: [*base, "diff", "--stat", our_name(a), our_name(b)], variant=True)
    try:
        stores.step("git-repack")
    except Skipped as why:
        result.skip("git", str(why))
        return
    git = ["git", "-C", stores.path("git-repacked"), "diff"]
    once("git diff", lambda a, b: [*git, a[4], b[4]], env=GIT_ENV)
    once("git diff --word-diff", lambda a, b: [*git, "--word-diff", a[4], b[4]], env=GIT_ENV)
