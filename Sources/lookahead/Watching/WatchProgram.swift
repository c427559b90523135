import Glibc
import Hosting
import Paging
import Reports
import Text

/// Takes what is told on standard input of a run that other processes do, and shows it until that ends.
final class WatchProgram {
  private let watch: RunWatch
  private let voice: Voice
  private let beganAt = Instant.ofMonotonicClock
  private var rest: [UInt8] = []
  /// Where in `rest` the search for a line end goes on.
  private var searched = 0
  /// The line is too long: nothing of it is kept.
  private var isSkipping = false
  private var lines = 0
  private var mistakes = 0
  private var ending: RunTelemetry.Ending?
  private var workers: Set<String> = []
  private var hadWorkers = false
  /// Ids of partitions that can't be read.
  private var failed: Set<String> = []

  /// Mistakes that are named one by one.
  private static let mostNamed = 5

  init(_ watch: RunWatch, _ voice: Voice) {
    self.watch = watch
    self.voice = voice
  }

  /// Shows it to its end.
  func run() -> RunExit {
    watch.watchWorkers()
    var isAtEnd = false
    while !isAtEnd, ending == nil {
      let due = watch.pass(to: now)
      var entry = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
      let wait = due.map { max(1, ($0 - now).inSeconds * 1000) } ?? 1000
      guard poll(&entry, 1, Int32(min(1000, wait.rounded(.up)))) > 0 else { continue }
      isAtEnd = !read()
    }
    if mistakes > Self.mostNamed {
      voice.warn("… and \(mistakes - Self.mostNamed) lines more that tell nothing")
    }
    let last = ending ?? endingOfInput
    let exit = watch.finish(last, at: now)
    return exit ?? (mistakes > 0 ? .usage : .done)
  }

  private var now: Instant { .zero + (Instant.ofMonotonicClock - beganAt) }

  /// Standard input has ended, and nobody has said that the run has: that says it where all workers came to their end.
  private var endingOfInput: RunTelemetry.Ending {
    guard hadWorkers, workers.isEmpty else {
      return RunTelemetry.Ending(
        code: RunTelemetry.Ending.unknown,
        message: "standard input ended before anybody said how the run ended")
    }
    guard !failed.isEmpty else { return RunTelemetry.Ending(code: 0) }
    let count = failed.count
    return RunTelemetry.Ending(
      code: 1, message: count == 1 ? "1 partition failed" : "\(Amount.count(count)) partitions failed")
  }

  /// Reads what has come; false at the end.
  private func read() -> Bool {
    var room = [UInt8](repeating: 0, count: 1 << 16)
    let count = Glibc.read(STDIN_FILENO, &room, room.count)
    if count < 0, errno == EINTR || errno == EAGAIN { return true }
    rest += room.prefix(max(0, count))
    if count <= 0, !rest.isEmpty { rest.append(UInt8(ascii: "\n")) }
    var start = 0
    while ending == nil, let end = rest[max(start, searched)...].firstIndex(of: UInt8(ascii: "\n")) {
      take(rest[start..<end])
      start = end + 1
      searched = start
    }
    rest.removeFirst(start)
    searched = rest.count
    if rest.count > WatchedLine.longest { (rest, searched, isSkipping) = ([], 0, true) }
    return count > 0
  }

  private func take(_ bytes: ArraySlice<UInt8>) {
    lines += 1
    if isSkipping {
      isSkipping = false
      return note(WatchedLine.Mistake(text: "more than \(WatchedLine.longest) bytes"))
    }
    let text = String(decoding: bytes, as: UTF8.self)
    guard text.contains(where: { !$0.isWhitespace }) else { return }
    do throws(WatchedLine.Mistake) {
      let line = try WatchedLine(text)
      for news in line.news {
        watch.hear(news, at: now)
        switch news {
        case .failed(let id, _): failed.insert(id)
        case .began(let id, _, _), .done(let id, _, _): failed.remove(id)
        default: break
        }
      }
      switch line.attendance {
      case .came(let worker):
        hadWorkers = true
        workers.insert(worker)
      case .ended(let worker): workers.remove(worker)
      case nil: break
      }
      ending = line.ending
    } catch {
      note(error)
    }
  }

  /// The page of what is understood goes on: whoever tells it need not wait for it, nor end with it.
  private func note(_ mistake: WatchedLine.Mistake) {
    mistakes += 1
    if mistakes <= Self.mostNamed { voice.warn("standard input, line \(lines): \(mistake.text)") }
  }
}
