import Testing

/// A list of a convention that `api_server.py` serves, and what plain `get` is to make of it.
struct ConventionCase: Decodable {
  /// As the server calls it.
  let name: String
  /// Of the list, after the settings.
  let path: String
  /// The items of a page when the path is asked for.
  let size: Int
  /// What asks for pages of this size, where the path does not.
  var asks: String?
  var options: [String]?
  /// Whether the answers tell how many items there are; yes unless said.
  var total: Bool?
  /// The variations that it is met by; all unless said.
  var only: [String]?
  let expected: Expected
  /// For single variations.
  var other: [String: Expected]?

  enum Expected: String, Decodable {
    /// Every item is read.
    case all
    /// Every item is read, or the list is refused.
    case either
    /// The list is refused.
    case refused
  }

  /// What a server may do that keeps to its documentation, or nearly so.
  enum Variation: String, CaseIterable {
    case plain, exact, single, none, hidden, capped, empty, lost, blind, stuck, broken, hollow, decoys
    case cappedBlind = "capped blind"
  }

  /// Each list with each variation that makes a difference to it.
  static let runs: [ConventionRun] = {
    let all: [ConventionCase] = cases("conventions")
    return all.enumerated().flatMap { number, convention in
      Variation.allCases.filter(convention.isMetBy).map {
        ConventionRun(number: number, convention: convention, variation: $0)
      }
    }
  }()

  /// Whether a variation makes a difference; the last four are named by those that they can be seen in.
  private func isMetBy(_ variation: Variation) -> Bool {
    if let only { return only.contains(variation.rawValue) }
    return switch variation {
    case .hidden, .cappedBlind: total ?? true
    case .stuck, .broken, .hollow, .decoys: other?[variation.rawValue] != nil
    default: true
    }
  }
}

/// A list, and what its server does.
struct ConventionRun: CustomTestStringConvertible {
  let number: Int
  let convention: ConventionCase
  let variation: ConventionCase.Variation
  /// Keeps the requests of one test apart from those of another.
  private(set) var mark = ""

  init(number: Int, convention: ConventionCase, variation: ConventionCase.Variation) {
    self.number = number
    self.convention = convention
    self.variation = variation
  }

  /// The same for another test.
  func marked(_ mark: String) -> ConventionRun {
    var run = self
    run.mark = mark
    return run
  }

  var testDescription: String { "\(convention.name), \(variation.rawValue): \(convention.path)" }

  var expected: ConventionCase.Expected { convention.other?[variation.rawValue] ?? convention.expected }

  /// How many items there are: pages that are full to the last, or not, or one that is not full, or none.
  var items: Int {
    switch variation {
    case .plain, .hidden, .capped, .cappedBlind, .lost, .stuck, .broken, .hollow, .decoys:
      3 * convention.size - 3
    case .exact, .empty, .blind: 3 * convention.size
    case .single: convention.size / 3
    case .none: 0
    }
  }

  /// Where it is asked for.
  var url: String {
    var path = convention.path
    if variation == .capped || variation == .cappedBlind, let asks = convention.asks {
      path += (path.contains("?") ? "&" : "?") + asks
    }
    let settings = "run=\(number)\(mark)/items=\(items)/most=\(most)\(settings)"
    return "http://\(Server.conventions.address)/\(convention.name)/\(settings)/\(path)"
  }

  /// The requests that reading may take: each page, as many again for pages asked for ahead, and a few to try ways.
  private var most: Int {
    let size = variation == .capped || variation == .cappedBlind ? convention.size / 2 : convention.size
    return 3 * (items / size + 1) + 12
  }

  private var settings: String {
    switch variation {
    case .plain, .exact, .single, .none: ""
    case .hidden: "/total=hidden"
    case .capped: "/cap=\(convention.size / 2)"
    case .cappedBlind: "/cap=\(convention.size / 2)/total=hidden"
    case .empty: "/total=hidden/end=empty"
    case .lost: "/end=404"
    case .blind: "/total=hidden/end=404"
    case .stuck: "/end=stuck"
    case .broken: "/end=broken"
    case .hollow: "/hole=\(convention.size)"
    case .decoys: "/decoys=\(2 * convention.size)"
    }
  }
}
