import Scripting
import Testing

@Suite struct ParameterTests {
  private func printed(_ declaration: String, _ expression: String, _ given: [String: String]) throws
    -> [String]
  {
    let run = try ScriptRun(
      "local p = lookahead.parameters { \(declaration) }\nprint(\(expression))"
    ) { $0.parameters = given }
    return run.outcome
  }

  @Test func `what is given takes the place of the default and has its type`() throws {
    let declaration = "repo = \"apple/swift\", days = 7, rate = 0.5, deep = true, note = { help = \"h\" }"
    let expression = "p.repo, p.days, p.rate, p.deep, p.note"

    #expect(try printed(declaration, expression, [:]) == ["apple/swift\t7\t0.5\ttrue\tnil"])
    let given = ["repo": "a", "days": "9", "rate": "2", "deep": "false", "note": "n"]
    #expect(try printed(declaration, expression, given) == ["a\t9\t2\tfalse\tn"])
  }

  @Test(arguments: ["true", "yes", "1", "false", "no", "0"])
  func `booleans are written in three ways`(_ text: String) throws {
    let isTrue = ["true", "yes", "1"].contains(text)

    #expect(try printed("deep = false", "p.deep", ["deep": text]) == ["\(isTrue)"])
  }

  @Test(arguments: [("days = 7", "integer"), ("days = 0.5", "number"), ("days = true", "boolean")])
  func `a text that cannot be converted is refused`(_ declaration: String, _ type: String) throws {
    let run = try ScriptRun("lookahead.parameters { \(declaration) }") { $0.parameters = ["days": "soon"] }

    #expect(run.failure == "feed.lua:1: --param days: expected \(type), got 'soon'")
    #expect(run.code == "usage")
  }

  @Test func `a type may be named without a default`() throws {
    #expect(try printed("n = { type = \"integer\" }", "p.n, math.type(p.n)", ["n": "3"]) == ["3\tinteger"])
    #expect(
      try printed("n = { type = \"int\" }", "p.n", [:])
        == [
          "feed.lua:1: lookahead.parameters: n: type: expected \"string\" or \"integer\" or \"number\" or \"boolean\", got \"int\""
        ])
  }

  @Test func `a required parameter that is not given ends the run`() throws {
    let run = try ScriptRun("lookahead.parameters { token = { required = true } }")

    #expect(run.failure == "parameter 'token' is required: give it with --param token=…")
    #expect(run.code == "usage")
  }

  @Test func `a check goes on without what is required`() throws {
    let run = try ScriptRun(
      """
      local p = lookahead.parameters { a = { required = true }, b = { required = true, type = "integer" } }
      print(p.a == "", p.b)
      """
    ) { $0.isCheck = true }

    #expect(run.printed == ["true\t0"])
    #expect(run.failure == nil)
  }

  @Test func `declarations are shown to people, but no secrets`() throws {
    let run = try ScriptRun(
      """
      lookahead.parameters {
        days = { default = 7, help = "how far back" },
        token = { default = "abc", secret = true, required = true },
      }
      """)

    let declared = run.workflow.declarations.parameters
    #expect(declared.map(\.name) == ["days", "token"])
    #expect(declared.map(\.defaultText) == ["7", ""])
    #expect(declared.map(\.type) == ["integer", "string"])
    #expect(declared[0].help == "how far back")
    #expect(declared[1].isSecret && declared[1].isRequired)
  }

  @Test func `wrong declarations and unknown names are refused`() throws {
    #expect(
      try printed("token = { requird = true }", "", [:])
        == ["feed.lua:1: lookahead.parameters: token: unknown key 'requird' (did you mean 'required'?)"])
    #expect(
      try printed("list = { default = {} }", "", [:])
        == [
          "feed.lua:1: lookahead.parameters: list: default: expected a string, a number or true or false, got table"
        ])
    #expect(try printed("\"repo\"", "", [:]) == ["feed.lua:1: lookahead.parameters: expected names, got 1"])
    #expect(
      try printed("days = 7, repo = \"a\"", "p.day", [:])
        == ["feed.lua:2: no parameter 'day' was declared (did you mean 'days'?)"])
  }
}
