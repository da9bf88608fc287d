"""The same captures kept by each system. Every step is measured once and remembered in the work directory, so that
workloads share it and may be run one by one; another program or corpus makes everything anew."""
import json
import os
import shutil
import subprocess
import threading

from . import captures, corpora, machine, measure

GIT_ENV = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
BORG_CHUNKS = "buzhash,8,14,10,63"


class Skipped(Exception):
    """A system that is not here or was not asked for; says why."""


def copy_part(path, begin, end, pipe):
    with open(path, "rb") as file:
        file.seek(begin)
        left = end - begin
        while left > 0:
            piece = file.read(min(left, 1 << 20))
            if not piece:
                break
            pipe.write(piece)
            left -= len(piece)


class Stores:
    def __init__(self, corpus, setup):
        self.corpus, self.setup = corpus, setup
        self.warc = corpora.captures_file(corpus, setup)
        name = os.path.basename(corpus).removesuffix(".warc")
        self.name = name
        self.folder = os.path.join(setup.work, "stores", name)
        os.makedirs(self.folder, exist_ok=True)
        self.index_ = None
        self.used = {}  # steps that were asked for, and when they were done
        self.kept = self._load()

    # What is remembered.

    def _load(self):
        stamp = {"warc": [self.warc, os.path.getsize(self.warc)], "program": machine.digest(self.setup.program)}
        try:
            with open(os.path.join(self.folder, "steps.json")) as file:
                kept = json.load(file)
        except (OSError, ValueError):
            kept = {}
        if kept.get("stamp", {}).get("warc") != stamp["warc"]:
            kept = {}
        elif kept["stamp"]["program"] != stamp["program"]:
            kept["steps"] = {name: step for name, step in kept["steps"].items() if not name.startswith("ours")}
        return {"stamp": stamp, "steps": kept.get("steps", {})}

    def _save(self):
        with open(os.path.join(self.folder, "steps.json"), "w") as file:
            json.dump(self.kept, file, indent=1)

    def index(self):
        if self.index_ is None:
            self.index_ = captures.Index.of(self.warc, os.path.join(self.folder, "index.json"))
        return self.index_

    def path(self, name):
        return os.path.join(self.folder, name)

    def step(self, name):
        """The measurement of a step, done now if it was not yet. Skipped where its system is not here."""
        steps = self.kept["steps"]
        if name not in steps:
            self.setup.say(f"{self.name}: {name}")
            when = {"date": machine.now(), "load": os.getloadavg()[0]}
            try:
                steps[name] = {**getattr(self, "_" + name.replace("-", "_"))(), **when}
            except measure.Failed as error:
                steps[name] = {"failed": str(error)}
            self._save()
        self.used[name] = steps[name].get("date", "")
        if "failed" in steps[name]:
            raise Skipped(steps[name]["failed"])
        return steps[name]

    def _need(self, peer, program=None):
        if not self.setup.wants(peer):
            raise Skipped("not asked for (--peers)")
        if not measure.have(program or peer):
            raise Skipped(f"{program or peer} is not installed (scripts/setup --bench)")

    def _fresh(self, name):
        path = self.path(name)
        if os.path.isdir(path):
            shutil.rmtree(path)
        elif os.path.exists(path):
            os.unlink(path)
        return path

    # Ours.

    def ours(self, archive, *arguments, **options):
        return measure.run([self.setup.program, "-C", self.path(archive), *arguments], **options)

    def _import_into(self, archive, *options):
        self._fresh(archive)
        measure.run([self.setup.program, "init", self.path(archive)])
        # 3: some records could not be read, which the corpora of other tools have on purpose.
        result = self.ours(archive, "import", *options, self.warc, accept=(0, 3))
        return {**result, "bytes": measure.size(self.path(archive))}

    def _ours_import(self):
        """As people run it: it packs on its way and in the end."""
        result = self._import_into("ours-packed")
        self._fresh("ours-packed")
        return result

    def _ours_loose(self):
        return self._import_into("ours", "--no-pack")

    def _ours_pack(self):
        self.step("ours-loose")
        result = self.ours("ours", "pack", "--all")
        return {**result, "bytes": measure.size(self.path("ours"))}

    def _ours_most(self):
        """All but the last hundredth of the captures, packed: what the incremental pack starts from."""
        self._fresh("ours-part")
        measure.run([self.setup.program, "init", self.path("ours-part")])
        cut = captures.offset_of_part(self.warc, 0.99)
        self._import_part(0, cut)
        return {**self.ours("ours-part", "pack", "--all"), "cut": cut}

    def _import_part(self, begin, end):
        process = subprocess.Popen([self.setup.program, "-C", self.path("ours-part"), "import", "-"],
                                   stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        feeder = threading.Thread(target=copy_part, args=(self.warc, begin, end, process.stdin))
        feeder.start()
        feeder.join()
        process.stdin.close()
        if process.wait() not in (0, 3):
            raise measure.Failed("import of a part failed")

    def _ours_pack_new(self):
        cut = self.step("ours-most")["cut"]
        self._import_part(cut, os.path.getsize(self.warc))
        result = self.ours("ours-part", "pack")
        size = measure.size(self.path("ours-part"))
        self._fresh("ours-part")
        return {**result, "bytes": size}

    def _ours_warcgz(self):
        if not self.setup.wants("warc.gz"):
            raise Skipped("not asked for (--peers)")
        self.step("ours-pack")
        out = self._fresh("revisits.warc.gz")
        result = self.ours("ours", "export", "--format", "warc.gz", "--revisits", "-o", out, accept=(0, 3))
        size = measure.size(out)
        os.unlink(out)
        return {**result, "bytes": size}

    # Git.

    def git(self, repository, *arguments, **options):
        return measure.run(["git", "-C", self.path(repository), *arguments], env=GIT_ENV, **options)

    def git_size(self, repository):
        return measure.size(os.path.join(self.path(repository), "objects"))

    def _git_import(self):
        self._need("git")
        stream = self._fresh("fast-import")
        with open(stream, "wb", buffering=1 << 20) as out:
            captures.write_fast_import(self.warc, out)
        self._fresh("git")
        measure.run(["git", "init", "-q", "--bare", self.path("git")], env=GIT_ENV)
        with open(stream, "rb") as file:
            result = self.git("git", "fast-import", "--quiet", "--done", stdin=file)
        os.unlink(stream)
        return {**result, "bytes": self.git_size("git")}

    def _git_repack(self):
        self.step("git-import")
        self._fresh("git-repacked")
        shutil.copytree(self.path("git"), self.path("git-repacked"))
        result = self.git("git-repacked", "repack", "-adfq")
        return {**result, "bytes": self.git_size("git-repacked")}

    def _git_aggressive(self):
        self._need("git")
        if not self.setup.aggressive:
            raise Skipped("takes minutes; asked for with --aggressive")
        self.step("git-import")
        self._fresh("git-aggressive")
        shutil.copytree(self.path("git"), self.path("git-aggressive"))
        result = self.git("git-aggressive", "gc", "--aggressive", "--quiet")
        return {**result, "bytes": self.git_size("git-aggressive")}

    # Others.

    def _borg(self):
        self._need("borg")
        repository = self._fresh("borg")
        env = {**os.environ, "BORG_BASE_DIR": self.path("borg-home"), "BORG_UNKNOWN_UNENCRYPTED_REPO_ACCESS_IS_OK": "yes"}
        measure.run(["borg", "init", "-e", "none", repository], env=env)
        result = measure.run(["borg", "create", "--compression", "zstd,19", "--chunker-params", BORG_CHUNKS,
                              repository + "::all", self.warc], env=env)
        size = measure.size(repository)
        self._fresh("borg")
        self._fresh("borg-home")
        return {**result, "bytes": size}

    def _restic(self):
        self._need("restic")
        repository = self._fresh("restic")
        env = {**os.environ, "RESTIC_PASSWORD": "none"}
        measure.run(["restic", "init", "-q", "--repository-version", "2", "-r", repository], env=env)
        result = measure.run(["restic", "-q", "--no-cache", "-r", repository, "backup", "--compression", "max",
                              self.warc], env=env)
        size = measure.size(repository)
        self._fresh("restic")
        return {**result, "bytes": size}

    def _zstd(self):
        self._need("zstd")
        if not self.setup.solid:
            raise Skipped("takes minutes; asked for with --solid")
        out = self._fresh("solid.zst")
        result = measure.run(["zstd", "-q", "-f", "-T1", "-19", "--long=31", self.warc, "-o", out])
        size = measure.size(out)
        os.unlink(out)
        return {**result, "bytes": size}
