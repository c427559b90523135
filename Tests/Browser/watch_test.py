"""Tells `lookahead watch` of a run of many processes, and looks at its page in a browser: 10,000 partitions, workers, a gate.

    watch_test.py LOOKAHEAD [--pictures FOLDER]

Prints a line for every claim, `ok` or `failed`; ends with 1 if one failed.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from browser import Browser
from run_test import claim, failures, fits, looks, text, until

COUNT = 10_000
EVIL = "</script><b id=evil>"


class Teller:
    def __init__(self, process):
        self.process = process

    def __call__(self, *events):
        self.process.stdin.write("".join(json.dumps(event) + "\n" for event in events))
        self.process.stdin.flush()


def beginning(tell):
    tell(*({"id": f"rows-{n}", "source": "rows", "parameters": {"account": n}} for n in range(COUNT)))
    tell(*({"event": "ready", "worker": f"{n}.{n:04x}", "machine": f"node-{n % 3}"} for n in range(12)))
    tell({"event": "started", "id": "rows-0", "items": 0, "worker": "0.0000"}, {"event": "started", "id": "rows-1", "items": 0, "worker": "1.0001"})
    tell({"event": "progress", "worker": "0.0000", "pages": 3, "requests": 4, "retries": 1, "bytes": 2_000_000, "inFlight": 2, "silent": 40})
    tell({"event": "progress", "worker": "1.0001", "pages": 5, "requests": 6, "retries": 0, "bytes": 3_000_000, "inFlight": 3, "silent": 0})
    tell({"event": "gate", "host": "api.example", "granted": 9, "width": 10, "per": 1, "waiting": 4, "workers": 2})
    tell({"event": "log", "level": "warn", "message": EVIL})


def main():
    program = sys.argv[1]
    folder = pathlib.Path(sys.argv[sys.argv.index("--pictures") + 1]) if "--pictures" in sys.argv else None
    with tempfile.TemporaryDirectory() as work, Browser() as browser:
        process = subprocess.Popen(
            [program, "watch", "feed.lua", "--listen", "127.0.0.1:0", "--report", "run.html"],
            cwd=work, stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        tell = Teller(process)
        url = re.search(r"http://\S+", process.stderr.readline())[0]
        browser.look("light", 1280)
        browser.open(url)
        until(browser, "the page is there before anything is told", "document.querySelector('#headline').textContent.includes('items')")
        early = [fault for fault in browser.faults() if not fault.startswith(f"asked for {url}")]
        claim("without a fault", early == [], early)
        beginning(tell)
        until(browser, "the list goes on, and nothing is promised",
              "document.querySelector('#headline').textContent.includes('0 partitions, more are being listed')")
        claim("there is no way without an end", browser.value("document.querySelector('#way').hidden"))
        tell({"event": "listed"})
        tell(*({"event": "done", "id": f"rows-{n}", "items": 2, "isNew": True} for n in range(2, 5002)))
        until(browser, "all are known, and it counts down",
              "/10,000 items · 5,000 of 10,000 partitions, .* to go/.test(document.querySelector('#headline').textContent)")
        claim("the way says how far", browser.value("document.querySelector('#way').getAttribute('aria-valuenow')") == "50")
        until(browser, "a silent worker is among what is waited for", "document.querySelector('#waits').textContent.includes('0.0000 on node-0 has given no sign of life')")
        waits = text(browser, "#waits")
        claim("so is the gate, with its width", "4 requests of 2 workers wait for api.example: 9 permits count, 10 may in" in waits, waits)
        until(browser, "and so it is in the table", "document.querySelector('#workers-table').textContent.includes('silent for')")
        workers = text(browser, "#workers-table")
        claim("workers say where they are and what they do", "1.0001" in workers and "node-1" in workers, workers[:400])
        claim("the gate has a table", "10 in 1.00 s" in text(browser, "#gates-table"), text(browser, "#gates-table"))
        claim("the number of workers is at the top", "12" in text(browser, "#keys") and "on 3 machines" in text(browser, "#keys"), text(browser, "#keys"))
        claim("what processes elsewhere do not tell has no picture", browser.value("[...document.querySelectorAll('#chart-memory, #chart-latency, #pages')].every(n => n.offsetParent === null)"))
        claim("the grid has all of them", "5,000 done, 2 being read, 0 failed, 4,998 waiting" in text(browser, "#partitions-aid"), text(browser, "#partitions-aid"))
        size = browser.value("(() => { const area = document.querySelector('#grid svg').getBoundingClientRect(); return [area.width, area.height]; })()")
        claim("and is no higher than a screen", size[1] <= 720, size)
        browser.value("document.querySelector('#grid').focus()")
        browser.press("ArrowRight")
        claim("arrow keys read it", "rows {\"account\":1}: being read" in text(browser, "#partition-here") or "rows" in text(browser, "#partition-here"), text(browser, "#partition-here"))
        looks(browser, folder, "watch", lambda: until(browser, "still live", "document.querySelectorAll('#keys dl').length === 6"))

        browser.look("light", 1280)
        tell({"event": "gone", "worker": "0.0000", "reason": "it was killed by SIGKILL"}, {"event": "started", "id": "rows-0", "items": 1, "worker": "1.0001"})
        tell({"event": "failed", "id": "rows-1", "code": "script", "message": "feed.lua:7: no items"})
        until(browser, "what was lost is said", "document.querySelector('#health').textContent.includes('1 worker was lost, 1 partition was begun again, 1 partition failed')")
        claim("with its reason", "it was killed by SIGKILL" in text(browser, "#workers-table"))
        claim("errors are told by line", "feed.lua:7" in text(browser, "#faults-table"), text(browser, "#faults-table"))
        claim("texts stay texts", browser.value("document.querySelector('#evil') === null") and EVIL in text(browser, "#log-lines"))
        tell(*({"event": "done", "id": f"rows-{n}", "items": 2, "isNew": True} for n in [0, *range(5002, COUNT)]))
        tell({"event": "over", "exitCode": 1, "message": "1 partition failed"})
        until(browser, "the page says that the run has ended", "document.querySelector('#notice').textContent.includes('has ended')")
        claim("and how", text(browser, "#state") == "failed" and "1 partition failed" in text(browser, "#health"), text(browser, "#health"))
        code = process.wait(30)
        claim("the process has ended well", code == 0, code)
        faults = [fault for fault in browser.faults() if not fault.startswith(f"asked for {url}")]
        claim("no error and no request elsewhere", faults == [], faults)

        report = pathlib.Path(work, "run.html")
        claim("the report is below a megabyte", report.stat().st_size < 1_000_000, report.stat().st_size)
        browser.events.clear()
        browser.open(report.as_uri())
        claim("the report says how it ended", text(browser, "#state") == "failed" and "19,998 items in" in text(browser, "#headline"), text(browser, "#headline"))
        claim("and has the grid", "9,999 of 10,000 partitions: 9,999 done, 0 being read, 1 failed" in text(browser, "#partitions-aid"), text(browser, "#partitions-aid"))
        for width in [1280, 390]:
            browser.look("dark", width)
            browser.open(report.as_uri())
            fits(browser, f"report, {width} px")
        claim("the report asks nobody and has no error", browser.faults() == [], browser.faults())
    return 1 if failures else 0


if __name__ == "__main__":
    os.environ.pop("LOOKAHEAD_LISTEN", None)
    sys.exit(main())
