"use strict";
(() => {
  const one = (query, from = document) => from.querySelector(query);
  const all = (query, from = document) => [...from.querySelectorAll(query)];
  // Everything foreign becomes text of a node or an attribute, never markup.
  const make = (space, name, attributes, children) => {
    const node = space ? document.createElementNS("http://www.w3.org/2000/svg", name) : document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) if (value !== undefined && value !== false) node.setAttribute(key, value === true ? "" : value);
    node.append(...children.filter(child => child !== null && child !== undefined && child !== false));
    return node;
  };
  const html = (name, attributes = {}, ...children) => make(false, name, attributes, children);
  const svg = (name, attributes = {}, ...children) => make(true, name, attributes, children);
  const set = (query, ...children) => one(query).replaceChildren(...children.filter(child => child));

  // Numbers for people, as the program writes them.
  const count = value => Math.round(value).toString().replace(/\B(?=(\d{3})+$)/g, ",");
  const many = (value, name, names = name + "s") => `${count(value)} ${value === 1 ? name : names}`;
  const bytes = value => {
    let unit = 0;
    for (; value >= 1000 && unit < 4; unit++) value /= 1000;
    return `${unit ? value.toFixed(1) : value} ${["B", "kB", "MB", "GB", "TB"][unit]}`;
  };
  const span = seconds => seconds < 0.0995 ? `${(seconds * 1000).toFixed(seconds < 0.00995 ? 1 : 0)} ms` : seconds < 10 ? `${seconds.toFixed(2)} s`
    : seconds < 60 ? `${Math.round(seconds)} s` : seconds < 3600 ? `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`
    : `${Math.floor(seconds / 3600)} h ${Math.floor(seconds % 3600 / 60)} min`;
  const short = value => value >= 1e9 ? `${+(value / 1e9).toPrecision(3)}G` : value >= 1e6 ? `${+(value / 1e6).toPrecision(3)}M`
    : value >= 1e4 ? `${+(value / 1e3).toPrecision(3)}k` : `${+value.toPrecision(3)}`;
  const clock = seconds => seconds > 0 && seconds < 0.9995 ? `${+(seconds * 1000).toPrecision(3)} ms`
    : seconds < 100 ? `${+seconds.toFixed(seconds < 10 ? 2 : 1)} s` : seconds < 3600
    ? `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`
    : `${Math.floor(seconds / 3600)}:${String(Math.floor(seconds % 3600 / 60)).padStart(2, "0")} h`;
  const rate = value => value >= 100 || value === 0 ? count(value) : String(+value.toPrecision(2));

  const isLive = document.body.dataset.live === "yes";
  let data, heardAt = 0, ending = "", cursor = null, chosen = null, extent = "auto";
  const isOver = () => data.run.exitCode !== undefined;
  // The run's clock goes on between two words of it.
  const now = () => data.now + (isLive && !ending && !isOver() ? (performance.now() - heardAt) / 1000 : 0);

  // The spans of the run's time as objects.
  const spans = () => data.buckets.rows.map((row, place) =>
    Object.fromEntries([["start", place * data.buckets.width], ...data.buckets.columns.map((name, column) => [name, row[column]])]));
  const recent = (name, seconds) => {
    const width = data.buckets.width, list = spans();
    const kept = list.filter(part => part.start + width > data.now - seconds);
    if (!kept.length) return 0;
    return kept.reduce((sum, part) => sum + part[name], 0) / Math.max(width / 2, Math.min(data.now - kept[0].start, seconds + width));
  };
  const itemRate = () => isOver() || data.now < 5 ? data.totals.items / Math.max(data.now, 0.001) : recent("items", 5);

  // What a person asks first.
  const waits = () => {
    const found = [], waiting = data.waits, time = now();
    for (const host of data.hosts) {
      if (host.closedUntil > time)
        found.push(["warn", `${host.name} has asked everybody to wait: ${span(host.closedUntil - time)} are left` + (host.waiting ? `, ${many(host.waiting, "request waits", "requests wait")}` : "")]);
      else if (host.waiting && host.nextSend > time) found.push(["", `${many(host.waiting, "request waits", "requests wait")} for ${host.name}: the next one may go in ${span(host.nextSend - time)}`]);
      else if (host.waiting) found.push(["", `${many(host.waiting, "request waits", "requests wait")} for a place at ${host.name}: ${host.inFlight} of ${host.limit} are in flight`]);
      if (host.trouble) found.push(["bad", `${host.name}: ${host.trouble}`]);
    }
    if (waiting.output) found.push([time - waiting.output.since > 2 ? "warn" : "", `the run waits for its output, since ${span(time - waiting.output.since)}`]);
    if (waiting.request) found.push(["", `${many(waiting.request.count, "request is", "requests are")} under way, the oldest since ${span(time - waiting.request.since)}`]);
    if (waiting.partition) found.push(["", `${many(waiting.partition.count, "partition is", "partitions are")} read by other threads`]);
    if (waiting.sleep) found.push(["", `the script sleeps, for ${span(Math.max(0, waiting.sleep.until - time))} more`]);
    for (const kind of ["a database", "a file", "a file to write", "a step", "beginning"])
      if (waiting[kind]) found.push(["", `the script waits for ${kind === "beginning" ? "the output to say how far it was" : kind}, since ${span(time - waiting[kind].since)}`]);
    if (data.workers) found.push(...workerWaits(time));
    if (!found.length) found.push(["", waiting.page ? `a page of ${data.sources[waiting.page.source]} is being made by the script, since ${span(time - waiting.page.since)}` : "nothing: the script computes"]);
    return found;
  };
  // What is known of a run that several processes do.
  const workerWaits = time => {
    const found = [];
    for (const gate of data.workers.gates) {
      if (gate.closedUntil > time) found.push(["warn", `${gate.host} has asked everybody to wait: ${span(gate.closedUntil - time)} are left` + (gate.waiting ? `, ${many(gate.waiting, "request waits", "requests wait")}` : "")]);
      else if (gate.waiting) found.push(["", `${many(gate.waiting, "request", "requests")} of ${many(gate.workers, "worker")} ${gate.waiting === 1 ? "waits" : "wait"} for ${gate.host}`
        + (gate.width ? `: ${count(gate.granted)} permits count, ${count(gate.width)} may in ${span(gate.seconds)}` : "")]);
    }
    for (const worker of data.workers.list) if (!worker.reason && worker.reading && time - worker.heardAt > 5)
      found.push(["warn", `${worker.name}${worker.machine && ` on ${worker.machine}`} has given no sign of life for ${span(time - worker.heardAt)}: it reads ${many(worker.reading, "partition")}`]);
    if (!found.length) {
      const [reading, , , waiting] = data.partitions.counts, list = data.totals.partitions;
      found.push(["", reading ? `nothing: ${many(reading, "partition is", "partitions are")} read by ${many(data.workers.count, "worker")}`
        : waiting ? `${many(waiting, "partition waits", "partitions wait")} for a worker` : list?.isListed ? "nothing" : "the list of partitions"]);
    }
    return found;
  };
  // `312 of 10,000 partitions`, and more while they are being listed.
  const partitionWords = () => {
    const list = data.totals.partitions;
    return !list ? "" : list.isListed ? `${count(list.done)} of ${many(list.listed, "partition")}` : `${many(list.done, "partition")}, more are being listed`;
  };
  const standing = () => {
    const code = data.run.exitCode, totals = data.totals, failures = data.hosts.reduce((sum, host) => sum + host.refusals + host.losses, 0);
    const done = count(totals.items), of = totals.expected > totals.items ? ` of ${count(totals.expected)}` : "";
    const trouble = [totals.missing && `${many(totals.missing, "item is", "items are")} missing`, failures && `${many(failures, "request", "requests")} went wrong`,
      totals.retries && `${count(totals.retries)} ${totals.retries === 1 ? "was" : "were"} tried again`, data.workers?.lost && `${many(data.workers.lost, "worker was", "workers were")} lost`,
      data.workers?.again && `${many(data.workers.again, "partition was", "partitions were")} begun again`, data.partitions.counts[2] && `${many(data.partitions.counts[2], "partition", "partitions")} failed`].filter(Boolean);
    const tried = trouble.length ? trouble.join(", ") + "." : "Nothing has gone wrong.";
    if (code !== undefined) {
      const [tone, word] = code === 0 ? ["good", "done"] : code === -1 ? ["busy", "recorded"] : code === 130 ? ["warn", "interrupted"] : code === 75 ? ["warn", "stopped: try again later"] : ["bad", "failed"];
      return { tone, word, headline: `${done}${code ? of : ""} items in ${span(data.now)}`, health: [data.run.message, (trouble.length || !data.run.message) && tried].filter(Boolean).join(" · ") };
    }
    if (ending) return { tone: "bad", word: ending, headline: `${done}${of} items`, health: tried };
    const closed = data.hosts.find(host => host.closedUntil > now()), dead = data.hosts.find(host => host.trouble), speed = recent("items", 30) || itemRate();
    const pace = recent("partitions", 30), parts = totals.partitions?.left;
    const left = totals.expected > totals.items && speed > 0 ? `, ${span((totals.expected - totals.items) / speed)} to go` : parts && pace > 0 ? `, ${span(parts / pace)} to go` : "";
    const read = partitionWords();
    const [tone, word] = dead ? ["bad", "a host is in trouble"] : closed ? ["warn", "waiting"] : ["busy", "running"];
    return { tone, word, headline: `${done}${of} items${read && ` · ${read}`}${left}`, health: tried };
  };
  const key = (name, value, aid, look) => html("dl", look ? { class: look } : {}, html("dt", {}, name), html("dd", {}, html("b", {}, value)), html("dd", { class: "aid" }, aid));
  const top = () => {
    const { tone, word, headline, health } = standing(), totals = data.totals;
    const state = one("#state");
    state.className = `state tone-${tone}`;
    if (state.textContent !== word) state.textContent = word;
    one("#headline").textContent = headline;
    one("#health").textContent = health;
    const list = totals.partitions, isCounted = Boolean(totals.expected || list?.left !== undefined);
    const way = one("#way"), part = totals.expected ? Math.min(1, totals.items / totals.expected) : isCounted ? list.done / list.listed : 0;
    document.title = `${isCounted ? `${Math.floor(100 * part)} % ` : ""}${word}: ${data.run.script}`;
    way.hidden = !isCounted;
    way.setAttribute("aria-label", totals.expected ? "Items that are there" : "Partitions that are read");
    way.setAttribute("aria-valuenow", Math.floor(100 * part));
    way.firstElementChild.style.width = `${100 * part}%`;
    const flying = data.hosts.reduce((sum, host) => sum + host.inFlight, 0), slow = spans().slice(-8).reduce((a, b) => ({ answers: a.answers + b.answers, latency: a.latency + b.latency }), { answers: 0, latency: 0 });
    set("#keys",
      key("items a second", rate(itemRate()), isOver() ? "on average" : `${rate(totals.items / Math.max(data.now, 0.001))} on average`),
      key("time", span(now()), `began ${new Date(data.run.startedAt * 1000).toLocaleString()}`),
      key("pages", count(totals.pages), `${totals.pagesInFlight} in flight`),
      key("requests", count(totals.requests), `${flying} in flight${slow.answers ? `, ${span(slow.latency / slow.answers)} each` : ""}`),
      key("retries", count(totals.retries), `${many(totals.stalls, "stall")}, ${many(totals.duplicates, "duplicate")}`, totals.retries ? "warn" : ""),
      data.workers ? key("workers", count(data.workers.count), `${data.workers.machines ? `on ${many(data.workers.machines, "machine")}, ` : ""}${bytes(totals.bytesReceived)} received`, data.workers.lost ? "warn" : "")
        : key("memory", totals.memory ? bytes(totals.memory) : "–", totals.processor ? `${span(totals.processor)} of a processor` : `${bytes(totals.bytesReceived)} received`));
    set("#waits", ...(isOver() || ending ? [] : waits().slice(0, 8).map(([look, text]) => html("li", look ? { class: look } : {}, text))));
    one("#waits-head").hidden = isOver() || Boolean(ending);
  };

  // Pictures over the run's time.
  const stepOf = value => {
    const power = 10 ** Math.floor(Math.log10(value) + 1e-9);
    return [1, 2, 5, 10].find(factor => factor >= value / power * 0.999999) * power;
  };
  const timeStep = value => value <= 30 ? stepOf(value) : [60, 120, 300, 600, 1800, 3600, 7200, 21600, 43200, 86400].find(step => step >= value) ?? stepOf(value);
  const left = 52, right = 8, height = 168, ground = 140, ceiling = 10;
  const chart = (name, lines, format) => {
    const figure = one(`#chart-${name}`), width = Math.max(240, figure.clientWidth), list = spans();
    const end = Math.max(data.buckets.width * list.length, 0.05), most = Math.max(...lines.flatMap(line => list.map(line.value)), 0) || 1;
    const step = stepOf(most / 3), high = Math.ceil(most / step - 1e-9) * step, x = time => left + time * (width - left - right) / end;
    const y = value => ground - value * (ground - ceiling) / high, picture = svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": one("h3", figure).textContent });
    for (let value = 0; value <= high * 1.0001; value += step) picture.append(
      svg("line", { class: "grid", x1: left, x2: width - right, y1: y(value), y2: y(value) }), svg("text", { x: left - 7, y: y(value) + 4, "text-anchor": "end" }, format.axis(value)));
    const stride = timeStep(end / Math.max(2, width / 90));
    for (let time = 0; time <= end; time += stride) picture.append(svg("text", { x: x(time), y: ground + 18, "text-anchor": time ? "middle" : "start" }, clock(time)));
    const middle = part => x(part.start + data.buckets.width / 2);
    // Where there is nothing to say, a line is broken: it does not say 0.
    const runs = [];
    list.forEach((part, at) => {
      if (format.needs && !part[format.needs]) return;
      if (at && runs.length && runs.at(-1).at(-1) === list[at - 1]) runs.at(-1).push(part); else runs.push([part]);
    });
    lines.forEach((line, place) => runs.forEach(run => {
      const path = run.map((part, at) => `${at ? "L" : "M"}${middle(part).toFixed(1)} ${y(line.value(part)).toFixed(1)}`).join("") + (run.length > 1 ? "" : "h2");
      if (!place) picture.append(svg("path", { class: `area ${line.look}`, d: `${path}V${ground}H${middle(run[0]).toFixed(1)}Z` }));
      picture.append(svg("path", { class: `line ${line.look}${place ? " second" : ""}`, d: path }));
    }));
    for (const part of list) if (format.fault?.(part)) picture.append(svg("circle", { class: "fault", cx: middle(part), cy: ground, r: 3.5 }, svg("title", {}, format.fault(part))));
    const here = cursor === null ? null : list[Math.min(cursor, list.length - 1)];
    if (here) picture.append(svg("line", { class: "cursor", x1: middle(here), x2: middle(here), y1: ceiling, y2: ground }));
    one(".picture", figure).replaceChildren(picture);
    one(".aid", figure).textContent = here ? `at ${clock(here.start)}: ${format.words(here)}` : format.aid;
    figure.place = event => {
      const area = picture.getBoundingClientRect(), time = (event.clientX - area.left - left) * end / (width - left - right);
      return time < 0 || time > end ? null : Math.floor(time / data.buckets.width);
    };
  };
  const charts = () => {
    // Processes elsewhere tell neither when each answer came nor how much memory they have.
    for (const name of ["latency", "memory"]) one(`#chart-${name}`).hidden = Boolean(data.workers);
    const width = data.buckets.width, per = name => part => part[name] / width;
    chart("items", [{ look: "c0", value: per("items") }], { axis: short, aid: `In spans of ${clock(width)}.`, words: part => `${rate(part.items / width)} items and ${rate(part.pages / width)} pages a second` });
    chart("requests", [{ look: "c2", value: per("requests") }, { look: "c3", value: part => part.inFlight }], {
      axis: short, aid: "Requests a second; dashed: the most at once. A dot is a span with errors.",
      words: part => `${rate(part.requests / width)} requests a second, ${part.inFlight} at once${part.failures ? `, ${part.failures} failed` : ""}`,
      fault: part => part.failures && `${part.failures} failed` });
    chart("latency", [{ look: "c4", value: part => part.answers ? part.latency / part.answers : 0 }, { look: "c1", value: part => part.slowest }], { needs: "answers",
      axis: value => value ? span(value).replace(".00", "") : "0", aid: "Time to an answer, on average; dashed: the slowest. No line: no answers.",
      words: part => part.answers ? `${span(part.latency / part.answers)} on average, ${span(part.slowest)} the slowest` : "no answers" });
    chart("memory", [{ look: "c5", value: part => part.memory }], { axis: value => value ? bytes(value).replace(".0", "") : "0", aid: "Resident memory of the process.", words: part => bytes(part.memory) });
  };

  // Pages as bars.
  const outcomes = ["under way", "landed", "failed, tried again", "given up", "cancelled", "thrown away"];
  const wordsOf = bar => `page ${bar.number} of ${bar.source}, ${bar.direction}${bar.attempt > 1 ? `, attempt ${bar.attempt}` : ""}: ${outcomes[bar.outcome]}, `
    + `${span(bar.length)} from ${clock(bar.start)}${bar.outcome === 1 ? `, ${many(bar.items, "item")}` : ""}${bar.reason ? `; asked for since ${bar.reason}` : ""}`;
  const bars = () => data.pages.bars.map(([source, number, direction, attempt, start, length, outcome, items, reason]) => {
    const open = outcome === 0;
    return { source: data.sources[source] || "the source", number, direction, attempt, start, length: open ? Math.max(length, now() - start) : length, outcome, items, reason: data.reasons[reason] };
  });
  const windowOf = () => {
    const end = Math.max(now(), 0.001), seconds = extent === "auto" ? (isLive && !isOver() && end > 75 ? 60 : Infinity) : Number(extent);
    return [Math.max(0, end - seconds), end];
  };
  const timeline = () => {
    const figure = one("#timeline-pages"), width = Math.max(240, figure.clientWidth), [from, to] = windowOf();
    for (const button of all("#extent button")) button.setAttribute("aria-pressed", button.value === (extent === "auto" ? (from ? "60" : "Infinity") : extent));
    const shown = bars().filter(bar => bar.start + bar.length >= from), ends = [], x = time => 8 + (Math.max(from, time) - from) * (width - 16) / (to - from);
    for (const bar of shown) {
      // Bars too short to be seen take the room of two pixels.
      const drawn = Math.max(bar.length, 3 * (to - from) / width), free = ends.findIndex(end => end <= bar.start), lane = free >= 0 ? free : ends.length < 32 ? ends.length : 31;
      ends[lane] = bar.start + drawn;
      bar.lane = lane;
    }
    const lane = ends.length > 16 ? 8 : 13, bottom = lane * Math.max(1, ends.length) + 4, picture = svg("svg", { viewBox: `0 0 ${width} ${bottom + 24}`, role: "img", "aria-label": "Pages over time" });
    const stride = timeStep((to - from) / Math.max(2, width / 90));
    for (let time = Math.ceil(from / stride) * stride; time <= to; time += stride) picture.append(
      svg("line", { class: "grid", x1: x(time), x2: x(time), y1: 0, y2: bottom }), svg("text", { x: x(time), y: bottom + 17, "text-anchor": time > from ? "middle" : "start" }, clock(time)));
    shown.forEach((bar, place) => {
      const look = ["open", "", "bad", "bad", "gone", "gone"][bar.outcome];
      picture.append(svg("rect", { class: `page ${bar.direction} ${look}${bar.attempt > 1 ? " again" : ""}${place === chosen ? " chosen" : ""}`, x: x(bar.start).toFixed(1), y: bar.lane * lane + 2,
        width: Math.max(2, x(bar.start + bar.length) - x(bar.start)).toFixed(1), height: lane - 3, rx: 1.5 }, svg("title", {}, wordsOf(bar))));
    });
    one(".picture", figure).replaceChildren(picture);
    const hidden = data.pages.count - data.pages.bars.length;
    one("#pages-aid").textContent = `${many(data.pages.count, "fetch was", "fetches were")} begun, ${count(data.pages.landed)} landed.`
      + (hidden > 0 ? ` Drawn are the last ${count(data.pages.bars.length)} and, of what came before, the slowest ones; ${count(hidden)} are not.` : "");
    figure.shown = shown;
    show("#pages", data.pages.count || !data.workers);
    one("#page-here").textContent = chosen !== null && shown[chosen] ? wordsOf(shown[chosen]) : "";
  };

  // Tables: cards on a narrow screen.
  const table = (query, titles, rows) => {
    const place = one(query);
    if (!place.firstChild) place.append(html("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": place.dataset.title }, html("table", { class: "data cards", role: "table" },
      html("thead", {}, html("tr", {}, ...titles.map(([title, look]) => html("th", { scope: "col", class: look }, title)))), html("tbody"))));
    one("tbody", place).replaceChildren(...rows.map(cells => html("tr", { role: "row" }, ...cells.map((cell, column) => {
      const [text, look] = Array.isArray(cell) ? cell : [cell, ""];
      return column ? html("td", { class: `${titles[column][1]} ${look}${String(text).length + titles[column][0].length > 24 ? " long" : ""}`, "data-t": titles[column][0], role: "cell" }, String(text))
        : html("th", { scope: "row", role: "rowheader" }, String(text));
    }))));
  };
  const show = (query, isThere) => {
    one(query).hidden = !isThere;
    const link = one(`nav a[href="${query}"]`);
    if (link) link.hidden = !isThere;
    return isThere;
  };
  const hosts = () => show("#hosts", data.hosts.length) && table("#hosts-table",
    [["host", "t"], ["in flight", "n"], ["limit", "n"], ["waiting", "n"], ["requests", "n"], ["errors", "n"], ["mean", "n"], ["95 % within", "n"], ["slowest", "n"], ["received", "n"], ["gate", "t"]],
    data.hosts.map(host => [host.name, host.inFlight, host.limit ?? "–", host.waiting, count(host.requests), [count(host.refusals + host.losses), host.refusals + host.losses ? "bad" : ""],
      span(host.mean), span(host.p95), span(host.slowest), bytes(host.bytes),
      host.trouble ? [host.trouble, "bad"] : host.closedUntil > now() ? [`closed for ${span(host.closedUntil - now())}`, "bad"] : "open"]));
  const workers = () => {
    if (!show("#workers", Boolean(data.workers))) return;
    const { list, count: all, machines, gone, gates } = data.workers, time = now();
    one("#workers-aid").textContent = `${many(all, "process reads", "processes read")} partitions${machines ? ` on ${many(machines, "machine")}` : ""}; ${count(gone)} ${gone === 1 ? "has" : "have"} ended before.`;
    table("#workers-table", [["worker", "t"], ["machine", "t"], ["reads", "n"], ["has read", "n"], ["in flight", "n"], ["pages", "n"], ["requests", "n"], ["retries", "n"], ["received", "n"], ["state", "t"]],
      list.map(worker => [worker.name, worker.machine || "–", many(worker.reading, "partition"), count(worker.done), worker.inFlight, count(worker.pages), count(worker.requests), count(worker.retries), bytes(worker.bytes),
        worker.reason ? [worker.reason, "bad"] : time - worker.heardAt > 5 ? [`silent for ${span(time - worker.heardAt)}`, "bad"] : worker.reading ? "reads" : "waits"]));
    one("#gates").hidden = !gates.length;
    table("#gates-table", [["host", "t"], ["permits", "n"], ["may", "t"], ["requests that wait", "n"], ["workers", "n"], ["gate", "t"]],
      gates.map(gate => [gate.host, count(gate.granted), gate.width ? `${count(gate.width)} in ${span(gate.seconds)}` : "as many as there are", count(gate.waiting), gate.workers,
        gate.closedUntil > time ? [`closed for ${span(gate.closedUntil - time)}`, "bad"] : "open"]));
  };
  const decisions = () => {
    if (!show("#decisions", data.decisions.count)) return;
    const kinds = data.decisions.byReason.map(([yes, no], place) => [data.reasons[place], yes, no]).sort((a, b) => b[1] + b[2] - a[1] - a[2]);
    table("#reasons-table", [["reason", "t"], ["to fetch", "n"], ["not to", "n"]], kinds.slice(0, 30).map(([reason, yes, no]) => [reason, count(yes), count(no)]));
    one("#decisions-aid").textContent = `${many(data.decisions.count, "decision")} of policies with a consequence, or all of them with --trace. The last ${data.decisions.last.length}:`;
    table("#decisions-table", [["at", "t"], ["source", "t"], ["pages", "n"], ["reason", "t"], ["items ahead", "n"], ["in flight", "n"]],
      data.decisions.last.toReversed().map(([time, source, direction, [fetch, reason, remaining, flying]]) =>
        [clock(time), data.sources[source], fetch ? `${fetch} ${direction}` : "none", data.reasons[reason], count(remaining), flying]));
  };
  const streams = () => {
    show("#streams", data.streams.length);
    set("#streams-list", ...data.streams.flatMap(stream => [
      html("h3", {}, `${stream.name || "items"}: ${many(stream.items, "item")}`),
      stream.rows.length ? html("ol", { class: "rows" }, ...stream.rows.map(row => html("li", {}, html("code", {}, row)))) : html("p", { class: "aid" }, "No rows to show.")]));
  };
  const letters = { r: "being read", d: "done", f: "failed", w: "waiting" };
  const partitions = () => {
    const { states, counts, names, count: all } = data.partitions;
    if (!show("#partitions", all > 1)) return;
    one("#partitions-aid").textContent = `${data.workers ? `${partitionWords()}: ` : `${count(all)} have begun: `}${count(counts[1])} done, ${count(counts[0])} being read, ${count(counts[2])} failed${counts[3] ? `, ${count(counts[3])} waiting` : ""}.`
      + (states.length < all ? ` The first ${count(states.length)} are drawn.` : "");
    const figure = one("#grid"), width = Math.max(240, figure.clientWidth), pitch = Math.max(4, Math.min(16, Math.floor(Math.sqrt(width * 620 / states.length)))), columns = Math.floor(width / pitch);
    const gap = pitch > 5 ? 1.5 : 0.8, paths = { d: [], r: [], f: [], w: [] };
    for (let place = 0; place < states.length; place++)
      paths[states[place]]?.push(`M${place % columns * pitch} ${Math.floor(place / columns) * pitch}h${pitch - gap}v${pitch - gap}h${gap - pitch}z`);
    const picture = svg("svg", { viewBox: `0 0 ${width} ${Math.ceil(states.length / columns) * pitch}`, role: "img", "aria-label": one("#partitions-aid").textContent });
    for (const letter of ["w", "d", "r", "f"]) picture.append(svg("path", { class: `cell-${letter}`, d: paths[letter].join("") }));
    const known = new Map(names), place = figure.place;
    if (place !== undefined && place < states.length) picture.append(svg("rect", { class: "cell-ring", x: place % columns * pitch - 1, y: Math.floor(place / columns) * pitch - 1, width: pitch + 1, height: pitch + 1 }));
    one("#partition-here").textContent = place !== undefined && place < states.length ? `${known.get(place) ?? `partition ${place + 1}`}: ${letters[states[place]]}` : "";
    one(".picture", figure).replaceChildren(picture);
    figure.at = event => {
      const area = picture.getBoundingClientRect(), scale = width / area.width;
      const column = Math.floor((event.clientX - area.left) * scale / pitch), row = Math.floor((event.clientY - area.top) * scale / pitch);
      return column >= 0 && column < columns && row >= 0 ? row * columns + column : undefined;
    };
    figure.columns = columns;
    const failed = names.filter(([at]) => states[at] === "f");
    one("#failed-partitions").textContent = failed.length ? `Failed: ${failed.slice(0, 20).map(([, name]) => name).join(" · ")}${failed.length > 20 ? " …" : ""}` : "";
  };
  const faults = () => {
    show("#faults", data.faults.length || data.badRequests.length);
    table("#faults-table", [["line of the script", "t"], ["times", "n"], ["last at", "n"], ["last one", "t"]],
      data.faults.map(fault => [fault.place || "elsewhere", count(fault.count), clock(fault.time), fault.message]));
    one("#bad-requests").hidden = !data.badRequests.length;
    one("#bad-requests summary").textContent = data.badRequestCount > data.badRequests.length ? `The last ${data.badRequests.length} of ${count(data.badRequestCount)} requests that went wrong` : `${many(data.badRequests.length, "request")} that went wrong`;
    table("#bad-table", [["at", "t"], ["request", "t"], ["answer", "t"], ["after", "n"], ["line", "t"]],
      data.badRequests.toReversed().map(request => [clock(request.time), `${request.method} ${request.url}`, request.message, span(request.seconds), request.place]));
  };
  const log = () => {
    show("#log", data.lines.length);
    one("#log-aid").textContent = data.lineCount > data.lines.length ? `The last ${data.lines.length} of ${count(data.lineCount)} lines.` : "";
    const list = one("#log-lines"), isAtEnd = list.scrollHeight - list.scrollTop - list.clientHeight < 30;
    list.replaceChildren(...data.lines.map(([time, level, text]) => html("li", { class: level }, html("time", {}, clock(time)), level === "info" || level === "print" ? "" : html("b", {}, level + " "), text)));
    if (isAtEnd) list.scrollTop = list.scrollHeight;
  };

  const parts = [top, charts, timeline, workers, hosts, decisions, streams, partitions, faults, log];
  const render = () => {
    if (data && !document.hidden) for (const part of parts) part();
  };
  const begin = () => {
    one("#facts").textContent = ` · lookahead ${data.run.program}${data.run.remark ? ` · ${data.run.remark}` : ""}`;
    one("#script").textContent = data.run.script;
  };
  const notice = text => {
    one("#notice").hidden = !text;
    if (one("#notice").textContent !== text) one("#notice").textContent = text;
  };

  // By pointer and by keyboard.
  for (const figure of all("figure[id^=chart-]")) {
    figure.onpointermove = event => { cursor = figure.place?.(event) ?? null; if (data) charts(); };
    figure.onpointerleave = () => { cursor = null; if (data) charts(); };
    figure.onkeydown = event => {
      const way = { ArrowLeft: -1, ArrowRight: 1 }[event.key], last = data.buckets.rows.length - 1;
      if (event.key === "Escape") cursor = null; else if (!way) return; else cursor = Math.max(0, Math.min(last, (cursor ?? (way < 0 ? last + 1 : -1)) + way));
      event.preventDefault();
      charts();
    };
  }
  one("#timeline-pages").onkeydown = event => {
    const way = { ArrowLeft: -1, ArrowRight: 1 }[event.key], shown = one("#timeline-pages").shown ?? [];
    if (event.key === "Escape") chosen = null; else if (!way || !shown.length) return; else chosen = Math.max(0, Math.min(shown.length - 1, (chosen ?? (way < 0 ? shown.length : -1)) + way));
    event.preventDefault();
    timeline();
  };
  for (const button of all("#extent button")) button.onclick = () => { extent = button.value; chosen = null; timeline(); };
  const grid = one("#grid");
  grid.onpointermove = event => { grid.place = grid.at?.(event); partitions(); };
  grid.onpointerleave = () => { grid.place = undefined; partitions(); };
  grid.onkeydown = event => {
    const way = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -grid.columns, ArrowDown: grid.columns }[event.key];
    if (!way) return;
    event.preventDefault();
    grid.place = Math.max(0, Math.min(data.partitions.states.length - 1, (grid.place ?? -way) + way));
    partitions();
  };
  addEventListener("resize", render);
  document.addEventListener("visibilitychange", render);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", render);

  if (!isLive) {
    data = JSON.parse(one("#data").textContent);
    begin();
    render();
  } else {
    const events = new EventSource(`events${location.search}`);
    events.addEventListener("state", event => {
      const isFirst = !data;
      data = JSON.parse(event.data);
      heardAt = performance.now();
      if (!isOver()) notice("");
      if (isFirst) begin();
      render();
    });
    const close = (word, text) => {
      events.close();
      ending = word;
      notice(text);
      render();
    };
    events.addEventListener("end", () => close("ended", "The run has ended, and its page with it: this is how it was at the end. Started with --report FILE.html it keeps such a page."));
    events.addEventListener("lost", () => close("gone", "The process of the run is gone without a word: this is the last that it said."));
    events.onerror = () => { if (!ending) notice("There is no connection to the run; trying again."); };
    setInterval(() => {
      if (!data || ending || isOver()) return;
      const silence = (performance.now() - heardAt) / 1000;
      if (silence > 4 && events.readyState === EventSource.OPEN) notice(`Nothing has been heard of the run for ${span(silence)}: ${data.workers ? "the process that hands out its partitions" : "its script computes, or the process"} stands still.`);
      if (!document.hidden) top();
    }, 1000);
  }
})();
