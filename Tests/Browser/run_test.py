"""Runs a script, opens its live page in a browser while it goes on, and the page that is left of it.

    run_test.py LOOKAHEAD BASE [--pictures FOLDER]

BASE is that of a fault server. Prints a line for every claim, `ok` or `failed`; ends with 1 if one failed.
"""

import base64
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request

from browser import Browser

SECRET = "hunter22-open-sesame"
SCRIPT = """
local p = lookahead.parameters { base = { required = true }, key = { secret = true, default = "" } }
local things = lookahead.source { name = "things", keys = "page", pageSize = 20 }
function things.fetch(context)
  local page = lookahead.http.get(p.base .. "/items", {
    query = { page = context.key, per_page = context.size, group = context.parameters.group, api_key = p.key } }):json()
  for _, item in ipairs(page.items) do
    item.id = context.parameters.group .. "-" .. item.id
    item.note = "</script><b id=evil>" .. utf8.char(0x2028) .. " " .. p.key
  end
  if context.key == 1 then lookahead.log.info("a group begins", { group = context.parameters.group }) end
  return { items = page.items, total = page.total }
end
local groups = {}
for number = 1, 120 do groups[number] = number end
return things:partitions(groups, function(number) return { group = number } end)
"""
failures = []


def claim(what, holds, evidence=""):
    print(("ok: " if holds else "failed: ") + what + ("" if holds else f" ({str(evidence)[:600]})"))
    if not holds:
        failures.append(what)


def text(browser, query):
    return browser.value(f"(document.querySelector({query!r}) ?? {{}}).textContent ?? ''")


def until(browser, what, expression, seconds=30):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if browser.value(expression):
            return claim(what, True)
        # The browser goes on meanwhile: this waits for its next frame.
        browser.value("new Promise(frame => setTimeout(frame, 50))")
    claim(what, False, browser.value("document.body.innerText.slice(0, 600)"))


def picture(browser, folder, name):
    if not folder:
        return
    size = browser.value("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]")
    shot = browser.call("Page.captureScreenshot", format="png", captureBeyondViewport=True,
                        clip={"x": 0, "y": 0, "width": size[0], "height": min(size[1], 6000), "scale": 1})
    (folder / f"{name}.png").write_bytes(base64.b64decode(shot["data"]))


def fits(browser, name):
    width = browser.value("[document.documentElement.scrollWidth, innerWidth]")
    claim(f"{name}: nothing is wider than the screen", width[0] <= width[1], width)
    small = browser.value(
        "[...document.querySelectorAll('main *, header *')].filter(n => n.childElementCount === 0 && n.textContent.trim()"
        " && parseFloat(getComputedStyle(n).fontSize) < 11.5).map(n => n.outerHTML.slice(0, 80)).slice(0, 5)")
    claim(f"{name}: no text is too small to read", small == [], small)


def contents(browser, name):
    claim(f"{name}: the rows are texts", browser.value("document.querySelector('#evil') === null"))
    rows = text(browser, "#streams-list")
    claim(f"{name}: the rows are there", "</script><b id=evil>" in rows, rows[:300])
    claim(f"{name}: no secret", SECRET not in browser.value("document.documentElement.outerHTML"))
    claim(f"{name}: requests that went wrong name their line",
          re.search(r"feed\.lua:\d+", text(browser, "#faults")), text(browser, "#faults")[:300])
    claim(f"{name}: partitions are a grid with all of them",
          browser.value("document.querySelectorAll('#grid path').length === 4") and "have begun" in text(browser, "#partitions-aid"))
    claim(f"{name}: hosts have their gate", "127.0.0.1" in text(browser, "#hosts-table"), text(browser, "#hosts-table"))
    claim(f"{name}: decisions have reasons", browser.value("document.querySelectorAll('#reasons-table tbody tr').length > 0"))
    page = text(browser, "#decisions-table")
    claim(f"{name}: decisions are told one by one", "append" in page and not re.search("undefined|NaN", page), page[:300])
    claim(f"{name}: pages are bars", browser.value("document.querySelectorAll('#timeline-pages rect.page').length > 20"))


