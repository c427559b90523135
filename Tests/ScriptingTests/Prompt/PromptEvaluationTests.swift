import Lua
import Paging
import Scripting
import Testing

@Suite struct PromptEvaluationTests {
  @Test func `an expression gives its values, statements what they return`() throws {
    let rig = try PromptRig()

    #expect(rig.shown("1 + 1, nil, 'x'") == ["2", "nil", "\"x\""])
    #expect(rig.shown("= 7") == ["7"])
    #expect(rig.shown("local a = 2 return a * 3") == ["6"])
    #expect(rig.shown("#'four'") == ["4"])
    #expect(rig.shown("print('hello')") == [])
    #expect(rig.shown("-- nothing") == [])
    #expect(rig.printed == ["hello"])
    #expect(rig.enter("1 + 1")?.isExpression == true)
    #expect(rig.enter("x = 1")?.isExpression == false)
  }

  @Test func `a semicolon at the end hides the values`() throws {
    let rig = try PromptRig()

    #expect(rig.enter("1 + 1;")?.isHidden == true)
    #expect(rig.enter("1 + 1 -- ;")?.isHidden == false)
    #expect(rig.enter("';'")?.isHidden == false)
    #expect(rig.shown("_") == [";"].map { "\"\($0)\"" })
  }

  @Test func `variables live on, local or not`() throws {
    let rig = try PromptRig()

    rig.enter("local x <const>, y = 1, 2")
    rig.enter("local function add(a) return a + x end")
    rig.enter("z = 3")

    #expect(rig.shown("x, y, z, add(10)") == ["1", "2", "3", "11"])
    #expect(rig.shown("do local x = 9 end return x") == ["1"])
    rig.enter("local x")
    #expect(rig.shown("x") == ["nil"])
  }

  struct LocalsCase: Decodable, CustomTestStringConvertible {
    let lines: [String]
    let shown: [String]

    var testDescription: String { lines[0] }
  }

  @Test(arguments: cases("prompt-locals") as [LocalsCase])
  func `a local lives on where no block ends it`(_ example: LocalsCase) throws {
    let rig = try PromptRig()

    var shown: [String] = []
    for line in example.lines { shown = rig.shown(line) }

    #expect(shown == example.shown)
  }

  @Test func `values are kept under _ and the line's number, errors under _error`() throws {
    let rig = try PromptRig()

    rig.enter("41")
    rig.enter("_ + 1")
    rig.enter("nil")
    rig.enter("error('no', 0)")

    #expect(rig.shown("_1, _2, _") == ["41", "42", "42"])
    #expect(rig.shown("_error") == ["\"no\""])
    #expect(rig.shown("_5") == ["41"])
  }

  @Test func `an error has its place`() throws {
    let rig = try PromptRig()

    #expect(rig.shown("local x\nx.y = 1") == ["prompt:1:2: attempt to index a nil value (global 'x')"])
    #expect(rig.shown("nosuch()") == ["prompt:2:1: attempt to call a nil value (global 'nosuch')"])
    #expect(rig.shown("x = = 1") == ["prompt:3:1: unexpected symbol near '='"])
    #expect(rig.enter("nosuch()")?.failure?.traceback.contains("prompt:4:1") == true)
  }

  @Test func `_G is the session, and nothing leads out of the sandbox`() throws {
    let rig = try PromptRig("local mine = 1")

    rig.enter("_G.x = mine + 1")
    #expect(rig.shown("x, _G.mine, _G == _ENV") == ["2", "1", "true"])
    #expect(rig.shown("getmetatable(_ENV), io, debug, dofile") == ["false", "nil", "nil", "nil"])
    #expect(rig.shown("setmetatable(_ENV, {})") == ["cannot change a protected metatable"])
  }

  @Test func `a text may begin at a later line`() throws {
    let rig = try PromptRig()
    var message: String?

    rig.workflow.evaluate("local x = nil\nx()", name: "stdin", line: 7) { message = $0.failure?.message }
    rig.tell(.woke)

    #expect(message == "stdin:8: attempt to call a nil value (global 'x')")
  }

  @Test(arguments: [
    ("1 +", true), ("'a\\", true), ("function f()", true), ("if x then", true), ("x = [[a", true),
    ("f(", true), ("= 1 +", true),
    ("1 + 1", false), ("x = 1", false), ("", false), ("-- x", false), ("f()", false),
  ])
  func `what is incomplete waits for more`(_ text: String, _ isIncomplete: Bool) throws {
    let rig = try PromptRig()

    #expect(rig.workflow.completeness(of: text) == (isIncomplete ? .incomplete : .complete))
  }

  @Test(arguments: ["x = = 1", "end", "'abc", "1 1", "goto nowhere"])
  func `what no continuation mends is broken`(_ text: String) throws {
    let rig = try PromptRig()

    guard case .broken = rig.workflow.completeness(of: text) else {
      Issue.record("\(text) is not broken")
      return
    }
  }

  @Test func `a line may wait, and the next goes on behind it`() throws {
    let rig = try PromptRig()
    let first = rig.begin("lookahead.sleep(5) return lookahead.now()")
    let second = rig.begin("lookahead.now()")

    #expect(rig.workflow.isEvaluating)
    #expect(first() == nil && second() == nil)
    rig.resume()

    #expect(first()?.duration == .seconds(5))
    #expect(second().map { rig.workflow.text(of: $0.values[0]) } == "5.0")
    #expect(!rig.workflow.isEvaluating && !rig.isFinished)
  }

  @Test func `the run ends when the person leaves`() throws {
    let rig = try PromptRig()
    let line = rig.begin("lookahead.sleep(1000)")

    rig.workflow.leavePrompt()
    rig.tell(.woke)

    #expect(rig.isFinished && rig.workflow.failure == nil)
    #expect(line()?.failure?.kind == .stopped(.interrupted))
  }

  @Test func `a thousand lines leave nothing on the stack`() throws {
    let rig = try PromptRig("return lookahead.source { fetch = function() return { items = {} } end }")
    let before = rig.workflow.stackDepth

    for number in 0..<250 {
      rig.enter("x = { \(number), a = { b = _ } }")
      rig.enter("x")
      rig.enter("error({})")
      rig.enter("lookahead.sleep(1) return x, x, x")
      _ = rig.completions("x.a.")
      _ = rig.workflow.completeness(of: "x = (")
      _ = rig.text("_")
      _ = rig.workflow.promptSources
      _ = rig.workflow.value(at: "x.a.b").map { rig.workflow.inspect($0) }
    }

    #expect(rig.workflow.stackDepth == before)
  }
}
