import Paging
import Testing

@Suite struct WakesTests {
  @Test(arguments: [1, 2, 3] as [UInt64])
  func `who is due is what a table of everybody's time would say`(seed: UInt64) {
    var random = RandomStream(seed: seed)
    var wakes = Wakes<Int>()
    var table: [Int: Instant] = [:]
    var now = Instant.zero

    for _ in 0..<3_000 {
      let sleeper = Int(random.next() % 20)
      switch random.next() % 4 {
      case 0:
        now = now + .seconds(Int(random.next() % 3))
        let due = table.filter { $0.value <= now }.keys.sorted()
        #expect(wakes.takeDue(at: now) == due, "seed \(seed)")
        for sleeper in due { table[sleeper] = nil }
      case 1:
        wakes.set(sleeper, to: nil)
        table[sleeper] = nil
      default:
        let time = now + .seconds(Int(random.next() % 10))
        wakes.set(sleeper, to: time)
        table[sleeper] = time
      }
      #expect(wakes.next == table.values.min(), "seed \(seed)")
    }
  }
}
