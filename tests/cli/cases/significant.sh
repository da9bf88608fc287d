# Noise left out of logs and diffs, by the built-in rules or a file's; mistakes in rules.
export BLOCKARCH_DIR=pages.ba
"$BLOCKARCH" init pages.ba
# note NONCE VIEWS TEXT
note() { page Notice "$3" | sed "s/<body>/<body><script nonce=\"$1\">let a;<\/script><p>$2 views<\/p>/"; }
note a1 10 'All is calm' > 1
note b2 11 'All is calm' > 2
note c3 12 'A storm comes up' > 3
note d4 13 'All is calm' > 4
for day in 1 2 3 4; do "$BLOCKARCH" add https://example.com/ $day -t 2024-01-0$day > add.log; done
run log https://example.com/ --significant
run log https://example.com/ --significant --all --oneline
run log https://example.com/ --significant -n 1 --json
run log https://example.com/ --by source
run log https://example.com/ --by text --reverse --since 2024-01-03
run diff https://example.com/@2024-01-01 https://example.com/@2024-01-02 --stat
run diff https://example.com/@2024-01-01 https://example.com/@2024-01-02 --significant --exit-code
run diff https://example.com/@2024-01-03 --significant --stat --exit-code
run diff https://example.com/@2024-01-02 https://example.com/@2024-01-04 --significant --html out.html
grep -o 'by noise only' out.html
run diff --since 2024-01-02 --until 2024-01-02 --significant --exit-code
run diff --since 2024-01-02 --until 2024-01-03 --significant --exit-code
printf 'blockarch-significance 1\nname mine 1\nignore select script\nignore text (?i)a storm comes up|all is calm|\\d+ views\n' > mine.rules
run rules mine.rules
run rules mine.rules --json
run log https://example.com/ --rules mine.rules
run diff https://example.com/@2024-01-03 --rules mine.rules --stat
echo "--- mistakes"
printf 'blockarch-significance 1\n\nignore text a(b\n' > bad.rules
run rules bad.rules
run log https://example.com/ --rules bad.rules
run diff https://example.com/ --rules bad.rules
run diff https://example.com/ --rules none.rules
run diff https://example.com/ --by mood
printf 'ignore label ad\n' | run rules -
run log https://example.com/other --significant
run log https://example.com/ --significant --graph
