import Items
import Paging

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
