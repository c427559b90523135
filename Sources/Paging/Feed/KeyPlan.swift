internal import Items

/// Knowledge of the whole list: how its keys advance, the page size the source really sends, and the total.
struct KeyPlan: Sendable, Equatable {
  private let configuration: FeedConfiguration
  /// The source's newest total.
  var total: Int?
  /// The greatest total that a page of this run had.
  private(set) var mostTotal: Int?
  /// By how much the total fell from one page to one that was requested later: what is removed in the middle of a list has what
  /// comes behind it move to counted keys that were read already.
  private(set) var fallen: Int32 = 0
  /// Items that came again and were newer: what is edited goes to the end of a list, and what comes behind it moves as well.
  private(set) var edited: Int32 = 0
  /// What the source says is gone, and did not bring.
  private var gone = GoneItems()
  /// The largest page seen while none was full.
  private(set) var cap: Int?
  /// More items followed a short page: the source sends no larger ones.
  private(set) var isCapped = false
  private var sawFullPage = false

  init(_ configuration: FeedConfiguration) { self.configuration = configuration }

  var kind: KeyKind { configuration.options.keys }
  var first: PageKey? { configuration.firstKey }
  var initialPageSize: Int { configuration.initialPageSize }
  var pageSize: Int { configuration.options.pageSize }

  /// What the pages before a position have taught.
  mutating func recall(_ position: Position) {
    (total, cap) = (position.total, position.cap)
    (isCapped, sawFullPage) = (position.isCapped, position.sawFullPage)
    (fallen, edited) = (Int32(clamping: position.fallen), Int32(clamping: position.edited))
    gone.recall(position)
  }

  /// The list is not compared with what came before a position: nothing but its total tells then that it has moved since.
  mutating func compareTotal(with position: Position) { mostTotal = position.total }

  /// Learns the total that a page has, which was requested while `known` was the greatest known one. A smaller one of requests that
  /// were under way at the same time may be the older one.
  mutating func learn(total: Int, knowing known: Int?) {
    if let known, total < known {
      fallen = max(fallen, Int32(clamping: known - total))
      self.total = total
    } else {
      self.total = mostTotal == nil ? total : max(total, self.total ?? total)
    }
    mostTotal = max(mostTotal ?? total, total)
  }

  /// Learns that so many items were edited while the list was read.
  mutating func learn(edited count: Int) { edited = Int32(clamping: Int(edited).clampedSum(count)) }

  /// Learns which items a page says are gone that did not come before, as far as there may be a total that counts them.
  mutating func learn(gone ids: [ItemID], of slot: Slot) {
    guard !slot.order.isReplay, total != nil || slot.order.key == first else { return }
    gone.add(ids, listed: slot.told)
  }

  /// Notes it in a position.
  func note(in position: inout Position) {
    (position.total, position.cap) = (total, cap)
    (position.isCapped, position.sawFullPage) = (isCapped, sawFullPage)
    (position.fallen, position.edited) = (Int(fallen), Int(edited))
    gone.note(in: &position)
  }

  /// The page before a counted key, to be compared with what came from there; nil if there is none.
  func check(before key: PageKey?) -> PageOrder? {
    guard kind.isCounted, case .integer(let number) = key, number > firstNumber else { return nil }
    let step = kind == .page ? 1 : Int64(min(requestSize, effectivePageSize))
    return PageOrder(
      key: .integer(max(firstNumber, number.clampedDifference(step))), size: requestSize, direction: .append,
      isReplay: true)
  }

  /// The first counted key.
  var firstNumber: Int64 {
    guard case .integer(let number) = first else { return 0 }
    return number
  }

  /// Items to request; only offsets adapt to the learned size, since page numbers would change their meaning.
  var requestSize: Int { kind == .offset && isCapped ? cap ?? pageSize : pageSize }

  /// The source's own page size, if known to differ from the requested one.
  var learnedPageSize: Int? { isCapped ? cap : nil }

  /// Items that the source sends per full page, as far as known.
  var effectivePageSize: Int { min(pageSize, cap ?? pageSize) }

