/// A policy's mark in every figure: a colour, a shape and a dash, so that no two of forty-two differ only by colour.
///
/// The colours are those of Okabe and Ito (2008), distinguishable with any colour vision; yellow is omitted, as it is
/// faint on white.
struct SeriesMark {
  let number: Int
  let isOracle: Bool

  private static let dashes = ["", "6 3", "2 3", "8 3 2 3", "12 4", "4 2 1 2", "1 2"]

  /// The class for the colour.
  var colour: String { isOracle ? "cx" : "c\(number % 6)" }

  /// As a `stroke-dasharray`.
  var dash: String { isOracle ? "3 4" : Self.dashes[number / 6 % Self.dashes.count] }

  /// The shape around a point, with half width `size`.
  func path(x: Double, y: Double, size: Double) -> String {
    let d = length(size)
    func polygon(_ points: [(Double, Double)]) -> String {
      "M" + points.map { "\(length(x + $0.0 * size)) \(length(y + $0.1 * size))" }.joined(separator: "L")
        + "Z"
    }
    if isOracle { return polygon(Self.star) }
    switch number % 7 {
    case 0:
      return
        "M\(length(x - size)) \(length(y))a\(d) \(d) 0 1 0 \(length(2 * size)) 0a\(d) \(d) 0 1 0 \(length(-2 * size)) 0Z"
    case 1: return polygon([(-0.88, -0.88), (0.88, -0.88), (0.88, 0.88), (-0.88, 0.88)])
    case 2: return polygon([(0, -1.15), (1.1, 0.8), (-1.1, 0.8)])
    case 3: return polygon([(0, -1.25), (1.25, 0), (0, 1.25), (-1.25, 0)])
    case 4: return polygon([(0, 1.15), (1.1, -0.8), (-1.1, -0.8)])
    case 5:
      let arm = 0.38
      return polygon([
        (-arm, -1.1), (arm, -1.1), (arm, -arm), (1.1, -arm), (1.1, arm), (arm, arm), (arm, 1.1), (-arm, 1.1),
        (-arm, arm),
        (-1.1, arm), (-1.1, -arm), (-arm, -arm),
      ])
    default:
      return polygon([(-1.2, -0.6), (0, -1.2), (1.2, -0.6), (1.2, 0.6), (0, 1.2), (-1.2, 0.6)])
    }
  }

  /// A five-pointed star: cosines and sines of 36° steps.
  private static let star: [(Double, Double)] = [
    (0, -1.4), (0.353, -0.486), (1.331, -0.433), (0.571, 0.185), (0.823, 1.133), (0, 0.6), (-0.823, 1.133),
    (-0.571, 0.185),
    (-1.331, -0.433), (-0.353, -0.486),
  ]

  /// A small sample for tables and legends.
  func swatch(_ markup: inout Markup) {
    markup.within("svg", ["class": "swatch", "viewBox": "0 0 16 16", "aria-hidden": "true"]) {
      $0.element("path", ["class": "point \(colour)", "d": path(x: 8, y: 8, size: 4.6)])
    }
  }
}

extension SeriesMark {
  /// The mark of the policy with that title, the same in every figure.
  init(_ title: String, in contents: ReportContents) {
    self.init(
      number: contents.policies.firstIndex(of: title) ?? 0, isOracle: contents.oracles.contains(title))
  }
}
