import ArgumentParser
import Paging
import Scripting

/// A span of time with its unit, as `500ms`, `2s`, `1h`; a bare number is seconds.
struct TimeSpan: ExpressibleByArgument {
  let duration: Duration

  init?(argument: String) {
    let units: [(String, Double)] = [
      ("ms", 0.001), ("s", 1), ("m", 60), ("min", 60), ("h", 3600), ("d", 86400),
    ]
    guard let (number, unit) = split(argument), number >= 0,
      let scale = unit.isEmpty ? 1 : units.first(where: { $0.0 == unit })?.1
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
    guard let (number, unit) = split(argument), let scale = units[unit.lowercased()], number > 0,
      number * Double(scale) < 1e15
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
    guard parts.count == 2, let requests = Double(parts[0]), requests > 0, requests < 1e9,
      let seconds = units[String(parts[1])]
    else { return nil }
    limit = RateLimit(requests: requests, per: seconds)
  }
}

/// Pages in flight: a number, or `auto`.
struct Concurrency: ExpressibleByArgument {
  let width: Int

  init?(argument: String) {
    if argument == "auto" {
      width = 32
      return
    }
    guard let number = Int(argument), (1...256).contains(number) else { return nil }
    width = number
  }
}

private func split(_ text: String) -> (Double, String)? {
  let number = text.prefix { $0.isNumber || $0 == "." }
  return Double(number).map { ($0, String(text.dropFirst(number.count))) }
}
