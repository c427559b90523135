/// The area of a figure between two axes. Lengths are picture units, about a pixel each.
struct Plot {
  var width = 480.0
  var height = 320.0
  var left = 58.0
  var right = 18.0
  var top = 14.0
  var bottom = 46.0
  let horizontal: Axis
  let vertical: Axis

  init(horizontal: Axis, vertical: Axis) {
    self.horizontal = horizontal
    self.vertical = vertical
  }

  func x(_ value: Double) -> Double { left + horizontal.part(value) * (width - left - right) }

  func y(_ value: Double) -> Double { height - bottom - vertical.part(value) * (height - top - bottom) }

  /// The picture: its frame and contents. `label` describes it for screen readers.
  func draw(_ markup: inout Markup, label: String, _ inner: (inout Markup) -> Void) {
    markup.within(
      "svg", ["viewBox": "0 0 \(length(width)) \(length(height))", "role": "img", "aria-label": label]
    ) { svg in
      frame(&svg)
      inner(&svg)
    }
  }

  /// Two strokes through an axis where it is broken.
  private func breaks(_ svg: inout Markup) {
    let ground = height - bottom
    for part in horizontal.breaks {
      let x = left + part * (width - left - right)
      svg.element(
        "path",
        [
          "class": "break",
          "d": "M\(length(x - 5)) \(length(ground + 5))l4 -10M\(length(x + 1)) \(length(ground + 5))l4 -10",
        ])
    }
    for part in vertical.breaks {
      let y = ground - part * (ground - top)
      svg.element(
        "path",
        [
          "class": "break",
          "d": "M\(length(left - 5)) \(length(y + 5))l10 -4M\(length(left - 5)) \(length(y - 1))l10 -4",
        ])
    }
  }

  private func frame(_ svg: inout Markup) {
    let (end, ground) = (width - right, height - bottom)
    var free = 0.0
    for tick in horizontal.ticks {
      let middle = x(tick.value)
      let x = length(middle)
      svg.element("line", ["class": "grid", "x1": x, "y1": length(top), "x2": x, "y2": length(ground)])
      // Where an axis is broken, labels may be too near.
      let half = 4.2 * Double(tick.label.count)
      guard middle - half >= free else { continue }
      free = middle + half + 2
      svg.element("text", ["x": x, "y": length(ground + 16), "text-anchor": "middle"], tick.label)
    }
    for tick in vertical.ticks {
      let y = y(tick.value)
      svg.element(
        "line", ["class": "grid", "x1": length(left), "y1": length(y), "x2": length(end), "y2": length(y)])
      svg.element("text", ["x": length(left - 7), "y": length(y + 4), "text-anchor": "end"], tick.label)
    }
    svg.element(
      "line",
      ["class": "axis", "x1": length(left), "y1": length(ground), "x2": length(end), "y2": length(ground)])
    svg.element(
      "line",
      ["class": "axis", "x1": length(left), "y1": length(top), "x2": length(left), "y2": length(ground)])
    breaks(&svg)
    svg.element(
      "text",
      ["class": "unit", "x": length((left + end) / 2), "y": length(height - 8), "text-anchor": "middle"],
      horizontal.title)
    svg.element(
      "text",
      [
        "class": "unit", "x": "0", "y": "0", "text-anchor": "middle",
        "transform": "translate(13 \(length((top + ground) / 2))) rotate(-90)",
      ], vertical.title)
  }
}

extension Plot {
  /// A sentence on the breaks of the axes, if there are any.
  var words: String {
    switch (horizontal.breaks.isEmpty, vertical.breaks.isEmpty) {
    case (true, true): ""
    case (false, true): " The horizontal axis is broken where two strokes cross it."
    case (true, false): " The vertical axis is broken where two strokes cross it."
    case (false, false): " Both axes are broken where two strokes cross them."
    }
  }
}

/// A length in the picture, to a tenth.
func length(_ value: Double) -> String { ReportNumber.short(value, 1) }
