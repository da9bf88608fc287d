#!/usr/bin/env python3
"""Snapshot tests of the command line.

    run_snapshots.py BLOCKARCH [--update] [CASE…]

Each cases/NAME.sh runs in an empty directory of its own; what it prints, standard output and standard error together, must be
what cases/NAME.out says. --update writes those files instead: read the difference before you keep it. A case that cannot run here
prints "SKIP reason" and exits with 77.

In a case, `run ARGUMENTS` prints the command line, runs the program and prints its exit code unless it is 0. What differs from
machine to machine or changes with every improvement of storage is written in a neutral form: ids by the order of appearance,
times of today, sizes of what is stored."""
import datetime
import difflib
import os
import pathlib
import pty
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

HERE = pathlib.Path(__file__).resolve().parent
SKIPPED = 77

PRELUDE = r"""
run() {
  printf '$ blockarch'
  for word; do case $word in *[\ \'\"\*\;]*|'') printf " '%s'" "$word";; *) printf ' %s' "$word";; esac; done
  echo
  "$BLOCKARCH" "$@"
  code=$?
  [ $code = 0 ] || echo "[exit $code]"
  return 0
}
# page TITLE WORDS: a page with a heading, a paragraph and a list, large enough to be cut into blocks.
page() {
  echo "<!DOCTYPE html><html><head><meta charset=\"utf-8\"><title>$1</title></head><body><h1>$1</h1>"
  for section in one two three; do
    echo "<div id=\"$section\"><h2>Section $section</h2><p>$2 in section $section, and enough words after it that the section is"
    echo "worth a block of its own: a page is cut where its structure says so, and small parts stay together.</p></div>"
  done
  echo "</body></html>"
}
"""


def environment(program, directory):
    return {
        "PATH": os.environ.get("PATH", "/usr/bin:/bin"),
        "HOME": directory,
        "TMPDIR": directory,
        "LC_ALL": "C.UTF-8",
        "TERM": "xterm",
        "PAGER": "cat",
        "PYTHON": sys.executable,
        "SOURCE": str(HERE.parents[1]),
        "BLOCKARCH": program,
        "ON_TERMINAL": f"{sys.executable} {HERE / 'on_terminal.py'}",
        **{name: value for name, value in os.environ.items() if name.endswith("SAN_OPTIONS")},
    }


class Ids:
    """Names for ids in the order in which they appear; an abbreviated id gets the name of the whole one."""

    def __init__(self):
        self.known = []

    def name(self, match):
        digits = match[0]
        for number, known in enumerate(self.known):
            if known.startswith(digits) or digits.startswith(known):
                self.known[number] = max(known, digits, key=len)
                break
        else:
            self.known.append(digits)
            number = len(self.known) - 1
        return f"<id{number + 1}>" if len(digits) == 64 else f"<id{number + 1}>".ljust(12, ".")


def neutral(text, directory):
    text = text.replace(directory, "$DIR")
    text = re.sub(r"(?<![0-9a-f])(?:[0-9a-f]{64}|[0-9a-f]{12})(?![0-9a-f])", Ids().name, text)
    for offset in (0, 1):
        day = datetime.datetime.now(datetime.timezone.utc).date() - datetime.timedelta(days=offset)
        text = re.sub(rf"{day}T[0-9:.]+Z", "<NOW>", text)
    text = re.sub(r"\b[1-9][\d,]* objects?\b", "<N> objects", text)
    text = re.sub(r"\d[\d,]* new objects?, [\d.,]+ \w+", "<N> new objects, <SIZE>", text)
    text = re.sub(r'("(?:new_objects|new_stored_bytes|stored_bytes|disk_bytes|free_bytes|bytes|entries)": ?)\d+', r"\1<N>", text)
    return text


def has_terminals():
    try:
        for descriptor in pty.openpty():
            os.close(descriptor)
        return True
    except OSError:
        return False


def run_case(program, case):
    if "$ON_TERMINAL" in case.read_text() and not has_terminals():
        return "skipped, there are no pseudo terminals here", None
    with tempfile.TemporaryDirectory(prefix="blockarch-cli-") as directory:
        directory = os.path.realpath(directory)
        done = subprocess.run(["sh", "-c", PRELUDE + case.read_text()], cwd=directory, env=environment(program, directory),
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=600)
        text = done.stdout.decode("utf-8", "backslashreplace")
        subprocess.run(["chmod", "-R", "u+rwX", directory], check=False)
        if done.returncode == SKIPPED:
            return text.strip().splitlines()[-1], None
        text = neutral(text, directory)
        if done.returncode != 0:
            text += f"[the case itself ended with {done.returncode}]\n"
        return None, text


def main(arguments):
    update = "--update" in arguments
    arguments = [a for a in arguments if a != "--update"]
    program = os.path.realpath(arguments[0])
    wanted = [pathlib.Path(a).stem for a in arguments[1:]]
    cases = [c for c in sorted((HERE / "cases").glob("*.sh")) if not wanted or c.stem in wanted]
    if not cases:
        print("no such case")
        return 1
    failed = 0
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        for case, (skipped, text) in zip(cases, pool.map(lambda c: run_case(program, c), cases)):
            expected = case.with_suffix(".out")
            before = expected.read_text() if expected.exists() else ""
            if skipped:
                print(f"{case.stem}: {skipped}")
            elif text == before:
                print(f"{case.stem}: ok")
            elif update:
                expected.write_text(text)
                print(f"{case.stem}: written")
            else:
                failed += 1
                print(f"{case.stem}: differs")
                sys.stdout.writelines(difflib.unified_diff(before.splitlines(True), text.splitlines(True), "expected", "printed"))
    print(f"{len(cases)} cases, {failed} differ")
    return 1 if failed else 0


sys.exit(main(sys.argv[1:]))
