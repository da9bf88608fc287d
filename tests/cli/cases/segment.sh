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
# What is shown to people cannot act: nothing in the frame leaves its attribute.
echo '<body><p onclick="x()">"quoted" & <script>alert(1)</script></p><p title="&quot;">end</p>' > sharp.html
run segment sharp.html --html out.html
grep -o '<iframe[^>]*srcdoc="' out.html
grep -o "content=\"default-src[^\"]*\"" out.html
tr '\n' ' ' < out.html | sed 's/.*srcdoc="//; s/"><\/iframe>.*//' | tr -cd '"<>' | wc -c
grep -c '<script' out.html
"$BLOCKARCH" segment sharp.html --html - | cmp - out.html && echo "the same on standard output"
