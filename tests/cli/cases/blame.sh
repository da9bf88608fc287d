# Since when each block stands there; a page of the past says until when.
export BLOCKARCH_DIR=pages.ba
run init pages.ba
para() { printf '<p>%s' "$1"; for i in $(seq 250); do printf ' %s%s' "$1" "$i"; done; printf '</p>\n'; }
paras() { echo '<!DOCTYPE html><html><body>'; for w in header "$@" footer; do para "$w"; done; echo '</body></html>'; }
paras alpha beta > a
paras alpha bravo > b
paras alpha beta delta > c
"$BLOCKARCH" add https://example.com/ a -t 2024-01-01 > /dev/null
"$BLOCKARCH" add https://example.com/ b -t 2024-02-01 > /dev/null
"$BLOCKARCH" add https://example.com/ b -t 2024-02-02 > /dev/null
"$BLOCKARCH" add https://example.com/ c -t 2024-03-01 > /dev/null
"$BLOCKARCH" add https://example.com/two a -t 2024-01-15 > /dev/null
printf '\001\002\003' > bin
"$BLOCKARCH" add https://example.com/bin bin -t 2024-01-15 --type application/octet-stream > /dev/null
run blame https://example.com/
run blame https://example.com/ --elsewhere
run blame https://example.com/ --at 2024-02-15
run blame https://example.com/@2024-02-15 --json
run blame https://example.com/ --words | cut -c 1-90
run blame https://example.com/bin
run blame https://example.com/bin --words
run blame https://example.com/~1 --at 2024-01-20
run blame https://example.com/ --at 2023
run blame https://example.com/ --at then
run blame https://example.com/three
run blame nonsense
run blame
id=$("$BLOCKARCH" log https://example.com/ --oneline -n 1 | cut -d ' ' -f 2)
"$BLOCKARCH" blame "$id"
echo "[exit $?]"
