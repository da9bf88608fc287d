# An archive is made in a missing or empty directory, and nowhere else.
run init pages.ba
ls pages.ba | grep -v lock
run init pages.ba
mkdir empty full
touch full/file
run init empty
run init full
ls full
touch file
run init file
run init missing/pages.ba
run -C here.ba init --json
(mkdir current && cd current && run init && run urls --json)
(export BLOCKARCH_DIR=named.ba; run init; run urls)
run init a b
