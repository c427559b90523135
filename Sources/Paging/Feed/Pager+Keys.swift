extension Pager {
  /// The page behind all known ones, or nil where none may be asked for.
  func nextOrder(total: Int?, plan: KeyPlan) -> PageOrder? {
    switch frontier {
    case .pending, .end:
      return nil
    case .first(let key):
      let isInitial = key == plan.first || kind != .page
      let size = isInitial ? plan.initialPageSize : plan.pageSize
      return PageOrder(key: key, size: size, direction: .refresh)
    case .key(let key):
      let order = PageOrder(key: key, size: plan.requestSize, direction: side)
      guard kind.isCounted, let number = order.number else { return order }
      return side == .prepend
        ? counted(before: number, plan: plan) : counted(order, total: bound(total, plan: plan), plan: plan)
    }
  }

  /// Where the known pages end once that page is asked for.
  func frontier(behind order: PageOrder, plan: KeyPlan) -> Frontier {
    guard kind.isCounted, let number = order.number else { return .pending }
    return .key(.integer(side == .prepend ? number : plan.number(after: order)))
  }

  /// Where they end when that page is not asked for.
  func frontier(before order: PageOrder) -> Frontier {
    if order.direction == .refresh { return .first(order.key) }
    guard side == .prepend, kind.isCounted, let number = order.number else { return .key(order.key) }
    return .key(.integer(number.clampedSum(kind == .page ? 1 : Int64(order.size))))
  }

  private func counted(_ order: PageOrder, total: Int?, plan: KeyPlan) -> PageOrder? {
    guard let number = order.number, let total else { return order }
    let isReached = plan.position(of: number) >= Int64(total) || isPast(total, order, plan: plan)
    return !isReached || asksPastTotal(total, plan: plan) ? order : nil
  }

  private func counted(before number: Int64, plan: KeyPlan) -> PageOrder? {
    guard number > plan.firstNumber else { return nil }
    let size =
      kind == .page
      ? plan.pageSize : Int(min(Int64(plan.requestSize), number.clampedDifference(plan.firstNumber)))
    let step = kind == .page ? 1 : Int64(size)
    return PageOrder(key: .integer(number.clampedDifference(step)), size: size, direction: .prepend)
  }
}
