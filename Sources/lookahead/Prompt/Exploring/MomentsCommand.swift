import Paging
import Scripting
import Terminal

/// `:moments`: all that happened, on the screen or as a trace.
enum MomentsCommand {
  static func run(_ session: PromptSession, _ path: String) throws(PromptFault) {
    let explored = try session.exploredOrFault()
    let exploration = explored.exploration
    guard !path.isEmpty else {
      let table = MomentTable(0..<exploration.moments.count, of: exploration, session)
      session.say(table.short)
      if let left = exploration.leftFuture {
        session.say(
          "  \(left.moments.count) other moments were lived behind moment \(left.behind) (:goto \(left.behind), :rerun)",
          .dim)
      }
      return
    }
    let writer: TraceWriter
    do throws(RunExit) {
      writer = try TraceWriter(PromptPaths.expanded(path), session.voice.redactor)
    } catch {
      throw PromptFault("the trace can't be written to \(path)")
    }
    var notes = 0
    for moment in exploration.moments[...exploration.position] {
      for note in moment.notes {
        writer.write(.noted(source: explored.source.name, note, at: moment.at))
        notes += 1
      }
    }
    writer.finish()
    session.say("\(exploration.position + 1) moments, \(notes) notes in \(path)", .dim)
  }
}
