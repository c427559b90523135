import Foundation
import TestSupport

/// A worker that a test orders about: `lookahead work`, with its standard input open.
final class Workshop {
  private let process: Spawned
  private let scratch: Scratch
  private var output: Lines
  private var errors: Lines
  private var isInputOpen = true

  /// Lines of a pipe, as they come.
  private struct Lines {
    let descriptor: Int32
    var text = ""
    var isOver = false

    mutating func read() {
      var room = [UInt8](repeating: 0, count: 1 << 16)
      let count = Foundation.read(descriptor, &room, room.count)
      if count <= 0 { isOver = true } else { text += String(decoding: room.prefix(count), as: UTF8.self) }
    }
  }

  /// Starts one in a folder.
  convenience init(_ scratch: Scratch, _ arguments: String...) throws {
    try self.init(scratch, words: arguments)
  }

  /// The same.
  init(_ scratch: Scratch, words arguments: [String]) throws {
    self.scratch = scratch
    let environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("LOOKAHEAD_") }
    process = try Spawned(
      Repository.binary, ["work"] + arguments, environment: environment, folder: scratch.path)
    output = Lines(descriptor: process.output)
    errors = Lines(descriptor: process.errors)
  }

  deinit { endInput() }

  var identifier: pid_t { process.identifier }

  func order(_ lines: String...) { process.send(lines.map { $0 + "\n" }.joined()) }

  func endInput() {
    if isInputOpen { process.endInput() }
    isInputOpen = false
  }

  func signal(_ number: Int32) { kill(process.identifier, number) }

  /// The events so far.
  var events: [Event] {
    output.text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().compactMap {
      (try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]).map(Event.init)
    }
  }

  /// What it said to people so far.
  var sayings: String { errors.text }

  /// Reads until there is such an event; false if it ended before, or a minute has passed.
  @discardableResult
  func read(until isThere: (Event) -> Bool) -> Bool {
    readOn { events.contains(where: isThere) }
  }

  /// Reads until it has said so.
  @discardableResult
  func read(untilItSays text: String) -> Bool { readOn { errors.text.contains(text) } }

  /// Ends its input, unless that stays open, and waits for its end; its exit code.
  func finish(endsInput: Bool = true) -> Int32 {
    if endsInput { endInput() }
    readOn { false }
    return process.waitForExit()
  }

  @discardableResult
  private func readOn(_ isEnough: () -> Bool) -> Bool {
    let end = Date().addingTimeInterval(60)
    while true {
      if isEnough() { return true }
      guard !(output.isOver && errors.isOver), Date() < end else { return false }
      var watched = [
        pollfd(fd: output.isOver ? -1 : output.descriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: errors.isOver ? -1 : errors.descriptor, events: Int16(POLLIN), revents: 0),
      ]
      guard poll(&watched, 2, 1000) > 0 else { continue }
      if watched[0].revents != 0 { output.read() }
      if watched[1].revents != 0 { errors.read() }
    }
  }

  /// What a worker tells.
  struct Event {
    let members: [String: Any]
    var name: String { members["event"] as? String ?? "" }
    var id: String { members["id"] as? String ?? "" }
    var code: String { members["code"] as? String ?? "" }
    func count(_ name: String) -> Int { (members[name] as? NSNumber)?.intValue ?? -1 }
    func flag(_ name: String) -> Bool { (members[name] as? NSNumber)?.boolValue ?? false }
  }
}
