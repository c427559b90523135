public import Items
public import Paging

/// A file that lines are added to, each in one piece: whoever kills the process loses no line that was written.
public final class RecordingFile {
  private let file: OutputDescriptor
  /// Why the file is not whole; nothing is written after it.
  public private(set) var failure: HostFailure?

  /// Begins the file anew. Once the flag is set, a reader who takes nothing is not waited for.
  public init(_ path: String, hurried: StopFlag = StopFlag()) throws(HostFailure) {
    do throws(SinkError) {
      file = try OutputDescriptor(path, hurried: hurried)
    } catch {
      throw error.failure
    }
  }

  /// Adds a line, which has its end.
  public func write(_ line: Bytes) {
    guard failure == nil else { return }
    do throws(SinkError) {
      try line.withUnsafeBytes { bytes throws(SinkError) in try file.write(bytes) }
    } catch {
      failure = error.failure
    }
  }
}
