# prune and forget take captures out of the log, gc frees their space, erase leaves a tombstone.
export BLOCKARCH_DIR=pages.ba
quiet() { "$BLOCKARCH" "$@" > /dev/null || echo "[exit $?]"; }
sizes() { sed -E 's/[0-9.,]+ (bytes|[KM]iB)/SIZE/g'; }
run init pages.ba
for day in 1 2 3 4 5 6 7 8; do
  page Page "day $day" > page
  quiet add https://example.com/ page -t 2024-01-0$day
  page Other "day $day" > page
  quiet add https://example.org/other page -t 2024-01-0$day
done
quiet tag first --at 2024-01-02
run prune
run prune --keep-last 2 --host example.com --dry-run
run prune --keep-last 2 --host example.com
run log https://example.com/ | wc -l
quiet pack
run gc --dry-run | sizes
run forget --undo https://example.com/
run log https://example.com/ | wc -l
run forget https://example.org/other
run urls
run forget https://example.org/other
run forget --undo https://example.org/nothing
run forget
run gc --dry-run --grace 0 | sizes
run gc --grace 0 --json | grep -E 'captures|versions'
run forget --undo https://example.org/other
run erase https://example.com/
run erase https://example.com/nothing --reason x
run erase abcd --reason x
run erase --reason x
run erase https://example.com/ --reason 'asked for' --by 'A. Archivist' --dry-run
run erase https://example.com/ --reason 'asked for' --by 'A. Archivist'
run erase --list
run urls
run gc --grace 99999999
