"""A report as a list of blocks, written as Markdown with pictures beside it or as one HTML page that holds everything."""
import html


class Document:
    def __init__(self):
        self.blocks = []

    def heading(self, level, words):
        self.blocks.append(("heading", level, words))

    def paragraph(self, words):
        if words:
            self.blocks.append(("paragraph", words))

    def command(self, words):
        self.blocks.append(("command", words))

    def bullets(self, items):
        if items:
            self.blocks.append(("bullets", items))

    def table(self, rows):
        self.blocks.append(("table", rows))

    def picture(self, name, title, svg):
        self.blocks.append(("picture", name, title, svg))

    def pictures(self):
        return {block[1]: block[3] for block in self.blocks if block[0] == "picture"}

    def markdown(self, folder):
        """`folder`: where the pictures are, seen from the file."""
        out = []
        for kind, *rest in self.blocks:
            if kind == "heading":
                out.append("#" * rest[0] + " " + rest[1])
            elif kind == "paragraph":
                out.append(rest[0])
            elif kind == "command":
                out.append(f"```sh\n{rest[0]}\n```")
            elif kind == "bullets":
                out.append("\n".join("- " + item for item in rest[0]))
            elif kind == "table":
                out.append(markdown_table(rest[0]))
            else:
                out.append(f"![{rest[1]}]({folder}/{rest[0]}.svg)")
        return "\n\n".join(out) + "\n"

    def html(self, title):
        out = []
        for kind, *rest in self.blocks:
            if kind == "heading":
                out.append(f"<h{rest[0]}>{words(rest[1])}</h{rest[0]}>")
            elif kind == "paragraph":
                out.append(f"<p>{words(rest[0])}</p>")
            elif kind == "command":
                out.append(f"<pre>{html.escape(rest[0])}</pre>")
            elif kind == "bullets":
                out.append("<ul>" + "".join(f"<li>{words(item)}</li>" for item in rest[0]) + "</ul>")
            elif kind == "table":
                out.append(html_table(rest[0]))
            else:
                out.append(f"<figure>{rest[2]}</figure>")
        return PAGE.replace("TITLE", html.escape(title)).replace("BODY", "\n".join(out))


def words(text):
    """Backquotes and stars become code and bold."""
    parts = html.escape(text).split("`")
    text = "".join(f"<code>{part}</code>" if i % 2 else part for i, part in enumerate(parts))
    parts = text.split("**")
    return "".join(f"<b>{part}</b>" if i % 2 else part for i, part in enumerate(parts))


def markdown_table(rows):
    head = [cell.replace("|", "\\|") for cell in rows[0]]
    out = ["| " + " | ".join(head) + " |", "|---|" + "---:|" * (len(head) - 1)]
    out += ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows[1:]]
    return "\n".join(out)


def html_table(rows):
    head = "".join(f"<th>{words(cell)}</th>" for cell in rows[0])
    body = "".join("<tr>" + "".join(f"<td>{words(cell)}</td>" for cell in row) + "</tr>\n" for row in rows[1:])
    return f"<table><thead><tr>{head}</tr></thead><tbody>\n{body}</tbody></table>"


PAGE = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>TITLE</title>
<style>
body { font: 15px/1.5 system-ui, sans-serif; max-width: 60em; margin: 2em auto; padding: 0 1em; color: #222 }
table { border-collapse: collapse; margin: 1em 0; font-variant-numeric: tabular-nums }
th, td { padding: .2em .8em; border-bottom: 1px solid #ddd; text-align: right }
th:first-child, td:first-child { text-align: left }
pre { background: #f4f4f4; padding: .5em 1em; overflow-x: auto }
figure { margin: 1em 0 } svg { max-width: 100%; height: auto }
</style></head><body>
BODY
</body></html>
"""
