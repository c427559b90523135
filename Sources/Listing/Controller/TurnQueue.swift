/// Work done in turns, a batch at a time, first in, first out (Texture's run loop queue).
public struct TurnQueue<Element: Hashable & Sendable>: Sendable {
  /// Whether an element already queued is not queued again.
  public let isExclusive: Bool
  /// Maximum elements per turn.
  public let batchSize: Int
  private var elements: [Element] = []
  private var members: Set<Element> = []

  public init(isExclusive: Bool = true, batchSize: Int = 1) {
    precondition(batchSize > 0, "a batch of \(batchSize)")
    self.isExclusive = isExclusive
    self.batchSize = batchSize
  }

  /// Whether it has no elements.
  public var isEmpty: Bool { elements.isEmpty }

  /// Appends an element; nil is ignored.
  public mutating func enqueue(_ element: Element?) {
    guard let element else { return }
    if isExclusive, !members.insert(element).inserted { return }
    elements.append(element)
  }

  /// Removes one batch; `isDrained` is true for its last element.
  public mutating func turn(_ body: (_ element: Element, _ isDrained: Bool) -> Void) {
    let batch = elements.prefix(batchSize)
    elements.removeFirst(batch.count)
    for element in batch { members.remove(element) }
    for (index, element) in batch.enumerated() { body(element, index == batch.count - 1) }
  }
}
