# One damaged object: what needs it is reported, everything else is still there.
export BLOCKARCH_DIR=pages.ba
run init pages.ba
printf 'a page that stays whole' | "$BLOCKARCH" add https://example.com/whole -t 2024-01-01 > /dev/null
printf 'a page that will be hurt' | "$BLOCKARCH" add https://example.com/hurt -t 2024-01-01 > /dev/null
printf 'a page before that' | "$BLOCKARCH" add https://example.com/hurt -t 2023-01-01 > /dev/null
"$PYTHON" - <<'END'
data = open("pages.ba/hot.mdb", "rb").read()
assert b"will be hurt" in data
open("pages.ba/hot.mdb", "wb").write(data.replace(b"will be hurt", b"was all hurt"))
END
run cat https://example.com/whole
echo
run cat https://example.com/hurt
run checkout https://example.com/hurt -o never
run log https://example.com/hurt --oneline
printf '%s\n' https://example.com/whole https://example.com/hurt https://example.com/hurt@2023 https://example.com/none > names
run cat --batch < names
run checkout --all -o site
find site -type f | wc -l
"$BLOCKARCH" fsck > out
echo "[exit $?]"
grep -q '^damage' out && echo "damage is listed"
ls
