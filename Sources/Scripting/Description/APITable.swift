/// The script API at a glance: two Markdown tables, for the manual.
public enum APITable {
  /// Modules with their functions, then objects with methods. Functions that wait have a star.
  public static let text = modules + "\n" + objects

  private static let modules = table(
    ["table", "what it is", "calls; those with \\* wait"],
    APIDescription.modules.map { module in
      let call = module.call.map { ["`\(module.path)\($0.signature.brackets)`"] } ?? []
      let values = module.values.map { "`\($0.name)`" }
      return [
        "`\(module.path)`", module.summary.withoutStop,
        (call + names(module.functions) + values).joined(separator: ", "),
      ]
    })

  private static let objects = table(
    ["object", "what it is", "fields and methods; those with \\* wait"],
    APIDescription.classes.filter { $0.role == .object && ($0.name == "View" || !$0.methods.isEmpty) }.map {
      type in
      let fields = type.fields.map { "`\($0.name)`" }
      return [
        "`\(type.word)`", type.summary.withoutStop,
        (fields + names(type.methods, ":")).joined(separator: ", "),
      ]
    })

  private static func names(_ functions: [APIFunction], _ mark: String = "") -> [String] {
    functions.map { "`\(mark)\($0.name)\($0.signature.brackets)`" + ($0.waits ? "\\*" : "") }
  }

  private static func table(_ head: [String], _ rows: [[String]]) -> String {
    ([head, head.map { _ in "---" }] + rows)
      .map { row in "| " + row.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ") + " |\n" }
      .joined()
  }
}

extension String {
  /// A sentence without its full stop.
  var withoutStop: String { hasSuffix(".") ? String(dropLast()) : self }
}
