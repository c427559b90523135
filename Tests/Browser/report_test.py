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
    choose(browser, "session", 0)
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
    # The pointer is told to what lies under it: a busy browser takes its own time with a mouse's moves, or drops them.
    here = browser.value("""(() => {
        const timeline = document.querySelector('#timeline');
        timeline.scrollIntoView({ behavior: 'instant', block: 'center' });
        const r = timeline.getBoundingClientRect(), [x, y] = [r.left + r.width * 0.4, r.top + r.height * 0.3];
        document.elementFromPoint(x, y).dispatchEvent(
            new PointerEvent('pointermove', { bubbles: true, clientX: x, clientY: y }));
        return document.querySelector('#timeline-here').textContent;
    })()""")
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


# Every mark of a picture with the numbers of its row in the table beside it, and the ticks of the axes: a mark must lie
# between the ticks that its number lies between, whatever the scale.
MARKS = """(() => {
  const number = text => Number(text.trim().split(' ')[0].replace('−', '-').replace('+', ''));
  const ticks = (svg, anchor, side) => [...svg.querySelectorAll(`text[text-anchor=${anchor}]`)]
    .filter(t => !t.classList.contains('unit') && !t.classList.contains('name'))
    .map(t => [number(t.textContent), parseFloat(t.getAttribute(side)) - (side === 'y' ? 4 : 0)]);
  const titled = title => [...document.querySelectorAll('#world-0 figure')].find(f => f.querySelector('h3').textContent.startsWith(title));
  const rows = figure => Object.fromEntries([...figure.querySelectorAll('details:last-of-type tbody tr')]
    .map(r => [r.children[0].textContent, [...r.children].map(c => number(c.textContent))]));
  const found = [], wrong = [1, -1000, [[0, 0]], 1];
  const pareto = titled('Stall against waste');
  for (const whisker of pareto?.querySelectorAll('.whisker') ?? []) {
    const [, left, y, right, x, top, bottom] = /^M(.*) (.*)H(.*)M(.*) (.*)V(.*)$/.exec(whisker.getAttribute('d')).map(Number);
    const row = rows(pareto)[whisker.parentElement.querySelector('title').textContent.split(': stall')[0]];
    const svg = whisker.ownerSVGElement;
    found.push(['waste', row[3], x, ticks(svg, 'middle', 'x'), 1], ['stall', row[1], y, ticks(svg, 'end', 'y'), -1]);
    const point = whisker.parentElement.querySelector('.point').getBBox();
    if (Math.hypot(point.x + point.width / 2 - x, point.y + point.height / 2 - y) > 3) found.push(['a point beside its interval', ...wrong]);
    if (!(left <= x && x <= right)) found.push(['an interval beside its mark', ...wrong]);
  }
  for (const title of ['Difference in stall', 'Difference in cost', 'Difference in waste']) {
    const forest = titled(title), scale = forest && ticks(forest.querySelector('.scale svg'), 'middle', 'x');
    for (const line of forest?.querySelectorAll('.row') ?? []) {
      const row = rows(forest)[line.querySelector('.name').textContent], at = line.querySelector('.estimate')?.parentElement;
      if (at) found.push([title, row[2], parseFloat(at.getAttribute('x')), scale, 1]);
      const said = number(line.querySelector('.words b').textContent);
      if (said !== row[2]) found.push([`${title} in words: ${said} and ${row[2]}`, ...wrong]);
    }
  }
  const axis = document.querySelector('#timeline');
  for (const bar of axis?.querySelectorAll('.stall') ?? []) {
    const start = number(bar.textContent.split('from ')[1]);
    found.push(['stall of the timeline', start, Number(bar.getAttribute('x')), ticks(axis, 'middle', 'x'), 1]);
  }
  return found;
})()"""


def marks(browser):
    wrong, count = [], 0
    for what, value, place, ticks, way in browser.value(MARKS):
        for tick, position in ticks:
            count += 1
            tolerance = abs(tick) * 1e-3 + 5e-4
            if value < tick - tolerance and way * place > way * position + 0.7:
                wrong.append((what, value, place, tick, position))
            if value > tick + tolerance and way * place < way * position - 0.7:
                wrong.append((what, value, place, tick, position))
    claim("every mark lies where the table says", not wrong, wrong)
    verdicts = browser.value("""[...document.querySelectorAll('#world-0 .forest .row')].map(row => [
        row.className, row.querySelector('.words').textContent, row.closest('figure').querySelector('h3').textContent])""")
    opposite = [
        (look, words) for look, words, title in verdicts
        if ("better" in look and not words.startswith("−")) or ("worse" in look and not words.startswith("+"))
        or ("better" in look) != words.endswith("better") or ("worse" in look) != words.endswith("worse")]
    claim("no verdict's colour says the opposite", not opposite, opposite)
    return count


