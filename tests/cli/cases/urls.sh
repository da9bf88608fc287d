# The list of URLs, whole and in part.
export BLOCKARCH_DIR=pages.ba
run init pages.ba
run urls
page A hello > a
for url in https://www.example.com/ https://example.com/ https://example.com/privacy https://example.org/privacy?lang=de \
    https://example.com/b http://example.com/ https://notexample.com/ 'https://example.com/日本'; do
  "$BLOCKARCH" add "$url" a -t 2024-01-01 > /dev/null
done
"$BLOCKARCH" add https://example.com/b a -t 2023-01-01 > /dev/null
run urls
run urls --json
run urls --host example.com
run urls --host example.com --subdomains
run urls --host EXAMPLE.com privacy
run urls privacy
run urls 'https://*.org/*'
run urls '*privacy'
run urls '日'
run urls nothing-like-it
run urls --subdomains
run urls --host https://example.com/
run urls --host "two words"
run urls a b
