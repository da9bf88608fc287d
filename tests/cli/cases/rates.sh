# How often pages change, when to look again, what is due.
export BLOCKARCH_DIR=pages.ba
run init pages.ba
for i in 0 1 2 3 4 5 6 7 8 9; do
  page $((i / 2)) hello > p
  "$BLOCKARCH" add https://example.com/often p -t 2024-01-0$((i + 1 > 9 ? 9 : i + 1))T0$i:00:00Z > /dev/null
  page never hello > p
  "$BLOCKARCH" add https://example.com/never p -t 2024-01-0$((i + 1 > 9 ? 9 : i + 1))T0$i:00:00Z > /dev/null
  page $i hello > p
  "$BLOCKARCH" add https://example.com/always p -t 2024-01-0$((i + 1 > 9 ? 9 : i + 1))T0$i:00:00Z > /dev/null
done
"$BLOCKARCH" add https://other.example/once p -t 2024-01-01 > /dev/null
run rates
run rates often --json
run rates --host other.example
run rates --chance 0.9 --least 1d --most 5d
run rates always --since 2024-01-03 --until 2024-01-05
run rates --due --now 2024-01-09T09:30:00Z
run rates --due --now 2024-01-12
run rates --due --now 2024-01-12 -n 2
run rates --due --now 2024-01-12 -n 1 --json
run rates --blocks https://example.com/often
run rates --blocks https://example.com/often --json -n 1
run rates --blocks
run rates --blocks https://example.com/none
run rates --blocks --due https://example.com/often
run rates --now 2024
run rates --chance 0
run rates --chance 1
run rates --chance often
run rates --least never
run rates --least 2d --most 1d
run rates --since then
run rates -n 0
run rates nothing
