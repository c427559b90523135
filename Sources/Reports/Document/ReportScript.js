"use strict";
(() => {
  const one = (query, from = document) => from.querySelector(query);
  const all = (query, from = document) => [...from.querySelectorAll(query)];
  const data = JSON.parse(one("#data").textContent);
  document.documentElement.classList.add("scripted");

  // Cards are rows of a table to a screen reader, whatever the browser makes of their style.
  for (const [query, role] of [["table", "table"], ["tr", "row"], ["td", "cell"], ["tbody th", "rowheader"], ["thead th", "columnheader"]])
    for (const part of all(query)) part.setAttribute("role", role);

  // Tables: a button in every heading sorts by its column, upwards first.
  for (const table of all("table.data")) {
    const heads = all("thead th", table), body = one("tbody", table);
    table.classList.add("cards");
    heads.forEach((head, column) => {
      for (const row of body.children) if (row.children[column]?.colSpan === 1) row.children[column].dataset.t = head.textContent;
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = head.textContent;
      head.replaceChildren(button);
      button.onclick = () => {
        const sign = head.ariaSort === "ascending" ? -1 : 1;
        for (const other of heads) other.removeAttribute("aria-sort");
        head.setAttribute("aria-sort", sign > 0 ? "ascending" : "descending");
        // Numbers before texts; a row that failed has no cell.
        const key = row => {
          const cell = row.children[column], number = cell?.dataset.v;
          return number === undefined ? cell?.textContent ?? "" : Number(number);
        };
        body.append(...[...body.children].sort((a, b) => {
          const x = key(a), y = key(b);
          return typeof x !== typeof y ? (typeof x === "number" ? -1 : 1) : x < y ? -sign : x > y ? sign : 0;
        }));
      };
    });
  }

  // A policy under the pointer is lit in all figures of its part.
  document.addEventListener("pointerover", event => {
    const section = event.target.closest("section"), mark = event.target.closest("[data-p]");
    if (!section) return;
    section.classList.toggle("fading", mark !== null);
    for (const mate of all(".s", section)) mate.classList.toggle("lit", mate.dataset.p === mark?.dataset.p);
  });

  // Timelines: numbers of `moving` are differences from the point before.
  const points = (flat, moving, fixed = []) => {
    const found = [], sums = moving.map(() => 0);
    for (let at = 0; at < flat.length;) {
      const point = {};
      moving.forEach((name, part) => point[name] = sums[part] += flat[at++]);
      for (const name of fixed) point[name] = flat[at++];
      found.push(point);
    }
    return found;
  };
  const timelines = data.timelines.map(([block, policy, session, duration, seen, count, wasted, waits, waited, view, loaded, fetches, stalls]) => ({
    block, policy, session, duration, seen, count, wasted, waits, waited,
    view: points(view, ["time", "first", "span"]),
    loaded: points(loaded, ["time", "items"]),
    fetches: points(fetches, ["start", "first"], ["length", "count", "outcome", "reason"]),
    stalls: points(stalls, ["start"], ["length", "item"]),
  }));
  const most = values => values.reduce((a, b) => Math.max(a, b), 1);
  const seconds = time => (time / 1000).toFixed(3);
  const length = value => String(Math.sign(value) * Math.round(Math.abs(value) * 10) / 10);
  const escaped = text => text.replace(/[&<>]/g, c => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[c]);
  const element = (name, attributes, content = "") => `<${name}${Object.entries(attributes).map(([key, value]) =>
    ` ${key}="${typeof value === "number" ? length(value) : value}"`).join("")}>${content}</${name}>`;
  const box = (look, x, y, width, height, title) =>
    element("rect", { class: look, x, y, width, height }, `<title>${escaped(title)}</title>`);
  const line = (x1, y1, x2, y2) => element("line", { class: "grid", x1, y1, x2, y2 });
  const label = (x, y, anchor, text) => element("text", { x, y, "text-anchor": anchor }, text);
  const unit = (x, y, anchor, text, more) => element("text", { class: "unit", x, y, "text-anchor": anchor, ...more }, text);
  const stepOf = value => {
    const power = 10 ** Math.floor(Math.log10(value) + 1e-9);
    return [1, 2, 5, 10].find(factor => factor >= value / power * 0.999999) * power;
  };
  const digitsOf = step => Math.max(0, Math.ceil(-Math.log10(step) - 1e-6));

  // As TimelineChart.swift draws the first of them.
  const width = 720, left = 58, right = 702, top = 12, ground = 232, lanesTop = 248, lane = 11;
  let shown, from, to, zoomed = true;
  const worstOf = t => t.stalls.filter(s => s.start > 0).reduce((a, b) => a && a.length >= b.length ? a : b, null);
  const draw = t => {
    const duration = most(timelines.filter(o => o.block === t.block && o.session === t.session).map(o => o.duration));
    const worst = worstOf(t);
    [from, to] = [0, duration];
    if (worst && zoomed) {
      const span = Math.min(duration, Math.max(10000, 5 * worst.length));
      from = Math.max(0, Math.min(duration - span, worst.start - Math.trunc((span - worst.length) / 2)));
      to = from + span;
    }
    one("#zoom").disabled = !worst;
    one("#zoom").setAttribute("aria-pressed", zoomed && worst !== null);
    const edge = t.loaded.map(p => [p.time, p.items]), held = edge.at(-1)?.[1] ?? 0;
    const seen = t.view.filter((p, place) => p.time < to && (t.view[place + 1]?.time ?? t.duration) > from);
    const first = seen.length ? Math.min(...seen.map(p => p.first)) : 0, near = edge.findLast(p => p[0] < to)?.[1] ?? 0;
    const last = Math.max(first + 1, most(seen.length ? seen.map(p => p.first + p.span + 1)
      : [t.seen, ...t.view.map(p => p.first + p.span + 1), ...edge.map(p => p[1])]));
    const count = Math.min(Math.max(last, near), last + 2 * (last - first));
    const ends = Array(8).fill(-1);
    const lanes = t.fetches.map(f => {
      const free = ends.findIndex(end => end <= f.start), place = free < 0 ? 7 : free;
      ends[place] = f.start + f.length;
      return place;
    });
    const bottom = lanesTop + lane * most(lanes.map(place => place + 1));
    const step = stepOf((count - first) / 5), stride = stepOf((to - from) / 8000);
    const low = Math.floor(first / step + 1e-9) * step, high = Math.ceil(count / step - 1e-9) * step;
    const x = time => left + (time - from) * (right - left) / (to - from);
    const y = value => ground - (value - low) * (ground - top) / (high - low);
    const steps = list => list.map(([time, value], place) =>
      (place ? `H${length(x(time))}V` : `M${length(x(time))} `) + length(y(value))).join("") + `H${length(x(t.duration))}`;
    let svg = "";
    const start = Math.ceil(from / 1000 / stride - 1e-9);
    for (let part = start; part <= Math.max(start, Math.floor(to / 1000 / stride + 1e-9)); part++) {
      const at = x(Math.round(part * stride * 1000));
      svg += line(at, top, at, bottom) + label(at, bottom + 16, "middle", (part * stride).toFixed(digitsOf(stride)));
    }
    for (let part = 0; part <= Math.round((high - low) / step); part++) {
      const value = low + part * step, at = y(value);
      svg += line(left, at, right, at) + label(left - 7, at + 4, "end", value.toFixed(digitsOf(step)));
    }
    svg += unit(380, bottom + 36, "middle", "seconds since the start")
      + unit(0, 0, "middle", "items", { transform: "translate(13 122) rotate(-90)" }) + unit(50, lanesTop + 9, "end", "fetches");
    svg += `<g clip-path="url(#window)"><g clip-path="url(#items)">`;
    const unseen = edge.slice(edge.findIndex(p => p[1] > t.seen));
    if (held > t.seen) svg += element("path",
      { class: "waste", d: steps(unseen) + `V${length(y(t.seen))}H${length(x(unseen[0][0]))}Z` },
      `<title>items ${t.seen} to ${held - 1}: never seen</title>`);
    for (const s of t.stalls) svg += box("stall", x(s.start), top, Math.max(1.5, x(s.start + s.length) - x(s.start)), ground - top,
      `waited ${seconds(s.length)} s for item ${s.item}, from ${seconds(s.start)} s`);
    if (edge.length) svg += element("path", { class: "edge", d: steps(edge) });
    if (t.view.length) svg += element("path", { class: "band c0", d: steps(t.view.map(p => [p.time, p.first + p.span + 1]))
      + t.view.map((p, place) => `H${length(x(t.view[place + 1]?.time ?? t.duration))}V${length(y(p.first))}H${length(x(p.time))}`)
        .reverse().join("") + "Z" });
    svg += "</g>";
    t.fetches.forEach((f, place) => {
      const reason = data.reasons[f.reason], end = f.start + f.length;
      svg += box(`fetch f${f.outcome}`, x(f.start), lanesTop + lane * lanes[place], Math.max(2, x(end) - x(f.start)), lane - 3,
        `${seconds(f.start)} to ${seconds(end)} s, items ${f.first} to ${f.first + f.count - 1}, `
        + data.outcomes[f.outcome] + (reason ? `: ${reason}` : ""));
    });
    svg += "</g>";
    if (near > high) svg += element("text", { class: "name", x: 696, y: 26, "text-anchor": "end" }, `↑ loaded up to item ${near}`);
    one("#timeline").setAttribute("viewBox", `0 0 ${width} ${length(bottom + 44)}`);
    one("#timeline").innerHTML = svg;
    const drawn = t.fetches.length;
    one("#timeline-words").textContent = `${data.policies[t.policy]}, session ${t.session}: ${t.waits} `
      + `stall${t.waits === 1 ? "" : "s"}, ${seconds(t.waited)} s of ${seconds(t.duration)} s; ${t.count} fetches`
      + `${t.count > drawn ? ` (the ${drawn} longest are drawn)` : ""}, ${t.wasted} of them wasted; ${held} items loaded, `
      + `${t.seen} seen.`;
    one("#timeline-here").textContent = "";
    shown = t;
  };

  const keys = ["block", "policy", "session"], pickers = keys.map(key => one(`#pick-${key}`));
  if (timelines.length) {
    const show = t => {
      keys.forEach((key, place) => pickers[place].value = t[key]);
      draw(t);
    };
    // The one that was picked; where it does not exist, one that agrees in what was picked last, with the longest stall.
    const pick = changed => {
      const score = t => keys.reduce((sum, key, place) =>
        sum + (t[key] == pickers[place].value) * (place === changed ? 8 : 3 - place), (worstOf(t)?.length ?? 0) / 1e9);
      show(timelines.reduce((best, t) => score(t) > score(best) ? t : best));
      history.replaceState(null, "", `#session=${pickers.map(picker => picker.value)}`);
    };
    pickers.forEach((picker, place) => picker.onchange = () => pick(place));
    one("#pickers").onsubmit = () => false;
    one("#zoom").onclick = () => {
      zoomed = !zoomed;
      draw(shown);
    };
    const figure = one("#timeline-figure");
    figure.onkeydown = event => {
      if (event.key === "Enter" && event.target === figure) one("#zoom").click();
      const [place, way] = { ArrowUp: [1, -1], ArrowDown: [1, 1], ArrowLeft: [2, -1], ArrowRight: [2, 1] }[event.key] ?? [];
      if (!place || event.target !== figure) return;
      event.preventDefault();
      const next = pickers[place].selectedIndex + way;
      if (!pickers[place].options[next]) return;
      pickers[place].selectedIndex = next;
      pick(place);
    };
    one("#timeline").onpointermove = event => {
      const area = one("#timeline").getBoundingClientRect();
      const time = ((event.clientX - area.left) * width / area.width - left) * (to - from) / (right - left) + from;
      if (!(time >= from && time <= Math.min(to, shown.duration))) return;
      const at = list => list.filter(p => p.time <= time).at(-1), view = at(shown.view);
      const busy = list => list.filter(p => p.start <= time && time < p.start + p.length).length;
      one("#timeline-here").textContent = `At ${(time / 1000).toFixed(2)} s: `
        + (view ? `items ${view.first} to ${view.first + view.span} visible, ` : "")
        + `${at(shown.loaded)?.items ?? 0} loaded, ${busy(shown.fetches)} in flight${busy(shown.stalls) ? ", waiting" : ""}`;
    };
    const find = wanted => timelines.find(t => keys.every((key, place) => t[key] == wanted[place]));
    const named = /^#session=(\d+),(\d+),(\d+)$/.exec(location.hash);
    show(named && find(named.slice(1)) || find(pickers.map(picker => picker.value)) || timelines[0]);
  }

  // The sessions as CSV, in long form.
  one("#export").onclick = () => {
    const fields = list => list.map(text => /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text).join();
    const lines = [fields(["run", "source", "workload", "network", "policy", ...data.parameters, "session", "metric", "value"])];
    for (const [source, workload, network, policy, parameters, sessions, metrics] of data.rows) {
      const front = fields([data.run, source, workload, network, policy, ...parameters]);
      sessions.forEach((session, place) => data.metrics.forEach(([name, digits], metric) =>
        lines.push(`${front},${session},${name},${metrics[metric][place] / 10 ** digits}`)));
    }
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([lines.join("\n") + "\n"], { type: "text/csv" }));
    link.download = "sessions.csv";
    link.click();
    URL.revokeObjectURL(link.href);
  };
})();
