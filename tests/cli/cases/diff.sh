# What changed between two versions, in every view; bad input.
export BLOCKARCH_DIR=pages.ba
run init pages.ba
page A hello > a
page A goodbye > b
{ page A goodbye | sed 's/<div id="three">/<div id="new"><p>A new part was put in before the third section of this page.<\/p><\/div>&/'; } > c
cat > list <<'HTML'
<html><body><h1>Fruit</h1><ul><li>Apples</li><li>Pears</li><li>Plums</li><li>Quinces</li></ul></body></html>
HTML
cat > sorted <<'HTML'
<html><body><h1>Fruit</h1><ul><li>Quinces</li><li>Apples</li><li>Pears</li><li>Plums, also dried</li></ul></body></html>
HTML
run add https://example.com/ a -t 2024-01-01T12:00:00Z
run add https://example.com/ b -t 2024-02-01T12:00:00Z
run add https://example.com/ c -t 2024-03-01T12:00:00Z
run add https://example.com/list list -t 2024-01-01T12:00:00Z
run add https://example.com/list sorted -t 2024-02-01T12:00:00Z
run diff https://example.com/
run diff https://example.com/~1
run diff https://example.com/@2024-01 https://example.com/ --stat
run diff https://example.com/@2024-01 https://example.com/@2024-02 --words
run diff https://example.com/ --source
run diff https://example.com/list
run diff https://example.com/list --blocks
run diff https://example.com/list --json
run diff https://example.com/list https://example.com/list
run diff https://example.com/ https://example.com/list --stat
run diff https://example.com/list --exit-code --stat
run diff https://example.com/list https://example.com/list --exit-code --stat
run diff --since 2024-02-15
run diff --since 2024-02 --until 2024-02 --exit-code
run diff --since 2024-02 list --stat
run diff --since 2024-02 --json
run diff --since 2025
run diff --since 2024-02 --host example.org
id=$("$BLOCKARCH" log https://example.com/ --oneline -n 1 | cut -d ' ' -f 2)
first=$("$BLOCKARCH" log https://example.com/ --oneline --reverse -n 1 | cut -d ' ' -f 2)
run diff "$first" "$id" --stat
run diff https://example.com/ --html out.html
grep -o 'data-blockarch-change=added data' out.html
grep -o 'sandbox="[^"]*"' out.html
printf '<head><script>1</script></head><body><p>One two three four.</p><ul><li>x</ul></body>' > d
printf '<head><script>2</script></head><body><p>One two three five.</p><ol><li>x</ol></body>' > e
run add https://example.com/d d -t 2024-01-01T12:00:00Z
run add https://example.com/d e -t 2024-02-01T12:00:00Z
run diff https://example.com/d --html - | grep -o -e '<li data-n.*' -e '<summary>.*</summary>' -e '<li><div>.*'
$ON_TERMINAL 80 "$BLOCKARCH" diff https://example.com/list
echo "--- bad input"
run diff
run diff https://example.com/other
run diff https://example.com/@2023
run diff https://example.com/@2024-01
run diff https://example.com/ https://example.com/ https://example.com/
run diff "$id"
run diff https://example.com/ --stat --words
run diff https://example.com/ --stat --json
run diff https://example.com/ --host example.com
run diff --since then
run diff --since 2024 --html out.html
printf '\211PNG\r\n\032\n\0\0\0\001\002\003' > picture
printf '\211PNG\r\n\032\n\0\0\0\004\005\006' > picture2
run add https://example.com/p picture -t 2024-01-01T12:00:00Z
run add https://example.com/p picture2 -t 2024-02-01T12:00:00Z
run add https://example.com/p list -t 2024-03-01T12:00:00Z
run diff https://example.com/p@2024-02
run diff https://example.com/p@2024-02 --html - | grep -o -e '<small>.*</small>' -e '<p>.*' -e '<img .*>'
run diff https://example.com/p --stat
run diff https://example.com/p
echo "--- edits"
for pair in "https://example.com/~2 https://example.com/" "https://example.com/p~1 https://example.com/p" "https://example.com/list~1 https://example.com/list"; do
  set -- $pair
  "$BLOCKARCH" cat "$1" > old
  "$BLOCKARCH" cat "$2" > new
  "$BLOCKARCH" diff "$1" "$2" --json | "$PYTHON" "$SOURCE/scripts/apply_diff.py" old | cmp - new && echo "the same bytes"
done
