public import Items
import JSON
public import Paging

/// A recorded run: the calls of its program, and the times of its events.
public struct Recording: Sendable {
  public let header: RecordingHeader
  /// In the order they were made.
  public private(set) var exchanges: [RecordedExchange] = []
  /// When the program was started.
  public private(set) var start = Instant.zero
  /// When the user asked to stop.
  public private(set) var interruptions: [Instant] = []
  /// The last time in it.
  public private(set) var end = Instant.zero
  /// Whether it ends before the run did: the run was killed, or the disk was full.
  public private(set) var isCut = true
  /// When wakes came, by requested time.
  private(set) var wakes: [Instant: [Instant]] = [:]

  /// Parses the lines. The last one may be truncated; every other one must be complete.
  public init(_ contents: Bytes) throws(RecordingError) {
    self = try contents.withUnsafeBytes { bytes throws(RecordingError) in try Recording(bytes) }
  }

  /// Reads a file.
  public static func read(_ path: String) throws(RecordingError) -> Recording {
    let contents: Bytes
    do throws(HostFailure) {
      contents = try WholeFile.read(path)
    } catch {
      throw .unreadable(error)
    }
    return try Recording(contents)
  }

  private init(_ bytes: UnsafeRawBufferPointer) throws(RecordingError) {
    var lines = RecordingLines(bytes)
    header = try RecordingHeader(lines.next().flatMap { JSONTree($0) })
    while let line = lines.next() {
      guard let tree = JSONTree(line) else {
        if lines.isLastCut { break }
        throw .line(number: lines.number, expected: "a JSON object", got: "something else")
      }
      do throws(LineFault) {
        add(try RecordingLine(try RecordedFields(tree, "the line")))
      } catch {
        throw .line(number: lines.number, expected: error.expected, got: error.got)
      }
    }
    exchanges.sort { ($0.asked, $0.number) < ($1.asked, $1.number) }
  }

  private mutating func add(_ line: RecordingLine) {
    end = max(end, line.time)
    switch line {
    case .started(let at): start = at
    case .exchange(let exchange): exchanges.append(exchange)
    case .woke(let at, let wanted): wakes[wanted, default: []].append(at)
    // It would have come after what made it unnecessary.
    case .missed(let at, let wanted): wakes[wanted, default: []].append(at + .nanoseconds(1))
    case .interrupted(let at): interruptions.append(at)
    case .ended: isCut = false
    }
  }
}

/// The non-empty lines of a text.
private struct RecordingLines {
  private let bytes: UnsafeRawBufferPointer
  private var place = 0
  /// The number of the last line, from 1.
  private(set) var number = 0
  /// Whether the last line is truncated.
  private(set) var isLastCut = false

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  mutating func next() -> UnsafeRawBufferPointer? {
    while place < bytes.count {
      let end = bytes[place...].firstIndex(of: UInt8(ascii: "\n"))
      let line = UnsafeRawBufferPointer(rebasing: bytes[place..<(end ?? bytes.count)])
      number += 1
      isLastCut = end == nil
      place = (end ?? bytes.count) + (end == nil ? 0 : 1)
      if line.contains(where: { $0 > 0x20 }) { return line }
    }
    return nil
  }
}

/// Why a file can't be replayed.
public enum RecordingError: Error, Sendable, Equatable {
  case unreadable(HostFailure)
  /// The first line is not that of a recording.
  case notARecording
  /// It has another version of the format.
  case version(Int)
  /// A line, counted from 1, is invalid.
  case line(number: Int, expected: String, got: String)
}

/// A file to which whole lines are appended: a killed process loses no written line.
public final class RecordingFile {
  private let file: OutputDescriptor
  /// Why the file is incomplete; nothing is written after it.
  public private(set) var failure: HostFailure?

  /// Truncates or creates the file. Once the flag is set, stalled readers are not waited for.
  public init(_ path: String, hurried: StopFlag = StopFlag()) throws(HostFailure) {
    do throws(SinkError) {
      file = try OutputDescriptor(path, hurried: hurried)
    } catch {
      throw error.failure
    }
  }

  /// Appends a line, including its end.
  public func write(_ line: Bytes) {
    guard failure == nil else { return }
    do throws(SinkError) {
      try line.withUnsafeBytes { bytes throws(SinkError) in try file.write(bytes) }
    } catch {
      failure = error.failure
    }
  }
}
