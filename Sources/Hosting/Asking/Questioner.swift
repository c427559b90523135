import CCage
import Glibc

/// The side of the questions that is outside the cage: shows them, and does what was answered. It trusts nothing that comes
/// from the process inside: names are read again, and only what a person allowed is opened.
final class Questioner {
  private var answers = Answers()
  private var given: Set<Want> = []

  /// The answer to a matter; below 0 is a reason. Sets a descriptor that belongs to the answer.
  func answer(_ number: Int32, _ text: String, place: String, socket: Int32, _ descriptor: inout Int32) -> Int32 {
    guard let matter = Matter(rawValue: number), let want = matter.want(text), want.canBeAsked else {
      return -EINVAL
    }
    switch matter {
    case .variable, .file, .folder, .origin: return ask(want, at: place, socket).rawValue
    case .open: return open(want, &descriptor)
    case .connect: return -EPERM
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

  private func isAllowed(_ want: Want) -> Bool { given.contains(want) || answers.verdict(on: want) == .always }

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
}
