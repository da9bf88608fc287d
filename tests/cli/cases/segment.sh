# The blocks of a page, without an archive.
page Harbour boats > page.html
run segment page.html
run segment page.html --json --level 1
run segment - < page.html > piped && run segment page.html --tree > named && tail -n +2 piped > a && tail -n +2 named > b && cmp a b
run segment page.html --segmenter nothing
run segment page.html --level 61
run segment page.html --segmenter btls --profile paper,latin
run segment page.html --segmenter btls --profile paper,greek
run segment page.html --segmenter tagtree --profile 'modern;gamma=half'
run segment page.html --profile modern
run segment page.html --theta 0
run segment page.html --tree --json
run segment missing.html
printf '' > empty
run segment empty --json
# The name of a file tells what its first bytes do not.
{
  echo Contents
  for i in 1 2 3; do
    echo "<div class=notice><h2>Notice $i</h2><p>One harbour and another have work on their piers, and ferries call at noon"
    echo "and in the evening of each day.</p><ul><li><a href=a>Tides</a><li><a href=b>Tables</a></ul></div>"
  done
} > fragment.html
cp fragment.html fragment.txt
run segment fragment.html
run segment fragment.txt
# What is shown to people cannot act: nothing in the frame leaves its attribute.
echo '<body><p onclick="x()">"quoted" & <script>alert(1)</script></p><p title="&quot;">end</p>' > sharp.html
run segment sharp.html --html out.html
grep -o '<iframe[^>]*srcdoc="' out.html
grep -o "content=\"default-src[^\"]*\"" out.html
tr '\n' ' ' < out.html | sed 's/.*srcdoc="//; s/"><\/iframe>.*//' | tr -cd '"<>' | wc -c
grep -c '<script' out.html
"$BLOCKARCH" segment sharp.html --html - | cmp - out.html && echo "the same on standard output"
