public import Items
public import Paging

/// A source of the items 0, 1, 2, …
public struct NumberSource {
  public var count: Int
  public var keys = KeyKind.offset
  public var tellsTotal = true
  /// The server sends no more per page, whatever is asked.
  public var cap = Int.max

  public init(count: Int, keys: KeyKind = .offset, tellsTotal: Bool = true, cap: Int = .max) {
    self.count = count
    self.keys = keys
    self.tellsTotal = tellsTotal
    self.cap = cap
  }

  /// What it answers; cursors are the offsets of what follows.
  public func page(for request: FetchRequest) -> Page {
    let size = min(request.size, cap)
    let number = request.key?.number ?? 0
    let start = min(count, max(0, keys == .page ? (number - 1) * size : number))
    let end = min(count, start + size)
    var page = Page(PageItems(.numbers(start..<end)), total: tellsTotal ? count : nil)
    if keys == .cursor, end < count { page.nextKey = .integer(Int64(end)) }
    return page
  }
}

extension [Item] {
  public static func numbers(_ numbers: some Sequence<Int>, version: Int = 1) -> [Item] {
    numbers.map { Item(id: .integer(Int64($0)), bytes: Bytes("\($0).\(version)")) }
  }

  public var ids: [Int] {
    map { if case .integer(let number) = $0.id { Int(number) } else { -1 } }
  }
}

extension Page {
  /// A page of numbers.
  public static func numbers(
    _ numbers: some Sequence<Int>, next: Int? = nil, previous: Int? = nil, total: Int? = nil,
    isLast: Bool = false
  ) -> Page {
    Page(
      PageItems(.numbers(numbers)), nextKey: next.map { .integer(Int64($0)) },
      previousKey: previous.map { .integer(Int64($0)) }, total: total, isLast: isLast)
  }
}

extension PageKey {
  public var number: Int? { if case .integer(let number) = self { Int(number) } else { nil } }
}
