/// What a source says that a column is, in an output that has types.
///
///     DeclaredType("decimal(18,2)")  // .decimal(precision: 18, scale: 2)
public enum DeclaredType: Sendable, Hashable {
  case boolean, integer, double, date, timestamp, json, text
  /// So many digits, and so many of them behind the point.
  case decimal(precision: Int, scale: Int)

  private static let plain: [(name: String, type: DeclaredType)] = [
    ("timestamp", .timestamp), ("date", .date), ("integer", .integer), ("double", .double),
    ("boolean", .boolean), ("text", .text), ("json", .json),
  ]

  /// Nil for anything else: a decimal has 1 to 38 digits.
  public init?(_ name: String) {
    if let plain = DeclaredType.plain.first(where: { $0.name == name }) {
      self = plain.type
      return
    }
    guard name.hasPrefix("decimal("), name.hasSuffix(")") else { return nil }
    let parts = name.dropFirst(8).dropLast().split(separator: ",", omittingEmptySubsequences: false).map {
      part in Int(part.drop { $0 == " " })
    }
    guard parts.count == 2, let precision = parts[0], let scale = parts[1], 1...38 ~= precision,
      0...precision ~= scale
    else { return nil }
    self = .decimal(precision: precision, scale: scale)
  }

  /// As a source writes it.
  public var name: String {
    if case .decimal(let precision, let scale) = self { return "decimal(\(precision),\(scale))" }
    return DeclaredType.plain.first { $0.type == self }?.name ?? ""
  }
}
