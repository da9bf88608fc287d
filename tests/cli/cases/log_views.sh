# What came back, how much changed, which part of the page, which text; a calendar; a pager on terminals only.
export BLOCKARCH_DIR=pages.ba
run init pages.ba
page A hello > a
page B hello > b
page B goodbye > c
u=https://example.com/
run add $u a -t 2024-01-01
"$BLOCKARCH" add $u b -t 2024-02-01 > /dev/null
"$BLOCKARCH" add $u a -t 2024-03-01 > /dev/null
"$BLOCKARCH" add $u a -t 2024-03-02 > /dev/null
"$BLOCKARCH" add $u c -t 2024-04-01 > /dev/null
run log $u --graph
run log $u --graph --all --oneline --reverse
run log $u --stat
run log $u --stat --graph --json -n 2
run log $u --oneline --stat --graph -n 1
run log $u --oneline --grep 'goodbye in section one'
run log $u --oneline --grep 'HELLO in' -i -n 2
run log $u --oneline --grep 'no such words'
run log $u --grep ''
run log $u -i
run log $u --oneline --label main
run log $u --oneline --label style
run log $u --label mane
run log $u --calendar
run log $u --calendar --since 2024-03 --json
run log $u --calendar --svg year.svg
grep -c '<rect' year.svg
run log $u --svg year.svg
run log $u --calendar --graph
run log $u --calendar --svg missing/year.svg
unset PAGER
$ON_TERMINAL 80 env BLOCKARCH_PAGER='sed s/^/-/' "$BLOCKARCH" log $u --oneline -n 1
$ON_TERMINAL 80 env PAGER='sed s/^/-/' "$BLOCKARCH" log $u --oneline -n 1 --no-color
$ON_TERMINAL 80 env PAGER='sed s/^/-/' "$BLOCKARCH" log $u --oneline -n 1 --no-color --no-pager
$ON_TERMINAL 80 env PAGER='sed s/^/-/' "$BLOCKARCH" log $u -n 1 --json
$ON_TERMINAL 80 env PAGER= "$BLOCKARCH" log $u --oneline -n 1 --no-color
$ON_TERMINAL 80 env PAGER='sed s/^/-/' "$BLOCKARCH" log https://example.com/none
echo "[exit $?]"
$ON_TERMINAL 80 env PAGER= "$BLOCKARCH" log $u --calendar
PAGER='sed s/^/-/' "$BLOCKARCH" log $u --oneline -n 1
