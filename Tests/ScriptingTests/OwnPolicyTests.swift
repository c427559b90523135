import Experiments
import Lua
import Paging
import Scripting
import Simulation
import Testing

@Suite struct OwnPolicyTests {
  private static func experiment(_ text: String, _ values: [Double] = [2, 3]) throws -> Experiment {
    var options = WorkflowOptions(scriptName: "own.lua", scriptFolder: "/scripts")
    options.loadModule = { $0 == "counter" ? ("return { n = 0 }", "counter.lua") : nil }
    let script = try LabScript(text: text, options: options)
    var experiment = Experiment()
    experiment.policies = script.policies
    if !values.isEmpty { experiment.sweep = [SweepAxis(name: "every", values: values)] }
    experiment.workloads = [WorldDescription("steady:speed=9,seconds=20,items=500")]
    experiment.networks = [WorldDescription("lognormal:0.4,0.5")]
    experiment.sessions = 6
    experiment.keep(script)
    return experiment
  }

  /// The scores by setting.
  private func scores(_ text: String, _ values: [Double] = [2, 3], jobs: Int = 1) throws -> [String:
    [SessionScore]]
  {
    var options = LabOptions()
    options.jobs = jobs
    let result = try Lab(options).run(Self.experiment(text, values)) { try Self.experiment(text, values) }
    return Dictionary(
      uniqueKeysWithValues: result.rows.filter { !$0.isOracle }.map { row in
        #expect(row.failure == nil)
        return (row.setting.policyTitle, row.scores)
      })
  }

