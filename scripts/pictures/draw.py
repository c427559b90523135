#!/usr/bin/env python3
"""Draws the pictures of the README from what the program shows today: draw.py [--program PATH] [--terminals] [FOLDER]

run.svg, get.svg and browse.svg are the cells of a real terminal (tmux), drawn one by one; lab.png is the report of the lab in a
real browser (chromium), which --terminals leaves out. `get` is shown against a server of this script, whose port is drawn as 8000.
"""

import argparse
import html
import http.server
import json
import os
import pathlib
import re
import shutil
import sqlite3
import subprocess
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
COLUMNS = 84
CELL, LINE, MARGIN = 8.4, 19, 14
PALETTE = ["#3b4252", "#bf616a", "#a3be8c", "#ebcb8b", "#81a1c1", "#b48ead", "#88c0d0", "#d8dee9",
           "#6b7689", "#d08770", "#b5d19c", "#f0d9a0", "#9ab8d6", "#c8a2c8", "#a0d4e0", "#ffffff"]
# Blanks that no reader of SVG joins.
BLANK = "\u00a0"
GROUND, INK = "#1f242d", "#d8dee9"


class Zones(http.server.BaseHTTPRequestHandler):
    """The zones of scripts/data/zones.db, 50 to a page, each page with a link to the next."""

    def do_GET(self):
        path, _, query = self.path.partition("?")
        start = int(re.search(r"start=(\d+)", query)[1]) if "start=" in query else 0
        with sqlite3.connect(f"file:{ROOT}/scripts/data/zones.db?mode=ro", uri=True) as database:
            rows = database.execute("select name, country, latitude, longitude from zones order by name").fetchall()
        items = [dict(zip(("name", "country", "latitude", "longitude"), row)) for row in rows[start:start + 50]]
        more = f"{path}?start={start + 50}" if start + 50 < len(rows) else None
        body = json.dumps({"count": len(rows), "results": items, "next": more}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Terminal:
    """A terminal of tmux with a shell in which lookahead is the program, in the checkout or in a folder of its own."""

    def __init__(self, program, rows, apart=False):
        self.folder = tempfile.TemporaryDirectory()
        pathlib.Path(self.folder.name, "lookahead").symlink_to(program)
        self.name = f"pictures-{os.getpid()}"
        self.rows = rows
        self.tmux("-u", "new-session", "-d", "-x", str(COLUMNS), "-y", str(rows), "/bin/sh")
        self.type(f"PS1='$ ' && PATH='{self.folder.name}':$PATH && cd '{self.folder.name if apart else ROOT}' && clear")
        self.wait(r"\A\$\s*\Z")

    def tmux(self, *words):
        environment = {key: value for key, value in os.environ.items() if not key.startswith("LOOKAHEAD_")}
        environment.update(LC_ALL="C.UTF-8", TERM="xterm-256color")
        return subprocess.run(["tmux", "-L", self.name, "-f", "/dev/null", *words], check=True, text=True,
                              env=environment, stdout=subprocess.PIPE).stdout

    def type(self, line):
        self.tmux("send-keys", "-l", line)
        self.tmux("send-keys", "Enter")

    def press(self, *keys):
        self.tmux("send-keys", *keys)

    def wait(self, text):
        """The screen with its colours, once it has the text and stands still."""
        before = None
        for _ in range(600):
            plain = self.tmux("capture-pane", "-p")
            if re.search(text, plain) and plain == before:
                return self.tmux("capture-pane", "-p", "-e")
            before = plain
            time.sleep(0.05)
        raise SystemExit(f"draw.py: the terminal never showed {text!r}:\n{before}")

    def close(self):
        self.tmux("kill-server")
        self.folder.cleanup()


def looks(codes, look):
    """What a sequence of colours makes of a look: (ink, ground, bold, dim, underlined, reversed)."""
    ink, ground, bold, dim, under, turned = look
    codes = [int(code or 0) for code in codes.split(";")]
    while codes:
        code = codes.pop(0)
        if code == 0:
            ink, ground, bold, dim, under, turned = None, None, False, False, False, False
        elif code in (1, 2, 4, 7):
            bold, dim, under, turned = bold or code == 1, dim or code == 2, under or code == 4, turned or code == 7
        elif code in (22, 24, 27):
            bold, dim = (False, False) if code == 22 else (bold, dim)
            under, turned = under and code != 24, turned and code != 27
        elif 30 <= code <= 37 or 90 <= code <= 97:
            ink = PALETTE[code - 30 if code < 90 else code - 82]
        elif 40 <= code <= 47 or 100 <= code <= 107:
            ground = PALETTE[code - 40 if code < 100 else code - 92]
        elif code in (39, 49):
            ink, ground = (None, ground) if code == 39 else (ink, None)
        elif code in (38, 48):
            kind, colour = codes.pop(0), None
            if kind == 5:
                number = codes.pop(0)
                if number < 16:
                    colour = PALETTE[number]
                elif number < 232:
                    colour = "#" + "".join(f"{[0, 95, 135, 175, 215, 255][(number - 16) // step % 6]:02x}"
                                           for step in (36, 6, 1))
                else:
                    colour = "#" + f"{8 + 10 * (number - 232):02x}" * 3
            else:
                colour = "#" + "".join(f"{codes.pop(0):02x}" for _ in range(3))
            ink, ground = (colour, ground) if code == 38 else (ink, colour)
    return ink, ground, bold, dim, under, turned


def runs(line, look):
    """The runs of a line that look alike: (column, text, look), and the look behind it."""
    found, column = [], 0
    for part in re.split(r"(\x1b\[[0-9;]*m|\x1b\(B|\x0f)", line):
        if part.startswith("\x1b["):
            look = looks(part[2:-1], look)
        elif part and part[0] not in "\x1b\x0f":
            found.append((column, part, look))
            column += len(part)
    return found, look


def svg(screen, title):
    """A screen as a drawing."""
    lines = screen.rstrip("\n").split("\n")
    width, height = COLUMNS * CELL + 2 * MARGIN, len(lines) * LINE + 2 * MARGIN
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" role="img">',
           f"<title>{html.escape(title)}</title>",
           f'<rect width="100%" height="100%" rx="8" fill="{GROUND}"/>',
           f'<g font-family="ui-monospace,Menlo,Consolas,\'DejaVu Sans Mono\',monospace" font-size="14" fill="{INK}">']
    look = (None, None, False, False, False, False)
    for row, line in enumerate(lines):
        top = MARGIN + row * LINE
        found, look = runs(line, look)
        texts = []
        for column, text, (ink, ground, bold, dim, under, turned) in found:
            if turned:
                ink, ground = ground or GROUND, ink or INK
            left, wide = MARGIN + column * CELL, len(text) * CELL
            if ground:
                out.append(f'<rect x="{left:g}" y="{top}" width="{wide:g}" height="{LINE}" fill="{ground}"/>')
            if text.strip():
                bare = text.rstrip(" ")
                words = html.escape(bare).replace(" ", BLANK)
                style = "".join([f' fill="{ink}"' if ink else "", ' font-weight="bold"' if bold else "",
                                 ' opacity=".6"' if dim else "", ' text-decoration="underline"' if under else ""])
                texts.append(f'<tspan x="{left:g}" textLength="{len(bare) * CELL:g}"{style}>{words}</tspan>')
        if texts:
            out.append(f'<text y="{top + 14}">{"".join(texts)}</text>')
    return "\n".join(out + ["</g>", "</svg>"]) + "\n"


