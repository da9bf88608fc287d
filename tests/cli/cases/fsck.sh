# A clean archive, and one that is not.
export BLOCKARCH_DIR=pages.ba
run init pages.ba
run fsck
page A hello > a
run add https://example.com/ a -t 2024-01-01
run fsck --full
run fsck --full --json | grep -E 'clean|urls|captures|findings'
"$PYTHON" - <<'END'
path = "pages.ba/hot.mdb"
data = bytearray(open(path, "rb").read())
at = data.find(b"https://example.com/")
data[at + 10] ^= 1
open(path, "wb").write(data)
END
"$BLOCKARCH" fsck > out
echo "[exit $?]"
grep -c '^damage' out > count
[ "$(cat count)" -gt 0 ] && echo "damage is listed"
"$BLOCKARCH" fsck --json > out
echo "[exit $?]"
grep '"clean"' out
