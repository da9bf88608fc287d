# Wrong use is told from failure, in one line and a hint.
run
run --version
run --version --json
run nonsense
run lgo
run stast
run --nonsense
run --jsn urls
run log
run log --onlin https://example.com/
run log https://example.com/ -x
run log https://example.com/ https://example.org/
run log -n
run -C
run urls --host
run help nonsense
run help help
run log --help | head -n 2
run --help | head -n 2
run completion
run completion tcsh
