"""History blocks of the training data: a second implementation from their description, with Python's difflib.

Reads one JSON object a line, {"older": text, "newer": text, "lang": text}, and answers each with
{"lc": text, "sr": text}. Slow and literal on purpose: tests compare the program with it.
"""

import difflib
import json
import re
import sys

HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")


def hunks(newer, older):
    """0-based half-open line ranges ((start, end) in newer, (start, end) in older)."""
    found = []
    body = list(difflib.unified_diff(newer, older, n=0, lineterm=""))[2:]
    for line in body:
        if not line.startswith("@@"):
            continue
        a, a_size, b, b_size = (None if part is None else int(part) for part in HUNK.match(line).groups())
        sides = []
        for first, size in ((a, a_size), (b, b_size)):
            size = 1 if size is None else size
            start = first if size == 0 else first - 1
            sides.append((start, start + size))
        found.append(tuple(sides))
    return found


def recorded(newer, older):
    deepest = [max(len(line) - len(line.lstrip()) for line in lines) for lines in (newer, older)]
    for new, old in hunks(newer, older):
        words = [" ".join(lines[s:e]).split() for lines, (s, e) in ((newer, new), (older, old))]
        if words[0] != words[1] or deepest[0] != deepest[1]:
            yield new, old


def growth(lines, start, end):
    if not "".join(lines).strip():
        return 0, 0
    total = 0
    while True:
        for after in range(total + 1):
            first = start - (total - after)
            window = lines[first : end + after] if first >= 0 else []
            if "".join(window).strip():
                places = range(len(lines) - len(window) + 1)
                if sum(lines[at : at + len(window)] == window for at in places) == 1:
                    return total - after, min(after, len(lines) - end)
        total += 1


def merged(changes):
    out = []
    for new, old in changes:
        if out and new[0] - out[-1][0][1] <= 2 and old[0] - out[-1][1][1] <= 2:
            pairs = zip(out.pop(), (new, old))
            new, old = ((min(x[0], y[0]), max(x[1], y[1])) for x, y in pairs)
        out.append((new, old))
    return out


def main():
    for line in sys.stdin:
        job = json.loads(line)
        newer, older = job["newer"].split("\n"), job["older"].split("\n")
        fence = "```" + job["lang"] + "\n"
        lc, grown = [], []
        for (s, e), (t, u) in recorded(newer, older):
            lc.append(f"{s},{e}\n{fence}" + "\n".join(older[t:u]) + "\n```")
            up, down = growth(newer, s, e)
            grown.append(((s - up, e + down), (t - up, u + down)))
        sr = [
            fence + "\n".join(older[t:u]) + "\n<|search_and_replace|>\n" + "\n".join(newer[s:e]) + "\n```"
            for (s, e), (t, u) in merged(grown)
        ]
        print(json.dumps({"lc": "\n".join(lc), "sr": "\n".join(sr)}))


main()
