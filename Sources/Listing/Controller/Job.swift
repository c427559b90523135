/// Names one job; job numbers only grow.
public struct JobID: Sendable, Hashable {
  /// From 1.
  public let number: Int

  public init(number: Int) { self.number = number }
}

/// Expensive work for one element, done apart from the reader's turn: making, measuring, decoding, encoding.
public struct Job<Source: ElementSource>: Sendable {
  /// What is to be done.
  public enum Work: Sendable {
    /// Run the factory, which runs only once.
    case make(Source.Factory)
    /// Bring what was made to a new model.
    case adopt(Source.Model, Source.Product)
  }

  /// Comes back with the answer.
  public let id: JobID
  /// Whom it is for.
  public let element: ElementID
  /// What is to be done.
  public let work: Work

  public init(id: JobID, element: ElementID, work: Work) {
    self.id = id
    self.element = element
    self.work = work
  }
}
