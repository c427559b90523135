import Items
import Paging
import Scripting
import Testing

@Suite struct RefreshTests {
  @Test func `a refresh delivers what differs, as one change set`() throws {
    let run = try refreshed([[1, 2, 3, 4], [9, 1, 4, 3]], times: 1)

    #expect(
      run.world.deliveries.map(\.delivery.lines) == [
        ["item 1", "item 2", "item 3", "item 4"],
        ["remove 2 at 1", "move 3 from 1 to 2", "insert 9 at 0"],
      ])
    #expect(run.isFinished)
    #expect(run.failure == nil)
    #expect(run.statistics.items == 5)
    #expect(run.statistics.removals == 1)
    #expect(run.statistics.refreshes == 1)
  }

  @Test func `an item in a new form is updated in its place`() throws {
    let run = try ScriptRun(
      """
      local source = lookahead.source {}
      function source.fetch(context)
        return { items = { { id = "a" }, { id = "b", seen = context.generation } } }
      end
      return source
      """
    ) { $0.refresh = RefreshRule(every: .seconds(1), times: 1) }

    #expect(run.world.deliveries.last?.delivery.operations == [.update(item("b", seen: 2), at: 1)])
  }

  @Test func `items without ids are told apart by their places`() throws {
    let run = try ScriptRun(
      """
      local source = lookahead.source { id = false }
      function source.fetch(context)
        if context.generation == 1 then return { items = { "a", "b" } } end
        return { items = { "a", "c", "d" } }
      end
      return source
      """
    ) { $0.refresh = RefreshRule(every: .seconds(1), times: 1) }

    #expect(
      run.world.deliveries.map(\.delivery.lines) == [
        ["item 1", "item 2"], ["insert 3 at 2", "update 2 at 1"],
      ])
  }

  @Test func `the pause is from the end of a reading to the beginning of the next`() throws {
    let run = try refreshed([[1], [2], [3]], times: 2)

    // A reading takes a second.
    #expect(run.world.deliveries.map(\.at.seconds) == [1, 32, 63])
    #expect(run.seconds == 63)
  }

  @Test func `a reading is over when the sink has taken it`() throws {
    let world = ScriptWorld()
    world.sinkDelay = .seconds(10)

    let run = try refreshed([[1], [2]], times: 1, in: world)

    #expect(run.world.deliveries.map(\.at.seconds) == [1, 42])
  }

  @Test func `a source that stays as it is delivers nothing again`() throws {
    let run = try refreshed([[1, 2]], times: 5)

    #expect(run.world.deliveries.count == 1)
    #expect(run.statistics.refreshes == 5)
    #expect(run.seconds == 6 + 5 * 30)
  }

  @Test func `a reading that brings nothing at all removes nothing`() throws {
    let run = try refreshed([[], [1, 2], [], [2]], times: 3)

    #expect(run.world.deliveries.map(\.delivery.lines) == [["item 1", "item 2"], ["remove 1 at 0"]])
  }

  @Test func `a source may be empty before and after, where that is said`() throws {
    let run = try refreshed([[], [1, 2], [], [2]], times: 3) { $0.refresh?.write = .mirror }

    #expect(
      run.world.deliveries.map(\.delivery.lines) == [
        ["item 1", "item 2"], ["remove 2 at 1", "remove 1 at 0"], ["item 2"],
      ])
  }

  @Test func `a refresh that fails leaves what is there and is tried again`() throws {
    let run = try refreshed([[1, 2], nil, [2]], times: 2)

    #expect(run.failure == nil)
    #expect(run.world.deliveries.last?.delivery.lines == ["remove 1 at 0"])
    #expect(
      run.logged == [
        "warn: a refresh failed: what was read before stays source=list "
          + "reason=feed.lua:4: out of order seconds=30.0"
      ])
    #expect(run.statistics.refreshes == 1)
  }

  @Test func `a run whose last refresh failed has failed`() throws {
    let run = try refreshed([[1, 2], [2], nil], times: 2)

    #expect(run.failure == "feed.lua:4: out of order")
    #expect(run.world.deliveries.count == 2)
    #expect(run.logged == [])
    #expect(run.isFinished)
  }

  @Test func `a first reading that fails ends the run`() throws {
    let run = try refreshed([nil, [1]], times: 2)

    #expect(run.failure == "feed.lua:4: out of order")
    #expect(run.seconds == 1)
  }

  @Test func `each source is read again by its own time, and the last failure waits for the others`() throws {
    let run = try ScriptRun(
      """
      local function list(name, seconds)
        local source = lookahead.source { name = name }
        function source.fetch(context)
          lookahead.sleep(seconds)
          if name == "quick" and context.generation == 3 then error("gone", 0) end
          return { items = { { id = name .. context.generation } } }
        end
        return source
      end
      return { list("quick", 1), list("slow", 100) }
      """
    ) { $0.refresh = RefreshRule(every: .seconds(10), times: 2) }

    #expect(
      run.world.deliveries.map { "\($0.at.seconds) \($0.delivery.stream ?? "-")" } == [
        "1.0 quick", "12.0 quick", "100.0 slow", "210.0 slow", "320.0 slow",
      ])
    #expect(run.failure == "gone")
  }

  @Test func `an interrupt in a pause ends the run at once`() throws {
    let run = try refreshed([[1], [2]], times: nil, interruptedAt: 50)

    #expect(run.world.deliveries.map(\.at.seconds) == [1, 32])
    #expect(run.failure == "interrupted")
    #expect(run.isFinished)
    #expect(run.seconds == 50)
  }

  @Test func `a change set is delivered whole when the limit is within`() throws {
    let run = try refreshed([[1, 2, 3], [4, 5, 6], [7]], times: nil) { $0.limit = 4 }

    #expect(run.world.deliveries.map(\.delivery.itemCount) == [3, 3])
    #expect(run.statistics.items == 6)
    #expect(run.isFinished)
    #expect(run.failure == nil)
  }

  @Test(arguments: ["", "lookahead.emit { id = 1 }", "return 7"])
  func `there has to be a source to read again`(script: String) throws {
    let run = try ScriptRun(script) { $0.refresh = RefreshRule(every: .seconds(1)) }

    #expect(run.code == "usage")
    #expect(
      run.failure
        == "--refresh: the script returns no source to read again (return a source, or a list of them)")
  }

  @Test func `a page that brings new forms tells them as updates where that is wanted`() throws {
    let script = """
      local source = lookahead.source { keys = "page", merge = "replace" }
      function source.fetch(context)
        if context.key > 2 then return { items = {} } end
        return { items = { { id = "a", seen = context.key }, { id = "b" .. context.key } } }
      end
      return source
      """

    let plain = try ScriptRun(script)
    let told = try ScriptRun(script) { $0.wantsChanges = true }

    #expect(plain.world.deliveries.allSatisfy { $0.delivery.operations.isEmpty })
    #expect(plain.items().count == 4)
    #expect(
      told.world.deliveries.flatMap(\.delivery.lines) == [
        "item a", "item b1", "insert b2 at 2", "update a at 0",
      ])
  }

  /// Sources of several pages that change by chance: whoever follows the deliveries has the newest reading.
  @Test(arguments: 0..<20)
  func `what is delivered makes the newest reading`(seed: Int) throws {
    var state = UInt64(seed + 1)
    func chance(_ limit: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % limit
    }
    let readings = (0..<6).map { _ in
      (0..<30).filter { _ in chance(3) > 0 }.map { ($0, chance(40)) }.sorted { $0.1 < $1.1 }.map(\.0)
    }

    let run = try refreshed(readings, times: readings.count - 1, keys: "offset")

    var list: [ItemID] = []
    for (_, delivery) in run.world.deliveries { delivery.apply(to: &list) }
    #expect(list == readings.last?.map { .integer(Int64($0)) }, "seed \(seed): \(readings)")
    #expect(run.world.deliveries.count { !$0.delivery.operations.isEmpty } <= readings.count - 1)
  }

  /// A run that reads lists of ids, one after the other, 30 seconds apart; nil is a reading that fails, the last one stays.
  private func refreshed(
    _ readings: [[Int]?], times: Int?, keys: String = "cursor", interruptedAt: Double? = nil,
    in world: ScriptWorld = ScriptWorld(), _ set: (inout WorkflowOptions) -> Void = { _ in }
  ) throws -> ScriptRun {
    let lists = readings.map { $0.map { "{\($0.map(String.init).joined(separator: ","))}" } ?? "false" }
    return try ScriptRun(
      """
      local source, readings = lookahead.source { name = "list", keys = "\(keys)", pageSize = 5 }, { \(lists.joined(separator: ",")) }
      function source.fetch(context)
        lookahead.sleep(1) local reading, items = readings[math.min(context.generation, #readings)], {}
        if not reading then error("out of order") end
        local first, last = 1, #reading
        if context.key then first, last = context.key + 1, math.min(#reading, context.key + context.size) end
        for place = first, last do items[#items + 1] = { id = reading[place] } end
        return { items = items }
      end
      return source
      """, in: world, interruptedAt: interruptedAt
    ) {
      $0.refresh = RefreshRule(every: .seconds(30), times: times)
      set(&$0)
    }
  }

  private func item(_ id: String, seen: Int) -> Item {
    Item(id: .text(id), bytes: Bytes("{\"id\":\"\(id)\",\"seen\":\(seen)}"))
  }
}

extension Delivery {
  /// What is delivered, a line each.
  var lines: [String] {
    items.map { "item \($0.id)" }
      + operations.map { operation in
        switch operation {
        case .insert(let item, let place): "insert \(item.id) at \(place)"
        case .remove(let id, let place): "remove \(id) at \(place)"
        case .move(let id, let from, let to): "move \(id) from \(from) to \(to)"
        case .update(let item, let place): "update \(item.id) at \(place)"
        }
      }
  }

  /// What becomes of a list.
  func apply(to list: inout [ItemID]) {
    list += items.map(\.id)
    for operation in operations {
      switch operation {
      case .insert(let item, let place): list.insert(item.id, at: place)
      case .remove(_, let place): list.remove(at: place)
      case .move(_, let from, let to): list.insert(list.remove(at: from), at: to)
      case .update: break
      }
    }
  }
}
