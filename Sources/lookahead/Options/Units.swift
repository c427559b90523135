import ArgumentParser
import Glibc
import Hosting
import Paging
import Scripting

/// Ranges of numbers on the command line: nothing overflows behind them.
enum Border {
  /// Seconds of a duration: ten years. Times are 64-bit nanoseconds, which cover 292 years, so that several durations
  /// can be added.
  static let seconds = 0.0...315_360_000
  /// Bytes: a thousand terabytes, a fraction of an `Int`.
  static let bytes = 1.0...1e15
  /// Counts: a trillion. The product with a page size, at most `pageSize`, still fits an `Int`.
  static let counts = 1...1_000_000_000_000
  /// Items of a page.
  static let pageSizes = 1...1_000_000
  /// Things held at the same time, such as the items of a list or the sessions of an experiment.
  static let held = 1...10_000_000
  /// Threads.
  static let threads = 1...1024

  /// Shares of the partitions.
  static let shards = 1_000_000

  /// Throws if a given number is out of range.
  static func check(_ number: Int?, _ option: String, _ range: ClosedRange<Int>) throws(ValidationError) {
    guard let number, !range.contains(number) else { return }
    throw ValidationError(
      number < range.lowerBound
        ? "\(option) \(number): expected \(range.lowerBound) or more"
        : "\(option) \(number): expected \(range.upperBound) or less")
  }

  /// Throws if a given time is none at all.
  static func check(_ time: TimeSpan?, _ option: String) throws(ValidationError) {
    guard let time, time.duration <= .zero else { return }
    throw ValidationError("\(option): expected a time that is more than none, as 30s")
  }
}

/// A span of time with its unit, as `500ms`, `2s`, `1h`; a bare number is seconds.
struct TimeSpan: ExpressibleByArgument {
  let duration: Duration

  init?(argument: String) {
    let units: [(String, Double)] = [
      ("ms", 0.001), ("s", 1), ("m", 60), ("min", 60), ("h", 3600), ("d", 86400),
    ]
    guard let (number, unit) = split(argument),
      let scale = unit.isEmpty ? 1 : units.first(where: { $0.0 == unit })?.1,
      Border.seconds.contains(number * scale)
    else { return nil }
    duration = .seconds(number * scale)
  }
}

/// A size with its unit, as `10MB`, `512k`; a bare number is bytes.
struct ByteSize: ExpressibleByArgument {
  let bytes: Int

  init?(argument: String) {
    let units = [
      "": 1, "b": 1, "k": 1000, "kb": 1000, "m": 1_000_000, "mb": 1_000_000, "g": 1_000_000_000,
      "gb": 1_000_000_000, "kib": 1024, "mib": 1 << 20, "gib": 1 << 30,
    ]
    guard let (number, unit) = split(argument), let scale = units[unit.lowercased()],
      Border.bytes.contains(number * Double(scale))
    else { return nil }
    bytes = Int(number * Double(scale))
  }
}

/// Requests per time, as `10/s`, `600/m`, `5000/h`.
struct Rate: ExpressibleByArgument {
  let limit: RateLimit

  init?(argument: String) {
    let parts = argument.split(separator: "/")
    let units = ["s": 1.0, "m": 60, "min": 60, "h": 3600, "d": 86400]
    guard parts.count == 2, let requests = Double(parts[0]), 1e-6...1e9 ~= requests,
      let seconds = units[String(parts[1])]
    else { return nil }
    limit = RateLimit(requests: requests, per: seconds)
  }
}

/// Pages in flight: a number, or `auto`.
struct Concurrency: ExpressibleByArgument {
  let width: Width

  init?(argument: String) {
    if argument == "auto" {
      width = .automatic
      return
    }
    guard let number = Int(argument), (1...256).contains(number) else { return nil }
    width = .pages(number)
  }

  init(_ width: Width) { self.width = width }

  /// As it is written on the command line.
  var text: String {
    switch width {
    case .pages(let pages): "\(pages)"
    case .automatic: "auto"
    }
  }
}

/// Threads: a number, or `auto` for all cores.
struct JobCount: ExpressibleByArgument {
  let threads: Int

  init?(argument: String) {
    if argument == "auto" {
      threads = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
      return
    }
    guard let number = Int(argument), Border.threads.contains(number) else { return nil }
    threads = number
  }
}

/// A share of the partitions, as `2/8`.
struct ShardOption: ExpressibleByArgument {
  let shard: Shard

  init?(argument: String) {
    let numbers = argument.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard numbers.count == 2, let index = numbers[0], let count = numbers[1], count <= Border.shards,
      let shard = Shard(index: index, count: count)
    else { return nil }
    self.shard = shard
  }
}

/// The number that a text begins with, and what follows it.
private func split(_ text: String) -> (Double, String)? {
  let number = text.prefix { $0.isASCII && $0.isNumber || $0 == "." }
  return Double(number).map { ($0, String(text.dropFirst(number.count))) }
}
