import Experiments

/// One session over time: what was visible, how far was loaded, each fetch as a bar, each stall, and the waste.
///
/// `ReportScript.js` draws the others the same way; a browser test compares the two.
struct TimelineChart {
  private static let (width, left, right, top, ground) = (720.0, 58.0, 18.0, 12.0, 232.0)
  private static let (lanesTop, laneHeight, mostLanes) = (248.0, 11.0, 8)
  private let timeline: TimelineData
  private let window: Window
  /// The items of the picture, lowest and highest, and the step of their ticks.
  private let low: Double
  private let high: Double
  private let step: Double

  /// The part of a session that is drawn, in milliseconds.
  struct Window {
    let start: Int
    let end: Int

    /// The longest stall with what came before and after it; the whole session if it has none. `duration` is that of the
    /// whole.
    init(_ timeline: TimelineData, duration: Int) {
      guard let stall = timeline.longestStall else {
        (start, end) = (0, duration)
        return
      }
      let length = stall.end - stall.start
      let span = min(duration, max(10_000, 5 * length))
      start = max(0, min(duration - span, stall.start - (span - length) / 2))
      end = start + span
    }
  }

  init(_ timeline: TimelineData, duration: Int) {
    self.timeline = timeline
    let window = Window(timeline, duration: duration)
    self.window = window
    let visible = timeline.viewport.indices.filter { place in
      let next = place + 1 < timeline.viewport.count ? timeline.viewport[place + 1].time : timeline.duration
      return timeline.viewport[place].time < window.end && next > window.start
    }.map { timeline.viewport[$0] }
    let first = visible.map(\.first).min() ?? 0
    let last = max(first + 1, visible.map { $0.last + 1 }.max() ?? timeline.items)
    let held = timeline.loaded.last { $0.time < window.end }?.items ?? 0
    // What is held far beyond the reader would leave no room for him.
    let most = min(max(last, held), last + 2 * (last - first))
    let step = Axis.step(Double(most - first), parts: 5)
    self.step = step
    low = (Double(first) / step + 1e-9).rounded(.down) * step
    high = (Double(most) / step - 1e-9).rounded(.up) * step
  }

  private func x(_ time: Int) -> Double {
    Self.left + Double(time - window.start) * (Self.width - Self.left - Self.right)
      / Double(window.end - window.start)
  }

  private func y(_ items: Int) -> Double { y(Double(items)) }

  private func y(_ items: Double) -> Double {
    Self.ground - (items - low) * (Self.ground - Self.top) / (high - low)
  }

  func draw(_ markup: inout Markup) {
    let lanes = lanes
    let bottom = Self.lanesTop + Self.laneHeight * Double(max(1, (lanes.max() ?? 0) + 1))
    markup.within(
      "svg",
      [
        "id": "timeline", "viewBox": "0 0 \(length(Self.width)) \(length(bottom + 44))",
        "role": "img",
        "aria-describedby": "timeline-words", "aria-label": "Timeline of one session",
      ]
    ) { svg in
      frame(&svg, bottom: bottom)
      svg.within("g", ["clip-path": "url(#window)"]) { inner in
        inner.within("g", ["clip-path": "url(#items)"]) { areas(&$0) }
        bars(&inner, lanes)
      }
      let held = timeline.loaded.last { $0.time < window.end }?.items ?? 0
      if Double(held) > high {
        svg.element(
          "text",
          ["class": "name", "x": length(Self.width - Self.right - 6), "y": "26", "text-anchor": "end"],
          "↑ loaded up to item \(held)")
      }
    }
  }

  /// The areas of the picture that a zoomed session is cut to.
  static func clips(_ defs: inout Markup) {
    for (name, height) in [("window", 400.0), ("items", ground - top)] {
      defs.within("clipPath", ["id": name]) {
        $0.element(
          "rect",
          [
            "x": length(left), "y": length(top), "width": length(width - left - right),
            "height": length(height),
          ])
      }
    }
  }

