import Testing

/// A policy that remembers something, and would tell it to the next session if it could.
struct RememberingPolicy: CustomTestStringConvertible, Sendable {
  let testDescription: String
  /// What stands before the declaration.
  var before = ""
  /// The function that makes a state, as `start = …`.
  var start = ""
  /// A number that grows with each decision.
  let count: String

  static let all = [
    RememberingPolicy(
      testDescription: "an upvalue", before: "local n = 0", count: "n = n + 1 local count = n"),
    RememberingPolicy(
      testDescription: "a table", before: "local seen = { n = 0 }",
      count: "seen.n = seen.n + 1 local count = seen.n"),
    RememberingPolicy(
      testDescription: "a list that grows", before: "local seen = {}",
      count: "seen[#seen + 1] = view.now local count = #seen"),
    RememberingPolicy(
      testDescription: "two functions that share a variable",
      before: "local n = 0 local function add() n = n + 1 end local function get() return n end",
      count: "add() local count = get()"),
    RememberingPolicy(
      testDescription: "an object",
      before: """
        local Counter = { n = 0 }
        Counter.__index = Counter
        function Counter:add() self.n = self.n + 1 return self.n end
        local counter = setmetatable({}, Counter)
        """,
      count: "local count = counter:add()"),
    RememberingPolicy(
      testDescription: "a hidden object",
      before: "local counter = setmetatable({ n = 0 }, { __metatable = false, __name = 'lookahead.policy' })",
      count: "counter.n = counter.n + 1 local count = counter.n"),
    RememberingPolicy(
      testDescription: "math", count: "math.n = (math.n or 0) + 1 local count = math.n"),
    RememberingPolicy(
      testDescription: "a function of math",
      count: "local old = math.floor(0.5) math.floor = function() return old + 1 end local count = old"),
    RememberingPolicy(
      testDescription: "string", count: "string.n = (string.n or 0) + 1 local count = string.n"),
    RememberingPolicy(testDescription: "os", count: "os.n = (os.n or 0) + 1 local count = os.n"),
    RememberingPolicy(
      testDescription: "globals", count: "rawset(_G, 'n', (rawget(_G, 'n') or 0) + 1) local count = n"),
    RememberingPolicy(
      testDescription: "globals of loaded text",
      count: "local count = load('math.n = (math.n or 0) + 1 return math.n')()"),
    RememberingPolicy(
      testDescription: "the parameters",
      count: "parameters.seen = (parameters.seen or 0) + 1 local count = parameters.seen"),
    RememberingPolicy(
      testDescription: "a table in the parameters",
      count: "parameters.own.n = (parameters.own.n or 0) + 1 local count = parameters.own.n"),
    RememberingPolicy(
      testDescription: "a module", before: "local counter = require 'counter'",
      count: "counter.n = counter.n + 1 local count = require('counter').n"),
    RememberingPolicy(
      testDescription: "a module that is required late",
      count: "local counter = require 'counter' counter.n = counter.n + 1 local count = counter.n"),
    RememberingPolicy(
      testDescription: "a state of its own", start: "start = function() return { n = 0 } end,",
      count: "state.n = state.n + 1 local count = state.n"),
    RememberingPolicy(
      testDescription: "a coroutine of its own",
      start: """
        start = function()
          return coroutine.wrap(function() local n = 0 while true do n = n + 1 coroutine.yield(n) end end)
        end,
        """,
      count: "local count = state()"),
    RememberingPolicy(
      testDescription: "numbers in the place of addresses",
      count: "local count = tonumber(tostring({}):match('%d+'))"),
    RememberingPolicy(
      testDescription: "numbers in formatted texts",
      before: "local function text(value) return ('%s'):format(value) end",
      count: "local count = tonumber(text(function() return view end):match('%d+'))"),
    RememberingPolicy(
      testDescription: "the order of keys",
      count: """
        local list = {}
        for n = 1, 20 do list["key " .. n * view.itemCount] = n end
        local _, count = next(list)
        """),
    RememberingPolicy(
      testDescription: "the order of pairs",
      count: """
        local list, count = { 7, 8, [true] = 3, [-1.5] = 4, [1 << 40] = 5 }, 0
        for n = 1, 20 do list["key " .. n * view.itemCount] = n end
        for _, n in pairs(list) do count = (count * 31 + n) % 1009 end
        """),
    RememberingPolicy(testDescription: "random numbers", count: "local count = math.random(3)"),
    RememberingPolicy(
      testDescription: "kept random numbers", before: "local random = math.random",
      count: "local count = random(3)"),
    RememberingPolicy(
      testDescription: "random numbers of a seed",
      count: "local count = math.random(3) if math.random() < 0.1 then math.randomseed() end"),
  ]

  /// Whether its first number is one, and each the next.
  var counts: Bool { !["random", "order"].contains { testDescription.contains($0) } }

  /// It fetches early at some of its decisions only.
  var text: String {
    """
    \(before)
    return lookahead.policy {
      name = "remembering", parameters = { every = 3, own = {} },
      \(start)
      shouldBatchFetch = function(view, parameters, state)
        \(count)
        return view.remainingItems == 0 or count % parameters.every == 0
      end,
    }
    """
  }
}
