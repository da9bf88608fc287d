# Metadata by rules, and URLs found by it.
export BLOCKARCH_DIR=pages.ba
run init pages.ba
page A hello > a
cat > rules <<'RULES'
match url https://*.example/*
match mime text/html
set title = title
set collection = "Examples"

match url-regex ^https://([^./]+)
set-url owner = $1
RULES
run add https://harbour.example/ a -t 2024-01-01 --rules rules
run add https://station.example/ a -t 2024-01-01 --rules rules -m title=mine
run add https://example.org/ a -t 2024-01-01 -m status=200
run log https://harbour.example/
run log https://harbour.example/ --json
"$BLOCKARCH" show https://station.example/ --json |
  "$PYTHON" -c 'import json, sys; d = json.load(sys.stdin); print(d["metadata"], d["url_metadata"])'
"$BLOCKARCH" show https://station.example/ | grep -E '^(meta|of the URL)'
run urls --where owner=harbour
run urls --where 'owner=*' --json
run urls --where status=200
run urls --where collection=Examples --where title=mine
run urls --where owner=nobody
run urls --where owner
printf 'match url x\nset a = b\n' > bad
run add https://harbour.example/ a --rules bad
run add https://harbour.example/ a --rules missing
