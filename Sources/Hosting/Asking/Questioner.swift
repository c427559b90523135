import CCage
import Glibc

/// The side of the questions that is outside the cage: shows them, and does what was answered. It trusts nothing that comes
/// from the process inside: names are read again, and only what a person allowed is opened.
final class Questioner {
  private var answers = Answers()
  private var given: Set<Want> = []

  /// The answer to a matter; below 0 is a reason. Sets a descriptor that belongs to the answer.
  func answer(_ number: Int32, _ text: String, place: String, socket: Int32, _ descriptor: inout Int32)
    -> Int32
  {
    guard let matter = Matter(rawValue: number), let want = matter.want(text), want.canBeAsked else {
      return -EINVAL
    }
    switch matter {
    case .variable, .file, .folder, .origin: return ask(want, at: place, socket).rawValue
    case .open: return open(want, &descriptor)
    case .connect: return connect(want, socket, &descriptor)
    }
  }

  private func ask(_ want: Want, at place: String, _ socket: Int32) -> Verdict {
    // In the background a read would stop the whole run.
    signal(SIGTTIN, SIG_IGN)
    signal(SIGTTOU, SIG_IGN)
    let question = QuestionText(want, at: place)
    guard let terminal = QuestionTerminal(),
      let verdict = terminal.ask(question, until: socket, { QuestionText.verdict($0, on: want) })
    else { return .none }
    answers.add(verdict, to: want)
    if verdict == .once { given.insert(want) }
    return verdict
  }

  private func isAllowed(_ want: Want) -> Bool {
    given.contains(want) || answers.verdict(on: want) == .always
  }

  /// Exactly the path that was allowed: no symlink on the way.
  private func open(_ want: Want, _ descriptor: inout Int32) -> Int32 {
    guard case .file(let path) = want else { return -EINVAL }
    guard isAllowed(want) || isAllowed(.folder(path)) else { return -EPERM }
    do throws(SystemError) {
      let file = try FileDescriptor.open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY)
      descriptor = try file.release()
      return 0
    } catch {
      return -error.number
    }
  }

  /// The end of a pair, through which the connection comes when it is made: by a process of its own, so that none waits
  /// for another.
  private func connect(_ want: Want, _ socket: Int32, _ descriptor: inout Int32) -> Int32 {
    guard case .origin(let address) = want, isAllowed(want) else { return -EPERM }
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { return -errno }
    // Nobody waits for them.
    signal(SIGCHLD, SIG_IGN)
    let child = fork()
    if child == 0 {
      close(socket)
      close(ends[0])
      OutgoingConnection(address).pass(through: ends[1])
      _exit(0)
    }
    close(ends[1])
    descriptor = ends[0]
    return child < 0 ? -errno : 0
  }
}
