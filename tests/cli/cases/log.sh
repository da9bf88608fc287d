# A page that changes and returns has three entries and two versions; what is shown can be chosen.
export BLOCKARCH_DIR=pages.ba
run init pages.ba
page A hello > a
page B hello > b
run add https://example.com/ a -t 2024-01-01T12:00:00Z
run add https://example.com/ b -t 2024-02-01T12:00:00Z
run add https://example.com/ a -t 2024-03-01T12:00:00Z
run add https://example.com/ a -t 2024-03-02T12:00:00Z
run add https://example.com/ a -t 2024-03-03T12:00:00Z -m 'note=last look'
run log https://example.com/
run log https://example.com/ --all
run log https://example.com/ --all --reverse --oneline
run log https://example.com/ --oneline -n 2
run log https://example.com/ --json
run log https://example.com/ --json --all -n 1
run log https://example.com/ --oneline --since 2024-02 --until 2024-02
run log https://example.com/ --oneline --since 2024-02-01T12:00:00Z
run log https://example.com/ --oneline --since 2024-02-01T12:00:01Z
run log https://example.com/ --oneline --until 2024-01-31
run log https://example.com/ --oneline --until 2023
run log https://example.com/@2024-02-15 --oneline
run log https://example.com/~1 --oneline
run log https://example.com/@2023
run log https://example.com/other
run log http://example.com
run log example.com
run log https://example.com/ -n 0
run log https://example.com/ -n many
run log https://example.com/ --since then
id=$("$BLOCKARCH" log https://example.com/ --oneline -n 1 | cut -d ' ' -f 2)
"$BLOCKARCH" log "$id"
echo "[exit $?]"