  @Test(arguments: RememberingPolicy.all)
  func `what a policy remembers ends with its session`(_ policy: RememberingPolicy) throws {
    let alone = try scores(policy.text)

    #expect(alone.count == 2)
    for jobs in [2, 4] { #expect(try scores(policy.text, jobs: jobs) == alone) }
    #expect(try scores(policy.text, [3, 2]) == alone)
    for value in [2.0, 3] {
      for (title, scores) in try scores(policy.text, [value]) { #expect(scores == alone[title]) }
    }
  }

  @Test(arguments: RememberingPolicy.all.filter(\.counts))
  func `a policy begins at one each time it is made`(_ policy: RememberingPolicy) throws {
    let experiment = try Self.experiment(policy.text)

    let answers = try (0..<4).map { seed in
      var made = try experiment.policies[0].make([:], seed: UInt64(seed))
      var view = PolicyView()
      view.remainingItems = 1
      return (0..<7).map { _ in made.shouldBatchFetch(view).isYes }
    }

    let counts = policy.testDescription == "a function of math" ? 0...6 : 1...7
    for answer in answers { #expect(answer == counts.map { $0 % 3 == 0 }) }
    #expect(experiment.policies[0].takeFailure() == nil)
  }

  @Test func `two policies that live at once have nothing in common`() throws {
    let experiment = try Self.experiment(RememberingPolicy.all[0].text)
    var first = try experiment.policies[0].make(["every": 2])
    var second = try experiment.policies[0].make(["every": 2])
    var view = PolicyView()
    view.remainingItems = 1

    let answers = (0..<4).flatMap { _ in
      [first.shouldBatchFetch(view).isYes, second.shouldBatchFetch(view).isYes]
    }

    #expect(answers == [false, false, true, true, false, false, true, true])
  }

  @Test func `parts of one policy share what they have in common`() throws {
    let experiment = try Self.experiment(
      """
      local n = 0
      local function count() n = n + 1 return false end
      return lookahead.policy.anyOf(count, count, function() return n == 4 end)
      """, [])

    for _ in 0..<2 {
      var made = try experiment.policies[0].make([:])
      #expect((0..<3).map { _ in made.shouldBatchFetch(PolicyView()).isYes } == [false, true, false])
    }
  }

  @Test func `the random numbers are those of the seed, in every setting and every part`() throws {
    let text = """
      return lookahead.policy { name = "random", parameters = { every = 1 },
        shouldBatchFetch = function() return { fetch = math.random(0, 1 << 20) } end }
      """
    func numbers(_ values: [String: Double], _ seed: UInt64) throws -> [Int] {
      var made = try Self.experiment(text).policies[0].make(values, seed: seed)
      return (0..<5).map { _ in made.shouldBatchFetch(PolicyView()).fetch }
    }

    #expect(try numbers(["every": 1], 7) == numbers(["every": 2], 7))
    #expect(try numbers([:], 7) != numbers([:], 8))
    #expect(try Set(numbers([:], 7)).count == 5)
  }

  @Test(arguments: [
    (
      "local turns = coroutine.wrap(function() while true do coroutine.yield(1) end end)", "turns()",
      "it reaches a coroutine ('turns')"
    ),
    ("local turns = coroutine.create(print)", "coroutine.status(turns)", "it reaches a coroutine ('turns')"),
    ("local words = ('a b c'):gmatch('%a')", "words()", "it reaches an iterator ('words')"),
    ("local own = { words = ('a b c'):gmatch('%a') }", "own.words()", "it reaches an iterator ('words')"),
    ("local list = lookahead.collection { data = {} }", "list.pending", "it reaches a collection ('list')"),
    ("local kept = { lookahead.machine.batchContext() }", "kept[1].isFetching", "it reaches a batchContext"),
  ])
  func `what can't be copied is an error with the line`(_ before: String, _ use: String, _ message: String)
    throws
  {
    let experiment = try Self.experiment(
      """
      \(before)
      return lookahead.policy { shouldBatchFetch = function(view)
        local _ = \(use)
        return true
      end }
      """, [])

    let row = try #require(try Lab().run(experiment).rows.first)

    let reason =
      "own.lua:2: the policy can't be made: \(message), which can't be copied for each session: "
      + "make it in start(parameters)"
    #expect(row.failure == .policy(session: 0, message: reason))
  }

  @Test(arguments: [
    (
      "setmetatable({}, { __mode = 'k' })",
      "the policy failed: own.lua:2: setmetatable: a policy of the lab has no weak "
    ),
    (
      "kept[1]",
      "own.lua:2: the policy can't be made: it reaches a weak table ('kept'), which can't be copied "
    ),
  ])
  func `tables that tell of the collector are refused`(_ use: String, _ message: String) throws {
    let experiment = try Self.experiment(
      """
      local kept = setmetatable({}, { __mode = "v" })
      return lookahead.policy { shouldBatchFetch = function(view) local _ = \(use) return true end }
      """, [])
    let own = try Self.experiment(
      "local _\nreturn lookahead.policy { shouldBatchFetch = function(view) local _ = \(use) return true end }",
      [])

    let row = try #require(try Lab().run(use.hasPrefix("kept") ? experiment : own).rows.first)

    guard case .policy(0, let found) = row.failure else { throw LabFailure(message: "\(row)") }
    #expect(found.hasPrefix(message))
  }

  @Test func `a policy that writes its view has failed, and the next sees what it should`() throws {
    var experiment = try Self.experiment(
      """
      local function sees(view) return view.pageSize == 20 and view.latency.count < 999 and view.hint end
      local function writes(view)
        local size = view.pageSize + view.latency.count
        if view.itemCount > 60 then view.pageSize = size + 999 end
        return view.hint
      end
      return { lookahead.policy { name = "first", shouldBatchFetch = sees },
        lookahead.policy { name = "writes", shouldBatchFetch = writes },
        lookahead.policy { name = "second", shouldBatchFetch = sees } }
      """, [])
    experiment.policies.append(try ExperimentPolicy(builtIn: "leadingScreens"))

    let rows = try Lab().run(experiment).rows.filter { !$0.isOracle }

    #expect(
      rows[1].failure
        == .policy(
          session: 0,
          message: "the policy failed: own.lua:4: the view is the host's: read 'pageSize', do not write it"))
    for row in [rows[0], rows[2]] { #expect(row.scores == rows[3].scores && row.sessions == 6) }
  }

  @Test func `what does not change may be shared`() throws {
    let experiment = try Self.experiment(
      """
      local source = lookahead.source { pageSize = 30, fetch = function() return { items = {} } end }
      local other = lookahead.policy.ramp()
      local list, null, text = lookahead.json.decode("[1, 2]"), lookahead.null, lookahead.json.encode
      return lookahead.policy { shouldBatchFetch = function(view)
        assert(source.pageSize == 30 and tostring(other) and #list == 2 and list[2] == 2 and null == lookahead.null)
        assert(text(list) == "[1,2]" and text(lookahead.json.array {}) == "[]")
        return true
      end }
      """, [])

    #expect(try Lab().run(experiment).rows.first?.failure == nil)
  }

  @Test func `keys come in one order: numbers, texts, false and true, and one thing more`() throws {
    let experiment = try Self.experiment(
      """
      local list = { "a", "b", [0] = "z", [-1] = "y", [1.5] = "x", ten = 10, eleven = 11, [""] = 0, ["ten "] = 12,
        [true] = 1, [false] = 0, [print] = "p" }
      local own = setmetatable({}, { __pairs = function() return next, { 1 }, nil end })
      return lookahead.policy { shouldBatchFetch = function(view)
        local seen = {}
        for key, value in pairs(list) do
          seen[#seen + 1] = (type(key) == "function" and "print" or tostring(key)) .. "=" .. tostring(value)
          list[key] = nil
        end
        assert(next(list) == nil and next({}) == nil and select(2, next({ 5 })) == 5)
        for key, value in pairs(own) do seen[#seen + 1] = key .. "=" .. value end
        error(table.concat(seen, " "), 0)
      end }
      """, [])
    var made = try experiment.policies[0].make([:])

    _ = made.shouldBatchFetch(PolicyView())

    #expect(
      experiment.policies[0].takeFailure()
        == "the policy failed: -1=y 0=z 1=a 1.5=x 2=b =0 eleven=11 ten=10 ten =12 false=0 true=1 print=p 1=1")
  }

  @Test func `keys without an order are not gone through`() throws {
    let experiment = try Self.experiment(
      "return lookahead.policy { shouldBatchFetch = function() return next({ [{}] = 1, [{}] = 2 }) ~= nil end }",
      [])

    let row = try #require(try Lab().run(experiment).rows.first)

    #expect(
      row.failure
        == .policy(
          session: 0,
          message:
            "the policy failed: own.lua:1: the order of keys that are tables or functions changes from run to "
            + "run: a policy of the lab can't go through them"))
  }

  @Test func `the collector is not a clock`() throws {
    let experiment = try Self.experiment(
      "return lookahead.policy { shouldBatchFetch = function() return collectgarbage('count') > 1 end }", [])

    let row = try #require(try Lab().run(experiment).rows.first)

    #expect(
      row.failure
        == .policy(
          session: 0,
          message:
            "the policy failed: own.lua:1: collectgarbage: a policy of the lab can't see the collector, "
            + "as it goes on from session to session"))
  }

