import Lua
import Scripting
import Testing

/// The definitions for editors, read as an editor reads them.
@Suite struct DescriptionStubsTests {
  private static let lines = LuaCATSStubs.text.split(separator: "\n", omittingEmptySubsequences: false).map(
    String.init)

  /// What stands behind a tag, as `---@class`, line by line.
  private static func tagged(_ tag: String) -> [String] {
    lines.filter { $0.hasPrefix("---@\(tag) ") }.map { String($0.dropFirst(tag.count + 5)) }
  }

  /// The names of classes and aliases.
  private static var defined: [String] {
    (tagged("class") + tagged("alias")).map { line in
      String(line.replacing("(exact) ", with: "").prefix { $0.isLetter || $0.isNumber || $0 == "." })
    }
  }

  @Test func `Lua reads the definitions`() throws {
    let state = LuaState()

    try state.load(LuaCATSStubs.text, name: "lookahead.lua")
    try state.call(arguments: 0, results: 1)

    #expect(state.stack.isTable(at: -1))
  }

  @Test func `no name is defined twice`() {
    #expect(Set(Self.defined).count == Self.defined.count)
    #expect(Self.defined.count > 60)
  }

  @Test func `every type that is named is defined`() {
    let defined = Set(Self.defined)
    let types =
      Self.tagged("field") + Self.tagged("param") + Self.tagged("return") + Self.tagged("class")
      + Self.tagged("alias") + Self.tagged("overload")
    let named = types.flatMap { line in
      line.matches(of: /lookahead\.[A-Z]\w*/).map { String($0.output) }
    }

    #expect(Set(named).subtracting(defined).sorted() == [])
    #expect(named.count > 100)
  }

  @Test func `types are written as LuaCATS has them`() {
    for line in Self.tagged("field") + Self.tagged("param") {
      #expect(TypeReader.isRight(line, isNamed: true), "\(line)")
    }
    for line in Self.tagged("return") {
      #expect(TypeReader.isRight(line, isNamed: false), "\(line)")
    }
  }

  @Test(arguments: ["", "fun(", "a|", "table<string", "fun(a: ): b", "\"x", "[]"])
  func `a type that is none is told from one`(text: String) {
    #expect(!TypeReader.isRight(text, isNamed: false))
  }

  @Test func `parameters are those of the function below them`() {
    var parameters: [String] = []
    var count = 0
    for line in Self.lines {
      if line.hasPrefix("---@param ") {
        parameters.append(String(line.dropFirst(10).prefix { $0 != " " }).replacing("?", with: ""))
      } else if let match = line.firstMatch(of: /^function [\w.:]+\((.*)\) end$/) {
        #expect(match.output.1.split(separator: ", ").map(String.init) == parameters, "\(line)")
        parameters = []
        count += 1
      }
    }

    #expect(parameters == [])
    #expect(count > 100)
  }

  @Test func `functions of the definitions are those that scripts find`() {
    let functions = Self.lines.compactMap { line in
      line.firstMatch(of: /^function (lookahead\.[\w.]+)\(/).map { String($0.output.1) }
    }

    let described = APIDescription.modules.flatMap { module in
      module.functions.map { "\(module.path).\($0.name)" }
    }
    #expect(functions.sorted() == described.sorted())
  }

  @Test func `calls that wait are marked`() {
    let marked = zip(Self.lines, Self.lines.dropFirst()).reduce(into: (isMarked: false, names: Set<String>()))
    {
      if $1.0 == "---@async" { $0.isMarked = true }
      if let match = $1.0.firstMatch(of: /^function ([\w.:]+)\(/) {
        if $0.isMarked { $0.names.insert(String(match.output.1)) }
        $0.isMarked = false
      }
    }.names

    #expect(marked.contains("lookahead.http.get"))
    #expect(marked.contains("Source:items"))
    #expect(!marked.contains("lookahead.json.decode"))
  }
}
