# Names in, bytes out, for programs: an answer to each line, flushed at once, of the archive as it is then.
export BLOCKARCH_DIR=pages.ba
run init pages.ba
printf 'first' | "$BLOCKARCH" add https://example.com/ -t 2024-01-01 > /dev/null
printf 'second\n' | "$BLOCKARCH" add https://example.com/ -t 2024-02-01 > /dev/null
printf '' | "$BLOCKARCH" add https://user@example.com/a@b -t 2024-01-01 > /dev/null
cat > names <<END
https://example.com/@2024-01-15
https://example.com/
https://example.com/~1
https://example.com/@2023
https://user@example.com/a@b@2024-01-01T00:00:00Z
https://user@example.com/a@b
https://example.com/none@2024-01-01
not a name

ffffffffffff
END
run cat --batch < names
printf 'https://example.com/@2024-01-15\r\nhttps://example.com/' | run cat --batch
head -c 300000 /dev/zero | tr '\0' x > long
(cat long; echo; echo https://example.com/) | "$BLOCKARCH" cat --batch | cut -c 1-200 | sed 's/xxx*/x/'
printf 'https://example.com/\n' | "$BLOCKARCH" cat --batch --raw | head -n 1 | cut -d ' ' -f 1,2
# A conversation: each answer comes before the next question, and what was added in between is seen.
"$PYTHON" - <<'END'
import os, subprocess
program = os.environ["BLOCKARCH"]
batch = subprocess.Popen([program, "cat", "--batch"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
def ask(name):
    batch.stdin.write(name.encode() + b"\n")
    batch.stdin.flush()
    head = batch.stdout.readline().split()
    if len(head) == 2:
        return b" ".join(head)
    body = batch.stdout.read(int(head[2]))
    assert batch.stdout.read(1) == b"\n"
    return head[1] + b" " + body
print(ask("https://example.com/"))
print(ask("https://example.com/new"))
subprocess.run([program, "add", "https://example.com/new"], input=b"new page", check=True, stdout=subprocess.DEVNULL)
print(ask("https://example.com/new"))
for i in range(2000):
    assert ask("https://example.com/@2024-01-15") == b"version first"
batch.stdin.close()
print("exit", batch.wait())
END