  @Test func `start is given the parameters of the setting, and what it returns comes third`() throws {
    let experiment = try Self.experiment(
      """
      return lookahead.policy { parameters = { every = 1, note = "kept" },
        start = function(parameters) return { pages = parameters.every * 10, note = parameters.note } end,
        shouldBatchFetch = function(view, parameters, state)
          assert(state.note == "kept")
          return { fetch = state.pages // 1 | 0 }
        end }
      """)
    var made = try experiment.policies[0].make(["every": 4])

    #expect(made.shouldBatchFetch(PolicyView()).fetch == 40)
  }

  @Test(arguments: [
    ("error('no idea')", "the policy could not start: own.lua:1: no idea"),
    ("lookahead.sleep(1)", "the policy could not start: own.lua:1: "),
    ("while true do end", "the policy could not start: own.lua:1: the policy used up its instruction budget"),
  ])
  func `a policy that can't start fails, and never decides`(_ body: String, _ message: String) throws {
    let experiment = try Self.experiment(
      """
      return lookahead.policy { start = function() \(body) end,
        shouldBatchFetch = function() error("asked") end }
      """, [])

    let row = try #require(try Lab().run(experiment).rows.first)

    guard case .policy(0, let found) = row.failure else { throw LabFailure(message: "\(row)") }
    #expect(found.hasPrefix(message))
    #expect(row.scores.isEmpty)
  }

