# Where the output goes wrong, the exit code says so; a closed pipe ends the program quietly.
export BLOCKARCH_DIR=pages.ba
run init pages.ba
"$PYTHON" - <<'END'
import os, subprocess
page = b"".join(b"<p>%d</p>" % i for i in range(50000))
subprocess.run([os.environ["BLOCKARCH"], "add", "https://example.com/", "-t", "2024"], input=page, check=True, stdout=subprocess.DEVNULL)
END
for i in $(seq 1 40); do echo "$i" | "$BLOCKARCH" add https://example.com/many -t @$i > /dev/null; done
if [ -c /dev/full ]; then
  for words in 'log https://example.com/many' urls 'cat https://example.com/' stats 'checkout https://example.com/' help fsck 'tag --json'; do
    "$BLOCKARCH" $words > /dev/full
    echo "$words [exit $?]"
  done 2>&1 | sed 's/^tag --json .exit 0.$/tag --json wrote nothing/'
  echo https://example.com/ | "$BLOCKARCH" cat --batch > /dev/full
  echo "[exit $?]"
else
  echo "SKIP no /dev/full"
  exit 77
fi
"$BLOCKARCH" cat https://example.com/ | head -c 10; echo
"$BLOCKARCH" log https://example.com/many | head -n 1
# The same where the signal was switched off by whoever started it.
"$PYTHON" - <<'END'
import os, signal, subprocess
signal.signal(signal.SIGPIPE, signal.SIG_IGN)
reader, writer = os.pipe()
os.close(reader)
done = subprocess.run([os.environ["BLOCKARCH"], "cat", "https://example.com/"], stdout=writer, stderr=subprocess.PIPE, restore_signals=False)
print(done.returncode == -signal.SIGPIPE, done.stderr)
END
# Descriptors that are closed stay closed to us: nothing of the archive can become standard output.
"$BLOCKARCH" urls >&-
echo "[exit $?]"
"$BLOCKARCH" add https://example.com/closed <&-
echo "[exit $?]"
"$BLOCKARCH" nonsense 2>&-
echo "[exit $?]"
run fsck | cut -d : -f 1
