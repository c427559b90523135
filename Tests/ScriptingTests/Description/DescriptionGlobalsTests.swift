import Scripting
import Testing

@Suite struct DescriptionGlobalsTests {
  /// Globals of Lua 5.4 and the fields of its libraries, as its manual lists them (section 6).
  private static let standard: [String: String] = [
    "_G": """
    assert collectgarbage dofile error getmetatable ipairs load loadfile next pairs pcall print rawequal rawget rawlen \
    rawset require select setmetatable tonumber tostring type warn xpcall _G _VERSION coroutine debug io math os package \
    string table utf8
    """,
    "coroutine": "close create isyieldable resume running status wrap yield",
    "math": """
    abs acos asin atan ceil cos deg exp floor fmod huge log max maxinteger min mininteger modf pi rad random randomseed \
    sin sqrt tan tointeger type ult
    """,
    "os": "clock date difftime execute exit getenv remove rename setlocale time tmpname",
    "string": """
    byte char dump find format gmatch gsub len lower match pack packsize rep reverse sub unpack upper
    """,
    "table": "concat insert move pack remove sort unpack",
    "utf8": "char charpattern codepoint codes len offset",
  ]

  /// What a Lua that was built to understand scripts of 5.3 has besides; Debian's is.
  private static let older = ["atan2", "cosh", "frexp", "ldexp", "log10", "pow", "sinh", "tanh"].map {
    "math.\($0)"
  }

  private static var names: [String] {
    standard.flatMap { library, names in
      names.split(separator: " ").map { library == "_G" ? String($0) : "\(library).\($0)" }
    }
  }

  @Test func `scripts find all of Lua's library but what is said to be missing`() throws {
    let script = Self.names.sorted().map { name in
      "if load('return \(name)')() == nil then print('\(name)') end"
    }.joined(separator: "\n")

    #expect(try printed(by: script) == ScriptGlobals.missing.map(\.name).sorted())
  }

  @Test func `scripts find no globals besides Lua's and ours`() throws {
    let script = """
      for _, library in ipairs { "coroutine", "math", "os", "string", "table", "utf8" } do
        for name in pairs(load("return " .. library)()) do print(library .. "." .. name) end
      end
      """

    let found = try printed(by: script)

    #expect(found.count > 70)
    #expect(Set(found).subtracting(Self.names + Self.older).sorted() == [])
  }

  @Test func `what is missing is told with what serves instead`() throws {
    let text = try #require(APIDescription.text(for: "io"))

    #expect(text.contains("lookahead.fs"))
    #expect(APIDescription.text(for: "os.time") == nil)
  }
}
