# An interrupt ends the program with 130 for a shell, and leaves no half-written file behind.
export BLOCKARCH_DIR=pages.ba
run init pages.ba
"$PYTHON" - <<'END'
import os, signal, subprocess, time
program = os.environ["BLOCKARCH"]
subprocess.run([program, "add", "https://example.com/", "-t", "2024"], input=os.urandom(1 << 20), check=True, stdout=subprocess.DEVNULL)
batch = subprocess.Popen([program, "cat", "--batch"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
batch.stdin.write(b"x\n")
batch.stdin.flush()
batch.stdout.readline()
batch.send_signal(signal.SIGINT)
print(batch.wait() == -signal.SIGINT, batch.stderr.read())
adding = subprocess.Popen([program, "add", "https://example.com/"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
time.sleep(0.2)
adding.send_signal(signal.SIGINT)
print(adding.wait() == -signal.SIGINT, adding.stderr.read())
for turn in range(30):
    writing = subprocess.Popen([program, "checkout", "https://example.com/", "-o", "out"], stderr=subprocess.DEVNULL)
    time.sleep(turn / 1000)
    writing.send_signal(signal.SIGTERM)
    writing.wait()
    left = sorted(set(os.listdir(".")) - {"pages.ba"})
    if left not in ([], ["out"]) or (left and os.path.getsize("out") != 1 << 20):
        print("left behind:", left)
print("done")
END
run fsck | cut -d : -f 1