  /// Items before the first key when reading starts inside the list: at least and at most, since page numbers may begin at 0
  /// or at 1. A first number of 1 is where a list begins that counts from there; a greater offset is a place in one that counts
  /// from 0.
  func skipped(largestPage: Int) -> ClosedRange<Int64> {
    guard kind.isCounted, firstNumber > 1 else { return 0...0 }
    guard kind == .page else { return firstNumber...firstNumber }
    let size = Int64(max(pageSize, largestPage))
    return (firstNumber - 1).clampedProduct(Int64(effectivePageSize))...firstNumber.clampedProduct(size)
  }

  /// Items before a counted key.
  func position(of number: Int64) -> Int64 {
    let distance = number.clampedDifference(firstNumber)
    let items = kind == .page ? distance.clampedProduct(Int64(effectivePageSize)) : distance
    return items.clampedSum(skipped(largestPage: 0).lowerBound)
  }

  /// The counted key behind a page of that many items.
  func number(after order: PageOrder, received: Int) -> Int64 {
    let number = order.number ?? firstNumber
    if kind == .page {
      let covered = received < order.size ? received : order.size
      return number.clampedSum(Int64(max(1, covered / pageSize)))
    }
    return number.clampedSum(Int64(received > 0 ? received : min(order.size, cap ?? order.size)))
  }

  /// The counted key behind a page that is not in yet.
  func number(after order: PageOrder) -> Int64 { number(after: order, received: order.size) }

  /// Learns from a page's length; returns the source's own page size when it has just become known.
  mutating func learn(from order: PageOrder, received: Int, isMoreKnown: Bool) -> Int? {
    // A page of the size that was learned is full because no more was asked for.
    if received >= order.size, !order.isFill, !isCapped || received > cap ?? 0 { sawFullPage = true }
    guard !sawFullPage, received > 0 else {
      if sawFullPage { cap = nil }
      return nil
    }
    cap = max(cap ?? 0, received)
    guard kind == .offset, !isCapped, isMoreKnown || order.isFill else { return nil }
    isCapped = true
    return cap
  }

  /// How a list that was read to its end disagrees with its total; nil if they agree or it can't be known. Where its keys do not
  /// count, nothing moves to pages that were read already as the total falls and items are edited.
  ///
  /// Repeated items took the place of others, unless items of one id replace each other or a transform produced them.
  func mismatch(
    received: Int, different: Int, largestPage: Int, counts: Bool, _ options: FeedConfiguration.Options
  ) -> TotalMismatch? {
    guard options.checksTotal else { return nil }
    func difference(from total: Int, with gone: GoneItems) -> TotalMismatch? {
      self.difference(
        from: total, received: received.clampedSum(gone.listed), different: different.clampedSum(gone.count),
        largestPage: largestPage, options)
    }
    var mismatch = total.flatMap { difference(from: $0, with: GoneItems()) }
    // A total may count what is gone: that has come as well.
    if mismatch != nil, gone.count > 0, let total, difference(from: total, with: gone) == nil {
      mismatch = nil
    }
    guard fallen > 0 || edited > 0, counts else { return mismatch }
    var moved = mismatch ?? TotalMismatch(received: received, total: total ?? received)
    (moved.fallen, moved.edited) = (Int(fallen), Int(edited))
    return moved
  }

  private func difference(
    from total: Int, received: Int, different: Int, largestPage: Int, _ options: FeedConfiguration.Options
  ) -> TotalMismatch? {
    let skipped = skipped(largestPage: largestPage)
    let fewest = total - Landing.limited(Int(clamping: skipped.upperBound), total)
    let most = total - Landing.limited(Int(clamping: skipped.lowerBound), total)
    guard options.merge == .keep, !options.isTransformed else {
      if received < fewest { return TotalMismatch(received: received, total: fewest) }
      return received > most ? TotalMismatch(received: received, total: most) : nil
    }
    if max(received, different) < fewest {
      return TotalMismatch(received: max(received, different), total: fewest)
    }
    if different > most { return TotalMismatch(received: different, total: most) }
    guard different < fewest else { return nil }
    // A list that grows while it is read sends as many items as it says; more than that take the place of others.
    if received > most { return TotalMismatch(received: different, total: fewest) }
    return TotalMismatch(received: received, total: fewest, repeated: received - different)
  }
}