  @Test func `the script keeps what it had before its policies were compared`() throws {
    let lab = LabRecorder()
    lab.body = { _ = try Lab().run($0) }
    let run = try ScriptRun(
      """
      local calls, seen = 0, {}
      local function mine(view)
        calls = calls + 1
        seen[calls] = math.random()
        math.floor = nil
        return true
      end
      math.randomseed(7)
      local before = math.random()
      math.randomseed(7)
      lookahead.lab.run(lookahead.experiment { policies = { mine }, sessions = 3 })
      print(calls, #seen, math.random() == before, math.floor(1.5))
      """, lab: lab)

    #expect(run.failure == nil)
    #expect(run.printed == ["0\t0\ttrue\t1"])
  }

  @Test func `a policy that reaches more than a run copies is shared, with a warning`() throws {
    let run = try ScriptRun(
      numbers + """
        local rows, calls = {}, 0
        for n = 1, 100001 do rows[n] = n end
        local source = numbers(30, { shouldBatchFetch = function(view)
          calls = calls + 1
          return view.hint and rows[1] == 1
        end })
        for item in source:items() do
          if item.id == 5 then for inner in source:with({}):items() do end end
        end
        print(calls > 0)
        """)

    #expect(run.failure == nil)
    #expect(run.printed == ["true"])
    #expect(
      run.logged == [
        "warn: a policy is shared by its feeds, with all that it remembers: it reaches more than 100000 values"
      ])
  }

  @Test func `a module that edits the library does so in each session that requires it`() throws {
    var options = WorkflowOptions(scriptName: "own.lua", scriptFolder: "/scripts")
    var texts = 0
    options.loadModule = { _ in
      texts += 1
      return ("math.edited = (math.edited or 0) + 1 return { n = math.edited }", "edit.lua")
    }
    let script = try LabScript(
      text: """
        return lookahead.policy { shouldBatchFetch = function()
          local before = math.edited
          return { reason = tostring(before) .. require("edit").n .. require("edit").n .. math.edited }
        end }
        """, options: options)

    for _ in 0..<3 {
      var made = try script.policies[0].make([:])
      #expect(made.shouldBatchFetch(PolicyView()).reason == "nil111")
      #expect(made.shouldBatchFetch(PolicyView()).reason == "1111")
    }
    #expect(texts == 1)
  }

  @Test func `two feeds of one run have nothing in common either`() throws {
    let run = try ScriptRun(
      numbers + """
        local calls = 0
        local source = numbers(30, { policy = lookahead.policy {
          start = function() return { calls = 0 } end,
          shouldBatchFetch = function(view, parameters, state)
            calls, state.calls = calls + 1, state.calls + 1
            print(calls == state.calls, calls == 1 and math.random(1 << 40))
            return view.hint
          end } })
        for item in source:items() do
          if item.id == 5 then for inner in source:with({}):items() do end end
        end
        print(calls)
        """)

    #expect(run.failure == nil)
    let first = run.printed.filter { !$0.hasSuffix("\tfalse") && $0.contains("\t") }
    #expect(first.count == 2 && Set(first).count == 2)
    #expect(run.printed.dropLast().allSatisfy { $0.hasPrefix("true\t") })
    #expect(run.printed.last == "0")
  }
}
