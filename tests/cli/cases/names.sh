# Every way to name a capture or an object; URLs with '@' and '~' of their own.
export BLOCKARCH_DIR=pages.ba
run init pages.ba
add() { printf '%s' "$3" | "$BLOCKARCH" add "$1" -t "$2" > /dev/null; }
add https://example.com/ 2024-01-01T12:00:00Z 'first'
add https://example.com/ 2024-02-01T12:00:00Z 'second'
add https://example.com/ 2024-02-02T12:00:00Z 'second'
add https://example.com/ 2024-03-01T12:00:00Z 'third'
add https://example.com/@someone 2024-01-01T12:00:00Z 'someone'
add https://example.com/~home 2024-01-01T12:00:00Z 'home'
add https://user@example.com/ 2024-01-01T12:00:00Z 'credentials'
add https://example.com/photo@2024 2024-01-01T12:00:00Z 'photo'
add https://example.com/~1 2024-01-01T12:00:00Z 'tilde one'
cat() { run cat "$@"; echo; }
cat https://example.com/
cat https://example.com/@2024-02-01
cat https://example.com/@2024-01
cat https://example.com/@2024-02-01T11:59:59Z
cat https://example.com/@2024-02-01T12:00:00Z
cat https://example.com/@20240201
cat https://example.com/@20240201120000
cat https://example.com/@@1704110400
cat 'https://example.com/@2024-02-01 12:00'
cat https://example.com/@2024~1
cat https://example.com/@2024~2
cat https://example.com/@2024~3
cat https://example.com/@2024-02-02~1
cat https://example.com/@someone
cat https://example.com/@someone@2024
cat https://example.com/~home
cat https://example.com/~home@2024-01-01
cat https://user@example.com/@2024
cat https://example.com/photo@2024@2024
cat https://example.com/~1
cat https://example.com/@2023
cat https://example.com/nothing
cat https://www.example.com/
cat nonsense
cat ''
run tag spring --at 2024-02-15
cat https://example.com/@spring
cat https://example.com/@autumn
id=$("$BLOCKARCH" log https://example.com/ --oneline -n 1 | cut -d ' ' -f 2)
"$BLOCKARCH" cat "$id"; echo
"$BLOCKARCH" cat "$(echo "$id" | tr a-f A-F)"; echo
"$BLOCKARCH" checkout "$id"; echo
cat ffff00000000
cat fff
