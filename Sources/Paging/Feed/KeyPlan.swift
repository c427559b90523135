/// What is known of the whole list: how its keys count on, its page size as the source sends it, and how many items it has.
struct KeyPlan: Sendable, Equatable {
  let kind: KeyKind
  let first: PageKey?
  let initialPageSize: Int
  let pageSize: Int
  /// Items that the source has, by its newest word.
  var total: Int?
  /// The largest page seen while none came in full.
  private(set) var cap: Int?
  /// More items followed a page that was not full: the source sends no larger ones.
  private(set) var isCapped = false
  private var sawFullPage = false

  init(_ configuration: FeedConfiguration) {
    kind = configuration.options.keys
    first = configuration.firstKey
    initialPageSize = configuration.initialPageSize
    pageSize = configuration.options.pageSize
  }

  /// The first counted key.
  var firstNumber: Int64 {
    guard case .integer(let number) = first else { return 0 }
    return number
  }

  /// Items to ask for; page numbers would change their meaning with it, so only offsets follow what was
  /// learnt.
  var requestSize: Int { kind == .offset && isCapped ? cap ?? pageSize : pageSize }

  /// The source's own page size, where it is known to be another than was asked for.
  var learnedPageSize: Int? { isCapped ? cap : nil }

  /// Items that the source sends per full page, as far as known.
  var effectivePageSize: Int { min(pageSize, cap ?? pageSize) }

  /// Items before the first key, where the reading begins behind the list's own start: at least and at most, since page
  /// numbers may begin at 0 or at 1.
  func skipped(largestPage: Int) -> ClosedRange<Int64> {
    guard firstNumber > (kind == .page ? 1 : 0) else { return 0...0 }
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
    return number.clampedSum(Int64(received > 0 ? received : order.size))
  }

  /// The counted key behind a page that is not in yet.
  func number(after order: PageOrder) -> Int64 { number(after: order, received: order.size) }

  /// Takes note of a page's length; says so when the source's own page size has just become known.
  mutating func learn(from order: PageOrder, received: Int, isMoreKnown: Bool) -> Int? {
    if received >= order.size, !order.isFill { sawFullPage = true }
    guard !sawFullPage, received > 0 else {
      if sawFullPage { cap = nil }
      return nil
    }
    cap = max(cap ?? 0, received)
    guard kind == .offset, !isCapped, isMoreKnown || order.isFill else { return nil }
    isCapped = true
    return cap
  }
}
