# An abbreviated id that stands for several objects is refused, and they are listed.
export BLOCKARCH_DIR=pages.ba
"$BLOCKARCH" init pages.ba
# Some two of many objects begin with the same four digits.
"$PYTHON" - <<'END'
import os, subprocess
for i in range(60):
    body = "".join(f"<div><h2>{i} {j}</h2><p>{'words of paragraph %d %d ' % (i, j) * 40}</p></div>" for j in range(20))
    subprocess.run([os.environ["BLOCKARCH"], "add", f"https://example.com/{i}", "-t", "2024"], input=body.encode(),
                   check=True, stdout=subprocess.DEVNULL)
ids, seen = set(), {}
for i in range(60):
    import json
    shown = json.loads(subprocess.run([os.environ["BLOCKARCH"], "show", f"https://example.com/{i}", "--blocks", "--json"],
                                      check=True, stdout=subprocess.PIPE).stdout)
    ids |= {shown["version"], shown["tree"], shown["layout"]} | {b["id"] for b in shown["blocks"] if "id" in b}
for name in sorted(ids):
    seen.setdefault(name[:4], []).append(name)
twins = [names for names in seen.values() if len(names) > 1][0]
answer = subprocess.run([os.environ["BLOCKARCH"], "cat", twins[0][:4]], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
text = answer.stdout.decode()
print("exit", answer.returncode)
print("names both:", all(name[:12] in text for name in twins))
print("lines:", len(text.splitlines()))
END
