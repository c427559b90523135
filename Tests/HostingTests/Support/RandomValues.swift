import TestSupport
import Items
import Paging

/// Random host calls and replies of every kind, with texts and bytes that are hard to write down.
struct RandomValues {
  private var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  mutating func call() -> HostCall {
    switch Int.random(in: 0..<19, using: &random) {
    case 0, 1: .http(request())
    case 2: .sleep(duration())
    case 3:
      .emit(
        Delivery(stream: maybe { $0.text() }, items: list { Item(id: .text($0.text()), bytes: $0.bytes()) }))
    case 4: .readFile(path: text())
    case 5: .writeFile(path: text(), contents: bytes())
    case 6: .fileExists(path: text())
    case 7: .listFiles(path: text())
    case 8: .openLines(path: text(), keepsEnds: .random(using: &random))
    case 9: .nextLines(handle: number(), limit: number())
    case 17: .listPage(path: text(), at: list { $0.text() }, from: maybe { $0.place() }, limit: number())
    case 10: .openDatabase(path: text(), isReadOnly: .random(using: &random))
    case 11: .query(handle: number(), statement())
    case 12: .openRows(handle: number(), statement())
    case 13: .nextRows(handle: number(), limit: number())
    case 14: .execute(handle: number(), statement())
    case 15: .close(handle: number())
    case 16:
      .connectDatabase(address: text(), isReadOnly: .random(using: &random), timeout: .seconds(2))
    default: .environment(name: text())
    }
  }

  mutating func reply() -> HostReply {
    switch Int.random(in: 0..<14, using: &random) {
    case 0: .done
    case 1, 2: .response(response())
    case 3: .bytes(bytes())
    case 4: .lines(list { $0.bytes() }, isEnd: .random(using: &random))
    case 5: .rows(IndexedJSON(bytes()), isEnd: .random(using: &random))
    case 6: .handle(number())
    case 7: .count(number())
    case 8: .flag(.random(using: &random))
    case 9: .names(list { $0.text() })
    case 10: .text(maybe { $0.text() })
    case 11: .page(FilePage(elements: bytes(), start: Int64(number()), next: maybe { $0.place() }))
    case 12: .begun(begun())
    default: .failed(failure())
    }
  }

  private mutating func begun() -> BegunReading {
    var reading = BegunReading(id: number())
    reading.number = number()
    reading.items = number()
    reading.isDone = .random(using: &random)
    reading.isOutputContinued = .random(using: &random)
    return reading
  }

  private mutating func place() -> FilePlace {
    FilePlace(offset: Int64(number()), size: Int64(number()), changed: Int64(number()))
  }

  private mutating func request() -> HTTPRequest {
    HTTPRequest(
      method: ["GET", "POST", ""].randomElement(using: &random)!, url: "http://x/\(number())?a=\(number())",
      headers: headers(), body: maybe { $0.bytes() }, timeout: duration(), maxBody: number())
  }

  private mutating func response() -> HTTPResponse {
    HTTPResponse(
      status: number(), headers: headers(), body: bytes(), url: "http://x/\(number())",
      redirectURL: maybe { "http://y/\($0.number())" }, elapsed: duration())
  }

  private mutating func failure() -> HostFailure {
    let codes: [HostFailure.Code] = [
      .denied, .network, .timeout, .http, .tooLarge, .notFound, .io, .database, .parse, .rateLimited,
      .cancelled, .invalid,
    ]
    var failure = HostFailure(
      codes.randomElement(using: &random)!, text(), needs: maybe { $0.text() },
      isTransient: .random(using: &random), retryAfter: maybe { $0.duration() }, status: maybe { $0.number() }
    )
    failure.isUnsent = .random(using: &random)
    failure.isStale = .random(using: &random)
    return failure
  }

  private mutating func statement() -> SQLStatement {
    let names = ["a", "b", "ü"].shuffled(using: &random).prefix(Int.random(in: 0...3, using: &random))
    var named: [String: SQLValue] = [:]
    for name in names { named[name] = value() }
    return SQLStatement(text(), positional: list { $0.value() }, named: named)
  }

  private mutating func value() -> SQLValue {
    switch Int.random(in: 0..<6, using: &random) {
    case 0: .null
    case 1: .integer([.min, .max, 0, -1].randomElement(using: &random)!)
    case 2:
      .real(
        [0.1, -0.0, 1e300, Double.leastNonzeroMagnitude, .infinity, -.infinity, 1e15].randomElement(
          using: &random)!)
    case 3, 4: .text(text())
    default: .blob(bytes())
    }
  }

  private mutating func headers() -> [HTTPHeader] { list { HTTPHeader("X-\($0.number())", $0.text()) } }

  private mutating func duration() -> Duration {
    Duration(
      secondsComponent: Int64.random(in: 0...4_000_000_000, using: &random),
      attosecondsComponent: Bool.random(using: &random)
        ? 0 : Int64.random(in: 0..<1_000_000_000_000_000_000, using: &random))
  }

  private mutating func number() -> Int {
    Bool.random(using: &random)
      ? .random(in: 0...9, using: &random) : .random(in: .min ... .max, using: &random)
  }

  private mutating func text() -> String {
    let pieces = [
      "", "a", "\"", "\\", "\n", "\u{0}", "\u{1F}", "é", "e\u{301}", "😀", "\u{2028}", "\u{7F}", "{}", "%41",
    ]
    return (0..<Int.random(in: 0...6, using: &random)).map { _ in pieces.randomElement(using: &random)! }
      .joined()
  }

  /// Text, or bytes that are none.
  private mutating func bytes() -> Bytes {
    if Bool.random(using: &random) { return Bytes(text()) }
    let raw = (0..<Int.random(in: 0...40, using: &random)).map { _ in
      UInt8.random(in: 0...255, using: &random)
    }
    return raw.withUnsafeBytes { Bytes(copying: $0) }
  }

  private mutating func maybe<Value>(_ make: (inout Self) -> Value) -> Value? {
    Bool.random(using: &random) ? make(&self) : nil
  }

  private mutating func list<Value>(_ make: (inout Self) -> Value) -> [Value] {
    (0..<Int.random(in: 0...4, using: &random)).map { _ in make(&self) }
  }
}
