/// Where one side's known pages end, and so which page to request next.
enum Frontier: Sendable, Equatable {
  /// The first page of a generation.
  case first(PageKey?)
  /// For appending the key of the next page, for prepending with counted keys the key behind it.
  case key(PageKey?)
  /// The key of a page before the first one, for a side that turned around behind the last one.
  case before(PageKey?)
  /// The page that names the next one is in flight.
  case pending
  case end

  /// The page behind all known ones, wherever the source ends; nil if none may be requested.
  func next(_ side: Direction, _ plan: KeyPlan) -> PageOrder? {
    switch self {
    case .pending, .end:
      return nil
    case .first(let key):
      let isInitial = key == plan.first || plan.kind != .page
      let size = isInitial ? plan.initialPageSize : plan.pageSize
      return PageOrder(key: key, size: size, direction: .refresh)
    case .before(let key): return PageOrder(key: key, size: plan.requestSize, direction: .prepend)
    case .key(let key):
      let order = PageOrder(key: key, size: plan.requestSize, direction: side)
      guard side == .prepend, plan.kind.isCounted, let number = order.number else { return order }
      return Frontier.order(before: number, plan)
    }
  }

  /// Where the known pages end once that page is requested.
  init(behind order: PageOrder, _ side: Direction, _ plan: KeyPlan) {
    if plan.kind.isCounted, let number = order.number {
      self = .key(.integer(side == .prepend ? number : plan.number(after: order)))
    } else {
      self = .pending
    }
  }

  /// Where they end if that page is not requested.
  init(before order: PageOrder, _ side: Direction, _ kind: KeyKind) {
    if order.direction == .refresh {
      self = .first(order.key)
    } else if side == .prepend, kind.isCounted, let number = order.number {
      self = .key(.integer(number.clampedSum(kind == .page ? 1 : Int64(order.size))))
    } else {
      self.init(at: order.key, along: order, side)
    }
  }

  /// The page of that key, in the direction of another one.
  init(at key: PageKey?, along order: PageOrder, _ side: Direction) {
    self = order.direction == .prepend && side == .append ? .before(key) : .key(key)
  }

  private static func order(before number: Int64, _ plan: KeyPlan) -> PageOrder? {
    guard number > plan.firstNumber else { return nil }
    let size =
      plan.kind == .page
      ? plan.pageSize : Int(min(Int64(plan.requestSize), number.clampedDifference(plan.firstNumber)))
    let step = plan.kind == .page ? 1 : Int64(size)
    return PageOrder(key: .integer(number.clampedDifference(step)), size: size, direction: .prepend)
  }
}

extension Direction {
  /// The two ends at which pages are added.
  static let sides = [Direction.append, .prepend]

  /// The pager that serves it; `.refresh` is the side of `.append`.
  var lane: Int { self == .prepend ? 1 : 0 }
}
