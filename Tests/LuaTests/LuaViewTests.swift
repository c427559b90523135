import Lua
import Testing

@Suite struct LuaViewTests {
  let state = LuaState()
  let view: LuaView
  let parameters: LuaReference

  init() throws {
    view = LuaView(state, names: ["items", "velocity", "isFetching", "direction", "total", "latency"])
    parameters = try state.reference(to: "{ factor = 2 }")
    view.set(0, 10)
    view.set(1, 1.5)
    view.set(2, false)
    view.set(3, "append")
    view.set(4, nil as Int?)
  }

  private func decide(_ body: String, instructions: Int = 0) throws -> LuaValue? {
    try decide(state.reference(to: "function(view, parameters) \(body) end"), instructions: instructions)
  }

  private func decide(_ policy: LuaReference, instructions: Int = 0) throws -> LuaValue? {
    try state.callPolicy(policy, view: view, parameters: parameters, instructions: instructions)
    defer { state.stack.pop() }
    return state.stack.value(at: -1)
  }

  @Test func `fields are read by name`() throws {
    #expect(
      try decide("return view.items .. view.velocity .. tostring(view.isFetching) .. view.direction")
        == .string("101.5falseappend"))
  }

  @Test func `the parameters are the second argument`() throws {
    #expect(try decide("return view.items * parameters.factor") == .integer(20))
  }

  @Test func `every decision sees the numbers of its moment`() throws {
    let policy = try state.reference(to: "function(view) return view.items .. tostring(view.total) end")
    var seen: [LuaValue?] = []
    for (items, total) in [(1, nil), (2, 7), (2, nil), (3, 8)] as [(Int, Int?)] {
      view.set(0, items)
      view.set(4, total)
      seen.append(try decide(policy))
    }

    #expect(seen == [.string("1nil"), .string("27"), .string("2nil"), .string("38")])
  }

  @Test func `a field may change its type`() throws {
    let policy = try state.reference(to: "function(view) return view.items end")

    #expect(try decide(policy) == .integer(10))
    view.set(0, 10.0)
    #expect(try decide(policy) == .number(10))
    view.set(0, true)
    #expect(try decide(policy) == .boolean(true))
    view.set(0, nil as Int?)
    #expect(try decide(policy) == .nil)
  }

  @Test(arguments: ["view.itemz", "view[1]", "view[view]", "view[true]"])
  func `a field that is not there is an error`(_ field: String) throws {
    let error = #expect(throws: LuaError.self) { _ = try decide("return \(field)") }

    #expect(error?.message.contains("the view has no field") == true)
    #expect(state.stack.count == 0)
  }

  @Test(arguments: ["view.items = 1", "view.other = 1", "rawset(view, 'items', 1)", "setmetatable(view, {})"])
  func `the view is read-only`(_ text: String) throws {
    #expect(throws: LuaError.self) { _ = try decide(text) }
    #expect(try decide("return view.items") == .integer(10))
  }

  @Test func `pairs shows every field`() throws {
    let text = """
      local list = {}
      for name, value in pairs(view) do list[#list + 1] = name .. '=' .. tostring(value) end
      return table.concat(list, ' ')
      """

    #expect(
      try decide(text)
        == .string("items=10 velocity=1.5 isFetching=false direction=append total=nil latency=nil"))
  }

  @Test func `a view in a view is as new as the view`() throws {
    let latency = LuaView(state, names: ["mean", "count"])
    view.set(5, latency)
    let policy = try state.reference(to: "function(view) return view.latency.mean + view.latency.count end")
    var seen: [LuaValue?] = []
    for mean in 1...3 {
      latency.set(0, Double(mean))
      latency.set(1, mean * 10)
      seen.append(try decide(policy))
    }

    #expect(seen == [.number(11), .number(22), .number(33)])
  }

  @Test func `next shows every field, whichever were read before`() throws {
    let policy = try state.reference(
      to: """
        function(view)
          local list = {}
          for name in next, view do list[#list + 1] = name end
          return table.concat(list, " ") .. (view.items + view.velocity)
        end
        """)

    for _ in 1...3 {
      #expect(try decide(policy) == .string("items velocity isFetching direction total latency11.5"))
    }
  }

  @Test(arguments: [
    "view.items = 999", "view['items'] = nil", "rawset(view, 'items', 999)", "view.items = view.items + 1",
    "table.insert(view, 1)", "view.latency.mean = 999", "rawset(view.latency, 'mean', 999)",
    "view[view] = view",
    "table.move({ 999 }, 1, 1, 1, view)", "local view = view.latency view.mean = 0",
  ])
  func `nobody writes a field that was read before`(_ text: String) throws {
    let latency = LuaView(state, names: ["mean"])
    latency.set(0, 2.5)
    view.set(5, latency)
    let read = try state.reference(
      to: """
        function(view)
          local seen = {}
          for name in pairs(view) do seen[#seen + 1] = tostring(rawget(view, name)) end
          return view.items .. " " .. view.latency.mean .. " " .. #seen .. " " .. rawget(view, "items")
            .. tostring(rawget(view, "nothing")) .. rawlen(view)
        end
        """)
    for _ in 0..<3 { #expect(try decide(read) == .string("10 2.5 6 10nil0")) }

    let error = #expect(throws: LuaError.self) { _ = try decide(text) }
    #expect(error?.message.contains("view") == true)
    #expect(try decide("return pcall(function() \(text) end)") == .boolean(false))
    for _ in 0..<3 { #expect(try decide(read) == .string("10 2.5 6 10nil0")) }
  }

  @Test func `an error of writing says the line and the field`() throws {
    let policy = try state.reference(
      to: "function(view)\nlocal size = view.items\nview.items = size + 1\nend")

    for _ in 0..<2 {
      let error = #expect(throws: LuaError.self) { _ = try decide(policy) }
      #expect(error?.message.hasSuffix(":3: the view is the host's: read 'items', do not write it") == true)
    }
  }

  @Test func `a policy that keeps the view sees it change`() throws {
    _ = try decide("kept = view return view.items")
    view.set(0, 99)
    _ = try decide("return 1")

    #expect(try state.run("return kept.items .. kept.velocity") == .string("991.5"))
  }

  @Test func `a view that a script kept may end before the state`() throws {
    var short: LuaView? = LuaView(state, names: ["a", "b"])
    short!.set(0, 1)
    let policy = try state.reference(to: "function(view) kept = view return view.a end")
    try state.callPolicy(policy, view: short!, parameters: parameters, instructions: 0)
    state.stack.pop()

    short = nil
    state.collect()

    #expect(try state.run("return pcall(function() return kept.b end)") == .boolean(false))
    #expect(try state.run("for k in pairs(kept) do return k end") == .nil)
  }
}