def draw_run(program):
    terminal = Terminal(program, 14)
    try:
        terminal.type("lookahead run scripts/quickstart.lua --preview=5")
        terminal.wait(r"items/s\)\n\$")
        terminal.type(f"lookahead run scripts/quickstart.lua -o {terminal.folder.name}/zones.csv")
        screen = terminal.wait(r"(?s)items/s\).*items/s\)\n\$")
        return svg(screen.replace(f"{terminal.folder.name}/", ""), "lookahead run")
    finally:
        terminal.close()


def draw_get(program):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Zones)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    terminal = Terminal(program, 9, apart=True)
    try:
        terminal.type(f"lookahead get http://127.0.0.1:{server.server_port}/zones -o zones.csv")
        terminal.wait(r"items/s\)\n\$")
        terminal.type("head -n 4 zones.csv")
        screen = terminal.wait("Bissau")
        return svg(screen.replace(f":{server.server_port}/", ":8000/"), "lookahead get")
    finally:
        terminal.close()
        server.shutdown()


def draw_browse(program):
    terminal = Terminal(program, 18)
    try:
        terminal.type("lookahead browse scripts/quickstart.lua")
        terminal.wait("Abidjan")
        terminal.press("Down", "Down", "Down")
        terminal.wait("zones 4 of")
        terminal.press("t")
        return svg(terminal.wait("zones 4 of"), "lookahead browse")
    finally:
        terminal.close()


def draw_lab(program, target):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([program, "lab", "scripts/policies/remaining_time.lua", "--policy", "leadingScreens(2)",
                        "--policy", "onDemand", "--sessions", "40", "-o", "/dev/null", "--quiet",
                        "--report", f"{folder}/lab.html"], check=True, cwd=ROOT)
        subprocess.run(["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
                        "--virtual-time-budget=2000", "--window-size=1200,1130",
                        "--force-device-scale-factor=0.75", f"--user-data-dir={folder}/browser",
                        f"--screenshot={target}", f"file://{folder}/lab.html"],
                       check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default=str(ROOT / ".build/release/lookahead"))
    parser.add_argument("--terminals", action="store_true", help="leave out what needs a browser")
    parser.add_argument("folder", nargs="?", default=str(ROOT / "scripts/pictures"))
    given = parser.parse_args()
    folder = pathlib.Path(given.folder)
    for name, draw in (("run", draw_run), ("get", draw_get), ("browse", draw_browse)):
        (folder / f"{name}.svg").write_text(draw(given.program))
    if not given.terminals and shutil.which("chromium"):
        draw_lab(given.program, folder / "lab.png")


main()
