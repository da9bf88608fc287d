# An archive that may not be read or written.
as_other=
if [ "$(id -u)" = 0 ]; then
  # root may do everything: somebody else has to try.
  chmod 755 .
  as_other="setpriv --reuid 65534 --regid 65534 --clear-groups"
  $as_other "$BLOCKARCH" --version > /dev/null 2>&1 || { echo "SKIP nobody else may run the program"; exit 77; }
fi
page A hello > a
"$BLOCKARCH" init pages.ba
"$BLOCKARCH" -C pages.ba add https://example.com/ a -t 2024-01-01 > /dev/null
BLOCKARCH_OWN=$BLOCKARCH
chmod 644 a
chmod -R a-w pages.ba
other() { $as_other "$BLOCKARCH" "$@"; echo "[exit $?]"; }
other -C pages.ba add https://example.com/ a
other -C pages.ba tag x
chmod -R u+w pages.ba
chmod 000 pages.ba
other -C pages.ba urls
other -C pages.ba fsck
chmod 755 pages.ba
chmod 000 pages.ba/hot.mdb
other -C pages.ba urls
chmod 644 pages.ba/hot.mdb
mkdir closed
chmod 555 closed
other init closed/pages.ba
chmod 000 a
other -C pages.ba add https://example.com/ a
# Who may not write the archive can read it, if the reader table is theirs to write.
chmod 644 a
chmod 666 pages.ba/hot.mdb-lock
other -C pages.ba cat https://example.com/ | head -c 15
echo
other -C pages.ba add https://example.com/ a
