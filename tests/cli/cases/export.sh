# Captures leave in forms that other programs read.
export BLOCKARCH_DIR=pages.ba
"$BLOCKARCH" init pages.ba > /dev/null
page A hello > a
page B hello > b
"$BLOCKARCH" add https://example.com/ a -t 2024-01-01T12:00:00Z > /dev/null
"$BLOCKARCH" add https://example.com/ a -t 2024-01-02T12:00:00Z > /dev/null
"$BLOCKARCH" add https://example.com/ b -t 2024-02-01T12:00:00Z > /dev/null
"$BLOCKARCH" add https://other.example/x a -t 2024-03-01T12:00:00Z > /dev/null
"$BLOCKARCH" tag january --at 2024-01-31 > /dev/null

run export --format git -o pages.git --json | sed 's/\("output_bytes": \)[0-9]*/\1<bytes>/'
run export --format git --branch-per-host -o hosts.git --json | grep branches
if git --version > /dev/null 2>&1; then
  git -C pages.git fsck --full --strict 2>&1
  git -C pages.git log --format='%s %at' main > log
  git -C pages.git show main:example.com/index.html | cmp - b
  git -C hosts.git rev-parse --verify -q example.com > /dev/null || echo "no branch"
else
  printf '%s\n' 'https://other.example/x 1709294400' 'https://example.com/ 1706788800' 'https://example.com/ 1704110400' > log
fi
cat log

run export --format warc -o pages.warc --cdxj pages.cdxj
sed 's/"offset":"[0-9]*"/"offset":<offset>/' pages.cdxj
tr -d '\r' < pages.warc | grep -a -e '^WARC/' -e '^WARC-[TDP]' -e '^software' | sed 's/blockarch [0-9.]*/blockarch <version>/'
run export --format warc.gz -o pages.warc.gz
"$BLOCKARCH" export --format warc.gz -o - > again.warc.gz
cmp pages.warc.gz again.warc.gz
gzip -dc pages.warc.gz | cmp - pages.warc
run export --format warc --revisits -o revisits.warc --json | sed 's/\("output_bytes": \)[0-9]*/\1<bytes>/'
run export --format cdxj -o - --host other.example

run export --format html -o pages
find pages -type f | LC_ALL=C sort
cmp pages/example.com/index.html/20240201120000.html b
run export --format html -o tagged --tag january
find tagged -name '2*' | LC_ALL=C sort
run export --format html -o span --since 2024-01-02 --until 2024-01 'https://*'
find span -name '2*' | LC_ALL=C sort
run export --format html -o host --host other.example --json

run export --format html -o pages
run export --format html -o no/such/directory
run export --format html -o never --tag none
run export --format html -o -
run export --format warc -o - --json
run export --format warc -o no/such/directory/never
run export --format warc -o .
run export --format git --revisits -o never
run export --format cdxj --cdxj never -o never
run export --format warc --cdxj - -o never
run export --format html
run export -o never
run export --format zip -o never
run export --format html --branch-per-host -o never
ls -A