def headline(browser):
    keys = browser.value("""[...document.querySelectorAll('.keys dl')].map(l => [
        l.querySelector('dt').textContent, l.querySelector('b').textContent])""")
    # Of several parts (a holdout) the headline is about the last.
    table = browser.value("""Object.fromEntries([...document.querySelectorAll('#world-0 > .scroll > table.summary tbody tr')].map(r => [
        r.children[0].textContent.replace(/ \\((baseline|dropped|oracle).*\\)$/, ''),
        Object.fromEntries([...r.children].map(c => [c.dataset.t, c.textContent]))]))""")
    wrong = []
    for title, number in keys:
        metric, policy = title.split(" of ", 1)
        cells = table.get(policy, {})
        cell = next((text for name, text in cells.items() if name.split(" ")[0] == metric), None)
        # A metric that is zero in every row has no column.
        if (cell or "0").split(" ")[0] not in (number, "0"):
            wrong.append((title, number, cell))
    claim("the numbers beside the headline are the table's", not wrong, wrong)


def structure(browser):
    levels = browser.value("[...document.querySelectorAll('h1,h2,h3')].map(h => Number(h.tagName[1]))")
    claim("headings go down one by one", levels[:1] == [1] and all(b - a <= 1 for a, b in zip(levels, levels[1:])), levels)
    heads = browser.value("[...document.querySelectorAll('th')].filter(h => !['col', 'row'].includes(h.scope)).length")
    claim("every heading of a table says what it heads", heads == 0, heads)
    summary = "document.querySelector('figure details > summary')"
    browser.value(f"{summary}.focus()")
    focused = browser.value(f"document.activeElement === {summary}")
    browser.press("Enter")
    claim("a fold opens with the keyboard", focused and browser.value(f"{summary}.parentElement.open"))


def cards(browser, url):
    """What a screen reader is told of the cards that tables become."""
    browser.look(width=390)
    browser.open(url)
    browser.call("Accessibility.enable")
    nodes = browser.call("Accessibility.getFullAXTree")["nodes"]
    roles = [node.get("role", {}).get("value") for node in nodes if not node.get("ignored")]
    rows = browser.value("[...document.querySelectorAll('table.data tbody tr')].filter(r => r.checkVisibility()).length")
    browser.call("Accessibility.disable")
    claim("cards are still rows of a table", roles.count("row") >= rows > 0 and roles.count("rowheader") >= rows,
          (rows, roles.count("row"), roles.count("rowheader")))


def zoom(browser):
    if browser.value("document.querySelector('#zoom')?.disabled ?? true"):
        return
    before = browser.value(TIMELINE)
    browser.value("document.querySelector('#timeline-figure').focus()")
    browser.press("Enter")
    whole = browser.value(TIMELINE)
    browser.value("document.querySelector('#zoom').click()")
    claim("the timeline opens on a stall and shows the whole session on demand",
          before != whole and browser.value(TIMELINE) == before and "class=\"stall\"" in before)


def looks(browser, url, pictures):
    ground = "getComputedStyle(document.body).backgroundColor"
    grounds = {}
    for name, settings in {
        "light": {"width": 1280}, "dark": {"width": 1280, "scheme": "dark"}, "narrow": {"width": 390},
        "narrow-dark": {"width": 390, "scheme": "dark"},
    }.items():
        browser.look(**settings)
        browser.open(url)
        grounds[name] = browser.value(ground)
        wide = browser.value("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        claim(f"{name}: the page does not scroll sideways", wide <= 0, wide)
        browser.value("document.querySelectorAll('details').forEach(fold => fold.open = true)")
        cut = browser.value("[...document.querySelectorAll('.scroll, .picture')].filter(e => e.clientWidth > 0 "
                            "&& e.scrollWidth > e.clientWidth + 1).map(e => e.textContent.slice(0, 60))")
        claim(f"{name}: no table and no picture is cut", not cut, cut)
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
        counts = marks(browser)
        print(f"ok: {counts} places of marks")
        headline(browser)
        if drawn:
            zoom(browser)
            pickers(browser, *drawn)
            pointer(browser)
        tables(browser)
        structure(browser)
        cards(browser, url)
        browser.look()
        browser.open(url)
        export(browser)
        looks(browser, url, pictures)
        claim("nothing is wrong in the console and nothing is asked of a network", not browser.faults(), browser.faults())
    sys.exit(1 if failures else 0)


main()