  private func frame(_ svg: inout Markup, bottom: Double) {
    let stride = Axis.step(Double(window.end - window.start) / 1000, parts: 8)
    let first = Int((Double(window.start) / 1000 / stride - 1e-9).rounded(.up))
    let last = Int((Double(window.end) / 1000 / stride + 1e-9).rounded(.down))
    for part in first...max(first, last) {
      let time = Double(part) * stride
      let x = length(x(Int((time * 1000).rounded())))
      svg.element("line", ["class": "grid", "x1": x, "y1": length(Self.top), "x2": x, "y2": length(bottom)])
      svg.element(
        "text", ["x": x, "y": length(bottom + 16), "text-anchor": "middle"],
        ReportNumber.fixed(time, Axis.digits(stride)))
    }
    for part in 0...Int(((high - low) / step).rounded()) {
      let value = low + Double(part) * step
      let y = y(value)
      svg.element(
        "line",
        [
          "class": "grid", "x1": length(Self.left), "y1": length(y), "x2": length(Self.width - Self.right),
          "y2": length(y),
        ])
      svg.element(
        "text", ["x": length(Self.left - 7), "y": length(y + 4), "text-anchor": "end"],
        ReportNumber.fixed(value, Axis.digits(step)))
    }
    svg.element(
      "text",
      [
        "class": "unit", "x": length((Self.left + Self.width - Self.right) / 2), "y": length(bottom + 36),
        "text-anchor": "middle",
      ],
      "seconds since the start")
    svg.element(
      "text",
      [
        "class": "unit", "x": "0", "y": "0", "text-anchor": "middle",
        "transform": "translate(13 122) rotate(-90)",
      ],
      "items")
    svg.element(
      "text", ["class": "unit", "x": "50", "y": length(Self.lanesTop + 9), "text-anchor": "end"], "fetches")
  }

  private func areas(_ svg: inout Markup) {
    let held = timeline.loaded.last?.items ?? 0
    let unseen = timeline.loaded.drop { $0.items <= timeline.seen }
    if held > timeline.seen, let first = unseen.first,
      let path = steps(unseen.map { ($0.time, $0.items) })
    {
      let back = "V\(length(y(timeline.seen)))H\(length(x(first.time)))Z"
      svg.within("path", ["class": "waste", "d": path + back]) {
        $0.element("title", [:], "items \(timeline.seen) to \(held - 1): never seen")
      }
    }
    for stall in timeline.stalls {
      rectangle(
        &svg, "stall", x(stall.start), Self.top, max(1.5, x(stall.end) - x(stall.start)),
        Self.ground - Self.top,
        "waited \(TimelineData.seconds(stall.end - stall.start)) s for item \(stall.item), "
          + "from \(TimelineData.seconds(stall.start)) s")
    }
    if let path = steps(timeline.loaded.map { ($0.time, $0.items) }) {
      svg.element("path", ["class": "edge", "d": path])
    }
    let upper = steps(timeline.viewport.map { ($0.time, $0.last + 1) })
    let lower = timeline.viewport.indices.reversed().map { place -> String in
      let next = place + 1 < timeline.viewport.count ? timeline.viewport[place + 1].time : timeline.duration
      return
        "H\(length(x(next)))V\(length(y(timeline.viewport[place].first)))H\(length(x(timeline.viewport[place].time)))"
    }
    if let upper { svg.element("path", ["class": "band c0", "d": upper + lower.joined() + "Z"]) }
  }

  /// A step function up to the end.
  private func steps(_ points: [(time: Int, value: Int)]) -> String? {
    guard let first = points.first else { return nil }
    let start = "M\(length(x(first.time))) \(length(y(first.value)))"
    let rest = points.dropFirst().map { "H\(length(x($0.time)))V\(length(y($0.value)))" }
    return start + rest.joined() + "H\(length(x(timeline.duration)))"
  }

  private func bars(_ svg: inout Markup, _ lanes: [Int]) {
    for (fetch, lane) in zip(timeline.fetches, lanes) {
      let reason = fetch.reason.isEmpty ? "" : ": \(fetch.reason)"
      rectangle(
        &svg, "fetch f\(fetch.outcome)", x(fetch.start), Self.lanesTop + Self.laneHeight * Double(lane),
        max(2, x(fetch.end) - x(fetch.start)), Self.laneHeight - 3,
        "\(TimelineData.seconds(fetch.start)) to \(TimelineData.seconds(fetch.end)) s, items \(fetch.first) to "
          + "\(fetch.first + fetch.count - 1), \(TimelineData.outcomes[fetch.outcome].rawValue)\(reason)")
    }
  }

  /// The first free lane for each fetch; if there are too many at once the last one is shared.
  private var lanes: [Int] {
    var ends = [Int](repeating: -1, count: Self.mostLanes)
    return timeline.fetches.map { fetch in
      let lane = ends.firstIndex { $0 <= fetch.start } ?? Self.mostLanes - 1
      ends[lane] = fetch.end
      return lane
    }
  }

  private func rectangle(
    _ svg: inout Markup, _ look: String, _ x: Double, _ y: Double, _ width: Double, _ height: Double,
    _ title: String
  ) {
    svg.within(
      "rect",
      ["class": look, "x": length(x), "y": length(y), "width": length(width), "height": length(height)]
    ) { $0.element("title", [:], title) }
  }
}
