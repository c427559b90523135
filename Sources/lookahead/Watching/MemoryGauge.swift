import Glibc

/// The memory and the processor time of this process; opened before the cage is entered, in which the file can't be.
final class MemoryGauge {
  private let descriptor = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
  private let pageSize = sysconf(Int32(_SC_PAGESIZE))

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Resident bytes; 0 where the system does not say.
  var resident: Int {
    var text = [UInt8](repeating: 0, count: 128)
    let count = text.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
    guard count > 0 else { return 0 }
    let fields = text[..<count].split(separator: UInt8(ascii: " "))
    guard fields.count > 1, let pages = Int(String(decoding: fields[1], as: UTF8.self)) else { return 0 }
    return pages * pageSize
  }

  /// Seconds of a processor, of all threads.
  var processor: Double {
    var usage = rusage()
    guard getrusage(0, &usage) == 0 else { return 0 }
    func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
    return seconds(usage.ru_utime) + seconds(usage.ru_stime)
  }
}
