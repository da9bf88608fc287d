# Pages, blocks and the other objects as text, or as they are hashed.
export BLOCKARCH_DIR=pages.ba
run init pages.ba
page A hello > a
"$BLOCKARCH" add https://example.com/ a -t 2024-01-01 -m status=200 -m server=test > /dev/null
"$PYTHON" -c 'import random, sys; random.seed(1); sys.stdout.buffer.write(random.randbytes(70000))' > binary
"$BLOCKARCH" add https://example.com/binary binary -t 2024-01-01 > /dev/null
"$BLOCKARCH" cat https://example.com/ | cmp - a && echo "a URL gives the page"
field() { "$BLOCKARCH" show "$1" --blocks --json | "$PYTHON" -c "import json, sys; d = json.load(sys.stdin); print($2)"; }
version=$(field https://example.com/ 'd["version"]')
"$BLOCKARCH" cat "$version" | cmp - a && echo "so does a version"
"$BLOCKARCH" cat "$version" https://example.com/ > twice
cat a a | cmp - twice && echo "several names follow each other"
layout=$(field https://example.com/ 'd["layout"]')
"$BLOCKARCH" cat "$layout" | grep -o '{{slot [0-9]*}}' | head -n 1
tree=$(field https://example.com/ 'd["tree"]')
"$BLOCKARCH" cat "$tree" | grep -E -c '^ *(block|list) [0-9a-f]{64} [0-9]+$|^ *node [0-9]+$' > good
"$BLOCKARCH" cat "$tree" | wc -l > all
[ "$(cat good)" = "$(cat all)" ] && echo "a tree is a line for each node"
list=$(field https://example.com/binary '[b["id"] for b in d["blocks"] if b.get("kind") == "list"][0]')
"$BLOCKARCH" cat "$list" | cmp - binary && echo "a list gives its block"
# The canonical encoding hashes to the id: kind, blank, length, NUL, content.
"$BLOCKARCH" cat --raw "$version" > raw
[ "$(wc -c < raw)" -lt "$(wc -c < a)" ] && echo "raw is another thing"
run cat https://example.com/ --raw --json | grep -o '"kind":"version"'
run cat
run cat https://example.com/ https://example.com/none > out
tail -n 2 out
run cat --batch https://example.com/
run cat --batch --json
