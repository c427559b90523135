import Paging
import Scripting
import Simulation
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
          "  \(left.moments.count) other moment\(left.moments.count == 1 ? " was" : "s were") lived behind moment \(left.behind) (:goto \(left.behind), :rerun)",
          .dim)
      }
      return
    }
    let writer = try writer(of: path, session)
    var notes = 0
    for moment in exploration.moments[...exploration.position] {
      for note in moment.notes {
        writer.write(.noted(source: explored.source.name, note, at: moment.at))
        notes += 1
      }
    }
    writer.finish()
    let moments = exploration.position + 1
    session.say(
      "\(moments) moment\(moments == 1 ? "" : "s"), \(notes) note\(notes == 1 ? "" : "s") in \(path)", .dim)
  }

  private static func writer(of path: String, _ session: PromptSession) throws(PromptFault) -> TraceWriter {
    let target = TraceTarget(path: PromptPaths.expanded(path))
    guard !target.holdsSomethingElse else {
      throw PromptFault(
        "\(path) is there already, and no trace", hint: "Write the trace under another name.")
    }
    let failure = "the trace can't be written to \(path)"
    if let obstacle = target.obstacle { throw PromptFault("\(failure): \(obstacle)") }
    do throws(RunExit) {
      return try TraceWriter(target.path, session.voice.redactor)
    } catch {
      throw PromptFault(failure)
    }
  }
}
