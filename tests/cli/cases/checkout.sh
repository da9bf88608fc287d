# A page comes back byte for byte; a file is there whole or not at all.
export BLOCKARCH_DIR=pages.ba
run init pages.ba
page A hello > a
page B hello > b
"$BLOCKARCH" add https://example.com/ a -t 2024-01-01T12:00:00Z > /dev/null
"$BLOCKARCH" add https://example.com/ b -t 2024-02-01T12:00:00Z > /dev/null
"$BLOCKARCH" checkout https://example.com/ | cmp - b
"$BLOCKARCH" checkout https://example.com/@2024-01 | cmp - a
"$BLOCKARCH" checkout https://example.com/ --at 2024-01-01 | cmp - a
"$BLOCKARCH" checkout https://example.com/~1 -o - | cmp - a
run checkout https://example.com/ --at 2024-01-31 -o out
cmp out a
run checkout https://example.com/ -o out --json
cmp out b
ln -s out link
run checkout https://example.com/~1 -o link
[ -L link ] && cmp out a && echo "the link still is one"
chmod 600 out
run checkout https://example.com/~1 -o out
stat -c %a out
run checkout https://example.com/ -o /dev/null
[ -c /dev/null ] && echo "the device still is one"
run checkout https://example.com/ --at 2023-12-31
run checkout https://example.com/ --at 2023-12-31 -o never
run checkout https://example.com/ --at someday -o never
run checkout https://example.com/@2024-01 --at 2024-02 -o never
run checkout https://example.com/none -o never
run checkout https://example.com/ -o no/such/directory/never
run checkout https://example.com/ -o .
run checkout https://example.com/ --json
run checkout
run checkout https://example.com/ --exact
run checkout https://example.com/ --host example.com
ls -A
