import Glibc
public import Items
public import Paging

/// A file that lines are added to, each in one piece: whoever kills the process loses no line that was written.
public final class RecordingFile {
  private let path: String
  private let file: FileDescriptor
  /// Why the file is not whole; nothing is written after it.
  public private(set) var failure: HostFailure?

  /// Begins the file anew.
  public init(_ path: String) throws(HostFailure) {
    self.path = path
    do throws(SystemError) {
      file = try FileDescriptor.open(path, O_WRONLY | O_CREAT | O_TRUNC)
    } catch {
      throw HostFailure(error, "write", path)
    }
  }

  /// Adds a line, which has its end.
  public func write(_ line: Bytes) {
    guard failure == nil else { return }
    do throws(SystemError) {
      try line.withUnsafeBytes { bytes throws(SystemError) in try file.write(bytes) }
    } catch {
      failure = HostFailure(error, "write", path)
    }
  }
}
