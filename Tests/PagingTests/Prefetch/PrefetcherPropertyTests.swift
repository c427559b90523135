import Items
import TestSupport
import Paging
import Testing

/// Random lives of a prefetcher beside a naive model of it.
@Suite struct PrefetcherPropertyTests {
  @Test(arguments: 0..<400)
  func `whatever happens, it does what the model does`(_ seed: UInt64) {
    var run = PrefetchRun(seed: seed)

    for step in 0..<300 {
      run.act()
      run.check("seed \(seed), step \(step)")
    }
    run.finish()

    run.check("seed \(seed), at the end")
    #expect(run.model.wanted.isEmpty, "seed \(seed)")
    #expect(run.open.isEmpty, "seed \(seed): readers wait for ever")
  }
}

/// One random life.
private struct PrefetchRun {
  var model: PrefetchModel
  var prefetcher: Prefetcher<String>
  /// Tokens that are neither answered nor given back.
  var open: [Int: ItemID] = [:]
  private var dice: RandomStream
  private var now = Instant.zero
  private var flying: [(name: PrefetchID, id: ItemID)] = []
  private var takenBack: [PrefetchID] = []
  private var told: [String] = []
  private var expected: [String] = []
  private var values = 0
  private var reads = 0
  /// The row at the top of a list that scrolls.
  private var top = 0
  private var range = PrefetchRange()
  private let ids: Int

  init(seed: UInt64) {
    dice = RandomStream(seed: seed)
    var options = PrefetcherOptions()
    options.capacity = Int.random(in: 1...8, using: &dice)
    options.maxInFlight = Int.random(in: 1...4, using: &dice)
    options.staleAfter = Bool.random(using: &dice) ? nil : .seconds(Int.random(in: 1...9, using: &dice))
    options.failureDelay = .seconds(Int.random(in: 0...3, using: &dice))
    ids = Int.random(in: 1...14, using: &dice)
    model = PrefetchModel(options)
    prefetcher = Prefetcher(options: options)
  }

  mutating func act() {
    switch Int.random(in: 0..<20, using: &dice) {
    case 0..<3: prefetch(some())
    case 3, 4: cancelPrefetch(some())
    case 5..<9: get(any())
    case 9: giveBack()
    case 10:
      let id = any()
      #expect(prefetcher.peek(id) == model.peek(id))
    case 11: late()
    case 12: invalidate(Bool.random(using: &dice) ? nil : some())
    case 13: scroll()
    case 14: now = now + .seconds(Int.random(in: 0...3, using: &dice))
    default: end(fails: Int.random(in: 0..<5, using: &dice) == 0)
    }
  }

  /// Answers whatever is under way until nothing is.
  mutating func finish() {
    for _ in 0..<1000 where !flying.isEmpty { end(fails: false) }
  }

  func check(_ place: String) {
    let options = prefetcher.options
    let comment = Comment(rawValue: place)
    #expect(Set(flying.map(\.id)).count == flying.count, comment)
    #expect(flying.count == prefetcher.inFlight, comment)
    #expect(prefetcher.inFlight == min(options.maxInFlight, model.wanted.count), comment)
    #expect(prefetcher.inFlight + prefetcher.queued == model.wanted.count, comment)
    #expect(prefetcher.count == model.held.count, comment)
    #expect(prefetcher.count <= options.capacity, comment)
    #expect(told == expected, comment)
    #expect(Set(open.keys) == Set(model.waiting.values.joined()), comment)
    let flown = Set(flying.map(\.id))
    if model.waiting.keys.contains(where: { !flown.contains($0) }) {
      #expect(flying.count == options.maxInFlight, comment)
    }
    let statistics = prefetcher.statistics
    #expect(statistics.hits + statistics.joins + statistics.misses == reads, comment)
  }

  private mutating func any() -> ItemID { .integer(Int64(Int.random(in: 0..<ids, using: &dice))) }

  private mutating func some() -> [ItemID] {
    (0..<Int.random(in: 0...6, using: &dice)).map { _ in any() }
  }

  private mutating func prefetch(_ ids: [ItemID]) {
    model.prefetch(ids, at: now)
    take(prefetcher.prefetch(ids, at: now))
  }

  private mutating func cancelPrefetch(_ ids: [ItemID]) {
    model.prefetched.subtract(ids)
    take(prefetcher.cancelPrefetch(ids, at: now))
  }

  private mutating func get(_ id: ItemID) {
    reads += 1
    let (read, effects) = prefetcher.get(id, at: now)
    switch read {
    case .value(let value): #expect(model.get(id, at: now, token: 0) == value)
    case .waits(let token):
      #expect(model.get(id, at: now, token: token.number) == nil)
      open[token.number] = id
    }
    take(effects)
  }

  private mutating func giveBack() {
    guard let (token, id) = open.sorted(by: { $0.key < $1.key }).randomElement(using: &dice) else { return }
    open[token] = nil
    model.cancel(token, of: id)
    take(prefetcher.cancel(PrefetchToken(number: token), of: id, at: now))
  }

  private mutating func invalidate(_ ids: [ItemID]?) {
    model.invalidate(ids)
    take(prefetcher.invalidate(ids, at: now))
  }

  private mutating func scroll() {
    top = max(0, min(ids, top + Int.random(in: -3...3, using: &dice)))
    let position = PrefetchRange.Position(
      visible: top..<top + 2, preload: max(0, top - 1)..<top + 5,
      velocity: Double.random(in: -3...3, using: &dice), latency: 1)
    let change = range.move(to: position) { [ids] in 0..<ids ~= $0 ? .integer(Int64($0)) : nil }
    cancelPrefetch(change.cancelled)
    prefetch(change.wanted)
  }

  private mutating func late() {
    guard let name = takenBack.randomElement(using: &dice) else { return }
    #expect(prefetcher.answered(name, with: "late", at: now).isEmpty)
    #expect(prefetcher.failed(name, with: FetchFailure(code: "x", message: "late"), at: now).isEmpty)
  }

  private mutating func end(fails: Bool) {
    guard !flying.isEmpty else { return }
    let (name, id) = flying.remove(at: Int.random(in: 0..<flying.count, using: &dice))
    values += 1
    let value = fails ? nil : "\(id) #\(values)"
    for token in model.ended(id, with: value, at: now) {
      expected.append("\(token) \(value ?? "failed \(values)")")
    }
    if let value {
      take(prefetcher.answered(name, with: value, at: now))
    } else {
      let failure = FetchFailure(code: "x", message: "failed \(values)")
      take(prefetcher.failed(name, with: failure, at: now))
    }
  }

  private mutating func take(_ effects: [PrefetchEffect<String>]) {
    for effect in effects {
      switch effect {
      case .fetch(let name, let id): flying.append((name, id))
      case .cancel(let name):
        #expect(flying.contains { $0.name == name })
        flying.removeAll { $0.name == name }
        takenBack.append(name)
      case .deliver(let token, let value): tell(token, value)
      case .fail(let token, let failure): tell(token, failure.message)
      }
    }
  }

  private mutating func tell(_ token: PrefetchToken, _ text: String) {
    #expect(open.removeValue(forKey: token.number) != nil, "token \(token.number) was told twice")
    told.append("\(token.number) \(text)")
  }
}
