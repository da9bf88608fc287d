# pack moves what is new into packs; everything reads as before.
export BLOCKARCH_DIR=pages.ba
sizes() { sed -E 's/[0-9.,]+ (bytes|[KM]iB)/SIZE/g'; }
run init pages.ba
run pack
for day in 1 2 3 4 5; do page Page "day $day" > page; run add https://example.com/ page -t 2024-01-0$day -m status=200 > /dev/null; done
run cat https://example.com/@2024-01-03 > before
run pack | sizes
run cat https://example.com/@2024-01-03 | cmp - before && echo same
run log https://example.com/
run pack
page Page "day 6" > page; run add https://example.com/ page -t 2024-01-06
run pack | sizes
run pack --all | sizes
run pack --all --codec deflate --compression 6 | sizes
run cat https://example.com/@2024-01-03 | cmp - before && echo same
run pack --json | grep -E '"versions"|"packs"'
ls pages.ba | grep -v lock
run show https://example.com/~2 | sizes
# Bad input.
run pack --codec brotli
run pack --compression 23
run pack --codec deflate --compression 13
run pack --threads 0
run -C nowhere pack
