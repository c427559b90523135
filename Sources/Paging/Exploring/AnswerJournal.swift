public import Items

/// What a source brought for one request, piece by piece, and how long each took.
public struct JournaledAnswer: Sendable, Equatable {
  /// In the order in which they came; the last one ends the fetch.
  public var pieces: [Piece]

  /// One thing that the fetch handler said.
  public struct Piece: Sendable, Equatable {
    /// From the start of the attempt.
    public let after: Duration
    public let news: News

    public init(after: Duration, _ news: News) {
      self.after = after
      self.news = news
    }
  }

  /// What a fetch handler may say.
  public enum News: Sendable, Equatable {
    /// `context:append`; `received` counts what the source sent.
    case appended([Item], received: Int)
    /// The fetch is over.
    case answered(FetchAnswer)
  }

  public init(_ pieces: [Piece]) { self.pieces = pieces }

  /// An answer that came whole.
  public init(_ answer: FetchAnswer, after: Duration) {
    pieces = [Piece(after: after, .answered(answer))]
  }
}

/// Remembers what a source answered, so that a past that is lived again has the same answers at the same speed, without
/// the source.
///
/// The nth time that a page is asked for is answered as it was the nth time: a refresh brings what the refresh brought.
public struct AnswerJournal: Sendable {
  /// A page as it is asked for, and how often it was before.
  struct Key: Hashable, Sendable {
    let page: AskedPage
    let ordinal: Int
  }

  private var answers: [Key: JournaledAnswer] = [:]

  public init() {}

  /// Answers that are remembered.
  public var count: Int { answers.count }

  subscript(key: Key) -> JournaledAnswer? {
    get { answers[key] }
    set { answers[key] = newValue }
  }
}

/// What makes two requests ask for the same.
struct AskedPage: Hashable, Sendable {
  let key: PageKey?
  let direction: Direction
  let size: Int

  init(_ request: FetchRequest) {
    key = request.key
    direction = request.direction
    size = request.size
  }
}
