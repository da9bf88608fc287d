# What was captured cannot steer the terminal: control characters are spelled out in tables and messages, escaped in JSON.
export BLOCKARCH_DIR=pages.ba
run init pages.ba
esc=$(printf '\033')
rtl=$(printf '\342\200\256')
page A hello > a
"$BLOCKARCH" add https://example.com/ a -t 2024-01-01 -m "title=${esc}]0;owned${esc}\\ ${rtl}gpj" -m "line=two
lines" > /dev/null
"$BLOCKARCH" log https://example.com/
"$BLOCKARCH" log https://example.com/ --json
"$BLOCKARCH" tag t --at 2024 -m "${esc}[31mred"
"$BLOCKARCH" tag
"$BLOCKARCH" log "https://example.com/${esc}[31m"
echo "[exit $?]"
"$BLOCKARCH" "nonsense${esc}[31m"
echo "[exit $?]"
printf '<p>\033[31m</p>' | "$BLOCKARCH" add https://example.com/page -t 2024-01-01 > /dev/null
"$BLOCKARCH" show https://example.com/page --blocks | tail -n 1 | grep -o '<p>.*'
