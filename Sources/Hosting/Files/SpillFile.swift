import Glibc
public import Items
import Synchronization

/// A room in a file without a name, on the disk of a folder: it is gone with the process, however that ends.
public final class SpillFile: SpillRoom {
  private let file: FileDescriptor
  private let state = Mutex(State())

  private struct State {
    /// The bytes that each area has; nil is nobody's.
    var areas: [Int?] = []
    var failure: SystemError?
  }

  /// Makes it in the first of the folders that can have one. Before the cage is entered: no file can be made there.
  public init?(in folders: [String]) {
    for folder in folders {
      guard let file = try? FileDescriptor.open(folder, O_RDWR | SpillFile.withoutName, mode: 0o600) else {
        continue
      }
      self.file = file
      return
    }
    return nil
  }

  /// Makes it in the folder of an output, where there is room for its items, or else among temporary files.
  public static func beside(_ output: String?) -> SpillFile? {
    if let output, let file = SpillFile(in: [output]) { return file }
    let temporary = getenv("TMPDIR").map { String(cString: $0) }
    return SpillFile(in: [temporary, "/var/tmp", "/tmp"].compactMap(\.self))
  }

  /// The flag `O_TMPFILE`, which glibc defines only with `_GNU_SOURCE`.
  private static let withoutName: Int32 = 0o20_000_000 | O_DIRECTORY

  /// Why something could not be read or written, if so: what was spilled is not known any more.
  public var failure: String? { state.withLock { $0.failure?.reason } }

  public let leastSpilled = 1 << 18

  /// Bytes between the starts of areas, more than one will have; a file can have hundreds of them.
  private static let areaBytes = 1 << 36

  public func takeArea() -> Int? {
    state.withLock { state in
      let area = state.areas.firstIndex(of: nil) ?? state.areas.count
      if area == state.areas.count { state.areas.append(0) } else { state.areas[area] = 0 }
      return area
    }
  }

  public func giveBack(area: Int) { state.withLock { $0.areas[area] = nil } }

  public func reserve(_ count: Int, inArea area: Int) -> Bool {
    // What a disk can't have as a whole it takes in part, and keeps: the output would have no room left.
    let growth = state.withLock { count - ($0.areas[area] ?? 0) }
    guard count <= SpillFile.areaBytes, growth <= free / 4,
      file.withNumber({ posix_fallocate($0, area * SpillFile.areaBytes, count) }) == 0
    else { return false }
    state.withLock { $0.areas[area] = count }
    return true
  }

  /// Bytes that are free on its disk.
  private var free: Int {
    var disk = statvfs()
    guard file.withNumber({ fstatvfs($0, &disk) }) == 0 else { return 0 }
    return Int(clamping: disk.f_bavail.multipliedReportingOverflow(by: disk.f_frsize).partialValue)
  }

  public func read(_ bytes: UnsafeMutableRawBufferPointer, at offset: Int, inArea area: Int) {
    transfer(bytes.count, at: area * SpillFile.areaBytes + offset) { done, place in
      file.withNumber { pread($0, bytes.baseAddress! + done, bytes.count - done, place) }
    }
  }

  public func write(_ bytes: UnsafeRawBufferPointer, at offset: Int, inArea area: Int) {
    transfer(bytes.count, at: area * SpillFile.areaBytes + offset) { done, place in
      file.withNumber { pwrite($0, bytes.baseAddress! + done, bytes.count - done, place) }
    }
  }

  private func transfer(_ count: Int, at start: Int, _ part: (_ done: Int, _ place: Int) -> Int) {
    var done = 0
    while done < count {
      let moved = part(done, start + done)
      if moved > 0 {
        done += moved
      } else if moved == 0 || errno != EINTR {
        let error = moved < 0 ? SystemError.last : SystemError(number: EIO)
        return state.withLock { $0.failure = $0.failure ?? error }
      }
    }
  }
}
