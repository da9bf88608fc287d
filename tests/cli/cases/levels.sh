# How deep pages are best cut is learnt from their history, explained, applied where asked for, and forgotten.
export BLOCKARCH_DIR=pages.ba
run init pages.ba
para() { printf '<p>%s' "$1"; for i in $(seq 250); do printf ' %s%s' "$1" "$i"; done; printf '</p>\n'; }
table() {
  echo '<!DOCTYPE html><html><body>'
  para header
  echo '<div id="mixed">'
  for i in $(seq 0 27); do [ $i = $(($1 % 28)) ] && v=$((100 + $1)) || v=$i; echo "<p>Row $i of the box is worth $v euros</p>"; done
  echo '</div>'
  para footer
  echo '</body></html>'
}
for second in $(seq 10 33); do
  table $second > p
  "$BLOCKARCH" add https://example.com/ p -t 2024-01-01T00:00:$second > /dev/null
done
# What it saves depends on how things are compressed.
neutral() { tr -s ' ' | sed -E 's/[-+][0-9.]+ %/<N> %/g; s/\([^()]* instead of [^()]*\)/(<N>)/g; s/("(stored_size|new_count|changed_size)": ?)[0-9]+/\1<N>/g'; }
run levels
run show --level https://example.com/ | tail -1
run levels --learn | neutral
run levels --json | neutral
run show --level https://example.com/ | tail -4 | neutral
run show --level https://example.com/ --json | grep -A 6 learnt_level
table 40 > p
run add https://example.com/ p -t 2024-02-01 --learnt-level
run show https://example.com/ | grep 'cut by'
run levels nothing
run levels --forget
run levels
run levels --learn --forget
run levels --host example.com
run add https://example.com/ p -t 2024-02-02 --profile modern
id=$("$BLOCKARCH" log https://example.com/ --oneline -n 1 | cut -d ' ' -f 2)
"$BLOCKARCH" show --level "$id"
echo "[exit $?]"
