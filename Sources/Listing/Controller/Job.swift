/// Identifies a job; ever increasing.
public struct JobID: Sendable, Hashable {
  /// From 1.
  public let number: Int

  public init(number: Int) { self.number = number }
}

/// Expensive work for one element, done outside the reader's turn: making, measuring, decoding, encoding.
public struct Job<Source: ElementSource>: Sendable {
  /// The work to do.
  public enum Work: Sendable {
    /// Run the factory, which runs only once.
    case make(Source.Factory)
    /// Update the product to a new model.
    case adopt(Source.Model, Source.Product)
  }

  /// Returned with the answer.
  public let id: JobID
  /// The element it is for.
  public let element: ElementID
  /// The work to do.
  public let work: Work

  public init(id: JobID, element: ElementID, work: Work) {
    self.id = id
    self.element = element
    self.work = work
  }
}
