"""What the loops over pack, gc, prune, forget and erase share: a small archive with something of everything in it, runs of the
program with a failing I/O call, and what must hold after each."""
import concurrent.futures
import errno
import hashlib
import json
import pathlib
import shutil
import tempfile

from harness import at, page, require

SITES = [f"https://example.com/{name}" for name in "abc"]
ERASED = SITES[1]
CAPTURES = 7


def content(url, number):
    return page(number, paragraphs=6) + f"<!-- {url} -->".encode()


def build(program, archive):
    """Two packs, loose captures after them, captures that were pruned and a URL that was forgotten, metadata and a tag."""
    program.check(archive.parent, "init", archive)
    for number in range(CAPTURES):
        for url in SITES:
            program.check(archive, "add", url, "-", "--time", at(number), "--meta", f"visit={number}", data=content(url, number))
        if number == 0:
            program.check(archive, "add", "https://example.com/gone", "-", "--time", at(0), data=page(40, paragraphs=6))
        if number in (2, 4):
            program.check(archive, "pack")
    program.check(archive, "tag", "name", "--at", at(3))
    program.check(archive, "prune", SITES[2], "--keep-last", "3")
    program.check(archive, "forget", "https://example.com/gone")


def build_wide(program, archive):
    """Loose captures only, large enough that packing leaves the tables nearly empty and writes them anew."""
    program.check(archive.parent, "init", archive)
    for number in range(CAPTURES):
        for url in SITES:
            program.check(archive, "add", url, "-", "--time", at(number), data=wide_content(url, number))


def wide_content(url, number):
    words = (hashlib.sha256(f"{url} {number} {n}".encode()).hexdigest() for n in range(400))
    return ("".join(f"<p>{word}</p>\n" for word in words)).encode()


class Expected:
    """What an archive answers: every capture by its bytes, and the tombstones."""

    def __init__(self, program, archive, with_tombstones=True):
        self.answer = answer(program, archive)
        self.tombstones = tombstones(program, archive) if with_tombstones else []

    def __eq__(self, other):
        return self.answer == other.answer and self.tombstones == other.tombstones


def answer(program, archive):
    names = "".join(f"{url}@{at(n)}\n" for url in SITES for n in range(CAPTURES))
    return program.check(archive, "cat", "--batch", data=names.encode())


def tombstones(program, archive):
    lines = [json.loads(line) for line in program.check(archive, "erase", "--list", "--json").splitlines()]
    return [{key: value for key, value in line.items() if key != "time"} for line in lines]


def require_expected_bytes(expected):
    """What was put in is what is answered: nothing of `build` is taken on trust."""
    rest = expected.answer
    for url in SITES:
        for number in range(CAPTURES):
            head, _, rest = rest.partition(b"\n")
            if head.endswith(b"missing"):
                require(url == SITES[2] and number < 3, f"{url} of {number} is missing from the beginning")
                continue
            size = int(head.split()[-1])
            require(rest[:size] == content(url, number), f"{url} of {number} has other bytes from the beginning")
            rest = rest[size + 1:]


def require_clean(program, archive, what, *options):
    done = program.run(archive, "fsck", *options)
    require(done.returncode == 0, f"{what}: fsck gave {done.returncode}:\n{(done.stdout + done.stderr).decode(errors='replace')}")


def require_no_leftovers(program, archive, what):
    """After two collections and a packing there is nothing on disk that the archive does not use."""
    program.check(archive, "gc")
    program.check(archive, "gc")
    packs = json.loads(program.check(archive, "pack", "--json"))["packs"]
    there = sorted(str(path.relative_to(archive)) for path in archive.rglob("*") if path.is_file())
    hot = [name for name in there if name.startswith("hot") and name.endswith(".mdb")]
    allowed = {"format", "current", "lock", "upkeep.lock", *hot, *(name + "-lock" for name in hot)}
    in_packs = [name for name in there if name.startswith("packs/") and name.endswith(".pack")]
    extra = [name for name in there if name not in allowed and name not in in_packs]
    require(len(hot) == 1, f"{what}: tables {hot}")
    require(len(in_packs) == packs, f"{what}: {packs} packs are in use, on disk are {in_packs}")
    require(not extra, f"{what}: left lying about: {extra}")


class Loop:
    """Runs one command on copies of an archive, with call N failing."""

    def __init__(self, program, library, base, name, command, data=b""):
        self.program, self.library, self.base, self.name = program, library, base, name
        self.command, self.data = command, data
        self.erases = command[0] == "erase"
        self.before = Expected(program, base, self.erases)
        with tempfile.TemporaryDirectory() as directory:
            archive = pathlib.Path(directory) / "archive"
            shutil.copytree(base, archive)
            program.check(archive, *command, data=data)
            self.after = Expected(program, archive, self.erases)

    def run(self, n, mode, number=errno.EIO, reads=False):
        """How many calls were counted."""
        what = f"{self.name}, call {n} {mode} {errno.errorcode[number]}{' with reads' if reads else ''}"
        with tempfile.TemporaryDirectory() as directory:
            archive = pathlib.Path(directory) / "archive"
            shutil.copytree(self.base, archive)
            count = pathlib.Path(directory) / "count"
            env = {"LD_PRELOAD": self.library, "FAILING_IO_DIR": str(archive), "FAILING_IO_AT": str(n), "FAILING_IO_MODE": mode,
                   "FAILING_IO_ERRNO": str(number), "FAILING_IO_COUNT": str(count), "FAILING_IO_READS": "1" if reads else "0"}
            done = self.program.run(archive, *self.command, data=self.data, env=env)
            counted = int(count.read_text() or 0)
            judge(what, done, mode, counted >= n)
            self.check(what, archive, done.returncode == 0)
            return counted

    def check(self, what, archive, succeeded):
        require_clean(self.program, archive, what, "--full")
        now = Expected(self.program, archive, self.erases)
        allowed = [self.after] if succeeded else [self.before, self.after]
        require(now in allowed, f"{what}: another state than before or after: tombstones {now.tombstones}")
        require_no_leftovers(self.program, archive, what)
        # Freed pages of the tables still hold what was in them: they must have been written anew, by the gc if not before.
        if self.erases and now == self.after:
            require((archive / "current").exists(), f"{what}: an erasure that was cut short is never finished")
        require(answer(self.program, archive) == now.answer, f"{what}: the next gc and pack changed what is read")
        require_clean(self.program, archive, f"{what}, then gc and pack")

    def count(self, reads=False):
        """How many calls there are when none fails."""
        return self.run(10**9, "once", reads=reads)

    def over(self, points, mode, number=errno.EIO, reads=False):
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            list(pool.map(lambda n: self.run(n, mode, number, reads), points))


def judge(what, done, mode, was_hit):
    if not was_hit:
        require(done.returncode == 0, f"{what}: no call failed, but exit {done.returncode}: {done.stderr}")
        return
    if done.returncode == 0:
        return
    if mode in ("kill", "torn") or mode.startswith("lost"):
        require(done.returncode == -9, f"{what}: exit {done.returncode}: {done.stderr}")
        return
    require(done.returncode in (1, 5, 11), f"{what}: exit {done.returncode}: {done.stderr}")
    first = done.stderr.decode().splitlines()[:1]
    require(first and first[0].startswith("blockarch: ") and len(first[0]) > 20, f"{what}: says {done.stderr}")


def points_of(total, most, first):
    """All calls and the end, or about `most` of them spread evenly, not the same ones for each `first`."""
    if most is None:
        return range(1, total + 2)
    stride = max(1, total // most)
    return range(1 + first % stride, total + 2, stride)
