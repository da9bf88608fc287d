"""Running programs with a stopwatch, and sizes of what they leave."""
import contextlib
import json
import os
import shutil
import subprocess
import tempfile


class Failed(Exception):
    """A program of a measurement ended with an error."""


LAUNCHER = None  # blockarch_launch; set once the build is known


def run(command, stdin=None, stdout=subprocess.DEVNULL, env=None, cwd=None, accept=(0,)):
    """Runs to the end. Wall seconds, seconds of processor time, peak memory in bytes (children included), exit code."""
    with tempfile.NamedTemporaryFile() as answer:
        process = subprocess.run([LAUNCHER, answer.name, *command], stdin=stdin or subprocess.DEVNULL, stdout=stdout,
                                 stderr=subprocess.PIPE, env=env, cwd=cwd)
        taken = answer.read()
    stderr = process.stderr.decode(errors="replace").strip()[-400:]
    result = json.loads(taken) if taken else {"code": process.returncode}
    code = result["code"]
    if code not in accept:
        words = " ".join(word if isinstance(word, str) else word.decode(errors="replace") for word in command[:5])
        raise Failed(f"{words} … ended with {code}: {stderr}")
    return result


def output(command, **options):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=True, **options).stdout


def files_below(path):
    if os.path.isfile(path):
        return [path]
    return [os.path.join(folder, name) for folder, _, names in os.walk(path) for name in names]


def size(path):
    """All files, in bytes, as `du --apparent-size` of the files counts them."""
    return sum(os.lstat(name).st_size for name in files_below(path))


def forget(path):
    """Asks the kernel to drop the files from its cache; needs no privileges, and nobody may have them mapped."""
    for name in files_below(path):
        try:
            descriptor = os.open(name, os.O_RDONLY)
        except OSError:
            continue
        try:
            os.fsync(descriptor)
            os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
        finally:
            os.close(descriptor)


@contextlib.contextmanager
def one_core():
    """This process and those it starts stay on one core, so that none has to wait until another core wakes up."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(cores)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, cores)


def have(program):
    return shutil.which(program) is not None


def quantile(values, part):
    """By rank, without interpolation: a time that was measured."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * part))]
