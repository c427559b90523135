import Paging
import Simulation
import Testing

@Suite struct RevisitsTests {
  @Test(arguments: 0..<80)
  func `the search is as good as every fetch, victim and moment that there is`(_ seed: UInt64) throws {
    var dice = RandomStream(seed: seed)
    let pages = Int.random(in: 1...4, using: &dice)
    let references = (0..<Int.random(in: 1...7, using: &dice)).map { _ in
      Int.random(in: 0..<pages, using: &dice)
    }
    let isEven = Bool.random(using: &dice)
    let work = references.map { _ in isEven ? 1 : Int.random(in: 1...3, using: &dice) }
    let (fetch, memory) = (Int.random(in: 1...4, using: &dice), Int.random(in: 1...3, using: &dice))
    let held = Set((0..<pages).shuffled(using: &dice).prefix(Int.random(in: 0...memory, using: &dice)))
    let reader = try Revisits(
      references: references, reading: .each(work.map { .seconds($0) }), fetch: .seconds(fetch),
      memory: memory, held: held)

    let least = try #require(reader.leastStall())

    let truth = EveryFetch(references: references, work: work, fetch: fetch, memory: memory).least(held: held)
    #expect(least == .seconds(truth), "seed \(seed)")
    #expect(reader.aggressiveStall() >= least, "seed \(seed)")
    #expect(reader.conservativeStall() >= least, "seed \(seed)")
    let bounds = reader.stallBounds(states: 0)
    #expect(bounds.lower <= least && least <= bounds.upper, "seed \(seed)")
    if isEven {
      let best = (reader.readingTime + least).inSeconds
      let ratio = min(1 + Double(fetch) / Double(memory), 2)
      #expect(
        (reader.readingTime + reader.aggressiveStall()).inSeconds <= ratio * best + 1e-9, "seed \(seed)")
      #expect((reader.readingTime + reader.conservativeStall()).inSeconds <= 2 * best + 1e-9, "seed \(seed)")
    }
  }

  @Test func `a hundred references are searched, and a limit is kept`() throws {
    let there = Array(0..<25)
    let reader = try Revisits(
      references: there + there.reversed() + there + there.reversed(), reading: .same(.seconds(1)),
      fetch: .seconds(3), memory: 8)

    let least = try #require(reader.leastStall())

    #expect(reader.leastStall(states: 3) == nil)
    let bounds = reader.stallBounds(states: 3)
    #expect(bounds.lower <= least && least <= bounds.upper)
    #expect(bounds.lower > .zero)
  }

  @Test func `what cannot be is named`() {
    func option(_ make: () throws(InvalidConfiguration) -> Revisits) -> String? {
      do throws(InvalidConfiguration) { _ = try make() } catch { return error.option }
      return nil
    }
    let second = Duration.seconds(1)

    #expect(
      option { () throws(InvalidConfiguration) in
        try Revisits(references: [1], reading: .same(second), fetch: second, memory: 0)
      } == "memory")
    #expect(
      option { () throws(InvalidConfiguration) in
        try Revisits(references: [1], reading: .same(second), fetch: second, memory: 1, held: [1, 2])
      } == "held")
    #expect(
      option { () throws(InvalidConfiguration) in
        try Revisits(references: [1], reading: .each([]), fetch: second, memory: 1)
      } == "reading")
    #expect(
      option { () throws(InvalidConfiguration) in
        try Revisits(references: [1], reading: .same(second), fetch: .seconds(Int64.max), memory: 1)
      } == "fetch")
  }
}

/// An exhaustive solver in whole ticks: at every tick any page may be fetched in the place of any other.
struct EveryFetch {
  struct State: Hashable {
    var place: Int
    var read: Int
    var held: Set<Int>
    var coming: [Int] = []
  }

  let references: [Int]
  let work: [Int]
  let fetch: Int
  let memory: Int

  /// The least wait: all states that can be after so many ticks, until one of them is at the end.
  func least(held: Set<Int>) -> Int {
    var states: Set = [State(place: 0, read: 0, held: held)]
    var known = states
    var ticks = 0
    while !states.contains(where: { $0.place == references.count }) {
      states = Set(states.flatMap(choices).map(tick)).subtracting(known)
      known.formUnion(states)
      ticks += 1
    }
    return ticks - work.reduce(0, +)
  }

  private func choices(_ state: State) -> [State] {
    guard state.coming.isEmpty else { return [state] }
    var choices = [state]
    for page in Set(references).subtracting(state.held) {
      var next = state
      next.coming = [page, fetch]
      if state.held.count < memory { choices.append(next) }
      for victim in state.held where state.read == 0 || victim != references[state.place] {
        next.held = state.held.subtracting([victim])
        choices.append(next)
      }
    }
    return choices
  }

  private func tick(_ state: State) -> State {
    var next = state
    if state.held.contains(references[state.place]) {
      next.read += 1
      if next.read == work[state.place] { (next.place, next.read) = (state.place + 1, 0) }
    }
    if !next.coming.isEmpty {
      next.coming[1] -= 1
      if next.coming[1] == 0 {
        next.held.insert(next.coming[0])
        next.coming = []
      }
    }
    return next
  }
}
