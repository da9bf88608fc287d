"""Plots as plain SVG, without a library: bars, curves of quantiles, lines over sizes."""
import html
import math

OURS, PEERS = "#0b6e4f", ["#8d99ae", "#c9724a", "#5b6fb5", "#b0902f", "#7c5295", "#4d908e"]
FONT = "font-family='system-ui, sans-serif' font-size='12'"
WIDTH = 720


def text(x, y, words, anchor="start", extra=""):
    return f"<text x='{x:.1f}' y='{y:.1f}' text-anchor='{anchor}' {extra}>{html.escape(str(words))}</text>"


def picture(height, title, body):
    return (f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {WIDTH} {height}' width='{WIDTH}' height='{height}' {FONT} "
            f"role='img' aria-label='{html.escape(title, quote=True)}'>\n<rect width='{WIDTH}' height='{height}' fill='white'/>\n"
            + text(12, 22, title, extra="font-size='15' font-weight='600'") + "\n" + "\n".join(body) + "\n</svg>\n")


def bars(title, rows, label):
    """rows: (name, value, is ours); label: value to text. The longest bar sets the scale."""
    left, right, top, step = 210, 110, 40, 26
    longest = max((value for _, value, _ in rows), default=1) or 1
    body = []
    for i, (name, value, ours) in enumerate(rows):
        y = top + i * step
        width = max(1.0, (WIDTH - left - right) * value / longest)
        body.append(text(left - 8, y + 15, name, "end", "font-weight='600'" if ours else ""))
        body.append(f"<rect x='{left}' y='{y + 3}' width='{width:.1f}' height='16' fill='{OURS if ours else PEERS[0]}'/>")
        body.append(text(left + width + 6, y + 15, label(value)))
    return picture(top + len(rows) * step + 12, title, body)


def colours(names):
    """Ours green whatever the variant; peers in turn."""
    peers = iter(PEERS * 4)
    return {name: OURS if name.startswith("blockarch") else next(peers) for name in names}


def decades(low, high):
    return [10.0 ** power for power in range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)]


class Frame:
    """Axes with a logarithmic y, and places in them."""

    def __init__(self, values, x_of, rows):
        self.left, self.right, self.top, self.bottom = 70, 250, 40, 300
        low, high = min(values), max(values)
        self.low, self.high = math.log10(low / 1.1), math.log10(high * 1.1)
        self.x_of, self.height = x_of, max(self.bottom + 50, 60 + rows * 20)

    def x(self, value):
        return self.left + (WIDTH - self.left - self.right) * self.x_of(value)

    def y(self, value):
        return self.bottom - (self.bottom - self.top) * (math.log10(value) - self.low) / (self.high - self.low)

    def axes(self, x_ticks, y_ticks, y_label):
        body = []
        for tick in y_ticks:
            if self.low <= math.log10(tick) <= self.high:
                body.append(f"<line x1='{self.left}' x2='{WIDTH - self.right}' y1='{self.y(tick):.1f}' y2='{self.y(tick):.1f}' stroke='#ddd'/>")
                body.append(text(self.left - 6, self.y(tick) + 4, f"{tick:g}", "end"))
        for value, words in x_ticks:
            body.append(text(self.x(value), self.bottom + 18, words, "middle"))
        body.append(f"<path d='M{self.left} {self.top}V{self.bottom}H{WIDTH - self.right}' fill='none' stroke='#888'/>")
        body.append(text(self.left, self.bottom + 38, y_label))
        return body

    def curve(self, points, colour, dashed):
        path = "M" + "L".join(f"{self.x(x):.1f} {self.y(y):.1f}" for x, y in points)
        dash = " stroke-dasharray='5 4'" if dashed else ""
        return f"<path d='{path}' fill='none' stroke='{colour}' stroke-width='2'{dash}/>"

    def key(self, i, name, colour, dashed):
        x, y = WIDTH - self.right + 14, self.top + 12 + i * 20
        dash = " stroke-dasharray='5 4'" if dashed else ""
        return (f"<line x1='{x}' x2='{x + 22}' y1='{y - 4}' y2='{y - 4}' stroke='{colour}' stroke-width='2'{dash}/>" +
                text(x + 28, y, name))


def quantiles(title, series):
    """series: name → times at 1 % to 99 %. Names that end in ", cold" are dashed."""
    values = [value for times in series.values() for value in times if value > 0]
    frame = Frame(values, lambda percent: (percent - 1) / 98, len(series))
    ticks = [tick * part for tick in decades(min(values), max(values)) for part in (1, 2, 5)]
    body = frame.axes([(p, f"{p} %") for p in (1, 25, 50, 75, 90, 99)], ticks, "of the reads took at most so many ms")
    by_system = colours(dict.fromkeys(name.rsplit(", ", 1)[0] for name in series))
    for i, (name, times) in enumerate(series.items()):
        system, heat = name.rsplit(", ", 1)
        body.append(frame.curve([(p + 1, value) for p, value in enumerate(times)], by_system[system], heat == "cold"))
        body.append(frame.key(i, name, by_system[system], heat == "cold"))
    return picture(frame.height, title, body)


def lines(title, x, series):
    """series: name → a ratio for each x. Both axes logarithmic."""
    values = [value for points in series.values() for value in points] + [0.5, 2.0]
    low, high = math.log10(x[0]), math.log10(x[-1])
    frame = Frame(values, lambda value: (math.log10(value) - low) / ((high - low) or 1), len(series))
    ticks = [tick * part for tick in decades(min(values), max(values)) for part in (1, 2, 5)]
    body = frame.axes([(value, f"{value:,}") for value in x], ticks, "captures in the archive; 1 = cost at the first size")
    palette = [OURS] + PEERS
    for i, (name, points) in enumerate(series.items()):
        colour = palette[i % len(palette)]
        body.append(frame.curve(list(zip(x, points)), colour, False))
        body += [f"<circle cx='{frame.x(a):.1f}' cy='{frame.y(b):.1f}' r='3' fill='{colour}'/>" for a, b in zip(x, points)]
        body.append(frame.key(i, name, colour, False))
    return picture(frame.height, title, body)
