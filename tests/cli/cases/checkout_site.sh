# A whole site as of a date, in a directory.
export BLOCKARCH_DIR=pages.ba
run init pages.ba
add() { printf '%s' "$3" | "$BLOCKARCH" add "$1" -t "$2" --type text/html > /dev/null; }
add https://example.com/ 2024-01-01 '<html><body><a href="/about">about</a></body></html>'
add https://example.com/about 2024-01-01 '<html><body><a href="https://example.com/">old home</a></body></html>'
add https://example.com/about 2024-02-01 '<html><body><a href="https://example.com/">new home</a></body></html>'
add https://example.com/late 2024-03-01 '<html><body>late</body></html>'
add https://other.example/ 2024-01-01 '<html><body>other</body></html>'
run checkout --all --at 2024-01-15 -o site
grep -rl 'old home' site | wc -l
grep -r 'new home' site
grep -rc 'href="/about"' site/example.com | grep -v :0
run checkout --all --exact -o exact --host example.com --json
grep -rho 'href="/about"' exact
run checkout --all -o site
run checkout --all
run checkout --all https://example.com/ -o again
run checkout --all --subdomains -o again
run checkout --all --at never -o again
run checkout --all --host nowhere.example -o none
touch file
run checkout --all -o file
ls
