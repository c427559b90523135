import Hosting

/// The script behind `lookahead get`: inspects the first page, finds the key of the next, writes a script and runs it.
struct GetProgram {
  /// The command line without secrets: those are parameters.
  struct Request {
    var url: String
    var host: String
    var method: String
    var data: String?
    var headers: [Header]
    var items: String?
    var next: String?
    var total: String?
    var id: String?
    var pageSize: Int?
    var pageParameter: String?
    var sizeParameter: String?
    var secrets: [String]
    var limit: Int?
    var maxPages: Int?
    /// Whether rows that do not come are removed from the output.
    var isMirror: Bool
    var asScript: Bool
  }

  /// A header of every request; secret names in braces stand for their values.
  struct Header {
    let name: String
    let value: String
  }

  let request: Request

  /// The script, with its modules.
  var script: ScriptFile {
    var modules = Self.modules
    modules["get.options"] = options
    return ScriptFile(generated: Self.text(PackageResources.get_lua), path: "items.lua", modules: modules)
  }

  private static let modules: [String: String] = [
    "get.asking": text(PackageResources.asking_lua),
    "get.comparing": text(PackageResources.comparing_lua),
    "get.counted": text(PackageResources.counted_lua),
    "get.counting": text(PackageResources.counting_lua),
    "get.expressions": text(PackageResources.expressions_lua),
    "get.given": text(PackageResources.given_lua),
    "get.helpers": text(PackageResources.helpers_lua),
    "get.leads": text(PackageResources.leads_lua),
    "get.lists": text(PackageResources.lists_lua),
    "get.names": text(PackageResources.names_lua),
    "get.places": text(PackageResources.places_lua),
    "get.search": text(PackageResources.search_lua),
    "get.shapes": text(PackageResources.shapes_lua),
    "get.signs": text(PackageResources.signs_lua),
    "get.standing": text(PackageResources.standing_lua),
    "get.steps": text(PackageResources.steps_lua),
    "get.trying": text(PackageResources.trying_lua),
    "get.ways": text(PackageResources.ways_lua),
    "get.writing": text(PackageResources.writing_lua),
  ]

  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  /// The options as a module.
  private var options: String {
    let texts = [
      ("url", request.url), ("host", request.host), ("method", request.method), ("data", request.data),
      ("items", request.items), ("next", request.next), ("total", request.total), ("id", request.id),
      ("pageParameter", request.pageParameter), ("sizeParameter", request.sizeParameter),
    ].compactMap { name, text in text.map { "\(name) = \(Self.quoted($0))" } }
    let numbers = [("pageSize", request.pageSize), ("limit", request.limit), ("maxPages", request.maxPages)]
      .compactMap { name, number in number.map { "\(name) = \($0)" } }
    let headers = request.headers.map {
      "{ name = \(Self.quoted($0.name)), value = \(Self.quoted($0.value)) }"
    }
    let lists = [
      "headers = { \(headers.joined(separator: ", ")) }",
      "secrets = { \(request.secrets.map(Self.quoted).joined(separator: ", ")) }",
      "isMirror = \(request.isMirror)",
      "asScript = \(request.asScript)",
    ]
    return "return { \((texts + numbers + lists).joined(separator: ", ")) }"
  }

  /// A text as a Lua string.
  private static func quoted(_ text: String) -> String {
    let bytes = text.utf8.map { byte in
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): return "\\" + String(UnicodeScalar(byte))
      case 0x20...0x7E: return String(UnicodeScalar(byte))
      default:
        let digits = String(byte)
        return "\\" + String(repeating: "0", count: 3 - digits.count) + digits
      }
    }
    return "\"" + bytes.joined() + "\""
  }
}
