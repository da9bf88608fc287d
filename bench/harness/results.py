"""What a workload found: tables of ours against peers, kept as one JSON file each so that runs can be merged.

A table is {"title", "note", "columns": [{"key", "label", "unit", "better"}], "rows": [{"system", "ours", key: value}]}.
`better` is "low" or "high" where smaller or larger wins; such columns are shown as ratios to ours too."""
import json
import os


def column(key, label, unit, better=None):
    return {"key": key, "label": label, "unit": unit, "better": better}


def table(title, columns, note=""):
    return {"title": title, "note": note, "columns": columns, "rows": []}


def add(table_, system, values, ours=False, variant=False):
    """`variant`: one of ours that peers are not compared with."""
    table_["rows"].append({"system": system, "ours": ours, "variant": variant, **values})


class Result:
    def __init__(self, workload, corpus, command):
        self.data = {"workload": workload, "corpus": corpus, "command": command, "tables": [], "skipped": [],
                     "plots": []}

    def table(self, *arguments, **options):
        made = table(*arguments, **options)
        self.data["tables"].append(made)
        return made

    def skip(self, system, why):
        if {"system": system, "why": why} not in self.data["skipped"]:
            self.data["skipped"].append({"system": system, "why": why})

    def plot(self, kind, **values):
        self.data["plots"].append({"kind": kind, **values})

    def save(self, folder, machine):
        os.makedirs(folder, exist_ok=True)
        self.data["machine"] = machine
        path = os.path.join(folder, f"{self.data['workload']}.{self.data['corpus']}.json")
        with open(path, "w") as file:
            json.dump(self.data, file, indent=1)
        return path


def load(folder):
    found = []
    for name in sorted(os.listdir(folder)):
        if name.endswith(".json"):
            with open(os.path.join(folder, name)) as file:
                found.append(json.load(file))
    return found


def ours_of(table_):
    return next((row for row in table_["rows"] if row["ours"]), None)


def ratio(row, ours, key):
    """How many times ours the row's value is; None where there is nothing to compare."""
    if ours is None or row is ours or row.get("variant") or not ours.get(key) or row.get(key) is None:
        return None
    return row[key] / ours[key]


def format_value(value, unit):
    if value is None:
        return "–"
    if unit == "bytes":
        return f"{value / 1e6:,.2f} MB" if value < 1e8 else f"{value / 1e6:,.0f} MB"
    if unit == "count":
        return f"{value:,.0f}"
    digits = 0 if value >= 1000 else 1 if value >= 100 else 2 if value >= 1 else 3
    return f"{value:,.{digits}f} {unit}".strip()


def format_ratio(value):
    return "" if value is None else f"{value:.2f} ×" if value < 10 else f"{value:,.0f} ×"


def lines(table_):
    """Header and rows as text cells, ratios to ours beside each column that has a better side."""
    header = [""]
    for col in table_["columns"]:
        header.append(col["label"])
        if col["better"]:
            header.append("to ours")
    rows = [header]
    ours = ours_of(table_)
    for row in table_["rows"]:
        cells = [row["system"]]
        for col in table_["columns"]:
            cells.append(format_value(row.get(col["key"]), col["unit"]))
            if col["better"]:
                cells.append("1" if row is ours and row.get(col["key"]) else format_ratio(ratio(row, ours, col["key"])))
        rows.append(cells)
    return rows


def behind(table_):
    """Where a peer is better than ours: (system, column, ratio)."""
    ours = ours_of(table_)
    found = []
    for row in table_["rows"]:
        if row["system"].startswith("blockarch"):
            continue
        for col in table_["columns"]:
            value = ratio(row, ours, col["key"])
            if value is None or not col["better"]:
                continue
            if (col["better"] == "low" and value < 1) or (col["better"] == "high" and value > 1):
                found.append((row["system"], col["label"], value))
    return found


def text(data):
    out = [f"{data['workload']} · {data['corpus']}"]
    for table_ in data["tables"]:
        rows = lines(table_)
        widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
        out.append(f"  {table_['title']}")
        for row in rows:
            cells = [row[0].ljust(widths[0])] + [cell.rjust(width) for cell, width in zip(row[1:], widths[1:])]
            out.append("    " + "  ".join(cells).rstrip())
    for skipped in data["skipped"]:
        out.append(f"  skipped {skipped['system']}: {skipped['why']}")
    return "\n".join(out)
