import Paging
import Scripting
import Simulation
import Terminal
import Text

/// Moments as aligned rows: number, time, what happened, and what followed.
struct MomentTable {
  private let texts: [MomentText]
  private let now: Int
  private let width: Int
  private let isColored: Bool
  private let numberWidth: Int
  private let timeWidth: Int

  /// Maximum cells of the event, if consequences stand beside it.
  private static let widestEvent = 36

  init(_ numbers: Range<Int>, of exploration: Exploration, _ session: PromptSession) {
    texts = numbers.map { MomentText($0, of: exploration) }
    now = exploration.position
    width = max(40, session.style.width)
    isColored = session.isColored
    numberWidth = texts.map { "\($0.number)".count }.max() ?? 0
    timeWidth = texts.map(\.time.count).max() ?? 0
  }

  /// What followed below its moment, a line each.
  var long: String {
    let indent = String(repeating: " ", count: 2 + numberWidth + 2 + timeWidth + 2 + 2)
    return texts.flatMap { text in
      [line(of: text, rest: "")] + text.consequences.map { (indent + $0).clipped(to: width) }
    }.joined(separator: "\n")
  }

  /// A line for each moment, cut where it is too long.
  var short: String {
    let widest = min(Self.widestEvent, texts.map(\.event.cellWidth).max() ?? 0)
    return texts.map { text in
      let blanks = "".padded(to: widest - text.event.cellWidth)
      let rest = text.consequences.joined(separator: "; ")
      return line(of: text, cutTo: widest, rest: rest.isEmpty ? "" : blanks + "  " + rest)
    }.joined(separator: "\n")
  }

  /// The current moment is marked. Colours are added last, as they take no cells.
  private func line(of text: MomentText, cutTo widest: Int = .max, rest: String) -> String {
    let mark = text.number == now ? "> " : "  "
    let head =
      mark + "\(text.number)".padded(to: numberWidth, .right) + "  " + text.time.padded(to: timeWidth, .right)
      + "  "
    let event = text.event.clipped(to: min(widest, width - head.cellWidth))
    let tail = rest.clipped(to: max(0, width - head.cellWidth - event.cellWidth))
    guard isColored else { return head + event + tail }
    return Style.dim.around(head) + Style.bold.around(event) + tail
  }
}
