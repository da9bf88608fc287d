# Whatever bytes hot.mdb holds, every command ends with an answer or a clear line; none crashes.
page A hello > a
"$BLOCKARCH" init whole.ba
for i in 1 2 3 4 5 6 7 8; do "$BLOCKARCH" -C whole.ba add https://example.com/ a -t 2024-01-0$i > /dev/null; done
"$PYTHON" - <<'END'
import os, random, shutil, subprocess
program = os.environ["BLOCKARCH"]
random.seed(7)
whole = open("whole.ba/hot.mdb", "rb").read()
bad, codes = [], set()
for turn in range(40):
    shutil.rmtree("try.ba", ignore_errors=True)
    shutil.copytree("whole.ba", "try.ba")
    data = bytearray(whole)
    if turn % 4 == 0:    # whole pages
        at = random.randrange(2, len(data) // 4096) * 4096
        data[at:at + 4096] = random.randbytes(4096)
    elif turn % 4 == 1:  # a few bytes
        for _ in range(20):
            data[random.randrange(len(data))] = random.randrange(256)
    elif turn % 4 == 2:  # the end is gone
        del data[random.randrange(len(data)):]
    else:                # zeros
        at = random.randrange(len(data))
        data[at:at + 5000] = bytes(len(data[at:at + 5000]))
    open("try.ba/hot.mdb", "wb").write(data)
    for words in (["log", "https://example.com/"], ["cat", "https://example.com/"], ["urls"], ["stats"], ["fsck"],
                  ["show", "https://example.com/", "--blocks"], ["add", "https://example.com/", "a", "-t", "2025"]):
        done = subprocess.run([program, "-C", "try.ba", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              stdin=subprocess.DEVNULL, timeout=120)
        codes.add(done.returncode)
        if done.returncode not in (0, 4, 5) or (done.returncode and words[0] != "fsck" and not done.stderr.startswith(b"blockarch: ")):
            bad.append((turn, words, done.returncode, done.stderr))
print(bad)
print("some were damaged:", 5 in codes, "some were not:", 0 in codes)
END
