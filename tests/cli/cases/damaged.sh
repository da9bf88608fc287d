# An archive that is no archive, newer, incomplete or damaged: a line that says so, the right exit code, no crash.
page A hello > a
"$BLOCKARCH" init whole.ba
"$BLOCKARCH" -C whole.ba add https://example.com/ a -t 2024-01-01 > /dev/null
try() {
  for command in 'log https://example.com/' 'cat https://example.com/' urls stats 'add https://example.com/ a' fsck; do
    run -C "$1" $command
  done
}
run -C missing.ba urls
mkdir directory
run -C directory urls
run -C directory fsck
run -C a urls
run -C a fsck
run urls
cp -r whole.ba newer.ba
sed -i 's/archive 1/archive 1000/' newer.ba/format
try newer.ba
cp -r whole.ba strange.ba
echo nonsense > strange.ba/format
run -C strange.ba urls
cp -r whole.ba headless.ba
rm headless.ba/hot.mdb
try headless.ba
cp -r whole.ba empty.ba
: > empty.ba/hot.mdb
run -C empty.ba urls
cp -r whole.ba short.ba
truncate -s 20000 short.ba/hot.mdb
run -C short.ba log https://example.com/ 2>&1 | sed 's/instead of [0-9]*/instead of N/'
run -C short.ba add https://example.com/ a 2>&1 | sed 's/instead of [0-9]*/instead of N/'
"$BLOCKARCH" -C short.ba fsck > out
echo "[exit $?]"
grep -c '^damage' out > count
[ "$(cat count)" -gt 0 ] && echo "damage is listed"