def by_keyboard(browser, name):
    browser.value("document.querySelector('#chart-items').focus()")
    browser.press("ArrowRight")
    browser.press("ArrowRight")
    here = text(browser, "#chart-items .aid")
    claim(f"{name}: arrow keys read the charts", here.startswith("at "), here)
    browser.value("document.querySelector('#timeline-pages').focus()")
    browser.press("ArrowLeft")
    claim(f"{name}: arrow keys read the pages", text(browser, "#page-here").startswith("page "), text(browser, "#page-here"))
    browser.value("document.querySelector('#grid').focus()")
    browser.press("ArrowRight")
    browser.press("ArrowRight")
    claim(f"{name}: arrow keys read the partitions", "group" in text(browser, "#partition-here"), text(browser, "#partition-here"))
    reached = browser.value(
        "[...document.querySelectorAll('button, a, [tabindex]')].filter(n => n.offsetParent && n.tabIndex < 0).length")
    claim(f"{name}: all that can be used is reached by Tab", reached == 0, reached)


def looks(browser, folder, name, open_page):
    for scheme in ["light", "dark"]:
        for width in [1280, 390]:
            browser.look(scheme, width)
            open_page()
            browser.value("new Promise(frame => requestAnimationFrame(() => requestAnimationFrame(frame)))")
            fits(browser, f"{name}, {scheme}, {width} px")
            picture(browser, folder, f"{name}-{scheme}-{width}")


def main():
    program, base = sys.argv[1], sys.argv[2]
    folder = pathlib.Path(sys.argv[sys.argv.index("--pictures") + 1]) if "--pictures" in sys.argv else None
    with tempfile.TemporaryDirectory() as work, Browser() as browser:
        pathlib.Path(work, "feed.lua").write_text(SCRIPT)
        run = subprocess.Popen(
            [program, "run", "feed.lua", "-o", "out.ndjson", "-e", f"base={base}", "--secret", f"key={SECRET}", "--allow-net",
             "-j", "8", "--listen", "127.0.0.1:0", "--report", "run.html"],
            cwd=work, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, text=True)
        said = run.stderr.readline()
        while said and "http://" not in said:
            said = run.stderr.readline()
        url = re.search(r"http://\S+", said)[0]
        browser.look("light", 1280)
        browser.open(url)
        until(browser, "the page is told the state", "document.querySelector('#headline').textContent.includes('items')")
        until(browser, "items come", "Number(document.querySelector('#headline').textContent.replace(/[ ,].*/, '').replaceAll(',', '')) > 0")
        until(browser, "faults are told", "!document.querySelector('#faults').hidden", 40)
        first = text(browser, "#headline")
        until(browser, "it changes by itself", f"document.querySelector('#headline').textContent !== {first!r}")
        claim("it says what waits for what", browser.value("document.querySelectorAll('#waits li').length > 0"))
        contents(browser, "live")
        by_keyboard(browser, "live")
        looks(browser, folder, "live", lambda: until(browser, "still live", "document.querySelectorAll('#keys dl').length === 6"))
        metrics = urllib.request.urlopen(url + "metrics").read().decode()
        claim("metrics have no secret", SECRET not in metrics and "lookahead_items_total" in metrics)
        claim("the state has no secret", SECRET not in urllib.request.urlopen(url + "state.json").read().decode())
        run.send_signal(signal.SIGINT)
        run.stderr.read()
        code = run.wait(30)
        claim("an interrupted run ends as without a page", code == 130, code)
        until(browser, "the page says that the run has ended", "document.querySelector('#notice').textContent.includes('has ended')")
        claim("and how", text(browser, "#state") == "interrupted", text(browser, "#state"))
        faults = [fault for fault in browser.faults() if not fault.startswith(f"asked for {url}")]
        claim("no error and no request elsewhere", faults == [], faults)

        report = pathlib.Path(work, "run.html")
        size = report.stat().st_size
        claim("the report is below a megabyte", size < 1_000_000, size)
        browser.events.clear()
        browser.look("light", 1280)
        browser.open(report.as_uri())
        claim("the report says how the run ended", text(browser, "#state") == "interrupted", text(browser, "#state"))
        claim("the report has the headline", "items in" in text(browser, "#headline"), text(browser, "#headline"))
        contents(browser, "report")
        by_keyboard(browser, "report")
        looks(browser, folder, "report", lambda: browser.open(report.as_uri()))
        claim("the report asks nobody and has no error", browser.faults() == [], browser.faults())
    return 1 if failures else 0


if __name__ == "__main__":
    os.environ.pop("LOOKAHEAD_LISTEN", None)
    sys.exit(main())
