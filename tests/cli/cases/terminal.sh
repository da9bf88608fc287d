# On a terminal: colour, and tables that fit. NO_COLOR, --no-color and TERM=dumb are obeyed; pipes get neither.
export BLOCKARCH_DIR=pages.ba
"$BLOCKARCH" init pages.ba
page A hello > a
page B hello > b
long=https://example.com/a/rather/long/path/that/does/not/fit/into/a/narrow/terminal.html
"$BLOCKARCH" add $long a -t 2024-01-01 > /dev/null
"$BLOCKARCH" add $long b -t 2024-01-02 > /dev/null
"$BLOCKARCH" add $long b -t 2024-01-03 > /dev/null
"$BLOCKARCH" add https://example.com/日本語/ページ a -t 2024-01-02 > /dev/null
"$BLOCKARCH" urls
$ON_TERMINAL 70 "$BLOCKARCH" urls
$ON_TERMINAL 200 "$BLOCKARCH" urls
$ON_TERMINAL 80 env COLUMNS=60 "$BLOCKARCH" urls
$ON_TERMINAL 80 env LC_ALL=C "$BLOCKARCH" urls
$ON_TERMINAL 80 "$BLOCKARCH" log $long --all
$ON_TERMINAL 80 env NO_COLOR=1 "$BLOCKARCH" log $long
$ON_TERMINAL 80 "$BLOCKARCH" log $long --no-color --oneline
$ON_TERMINAL 80 env TERM=dumb "$BLOCKARCH" log $long --oneline
$ON_TERMINAL 60 "$BLOCKARCH" help urls
$ON_TERMINAL 60 "$BLOCKARCH" urls nothing
$ON_TERMINAL 80 "$BLOCKARCH" log $long --since 2030
