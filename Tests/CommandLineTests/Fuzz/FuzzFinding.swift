import Foundation

/// Something that no script may bring about.
struct FuzzFinding: CustomStringConvertible {
  enum Kind: String {
    case signal, bug, hang, memory, address, panic
  }

  let kind: Kind
  /// What was seen of it.
  let evidence: String
  /// What brought it about.
  var statement = ""

  var description: String { "\(kind.rawValue) (\(evidence)): \(statement)" }

  /// What is wrong with how a process ended; nil when nothing is.
  ///
  /// Where a script may wait for ever, as one that sleeps, only a process that computes hangs.
  init?(_ ending: FuzzProcess.Ending, megabytes: Int, mayWait: Bool = false) {
    let fault = Self.fault(in: ending.text)
    switch ending.status {
    case 137 where mayWait && ending.seconds < 7: return nil
    case 137:
      self.init(
        kind: .hang,
        evidence: "killed after \(ending.seconds) s of processor time, \(ending.peakKilobytes >> 10) MB")
    case 129...: self.init(kind: .signal, evidence: "signal \(ending.status - 128), \(fault ?? "no message")")
    case 70: self.init(kind: .bug, evidence: fault ?? String(ending.text.suffix(200)))
    default:
      if let fault {
        self.init(kind: .panic, evidence: fault)
      } else if ending.peakKilobytes > max(megabytes << 10, Self.ownKilobytes), !FuzzSettings.isSanitized {
        self.init(kind: .memory, evidence: "\(ending.peakKilobytes >> 10) MB")
      } else {
        return nil
      }
    }
  }

  init(kind: Kind, evidence: String, statement: String = "") {
    self.kind = kind
    self.evidence = evidence
    self.statement = statement
  }

  /// A child begins with the peak of its parent, so less than that is not seen.
  private static var ownKilobytes: Int {
    var usage = rusage()
    getrusage(0, &usage)  // RUSAGE_SELF, which comes as another type
    return usage.ru_maxrss + usage.ru_maxrss / 20
  }

  private static func fault(in text: String) -> String? {
    text.split(separator: "\n").first { line in
      ["Fatal error", "PANIC", "panic:", "Sanitizer:", "runtime error:"].contains { line.contains($0) }
    }.map { String($0.prefix(200)) }
  }

  /// The first address in a text, and the number of the step that showed it.
  static func address(in text: String) -> (step: Int, evidence: String)? {
    var step = 0
    for line in text.split(separator: "\n") {
      step = FuzzProcess.Ending.step(line) ?? step
      guard line.contains("0x"), let match = line.firstMatch(of: /0x[0-9a-f]{6,}/) else { continue }
      return (step, String(match.output))
    }
    return nil
  }
}
