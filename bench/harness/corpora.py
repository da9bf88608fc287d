"""What the workloads run on: real captures beside the clone, expanded once, or made-up ones."""
import os
import subprocess

HISTORIES = ("parliaments", "sites", "chain", "ota-demo")


class Missing(Exception):
    """A corpus that is not on this machine."""


def folder(root):
    return os.environ.get("BLOCKARCH_CORPUS", os.path.join(root, "..", "shared", "corpus"))


def expanded(name, setup):
    """The plain WARC of a corpus: NAME.warc in --plain, or made from NAME.warc.zst in the work directory."""
    if setup.plain:
        ready = os.path.join(setup.plain, name + ".warc")
        if os.path.exists(ready):
            return ready
    packed = os.path.join(folder(setup.root), name + ".warc.zst")
    plain = os.path.join(setup.work, name + ".warc")
    if not os.path.exists(plain):
        if not os.path.exists(packed):
            raise Missing(f"corpus {name} (no {name}.warc.zst beside the clone; BLOCKARCH_CORPUS names its folder)")
        subprocess.run(["zstd", "-q", "-d", "--long=31", "-f", packed, "-o", plain + ".part"], check=True)
        os.rename(plain + ".part", plain)
    return plain


def unpacked(name, setup):
    """The directory of a .tar.zst corpus."""
    if setup.plain and os.path.isdir(os.path.join(setup.plain, name)):
        return os.path.join(setup.plain, name)
    packed = os.path.join(folder(setup.root), name + ".tar.zst")
    target = os.path.join(setup.work, name)
    if not os.path.isdir(target):
        if not os.path.exists(packed):
            raise Missing(f"corpus {name} (no {name}.tar.zst beside the clone)")
        os.makedirs(target + ".part", exist_ok=True)
        subprocess.run(["tar", "--zstd", "-xf", packed, "-C", target + ".part"], check=True)
        os.rename(target + ".part", target)
    return target


def synthetic(captures, setup, seed=1):
    plain = os.path.join(setup.work, f"synthetic-{captures}-{seed}.warc")
    if not os.path.exists(plain):
        subprocess.run([setup.helper("blockarch_generate"), "--captures", str(captures), "--urls",
                        str(max(1, captures // 20)), "--seed", str(seed), "--output", plain + ".part"], check=True)
        os.rename(plain + ".part", plain)
    return plain


def captures_file(name, setup):
    """NAME of a history corpus, `synthetic-N`, or the path of a plain WARC file."""
    if name.startswith("synthetic-"):
        return synthetic(int(name.split("-")[1]), setup)
    if name.endswith(".warc"):
        if not os.path.exists(name):
            raise Missing(f"corpus {name}")
        return os.path.abspath(name)
    return expanded(name, setup)
