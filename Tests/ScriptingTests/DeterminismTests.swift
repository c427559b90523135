import Scripting
import Testing

@Suite struct DeterminismTests {
  /// Everything at once: pages, retries with jitter, tasks, random numbers, tables of many keys.
  private static let script = """
    local groups = lookahead.source { name = "groups", keys = "page", pageSize = 3, fetch = function(context)
      lookahead.sleep(math.random())
      local items = {}
      for n = 1, 3 do items[n] = { id = context.key * 10 + n, alpha = n, beta = { x = n, y = -n }, gamma = math.random(100) } end
      return { items = items, total = 12 }
    end }
    local function detail(id)
      return lookahead.http.get("http://a/item", { query = { id = id, zeta = 1, alpha = 2 }, headers = { B = "1", A = "2" } }):json()
    end
    for page in groups:pages() do
      local details = lookahead.map(page, 2, function(group) return detail(group.id) end)
      for position, group in ipairs(page) do
        group.detail = details[position]
        lookahead.emit(group, group.id % 2 == 0 and "even" or "odd")
      end
    end
    print(os.time(), math.random(1 << 30))
    """

  private static func trace(seed: UInt64) throws -> [String] {
    let world = ScriptWorld()
    for page in 1...4 {
      for number in 1...3 {
        let id = page * 10 + number
        world.routes["GET http://a/item?alpha=2&id=\(id)&zeta=1"] = [.status(503), .json("{\"of\":\(id)}")]
      }
    }
    let run = try ScriptRun(script, in: world) { $0.seed = seed }
    return run.trace + run.outcome
  }

  @Test func `equal scripts, worlds and seeds give equal traces`() throws {
    let first = try Self.trace(seed: 3)

    #expect(first.count > 60)
    #expect(first.last?.hasPrefix("0\t") == false)
    for _ in 0..<3 { #expect(try Self.trace(seed: 3) == first) }
    #expect(try Self.trace(seed: 4) != first)
  }

  @Test func `workflows on several threads do not disturb each other`() async throws {
    let alone = try (0..<8).map { try Self.trace(seed: $0) }

    let together = try await withThrowingTaskGroup(of: (Int, [String]).self) { group in
      for seed in 0..<8 { group.addTask { (seed, try Self.trace(seed: UInt64(seed))) } }
      return try await group.reduce(into: [Int: [String]]()) { $0[$1.0] = $1.1 }
    }

    for seed in 0..<8 { #expect(together[seed] == alone[seed]) }
  }
}
