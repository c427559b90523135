/// A parameter and its values in a sweep: `try SweepAxis(parsing: "factor=1..3:0.5")`.
public struct SweepAxis: Sendable, Hashable {
  /// The parameter's name.
  public var name: String
  /// In the order they are tried.
  public var values: [Double]

  /// Values of a range without a step, including both ends.
  private static let rangeCount = 5
  /// Maximum values of an axis, and combinations of all axes.
  public static let mostValues = 10_000

  /// An axis of these values.
  public init(name: String, values: [Double]) {
    self.name = name
    self.values = values
  }

  /// Reads `NAME=A,B,C`, `NAME=LOW..HIGH` or `NAME=LOW..HIGH:STEP`.
  ///
  /// A range without a step is five equally spaced values, including both ends; with a step it starts at the low end
  /// and goes as far as the step fits. Values are exact decimals: `0..1:0.1` contains 0.3 exactly.
  public init(parsing text: String) throws(ExperimentError) {
    guard let equals = text.firstIndex(of: "="), equals > text.startIndex else {
      throw ExperimentError("--set \(text)", expected: "NAME=A,B,C or NAME=LOW..HIGH[:STEP]", got: text)
    }
    let rest = text[text.index(after: equals)...]
    let values: [Double]
    if let dots = rest.firstRange(of: "..") {
      values = try SweepAxis.range(rest[..<dots.lowerBound], rest[dots.upperBound...], in: text)
    } else {
      values = try SweepAxis.list(rest, in: text)
    }
    self.init(name: String(text[..<equals]), values: values)
  }

  private static func list(_ text: Substring, in whole: String) throws(ExperimentError) -> [Double] {
    var values: [Double] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let value = try number(part, in: whole).value
      if values.contains(value) {
        throw ExperimentError("--set \(whole)", expected: "different values", got: "\(part) twice")
      }
      values.append(value)
    }
    return values
  }

  private static func range(
    _ low: Substring, _ rest: Substring, in text: String
  ) throws(ExperimentError) -> [Double] {
    let parts = rest.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let (low, high) = (try number(low, in: text), try number(parts[0], in: text))
    guard low.value < high.value else {
      throw ExperimentError(
        "--set \(text)", expected: "a high end above the low one", got: "\(low.value)..\(high.value)")
    }
    if parts.count == 1 {
      let last = rangeCount - 1
      return DecimalSteps(from: low, to: high, parts: last).values
    }
    let step = try number(parts[1], in: text)
    guard step.value > 0 else {
      throw ExperimentError("--set \(text)", expected: "a step above zero", got: "\(parts[1])")
    }
    let steps = DecimalSteps(from: low, to: high, step: step)
    guard steps.count <= mostValues else {
      throw ExperimentError("--set \(text)", expected: "at most \(mostValues) values", got: "\(steps.count)")
    }
    return steps.values
  }

  private static func number(_ text: Substring, in whole: String) throws(ExperimentError) -> Decimal {
    if let decimal = Decimal(text) { return decimal }
    throw ExperimentError(
      "--set \(whole)",
      expected: "a number such as 3, -0.5 or 12.25, at most 9 digits before and 6 behind the point",
      got: text.isEmpty ? "nothing" : String(text))
  }

  /// Every combination of the axes' values, the last axis fastest; without axes, one empty combination.
  public static func combinations(_ axes: [SweepAxis]) throws(ExperimentError) -> [[LabParameter]] {
    var (count, names) = (1, Set<String>())
    for axis in axes {
      if !names.insert(axis.name).inserted {
        throw ExperimentError(
          "--set \(axis.name)", expected: "each parameter once", got: "\(axis.name) twice")
      }
      count *= axis.values.count
      if count > mostValues {
        throw ExperimentError(
          "--set \(axis.name)", expected: "at most \(mostValues) combinations", got: "\(count)")
      }
    }
    return axes.reduce([[]]) { combinations, axis in
      combinations.flatMap { start in axis.values.map { start + [LabParameter(axis.name, $0)] } }
    }
  }
}
