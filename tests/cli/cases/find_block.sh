# Every URL and time range in which a block or a text was seen.
export BLOCKARCH_DIR=pages.ba
run init pages.ba
para() { printf '<p>%s' "$1"; for i in $(seq 250); do printf ' %s%s' "$1" "$i"; done; printf '</p>\n'; }
paras() { echo '<!DOCTYPE html><html><body>'; for w in header "$@" footer; do para "$w"; done; echo '</body></html>'; }
paras alpha beta > a
paras alpha bravo > b
"$BLOCKARCH" add https://example.com/ a -t 2024-01-01 > /dev/null
"$BLOCKARCH" add https://example.com/ b -t 2024-02-01 > /dev/null
"$BLOCKARCH" add https://example.com/ a -t 2024-03-01 > /dev/null
"$BLOCKARCH" add https://other.example/ a -t 2024-01-15 > /dev/null
run find-block 'beta beta1'
run find-block 'BETA beta1' -i --json
run find-block 'beta beta1' --host other.example
run find-block 'beta beta1' --since 2024-02 --until 2024-02
run find-block 'beta beta1' -n 1
id=$("$BLOCKARCH" find-block 'beta beta1' -n 1 | tail -1 | awk '{print $4}')
"$BLOCKARCH" find-block "$id"
run find-block 'no such words'
run find-block ''
run find-block ' '
run find-block ffffffffffff
run find-block beef --text
run find-block beta -n 0
run find-block beta --since then
run find-block beta --subdomains
run find-block
version=$("$BLOCKARCH" log https://example.com/ --oneline -n 1 | cut -d ' ' -f 2)
"$BLOCKARCH" find-block "$version"
echo "[exit $?]"
