"""Where and with what a result was measured."""
import datetime
import hashlib
import os
import platform
import subprocess


def first_line(command):
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=20).stdout.strip().splitlines()[0]
    except (OSError, IndexError, subprocess.SubprocessError):
        return ""


def processor():
    try:
        with open("/proc/cpuinfo") as file:
            for line in file:
                if line.startswith("model name"):
                    return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.machine()


def memory():
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def commit(root):
    name = first_line(["git", "-C", root, "rev-parse", "--short=12", "HEAD"])
    changed = first_line(["git", "-C", root, "status", "--porcelain", "--untracked-files=no"])
    return (name or "unknown") + (" with changes" if changed else "")


def cached(program, name):
    """A value of the CMake cache above the program; nothing where there is none."""
    folder = os.path.dirname(os.path.abspath(program))
    while folder != "/":
        cache = os.path.join(folder, "CMakeCache.txt")
        if os.path.exists(cache):
            with open(cache) as file:
                for line in file:
                    if line.startswith(name + ":"):
                        return line.split("=", 1)[1].strip()
        folder = os.path.dirname(folder)
    return None


def now():
    return datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M UTC")


def digest(program):
    with open(program, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()[:16]


def describe(setup):
    return {
        "date": now(),
        "processor": processor(), "cores": os.cpu_count(), "memory": memory(), "system": platform.system(),
        "load": os.getloadavg()[0], "commit": commit(cached(setup.program, "CMAKE_HOME_DIRECTORY") or setup.root),
        "build": cached(setup.program, "CMAKE_BUILD_TYPE") or "unknown",
        "program": digest(setup.program),
        "peers": {name: version for name, version in (
            ("git", first_line(["git", "--version"])), ("borg", first_line(["borg", "--version"])),
            ("restic", first_line(["restic", "version"])), ("zstd", first_line(["zstd", "--version"]).strip("* ")),
            ("node", first_line(["node", "-p", "'node ' + process.version"]))) if version},
    }
