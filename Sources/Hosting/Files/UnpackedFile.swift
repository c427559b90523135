import Glibc
import Paging

/// Reads a file from its start on; one whose name ends in `.gz` or `.zst` is unpacked.
final class UnpackedFile {
  let path: String
  private let read: (UnsafeMutableRawBufferPointer) throws(SystemError) -> Int
  private let unpacker: Unpacker<SystemError>?

  /// Waits for the other end of a pipe until the flag is set.
  init(
    _ file: FileDescriptor, path: String, until stop: StopFlag, patience: Duration = .seconds(10)
  ) throws(SystemError) {
    self.path = path
    let isRegular = try file.status().st_mode & S_IFMT == S_IFREG
    let read: (UnsafeMutableRawBufferPointer) throws(SystemError) -> Int = { room throws(SystemError) in
      isRegular ? try file.read(into: room) : try file.read(into: room, until: stop, patience: patience)
    }
    self.read = read
    unpacker = Packing(ofPath: path).map { Unpacker($0, read) }
  }

  /// Whether its bytes are not those of the file.
  var isPacked: Bool { unpacker != nil }

  /// The number of bytes that were read; none at the end.
  func read(into room: UnsafeMutableRawBufferPointer) throws(HostFailure) -> Int {
    do throws(Unpacker<SystemError>.Fault) {
      if let unpacker {
        let count = try unpacker.read(into: room)
        // Even nothing, packed, is something.
        guard count > 0 || unpacker.hasBegun else { throw .cut }
        return count
      }
      do throws(SystemError) { return try read(room) } catch { throw .source(error) }
    } catch {
      let shown = path.escapingControls
      switch error {
      case .source(let error): throw HostFailure(error, "read", path)
      case .damaged:
        throw HostFailure(
          .io, "can't read \(shown): it is damaged, or not packed as its name says (.gz: gzip, .zst: zstd)")
      case .cut:
        throw HostFailure(.io, "can't read \(shown): the packed file ends in the middle")
      }
    }
  }
}
