public import Paging

/// How a run's world asks a person for what no option allows. While a question is open the whole run waits, except for
/// what is on its way through the network: nothing of the script can write between a question and its answer.
///
/// ```swift
/// let asking = Asking(asker, until: hurried, way: net.way)
/// asking.place = { workflow.place(of: $0) }
/// world.asking = asking
/// ```
public final class Asking {
  /// Where in the script the call is, as `feed.lua:12`.
  public var place: (HostCallID) -> String = { _ in "" }
  /// Called before a question is shown: removes what is drawn on the terminal.
  public var willAsk: () -> Void = {}
  private let asker: Asker
  let way: (HTTPAddress) -> ConnectionWay?
  private let stop: StopFlag
  private var answers = Answers()
  /// What was answered for one call: valid for those made at the same moment, which waited for it too.
  private var atOnce: [Want: Verdict] = [:]

  /// No question is asked, and the open one ends, once the flag is set. The way is how a host that is allowed is reached;
  /// nil if it can't be, so that there is nothing to ask.
  public init(_ asker: Asker, until stop: StopFlag, way: @escaping (HTTPAddress) -> ConnectionWay?) {
    self.asker = asker
    self.way = way
    self.stop = stop
  }

  /// Whether a person allows it.
  func allows(_ want: Want, for id: HostCallID) -> Bool {
    guard want.canBeAsked, !stop.isSet else { return false }
    switch answers.verdict(on: want) ?? atOnce[want] ?? ask(want, id) {
    case .no, .none: return false
    case .once, .always, .surroundings: return true
    }
  }

  /// The calls that come now were made after the answers until now.
  func endMoment() { if !atOnce.isEmpty { atOnce = [:] } }

  /// Connections to what was allowed.
  func connections(waking wake: @escaping @Sendable () -> Void) -> LentConnections {
    LentConnections(asker, waking: wake)
  }

  /// A path that was allowed, to be opened.
  func lend(_ path: ResolvedPath) -> LentPath { LentPath(path: path, asker: asker) }

  private func ask(_ want: Want, _ id: HostCallID) -> Verdict {
    willAsk()
    let place = place(id)
    let verdict = TerminalTurn.take { asker.ask(want, at: place, until: stop) }
    answers.add(verdict, to: want)
    if verdict == .once { atOnce[want] = verdict }
    return verdict
  }
}

/// How a connection is made.
public enum ConnectionWay: Sendable {
  /// By the process itself.
  case direct
  /// By another, which passes it on.
  case passed
}

/// A file or folder that a person allowed one call to read; opened outside the cage.
struct LentPath: Sendable {
  let path: ResolvedPath
  let asker: Asker

  /// Opens it for reading.
  func open() throws(SystemError) -> FileDescriptor { try asker.open(path) }
}
