import Foundation

extension CommandResult {
  /// The error and what belongs to it: without log lines and the summary.
  var error: String {
    let lines = errors.split(separator: "\n").map(String.init)
    guard let start = lines.firstIndex(where: { $0.hasPrefix("error:") }) else { return "" }
    return lines[start...].filter { !$0.isSummary }.joined(separator: "\n")
  }

  /// The last line, when it is the summary.
  var summary: String? {
    errors.split(separator: "\n").last.map(String.init).flatMap { $0.isSummary ? $0 : nil }
  }
}

extension String {
  /// Whether it is the line that a run ends with.
  var isSummary: Bool {
    firstMatch(of: /^[\d,]+( of [\d,]+)? items?( written)?, .* in .* \([\d,]+ items\/s\)$/) != nil
  }

  /// With what differs from run to run named: URLs of this machine, ports.
  var normalised: String {
    replacing(/http:\/\/127\.0\.0\.1:\d+[^\s:]*/, with: "URL").replacing(/127\.0\.0\.1:\d+/, with: "SERVER")
      .replacing(/(localhost|elsewhere\.example):\d+/, with: "OTHER")
  }
}
