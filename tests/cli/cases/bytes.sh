# Any bytes come back as they were: unknown charset (with a warning), invalid UTF-8, binary.
export BLOCKARCH_DIR=pages.ba
run init pages.ba
page One hello > page.html
run add https://example.com/charset page.html -t 2024-01-01 --type 'text/html; charset=x-klingon'
printf '<html><body><p>caf\351 \377\376 \303(</p></body></html>' > invalid.html
run add https://example.com/invalid invalid.html -t 2024-01-01
run add https://example.com/declared invalid.html -t 2024-01-01 --type 'text/html; charset=utf-8'
"$PYTHON" -c 'import random, sys; random.seed(1); sys.stdout.buffer.write(random.randbytes(100000))' > binary
run add https://example.com/binary binary -t 2024-01-01
for name in charset:page.html invalid:invalid.html declared:invalid.html binary:binary; do
  "$BLOCKARCH" checkout https://example.com/${name%%:*} | cmp - ${name#*:} && echo "${name%%:*} came back"
done
run show https://example.com/invalid --blocks
run cat https://example.com/invalid --json
run fsck --full
