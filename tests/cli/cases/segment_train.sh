# Where a site's articles stand, learnt from samples and kept in the archive.
story() {
  printf '<body><header>The Daily Example</header><nav><a href=/>Home</a> <a href=/about>About us</a></nav><div class=wrap><div class=story>'
  for i in 1 2 3 4 5 6; do printf '<p>The %s %s of the harbour and the boats of %s went out at %s.</p>' "$1" "$i" "$2" "$3"; done
  printf '</div><div class=more><a href=/more>More about %s</a></div></div><footer>Printed daily since the harbour was built in the old town.</footer></body>' "$1"
}
story mayor March dawn > a.html
story pilot April noon > b.html
story baker June dusk > c.html
story judge July night > d.html
for f in a b c; do sed 's/<div class=more>.*//; s/.*<div class=story>//; s/<[^>]*>/ /g' "$f.html" > "$f.txt"; done
run segment d.html --segmenter tagtree --site news.example.com
run segment train a.html b.html c.html --site news.example.com
run init archive
run -C archive segment train a.html b.html c.html --site News.Example.com
run -C archive segment train a.html b.html c.html --site https://news.example.com/2024 --main a.txt --main b.txt --main c.txt --json
run -C archive segment d.html --segmenter tagtree --site news.example.com
run -C archive segment d.html --segmenter tagtree --site example.org
run -C archive segment d.html --site news.example.com
run -C archive segment d.html --segmenter tagtree --profile paper --site news.example.com
run -C archive segment train --site news.example.com
run -C archive segment train a.html
run -C archive segment train a.html b.html --site news.example.com --main a.txt
run -C archive segment train a.html --site 'no site'
run -C archive segment train a.html --site news.example.com --profile nothing
run -C archive segment a.html b.html
run -C archive segment a.html --main a.txt
run -C archive fsck
