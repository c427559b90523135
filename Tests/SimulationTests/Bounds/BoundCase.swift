import Experiments
import Foundation
import Paging
import Testing

/// One vector of `bounds.json`.
struct BoundCase: Decodable, CustomTestStringConvertible, Sendable {
  let name: String
  let kind: String
  let args: Arguments
  let expect: Expectations

  struct Arguments: Decodable, Sendable {
    let D: [Double]?
    let L: OneOrMany?
    let C: Int?
    let cursor: Bool?
    let M: Int?
  }

  struct Expectations: Decodable, Sendable {
    let stall: Double?
    let stalls: [Double]?
    let arrivals: [Double]?
    let front: [[Double]]?
  }

  /// A latency for all pages, or each page's own.
  enum OneOrMany: Decodable, Sendable {
    case one(Double)
    case many([Double])

    init(from decoder: any Decoder) throws {
      let value = try decoder.singleValueContainer()
      if let one = try? value.decode(Double.self) {
        self = .one(one)
      } else {
        self = .many(try value.decode([Double].self))
      }
    }

    var times: PageTimes {
      switch self {
      case .one(let time): .same(.seconds(time))
      case .many(let times): .each(times.map { .seconds($0) })
      }
    }
  }

  var testDescription: String { name }

  private static let vectors: [BoundCase] = {
    let url = Bundle.module.url(forResource: "bounds", withExtension: "json", subdirectory: "Cases")!
    return try! JSONDecoder().decode([BoundCase].self, from: Data(contentsOf: url))
  }()

  /// Vectors of all kinds.
  static var count: Int { vectors.count }

  /// All vectors of these kinds.
  static func all(_ kinds: String...) -> [BoundCase] { vectors.filter { kinds.contains($0.kind) } }

  /// The problem that the arguments state.
  var problem: ClairvoyantProblem {
    var problem = ClairvoyantProblem(deadlines: instants(args.D!), latencies: args.L!.times)
    problem.slots = args.C!
    problem.usesCursors = args.cursor ?? false
    problem.memory = args.M
    return problem
  }
}

/// Seconds as instants.
func instants(_ seconds: [Double]) -> [Instant] {
  seconds.map { Instant(nanoseconds: Int64($0 * 1e9)) }
}
