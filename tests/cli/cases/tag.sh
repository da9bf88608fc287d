# Names for moments.
export BLOCKARCH_DIR=pages.ba
run init pages.ba
run tag
run tag spring --at 2024-03-20 -m 'first day of spring'
run tag autumn --at 2024-09-22T12:00:00Z --json
run tag also-spring --at spring
run tag
run tag --json
run tag spring
run tag spring --at 2025-03-20
run tag spring --at 2025-03-20 --force
run tag spring-now
run tag -d spring-now
run tag -d spring-now
run tag -d autumn --json
run tag 2024
run tag 'no blanks'
run tag -- -x
run tag later --at someday
run tag -d
run tag -m message
run tag -d spring --force
run tag
