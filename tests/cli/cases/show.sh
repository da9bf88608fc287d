# The facts about captures, versions and objects.
export BLOCKARCH_DIR=pages.ba
run init pages.ba
page A hello > a
page B hello > b
run add https://example.com/ a -t 2024-01-01T12:00:00Z
run add https://example.com/ b -t 2024-02-01T12:00:00Z -m status=200
run add https://example.com/ a -t 2024-03-01T12:00:00Z
run show https://example.com/@2024-02
run show https://example.com/@2024-02 --json
run show https://example.com/~5
run show https://example.com/nothing
run show
# Every object that the page is made of can be shown and printed by its id.
field() { "$BLOCKARCH" show https://example.com/@2024-02 --blocks --json | "$PYTHON" -c "import json, sys; d = json.load(sys.stdin); print($1)"; }
for id in "$(field 'd["version"]')" "$(field 'd["layout"]')" "$(field 'd["tree"]')"; do
  "$BLOCKARCH" show "$id" > shown || echo "[exit $?]"
  grep -E '^(kind|version)' shown
done
block=$(field '[b for b in d["blocks"] if "id" in b][0]["id"]')
"$BLOCKARCH" show "$block" | grep -E '^(kind|size)' | sed 's/[0-9]\+/N/'
"$BLOCKARCH" show "$block" --blocks
echo "[exit $?]"
# Leaves and layout together are the page.
field 'sum(b["size"] for b in d["blocks"] if "id" in b) + d["layout_bytes"] == d["size"]'
"$BLOCKARCH" show https://example.com/ --blocks | grep -c '^ *[0-9a-f]\{12\} ' > leaves
[ "$(cat leaves)" -gt 0 ] && echo "blocks are listed"
