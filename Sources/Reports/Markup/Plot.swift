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

  private func frame(_ svg: inout Markup) {
    let (end, ground) = (width - right, height - bottom)
    for tick in horizontal.ticks {
      let x = length(x(tick.value))
      svg.element("line", ["class": "grid", "x1": x, "y1": length(top), "x2": x, "y2": length(ground)])
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

/// A length in the picture, to a tenth.
func length(_ value: Double) -> String { ReportNumber.short(value, 1) }
