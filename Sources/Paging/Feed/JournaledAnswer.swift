/// What a source brought for one request, piece by piece, and how long each took.
public struct JournaledAnswer: Sendable, Equatable {
  /// In the order in which they came; the last one ends the fetch.
  public var pieces: [Piece]

  /// One thing that the fetch handler said.
  public struct Piece: Sendable, Equatable {
    /// From the start of the attempt.
    public let after: Duration
    /// As the feed is told it; the name of the fetch is that of the attempt that was recorded.
    public let event: Event

    public init(after: Duration, _ event: Event) {
      self.after = after
      self.event = event
    }
  }

  public init(_ pieces: [Piece]) { self.pieces = pieces }

  /// An answer that came whole.
  public init(_ answer: FetchAnswer, after: Duration) {
    pieces = [Piece(after: after, .answered(FetchID(generation: 0, number: 0), answer))]
  }
}
