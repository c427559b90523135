/// What happens to a list.
enum Change: String, CaseIterable {
  /// 10 % of the rows go and as many come, all over the list.
  case insdel20
  /// 10 % of the rows go to other places.
  case move10
  case shuffle
  /// 50 rows come behind the last.
  case append

  /// A list of that many rows and what it becomes, in storage of its own.
  func lists<ID: Key>(_ count: Int, of type: ID.Type) -> (old: [Row<ID>], new: [Row<ID>]) {
    var dice = Dice(seed: 42)
    let old = Change.fresh(count, of: type, &dice)
    var new = old
    switch self {
    case .insdel20:
      _ = Change.take(count / 10, from: &new, &dice)
      Change.spread(Change.fresh(count / 10, of: type, &dice), over: &new, &dice)
    case .move10:
      let taken = Change.take(count / 10, from: &new, &dice)
      Change.spread(taken.shuffled(using: &dice), over: &new, &dice)
    case .shuffle: new.shuffle(using: &dice)
    case .append: new += Change.fresh(50, of: type, &dice)
    }
    return (old, new.map { Row($0.id.copy) })
  }

  private static func fresh<ID: Key>(_ count: Int, of type: ID.Type, _ dice: inout Dice) -> [Row<ID>] {
    (0..<count).map { _ in Row(ID(&dice)) }
  }

  /// Takes rows out at random.
  private static func take<Element>(
    _ count: Int, from list: inout [Element], _ dice: inout Dice
  ) -> [Element] {
    let gone = Set(list.indices.shuffled(using: &dice).prefix(count))
    defer { list = list.indices.filter { !gone.contains($0) }.map { list[$0] } }
    return gone.sorted().map { list[$0] }
  }

  /// Puts elements in at random.
  private static func spread<Element>(
    _ elements: [Element], over list: inout [Element], _ dice: inout Dice
  ) {
    var guests = elements[...]
    var result: [Element] = []
    var hosts = list[...]
    let places = Set((0..<list.count + elements.count).shuffled(using: &dice).prefix(elements.count))
    for place in 0..<list.count + elements.count {
      result.append(places.contains(place) ? guests.removeFirst() : hosts.removeFirst())
    }
    list = result
  }
}
