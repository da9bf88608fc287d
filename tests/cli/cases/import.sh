# import reads WARC files, says what it did, and goes on after damage.
export BLOCKARCH_DIR=pages.ba
run init pages.ba
record() {  # type url date body
  printf 'WARC/1.0\r\nWARC-Type: %s\r\nWARC-Record-ID: <urn:x:%s>\r\nWARC-Target-URI: %s\r\nWARC-Date: %s\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n' \
    "$1" "$3" "$2" "$3" "${5:-text/html}" "${#4}" "$4"
}
http=$(printf 'HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nServer: made\r\n\r\n<p>served</p>')
{
  record warcinfo '' 2024-01-01T00:00:00Z 'software: by hand' application/warc-fields
  record resource https://example.com/ 2024-01-01T00:00:00Z '<p>one</p>'
  record resource https://example.com/ 2024-01-02T00:00:00Z '<p>two</p>'
  record resource https://example.com/ 2024-01-03T00:00:00Z '<p>two</p>'
  record response https://example.com/served 2024-01-03T00:00:00Z "$http" 'application/http;msgtype=response'
  record request https://example.com/served 2024-01-03T00:00:00Z 'GET / HTTP/1.1' 'application/http;msgtype=request'
  record revisit https://example.com/lost 2024-01-04T00:00:00Z '' ''
} > good.warc
run import good.warc --threads 1 | grep -v '^time\|by stage\| ms \|stored\|slowest'
run log https://example.com/ --json --all
run log https://example.com/served --json
# Again: nothing is added.
run import good.warc --json | grep -E '"(captures|duplicates|new_objects|unresolved)"'
# A damaged record in the middle.
{
  record resource https://example.com/a 2024-01-01T00:00:00Z '<p>a</p>'
  printf 'WARC/1.0\r\nWARC-Type: resource\r\nContent-Length: many\r\n\r\nxxx\r\n\r\n'
  record resource https://example.com/b 2024-01-01T00:00:00Z '<p>b</p>'
} > damaged.warc
run import damaged.warc | grep -v '^time\|by stage\| ms \|stored\|slowest'
run import damaged.warc --problems problems.json --json > /dev/null
cat problems.json
# What is no archive is refused; what is not there is said so.
echo hello > hello.txt
run import hello.txt | grep -v '^time\|by stage\|stored'
run import missing.warc
mkdir empty
run import empty | grep -v '^time\|by stage\|stored'
# A mirror that wget made, and a git repository.
mkdir -p mirror/example.net/news && echo '<p>home</p>' > mirror/example.net/index.html && echo '<p>news</p>' > mirror/example.net/news/a.html
run import mirror --time 2024-05-01 | grep -v '^time\|by stage\|stored\| ms \|slowest'
run urls example.net
run import --git mirror
# A profile cuts anew, and is checked before anything is read.
run import good.warc --segmenter bwap --profile 1999
run import good.warc --segmenter bwap --profile 2008 --json | grep -E '"(captures|duplicates|problems)"'
run import good.warc --segmenter bwap --profile 2008 --json | grep -E '"(captures|duplicates|new_objects|problems)"'
run import - < good.warc | grep '^captures '
run import
run fsck --full
