"""Opens a report of the lab in a browser and tries all that a person can do there.

    report_test.py REPORT.html [--pictures FOLDER]

Prints a line for every claim, `ok` or `failed`; ends with 1 if one failed.
"""

import base64
import json
import pathlib
import sys

from browser import Browser

TIMELINE = "document.querySelector('#timeline').innerHTML"
WORDS = "document.querySelector('#timeline-words').textContent"
failures = []


def claim(what, holds, evidence=""):
    print(("ok: " if holds else "failed: ") + what + ("" if holds else f" ({str(evidence)[:600]})"))
    if not holds:
        failures.append(what)


def choose(browser, name, place):
    browser.value(
        f"(() => {{ const picker = document.querySelector('#pick-{name}'); picker.selectedIndex = {place};"
        "picker.dispatchEvent(new Event('change', { bubbles: true })) })()")


def without_script(browser, url):
    browser.look(scripts=False)
    browser.open(url)
    figures = browser.value(
        "[...document.querySelectorAll('figure')].filter(f => !f.querySelector('details table tbody tr')).length")
    claim("every figure has its values as a table", figures == 0, figures)
    if not browser.value("document.querySelector('#timeline') !== null"):
        return None
    still, words = browser.value(TIMELINE), browser.value(WORDS)
    hidden = browser.value("getComputedStyle(document.querySelector('#pickers')).display")
    claim("without scripts the timeline is drawn and said", still.count("<path") >= 2 and "fetches" in words, words)
    claim("without scripts there is no picker that does nothing", hidden == "none", hidden)
    return still, words


def pickers(browser, still, words):
    claim("the script draws what was drawn without it", browser.value(TIMELINE) == still,
          difference(browser.value(TIMELINE), still))
    claim("the script says what was said without it", browser.value(WORDS) == words, browser.value(WORDS))
    policies = browser.value("document.querySelector('#pick-policy').options.length")
    sessions = browser.value("document.querySelector('#pick-session').options.length")
    seen = set()
    for place in range(policies):
        choose(browser, "policy", place)
        seen.add(browser.value(WORDS).split(", session")[0])
    claim("every policy can be picked", len(seen) == policies, seen)
    choose(browser, "policy", 0)
    if sessions > 1:
        before = browser.value(TIMELINE)
        choose(browser, "session", 1)
        claim("another session is another picture", browser.value(TIMELINE) != before)
        browser.value("document.querySelector('#timeline-figure').focus()")
        browser.press("ArrowLeft")
        claim("the arrow keys go back", browser.value(TIMELINE) == before, browser.value(WORDS))
    hash_before = browser.value("location.hash")
    claim("the address names the session", hash_before.startswith("#session="), hash_before)


def pointer(browser):
    browser.value("document.querySelector('#timeline').scrollIntoView({ behavior: 'instant', block: 'center' })")
    x, y = browser.value(
        "(() => { const r = document.querySelector('#timeline').getBoundingClientRect();"
        "return [r.left + r.width * 0.4, r.top + r.height * 0.3] })()")
    browser.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
    here = browser.value("document.querySelector('#timeline-here').textContent")
    claim("numbers stand under the pointer", here.startswith("At ") and "loaded" in here, here)


def tables(browser):
    column = ("[...document.querySelectorAll('#world-0 table.data')[0].querySelectorAll('tbody tr')]"
              ".map(r => r.children[1]?.dataset.v).filter(v => v !== undefined).map(Number)")
    button = "document.querySelectorAll('#world-0 table.data')[0].querySelectorAll('thead th button')[1]"
    browser.value(f"{button}.focus()")
    browser.press("Enter")
    up = browser.value(column)
    browser.value(f"{button}.click()")
    down = browser.value(column)
    claim("a table is sorted with the keyboard", up == sorted(up), up)
    claim("and the other way with the pointer", down == sorted(down, reverse=True), down)


def export(browser):
    text = browser.value("""new Promise(done => {
        const make = URL.createObjectURL;
        HTMLAnchorElement.prototype.click = function () {};
        URL.createObjectURL = blob => { blob.text().then(done); return make.call(URL, blob) };
        document.querySelector('#export').click();
    })""")
    data = json.loads(browser.value("document.querySelector('#data').textContent"))
    lines = text.count("\n")
    expected = 1 + sum(len(row[5]) for row in data["rows"]) * len(data["metrics"])
    claim("the sessions can be saved", text.startswith("run,source,workload,network,policy,"), text[:200])
    claim("every number of every session is saved", lines >= expected, (lines, expected))


def looks(browser, url, pictures):
    ground = "getComputedStyle(document.body).backgroundColor"
    grounds = {}
    for name, settings in {
        "light": {}, "dark": {"scheme": "dark"}, "narrow": {"width": 400}, "narrow-dark": {"width": 400, "scheme": "dark"},
    }.items():
        browser.look(**settings)
        browser.open(url)
        grounds[name] = browser.value(ground)
        wide = browser.value("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        claim(f"{name}: the page does not scroll sideways", wide <= 0, wide)
        if pictures:
            shot = browser.call("Page.captureScreenshot", captureBeyondViewport=True)["data"]
            (pictures / f"{name}.png").write_bytes(base64.b64decode(shot))
    claim("dark mode is dark", grounds["dark"] != grounds["light"], grounds)
    browser.look()
    browser.open(url)
    pdf = base64.b64decode(browser.call("Page.printToPDF", printBackground=True)["data"])
    claim("it prints", pdf.startswith(b"%PDF") and len(pdf) > 20_000, len(pdf))
    if pictures:
        (pictures / "print.pdf").write_bytes(pdf)


def difference(one, other):
    place = next((i for i, (a, b) in enumerate(zip(one, other)) if a != b), min(len(one), len(other)))
    return f"{one[max(0, place - 60):place + 60]} | {other[max(0, place - 60):place + 60]}"


def main():
    url = pathlib.Path(sys.argv[1]).resolve().as_uri()
    pictures = pathlib.Path(sys.argv[3]) if sys.argv[2:3] == ["--pictures"] else None
    with Browser() as browser:
        drawn = without_script(browser, url)
        browser.look()
        browser.open(url)
        if drawn:
            pickers(browser, *drawn)
            pointer(browser)
        tables(browser)
        export(browser)
        looks(browser, url, pictures)
        claim("nothing is wrong in the console and nothing is asked of a network", not browser.faults(), browser.faults())
    sys.exit(1 if failures else 0)


main()
