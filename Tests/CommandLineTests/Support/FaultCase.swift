import Testing

/// What a server does wrong, and what a run is to make of it.
struct FaultCase: Decodable {
  let name: String
  /// For the fault server, as `every_429=7/retry_after=0`.
  let settings: String
  /// The ways to page that meet it; all three unless said.
  var keys: [String]?
  /// Further options of the run.
  var options: [String]?
  var exit: Int32?
  /// The numbers of the items that are there, as first and last; all thousand unless said.
  var items: [[Int]]?
  /// Every so many-th item carries the id of the one before, and so is not there.
  var duplicate: Int?
  /// The items are 1 to a number between these.
  var prefix: [Int]?
  /// The error, word for word, with places and URLs named.
  var error: String?
  /// A text that is among the log lines.
  var says: String?
  /// Faults that the server must have counted, so that the case is not met by chance.
  var faults: String?

  /// The numbers of the items to come.
  var expected: [Int] {
    let all = (items ?? [[1, 1000]]).flatMap { Array($0[0]...$0[1]) }
    return all.filter { number in duplicate.map { number % $0 != 0 } ?? true }
  }

  /// Each case with each of its ways to page.
  static let runs: [FaultRun] = {
    let all: [FaultCase] = cases("faults")
    return all.flatMap { fault in
      (fault.keys ?? ["page_number", "offset", "cursor"]).map { FaultRun(fault: fault, script: $0) }
    }
  }()
}

/// A case met by one way to page.
struct FaultRun: CustomTestStringConvertible {
  let fault: FaultCase
  /// A script of `scripts/sources`.
  let script: String

  var testDescription: String { "\(fault.name) (\(script))" }
  /// Tells the server which requests belong together.
  var name: String {
    "\(fault.name)-\(script)".map { $0.isLetter || $0.isNumber ? String($0) : "-" }.joined()
  }
}
