# add says how a capture stands to the one before it, and takes FILE, "-" or standard input.
export BLOCKARCH_DIR=pages.ba
run init pages.ba
page One hello > one.html
page Two hello > two.html
run add https://example.com/ one.html --time 2024-01-01T10:00:00Z
run add https://example.com/ two.html --time 2024-01-02T10:00:00Z
run add https://example.com/ - --time 2024-01-03T10:00:00Z < two.html
run add https://example.com/ --time 2024-01-03T10:00:00Z < two.html
run add https://example.com/copy two.html --time 2024-01-03 --json
# A back-dated capture: nothing was earlier.
run add https://example.com/ two.html -t 2023
run add https://example.com/facts one.html -t @1704067200 -m status=200 --meta 'link=a' --meta 'link=b=c' --type text/html
run log https://example.com/facts --json
# Without --time it is now, whatever the file's own date.
touch -d 2001-01-01 one.html
run add https://example.com/now one.html
# No bytes at all are a page too.
: > nothing
run add https://example.com/nothing nothing -t 2024-01-01
run checkout https://example.com/nothing
run show https://example.com/nothing --blocks
run add https://example.com/level one.html -t 2024-01-01 --level 1
run add https://example.com/level one.html -t 2024-01-02 --segmenter auto --level 2
run add https://example.com/level one.html -t 2024-01-03 --segmenter btls
run add https://example.com/level one.html -t 2024-01-03 --segmenter btls --profile paper
run add https://example.com/level one.html -t 2024-01-03 --segmenter btls --profile modern
run fsck --full
