#!/usr/bin/env bash
# check_package.sh BUILD SOURCE COMPILER FLAGS: installs the build somewhere else and builds and runs a program against it.
set -euo pipefail
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cmake --install "$1" --prefix "$place/prefix" >/dev/null
cmake -S "$2/tests/package/consumer" -B "$place/build" -G Ninja -DCMAKE_PREFIX_PATH="$place/prefix" \
  -DCMAKE_CXX_COMPILER="$3" -DCMAKE_CXX_FLAGS="$4" >/dev/null
cmake --build "$place/build" >/dev/null
"$place/build/consumer" "$place/archive"
"$place/prefix/bin/blockarch" -C "$place/archive" log https://example.com/ --oneline
test -s "$place/prefix/share/man/man1/blockarch.1"
