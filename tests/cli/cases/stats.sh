# What is in the archive; figures that depend on compression are left out here.
export BLOCKARCH_DIR=pages.ba
run init pages.ba
page A hello > a
page B hello > b
"$BLOCKARCH" add https://example.com/ a -t 2024-01-01 > /dev/null
"$BLOCKARCH" add https://example.com/ b -t 2024-02-01 > /dev/null
"$BLOCKARCH" add https://example.com/ a -t 2024-03-01 > /dev/null
"$BLOCKARCH" add https://example.com/copy a -t 2024-03-01 > /dev/null
"$BLOCKARCH" stats --json > stats.json || echo "[exit $?]"
"$PYTHON" - <<'END'
import json, os
stats = json.load(open("stats.json"))
sizes = [os.path.getsize(name) for name in "ab"]
print(stats["urls"], stats["captures"], stats["versions"])
print(stats["logical_bytes"] == 3 * sizes[0] + sizes[1], stats["distinct_bytes"] == sum(sizes))
print(sorted(stats["kinds"]), stats["kinds"]["version"]["objects"])
print(stats["disk_bytes"] >= sum(os.path.getsize(os.path.join("pages.ba", name)) for name in ["hot.mdb", "format"]))
END
"$BLOCKARCH" stats | sed 's/  */ /g; s/[0-9.]* [KM]iB/<SIZE>/g; s/[0-9.]* times.*/.../' | grep -E '^ ?(URLs|captures|versions|on disk|KIND|TABLE)'
run stats extra
