import Foundation

/// Reads both outputs of a process as they come.
struct CommandReading {
  private var files: [(descriptor: Int32, bytes: [UInt8], isOver: Bool)]

  init(_ output: Int32, _ errors: Int32) {
    files = [output, errors].map { ($0, [], false) }
  }

  var result: CommandResult {
    CommandResult(
      output: String(decoding: files[0].bytes, as: UTF8.self),
      errors: String(decoding: files[1].bytes, as: UTF8.self))
  }

  /// Reads until both are closed, and tells of each step; false when that takes longer.
  mutating func toTheEnd(within minutes: Int, _ told: (CommandResult) -> Void) -> Bool {
    let end = DispatchTime.now().uptimeNanoseconds + UInt64(minutes) * 60_000_000_000
    while files.contains(where: { !$0.isOver }) {
      let now = DispatchTime.now().uptimeNanoseconds
      guard now < end else { return false }
      var polled = files.map { pollfd(fd: $0.isOver ? -1 : $0.descriptor, events: Int16(POLLIN), revents: 0) }
      guard poll(&polled, nfds_t(polled.count), Int32((end - now) / 1_000_000) + 1) > 0 else { continue }
      for index in files.indices where polled[index].revents != 0 { read(index) }
      told(result)
    }
    return true
  }

  private mutating func read(_ index: Int) {
    var part = [UInt8](repeating: 0, count: 1 << 16)
    let count = Foundation.read(files[index].descriptor, &part, part.count)
    if count > 0 {
      files[index].bytes += part[..<count]
    } else {
      files[index].isOver = true
    }
  }
}
