import Foundation

/// A script of `Cases/jobs`, run with a parameter and further options.
struct Job {
  private let arguments: [String]

  init(_ name: String, _ parameter: String, _ options: String...) {
    arguments =
      ["run", "\(Self.folder)/\(name).lua", "--allow-net=127.0.0.1", "--param", parameter] + options
  }

  func run() throws -> CommandResult { try Command.lookahead(arguments).run() }

  /// The scripts of all jobs, from the root of the checkout.
  static let all: [String] = {
    let names = try! FileManager.default.contentsOfDirectory(
      atPath: Repository.root.appendingPathComponent(folder).path)
    return names.sorted().map { "\(folder)/\($0)" }
  }()

  private static let folder = "Tests/CommandLineTests/Cases/jobs"
}

extension Int {
  /// With zeros in front.
  func padded(to width: Int) -> String { String(format: "%0\(width)d", self) }
}
