import Glibc
import Items
import Paging

/// Locks a file or a directory for one run: while the descriptor is open, no second run writes there.
///
/// It is a `flock` on the file itself, so no lock file is left behind and a dead process holds nothing.
enum OutputLock {
  /// Opens the path and locks it, for others of the kind too if `isShared`; nil if there is nothing to open. `shown` is the output's name in messages.
  static func open(
    _ path: String, _ flags: Int32, mode: mode_t = 0o666, isShared: Bool = false, shown: String
  ) throws(SinkError) -> FileDescriptor? {
    while true {
      let file: FileDescriptor
      do throws(SystemError) {
        file = try FileDescriptor.open(path, flags, mode: mode)
      } catch {
        if error.number == ENOENT { return nil }
        throw SinkError(error, path: shown)
      }
      try acquire(file, isShared: isShared, shown: shown)
      // The previous holder may have replaced the file meanwhile.
      if isSame(file, path) { return file }
    }
  }

  /// Locks an open file; no-op on file systems without locks.
  static func acquire(_ file: FileDescriptor, isShared: Bool = false, shown: String) throws(SinkError) {
    // The broker of a run that was killed holds it for a moment, to remove what is empty.
    for _ in 0..<100 {
      guard file.withNumber({ lock($0, isShared: isShared) }) == EWOULDBLOCK else { return }
      usleep(2000)
    }
    throw SinkError(busy(try? file.status(), shown: shown))
  }

  /// The system's result; 0 if the lock was free.
  static func lock(_ number: Int32) -> Int32 { lock(number, isShared: false) }

  private static func lock(_ number: Int32, isShared: Bool) -> Int32 {
    while flock(number, (isShared ? LOCK_SH : LOCK_EX) | LOCK_NB) != 0 {
      if errno != EINTR { return errno }
    }
    return 0
  }

  /// The error for an output that another run is writing.
  static func busy(_ status: stat?, shown: String) -> HostFailure {
    let holder = status.flatMap(holder).map { " (process \($0))" } ?? ""
    return HostFailure(.io, "can't write \(shown.escapingControls): another run is writing it\(holder)")
  }

  /// Whether the path still refers to the file.
  static func isSame(_ file: FileDescriptor, _ path: String) -> Bool {
    var there = stat()
    guard let status = try? file.status(), stat(path, &there) == 0 else { return false }
    return there.st_dev == status.st_dev && there.st_ino == status.st_ino
  }

  /// The process that holds the lock, where the system says so: it lists locks by device and number of their files. Where a
  /// file system shows another device than it lists, the number alone has to do, if it is there once.
  private static func holder(of status: stat) -> Int? {
    guard let list = try? WholeFile.read("/proc/locks") else { return nil }
    var holders: [(isExact: Bool, process: Int)] = []
    for line in list.string.split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count >= 6, words[1] == "FLOCK", let process = Int(words[4]), process > 0 else { continue }
      let place = words[5].split(separator: ":")
      guard place.count == 3, place[2] == "\(status.st_ino)" else { continue }
      let isExact =
        Int(place[0], radix: 16) == major(of: status.st_dev)
        && Int(place[1], radix: 16) == minor(of: status.st_dev)
      holders.append((isExact, process))
    }
    let exact = holders.first { $0.isExact }
    return (exact ?? (holders.count == 1 ? holders[0] : nil))?.process
  }

  /// The parts of a device number, as combined by glibc's `makedev`.
  private static func major(of device: dev_t) -> Int {
    Int(truncatingIfNeeded: device >> 8 & 0xFFF | device >> 32 & ~0xFFF)
  }

  private static func minor(of device: dev_t) -> Int {
    Int(truncatingIfNeeded: device & 0xFF | device >> 12 & ~0xFF)
  }
}
