import Paging
import Scripting
import Testing

/// The keys of the tables that scripts write: those of the description are those that the prelude checks.
@Suite struct DescriptionKeysTests {
  /// How a class of keys is put to use: `call` with the table in place of `$`.
  struct Probe: Decodable, Sendable, CustomTestStringConvertible {
    let type: String
    let call: String
    /// Keys that have to be there, too, as Lua code.
    var with: String?
    /// Values for keys whose type does not say what they must look like.
    var samples: [String: [String]]?
    /// Keys that other values are no mistake for.
    var loose: [String]?
    /// Its messages do not list the keys that it knows.
    var isSilent: Bool?
    var testDescription: String { call }

    func script(_ keys: String) -> String {
      let table = "{ " + [with ?? "", keys].filter { !$0.isEmpty }.joined(separator: ", ") + " }"
      return call.replacing("$", with: table)
    }

    /// What a script with these keys ends with.
    func failure(_ keys: String) throws -> String? {
      let routes = ["GET", "HEAD"].flatMap { method in
        ["", "?a=1"].map { ("\(method) https://example.com/\($0)", [HostReply.json("{}")]) }
      }
      let world = ScriptWorld(Dictionary(uniqueKeysWithValues: routes))
      world.database = { _ in .handle(1) }
      world.files = ["/scripts/a.json": "[]"]
      return try ScriptRun(script(keys), lab: LabRecorder(), in: world).failure
    }

    /// The keys that the call says it knows; nil where its messages list none.
    func known() throws -> [String]? {
      guard isSilent != true else { return nil }
      let failure = try failure("\(String(repeating: "q", count: 60)) = 1")
      let list = try #require(failure?.firstMatch(of: /\(known: (.*?)\)/), "\(failure ?? "")").output.1
      return list.split(separator: ", ").map(String.init)
    }

    /// Those of the description that it knows.
    func fields() throws -> [APIField] {
      let type = try #require(APIDescription.type(named: type))
      let known = try known()
      return type.fields.filter { known?.contains($0.name) ?? true }
    }
  }

  private static let probes: [Probe] = cases("description-keys")

  @Test func `every class of keys has a probe`() {
    let described = Set(APIDescription.classes.filter { $0.role == .keys }.map(\.name))

    #expect(Set(Self.probes.map(\.type)) == described)
  }

  @Test(arguments: Set(probes.filter { $0.isSilent != true }.map(\.type)).sorted())
  func `the keys of the description are those that calls know`(name: String) throws {
    let type = try #require(APIDescription.type(named: name))

    let known = try Set(Self.probes.filter { $0.type == name }.flatMap { try $0.known() ?? [] })

    #expect(known.subtracting(type.fields.map(\.name)).sorted() == [])
    #expect(Set(type.fields.map(\.name)).subtracting(known).sorted() == [])
  }

  @Test(.timeLimit(.minutes(5)), arguments: probes)
  func `a call takes what the description says of a key`(probe: Probe) throws {
    for field in try probe.fields() {
      for sample in probe.samples?[field.name] ?? Samples.of(field.type) {
        let failure = try probe.failure("\(field.name) = \(sample)")
        #expect(failure == nil, "\(field.name) = \(sample)")
      }
    }
  }

  @Test(.timeLimit(.minutes(5)), arguments: probes)
  func `a call refuses what the description does not say of a key`(probe: Probe) throws {
    for field in try probe.fields() where field.type != "any" && probe.loose?.contains(field.name) != true {
      #expect(try probe.failure("\(field.name) = lookahead.null") != nil, "\(field.name)")
    }
  }
}

/// Values in Lua for the types of the description.
enum Samples {
  /// A value for each thing that a type may be.
  static func of(_ type: String) -> [String] {
    parts(of: type).flatMap { one(String($0)) }
  }

  private static func one(_ type: String) -> [String] {
    if type.hasPrefix("\"") { return [type] }
    if type.hasPrefix("(") || type.contains("fun(") {
      return type.hasSuffix("]") ? ["{}"] : ["function() end"]
    }
    if type.hasSuffix("[]") || type.hasPrefix("table") { return ["{}"] }
    if let alias = APIDescription.aliases.first(where: { $0.name == type }) { return of(alias.type) }
    if let value = values[type] { return value }
    guard let fields = APIDescription.type(named: type)?.fields else { return [] }
    let keys = fields.filter { !$0.isOptional }.compactMap { field in
      of(field.type).first.map { "\(field.name) = \($0)" }
    }
    return ["{ \(keys.joined(separator: ", ")) }"]
  }

  private static let values = [
    "string": ["'text'"], "integer": ["2"], "number": ["2", "0.5"], "boolean": ["true", "false"],
    "false": ["false"],
    "any": ["1", "'text'", "{}"], "Null": ["lookahead.null"], "Policy": ["lookahead.policy.ramp()"],
    "Source": ["lookahead.source { fetch = print }"], "Workload": ["lookahead.workload {}"],
    "Network": ["lookahead.network {}"],
  ]

  /// What stands between bars outside of brackets; a function's results belong to it.
  private static func parts(of type: String) -> [String] {
    var parts = [""]
    var depth = 0
    for character in type {
      if "(<{".contains(character) { depth += 1 }
      if ")>}".contains(character) { depth -= 1 }
      if character == "|", depth == 0, !parts[parts.count - 1].contains("fun(") {
        parts.append("")
      } else {
        parts[parts.count - 1].append(character)
      }
    }
    return parts
  }
}
