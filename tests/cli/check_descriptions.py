#!/usr/bin/env python3
"""check_descriptions.py BLOCKARCH SOURCE: every command and every option that the program describes ('help --json') occurs in the
completion scripts, the manual page and docs/cli.md, and the shells that are here can read their scripts."""
import json
import pathlib
import re
import shutil
import subprocess
import sys

program, source = sys.argv[1], pathlib.Path(sys.argv[2])
problems = []


def output(*words):
    return subprocess.run([program, *words], check=True, stdout=subprocess.PIPE).stdout.decode()


def require(text, what, where):
    # As a word of its own: "--at" is not in "--attach".
    if not re.search(rf"(?<![\w-]){re.escape(what)}(?![\w-])", text):
        problems.append(f"{where} does not have {what}")


description = json.loads(output("help", "--json"))
manual = (source / "docs/blockarch.1").read_text().replace("\\-", "-")
guide = (source / "docs/cli.md").read_text()
scripts = {shell: output("completion", shell) for shell in ("bash", "zsh", "fish")}


def section(text, begin, end, where):
    found = re.search(begin + r"(.*?)(?=" + end + r"|\Z)", text, re.S | re.M)
    if not found:
        problems.append(f"{where} is missing")
    return found[1] if found else ""


def check_options(options, manual_part, guide_part, where):
    for option in options:
        for name in option["names"]:
            require(manual_part, name, f"the manual page, {where},")
            require(guide_part, name, f"docs/cli.md, {where},")
            for shell in ("bash", "zsh"):
                require(scripts[shell], name, f"the {shell} script")
            require(scripts["fish"], f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}", "the fish script")


check_options(description["options"], manual, guide, "options of every command")
for command in description["commands"]:
    name = command["name"]
    for shell, script in scripts.items():
        require(script, name, f"the {shell} script")
    check_options(command["options"], section(manual, rf"^\.SS {name}$", r"^\.S[SH] ", f"the manual page's part on {name}"),
                  section(guide, rf"^### {name}$", r"^##", f"docs/cli.md's part on {name}"), name)
    help_text = output("help", name)
    for option in command["options"]:
        for option_name in option["names"]:
            require(help_text, option_name, f"the help on {name}")

for shell, script in scripts.items():
    if shutil.which(shell):
        done = subprocess.run([shell, "-n"], input=script.encode(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if done.returncode != 0:
            problems.append(f"{shell} cannot read its script: {done.stdout.decode()}")
if shutil.which("man"):
    done = subprocess.run(["man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", str(source / "docs/blockarch.1")],
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    if done.stderr:
        problems.append(f"the manual page: {done.stderr.decode()}")

print("\n".join(problems) or f"{len(description['commands'])} commands are described everywhere")
sys.exit(bool(problems) or len(description["commands"]) < 12)
