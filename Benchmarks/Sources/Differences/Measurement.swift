import Glibc

/// What an operation takes on its thread.
struct Measurement {
  /// Median, in nanoseconds of processor time, of the runs after the first.
  var nanoseconds = 0.0
  /// Most memory that it held beyond what was there before, in MiB, in the first run; nil where the system
  /// does not tell.
  var mebibytes: Double?

  /// Runs it up to 41 times, but not longer than half a second unless the first run is.
  init(_ operation: () -> Void) {
    let held = Measurement.startPeak()
    var times = [Measurement.time(operation)]
    mebibytes = held.flatMap { held in
      Measurement.kibibytes("VmHWM:").map { Double(max(0, $0 - held)) / 1024 }
    }
    while times.count < 41, times.reduce(0, +) < 5e8 { times.append(Measurement.time(operation)) }
    let warm = times.count > 1 ? times.dropFirst().sorted() : times
    nanoseconds = warm[warm.count / 2]
  }

  /// Nanoseconds of processor time of one run.
  static func time(_ operation: () -> Void) -> Double {
    let start = now()
    operation()
    return now() - start
  }

  private static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
  }

  /// Gives unused memory back and begins to look for the peak; what is held now, in KiB.
  private static func startPeak() -> Int? {
    malloc_trim(0)
    guard let file = fopen("/proc/self/clear_refs", "w") else { return nil }
    fputs("5", file)
    fclose(file)
    return kibibytes("VmRSS:")
  }

  private static func kibibytes(_ field: String) -> Int? {
    guard let file = fopen("/proc/self/status", "r") else { return nil }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    while fgets(&line, Int32(line.count), file) != nil {
      let words = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        .split(whereSeparator: \.isWhitespace)
      if words.first.map(String.init) == field { return Int(words[1]) }
    }
    return nil
  }
}

/// Gives memory that is free back to the system; the C library has it, its module map does not.
@_silgen_name("malloc_trim")
@discardableResult
private func malloc_trim(_ pad: Int) -> Int32
