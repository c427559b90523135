import Scripting
import Testing

@Suite struct PromptCompletionTests {
  @Test func `names, keywords and globals are completed`() throws {
    let rig = try PromptRig()
    rig.enter("local format, forest = 1, 2")

    #expect(rig.completions("for") == ["for", "forest", "format"])
    #expect(rig.completions("x = fore") == ["forest"])
    #expect(rig.completions("look") == ["lookahead"])
    #expect(rig.completion("look").start == 0)
    #expect(rig.completion("x = look").common == "lookahead")
    #expect(rig.completion("fo").common == "for" || rig.completion("fo").common == "fo")
    #expect(rig.completions("nosuchname") == [])
    #expect(rig.completion("nosuchname").common == "nosuchname")
  }

  @Test func `names that stand in the text are completed`() throws {
    let rig = try PromptRig()

    #expect(rig.completions("function f(argument) return argu") == ["argument"])
    #expect(rig.completions("local value = 1\nprint(val|)") == ["value"])
    #expect(rig.completions("x.secret = 1 sec") == [])
  }

  @Test func `fields, methods and keys are completed`() throws {
    let rig = try PromptRig()
    rig.enter("t = { alpha = { beta = 1, bet = 2 }, run = print, ['a b'] = 1, [10] = 1, 'x' }")

    #expect(rig.completions("t.") == ["alpha", "run"])
    #expect(rig.completions("t.alpha.b") == ["bet", "beta"])
    #expect(rig.completion("t.alpha.b").common == "bet")
    #expect(rig.completion("t.alpha.b").start == 8)
    #expect(rig.completions("t:") == ["run"])
    #expect(rig.completions("t[\"a") == ["a b\"]", "alpha\"]"])
    #expect(rig.completions("t['a ") == ["a b']"])
    #expect(rig.completions("t[") == ["\"a b\"]", "\"alpha\"]", "\"run\"]", "1]"])
    #expect(rig.completions("t[\"alpha\"].b") == ["bet", "beta"])
    #expect(rig.completions("print(t.alpha.b|, 1)") == ["bet", "beta"])
    #expect(rig.completions("1 .. t.r") == ["run"])
    #expect(rig.completions("f().x") == [])
    #expect(rig.completions("t.nosuch.x") == [])
  }

  @Test func `strings, libraries and what is kept are completed`() throws {
    let rig = try PromptRig()
    rig.enter("{ records = { { place = 1 } } }")

    #expect(rig.completions("('x'):rep|") == [])
    #expect(rig.completions("'x':re") == ["rep", "reverse"])
    #expect(rig.completions("string.re") == ["rep", "reverse"])
    #expect(rig.completions("_.rec") == ["records"])
    #expect(rig.completions("_1.records[1].p") == ["place"])
    #expect(rig.completions("lookahead.http.").contains("get"))
  }

  @Test func `objects of the host have their methods and fields`() throws {
    let rig = try PromptRig("local feed = lookahead.source { fetch = function() end }")

    #expect(rig.completions("feed:it") == ["itemSet", "items"])
    #expect(rig.completions("feed.isL") == [] && rig.completions("feed:fe") == [])
    #expect(rig.completions("feed.page") == ["pageSize", "pages"])
    #expect(rig.completions("lookahead.spawn(print):") == [])
    rig.enter("task = lookahead.spawn(print)")
    #expect(rig.completions("task:") == ["cancel", "wait"])
  }

  @Test func `__index is followed where it is a table`() throws {
    let rig = try PromptRig()
    rig.enter("Base = { shared = print } object = setmetatable({ own = 1 }, { __index = Base })")
    rig.enter("Base.loop = setmetatable(Base, { __index = object })")

    #expect(rig.completions("object.") == ["loop", "own", "shared"])
    #expect(rig.completions("object:s") == ["shared"])
  }

  @Test func `texts in quotes are files, comments and numbers nothing`() throws {
    let rig = try PromptRig()

    #expect(rig.completions("lookahead.files.read('data.") == ["data.csv", "data.json"])
    #expect(rig.completion("read('data.").common == "data.")
    #expect(rig.completion("read('data.").start == 6)
    #expect(rig.completions("-- for") == [])
    #expect(rig.completions("12") == [])
  }

  @Test func `of many keys the first are given, and what all begin with`() throws {
    let rig = try PromptRig()
    rig.enter("big = {} for i = 1, 3000 do big['key' .. i] = i end")

    let found = rig.completion("big.k")

    #expect(found.candidates.count == 500 && found.isCut)
    #expect(found.candidates.first?.text == "key1" && found.common == "key")
    #expect(found.candidates.map(\.text) == found.candidates.map(\.text).sorted())
    #expect(rig.completions("big.key299") == ["key299"] + (2990...2999).map { "key\($0)" })
  }
}
