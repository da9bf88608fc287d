# bash offers commands, options and files.
"$BLOCKARCH" completion bash > script || exit 1
touch page.html
mkdir pages.ba
command -v bash > /dev/null || { echo "SKIP no bash"; exit 77; }
bash -c '
. ./script
offer() {
  COMP_WORDS=(blockarch "$@") COMP_CWORD=$#
  COMPREPLY=()
  _blockarch
  echo "$*: $(printf "%s\n" "${COMPREPLY[@]}" | sort | tr "\n" " ")"
}
offer ch
offer -C page
offer -C pages.ba lo
offer log --s
offer log https : //example.com/ --on
offer add https : //example.com/ pa
offer add --segmenter a
offer completion ""
offer help st
offer checkout -o pag
offer --no
'
"$BLOCKARCH" completion zsh | head -n 1
"$BLOCKARCH" completion fish | grep -c . > lines
[ "$(cat lines)" -gt 40 ] && echo "fish has its lines"
