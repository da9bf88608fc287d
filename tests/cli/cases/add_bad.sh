# What add is given wrongly is refused with a line that says what to do, and nothing is stored.
export BLOCKARCH_DIR=pages.ba
run init pages.ba
page One hello > one.html
run add
run add example.com one.html
run add 'https://exa mple.com/' one.html
run add '' one.html
run add https://example.com/ one.html --time 2024-13-01
run add https://example.com/ one.html --time soon
run add https://example.com/ one.html --meta status
run add https://example.com/ one.html --meta =200
run add https://example.com/ one.html --segmenter scissors
run add https://example.com/ one.html --level deep
run add https://example.com/ one.html --level 1000
run add https://example.com/ one.html --profile modern
run add https://example.com/ one.html --segmenter bwap --profile 1999
run add https://example.com/ one.html two.html
run add https://example.com/ missing.html
run add https://example.com/ .
run add https://example.com/ one.html --time
run add https://example.com/ one.html --time 2024 --time 2025
$ON_TERMINAL 80 "$BLOCKARCH" add https://example.com/
echo "[exit $?]"
run urls
run stats --json
