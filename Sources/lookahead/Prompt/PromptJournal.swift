import Scripting

/// The inputs of a session, in order, with their results.
struct PromptJournal {
  struct Entry: Equatable {
    let text: String
    /// Of the line, from 1; 0 for a file that was loaded, nil for a command.
    let number: Int?
    /// Whether it was an expression.
    var isExpression = false
    /// Whether it had a value, which becomes `_`.
    var hasValue = false
    /// Nil while running.
    var hasSucceeded: Bool?
  }

  private(set) var entries: [Entry] = []
  /// The number of the next line.
  private(set) var nextNumber = 1

  /// Adds a line of Lua and returns its number.
  mutating func add(_ text: String) -> Int {
    entries.append(Entry(text: text, number: nextNumber))
    nextNumber += 1
    return nextNumber - 1
  }

  mutating func add(command: String) {
    entries.append(Entry(text: command, number: nil, hasSucceeded: true))
  }

  /// Marks the last command as failed.
  mutating func failLastCommand() {
    guard let place = entries.lastIndex(where: { $0.number == nil }) else { return }
    entries[place].hasSucceeded = false
  }

  /// A file was run in the session.
  mutating func addLoaded(_ text: String) {
    entries.append(Entry(text: text, number: 0, hasSucceeded: true))
  }

  /// Records the end of the line with that number.
  mutating func finish(_ number: Int, _ evaluation: Evaluation) {
    guard let place = entries.lastIndex(where: { $0.number == number }) else { return }
    entries[place].hasSucceeded = evaluation.failure == nil
    entries[place].isExpression = evaluation.isExpression
    entries[place].hasValue = evaluation.values.first.map { $0.typeName != "nil" } ?? false
  }

  /// The text of that line.
  func text(of number: Int) -> String? { entries.last { $0.number == number }?.text }
}
