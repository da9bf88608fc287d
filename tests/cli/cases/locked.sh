# A second writer waits, and is told when it waited in vain; readers never wait.
page A hello > a
run init pages.ba
"$BLOCKARCH" -C pages.ba add https://example.com/ a -t 2024-01-01 > /dev/null
"$PYTHON" - <<'END'
import fcntl, os, re, subprocess, threading
program = os.environ["BLOCKARCH"]
lock = open("pages.ba/lock", "a")
fcntl.flock(lock, fcntl.LOCK_EX)
def run(*words):
    done = subprocess.run([program, "-C", "pages.ba", *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    print("$ blockarch", *words)
    print(re.sub(r"process \d+", "process N", done.stdout.decode()), end="")
    print("exit", done.returncode)
run("add", "https://example.com/", "a", "-t", "2024-01-02", "--wait", "0")
run("add", "https://example.com/", "a", "-t", "2024-01-02", "--wait", "0.2")
run("tag", "x", "--wait", "0")
run("log", "https://example.com/", "--oneline", "--wait", "0")
threading.Timer(0.5, lambda: fcntl.flock(lock, fcntl.LOCK_UN)).start()
run("add", "https://example.com/", "a", "-t", "2024-01-02", "--wait", "60")
END
run -C pages.ba urls --wait -1
run -C pages.ba urls --wait long
