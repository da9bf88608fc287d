#!/usr/bin/env bash
# Every source file is as clang-format leaves it. Other major versions format a little differently, so only the one that
# the project uses is asked.
set -eu
cd "$1"
if ! clang-format --version 2>/dev/null | grep -q 'version 14\.'; then
  echo "skipped: clang-format 14 is not installed"
  exit 0
fi
find base warc objects pack refs segment engine history fsck transfer cli bench tests -name '*.cc' -o -name '*.h' | xargs clang-format --dry-run --Werror
